// Input and output.
//
// Output has no effect and may fail: results are any value that the function can return. Input is any input: each
// character fresh, the end of the file possible at each. Neither touches a FILE; whether two threads' output mixes is
// not modelled. snprintf's text is any text of any length, cut off where the room ends, whatever is to be printed.
//
// Assumed: output functions read their arguments without error (races on, and bad pointers to, what is printed are
// not seen). sprintf (its length cannot be bounded), the scanf family and gets end with UNKNOWN, as do getline and
// getdelim, which allocate.
#include "heddle.h"

#include <stdarg.h>
#include <stdio.h>
#include <sys/types.h>

#undef getc
#undef putc
#undef feof
#undef ferror
#undef clearerr

long __heddle_fresh_long(void);

static FILE input_file, output_file, error_file, other_file;
FILE *stdin = &input_file;
FILE *stdout = &output_file;
FILE *stderr = &error_file;

// `value`, or -1: one expression, so that the choice is no branch.
static int or_failure(int value) { return value | -(int)__heddle_fresh_bool(); }
// 0 to `most`, without cutting off any execution.
static size_t at_most(size_t most) {
  size_t count = __heddle_fresh_size();
  return count <= most ? count : most;
}

int printf(const char *format, ...) { return __heddle_fresh_int(); }
int fprintf(FILE *file, const char *format, ...) { return __heddle_fresh_int(); }
int dprintf(int descriptor, const char *format, ...) { return __heddle_fresh_int(); }
int vprintf(const char *format, va_list arguments) { return __heddle_fresh_int(); }
int vfprintf(FILE *file, const char *format, va_list arguments) { return __heddle_fresh_int(); }
int __printf_chk(int flag, const char *format, ...) { return __heddle_fresh_int(); }
int __fprintf_chk(FILE *file, int flag, const char *format, ...) { return __heddle_fresh_int(); }
int puts(const char *string) { return __heddle_fresh_int(); }
int fputs(const char *string, FILE *file) { return __heddle_fresh_int(); }
int putchar(int c) { return or_failure((unsigned char)c); }
int putchar_unlocked(int c) { return or_failure((unsigned char)c); }
int fputc(int c, FILE *file) { return or_failure((unsigned char)c); }
int putc(int c, FILE *file) { return or_failure((unsigned char)c); }
int putc_unlocked(int c, FILE *file) { return or_failure((unsigned char)c); }
int _IO_putc(int c, FILE *file) { return or_failure((unsigned char)c); }
size_t fwrite(const void *from, size_t bytes, size_t count, FILE *file) { return bytes == 0 ? 0 : at_most(count); }
ssize_t write(int descriptor, const void *from, size_t bytes) {
  return (ssize_t)at_most(bytes) | -(int)__heddle_fresh_bool();
}
int fflush(FILE *file) { return or_failure(0); }
void perror(const char *text) {}
void setbuf(FILE *file, char *buffer) {}
int setvbuf(FILE *file, char *buffer, int mode, size_t bytes) { return 0; }

// Any text, cut off where the room ends; each character any but zero. Returns how long it was before the cut, or a
// negative number.
static int HEDDLE_PLAIN(write_text)(char *to, size_t room) {
  int wanted = __heddle_fresh_int();
  if (room == 0) return wanted;
  size_t length = wanted >= 0 && (size_t)wanted < room ? (size_t)wanted : room - 1;
  for (size_t i = 0; i < length; i++) {
    char c = __heddle_fresh_char();
    to[i] = c != 0 ? c : ' ';
  }
  to[length] = 0;
  return wanted;
}

int snprintf(char *to, size_t room, const char *format, ...) { return HEDDLE_PLAIN(write_text)(to, room); }

int vsnprintf(char *to, size_t room, const char *format, va_list arguments) {
  return HEDDLE_PLAIN(write_text)(to, room);
}

int sprintf(char *to, const char *format, ...) { __heddle_unmodelled("sprintf"); }
int vsprintf(char *to, const char *format, va_list arguments) { __heddle_unmodelled("vsprintf"); }
int asprintf(char **to, const char *format, ...) { __heddle_unmodelled("asprintf"); }
int vasprintf(char **to, const char *format, va_list arguments) { __heddle_unmodelled("vasprintf"); }

int getchar(void) { return or_failure((unsigned char)__heddle_fresh_char()); }
int getchar_unlocked(void) { return or_failure((unsigned char)__heddle_fresh_char()); }
int fgetc(FILE *file) { return or_failure((unsigned char)__heddle_fresh_char()); }
int getc(FILE *file) { return or_failure((unsigned char)__heddle_fresh_char()); }
int getc_unlocked(FILE *file) { return or_failure((unsigned char)__heddle_fresh_char()); }
int _IO_getc(FILE *file) { return or_failure((unsigned char)__heddle_fresh_char()); }
int ungetc(int c, FILE *file) { __heddle_unmodelled("ungetc"); }

// A line: up to its end, the end of the file, or the end of the buffer.
static char *HEDDLE_PLAIN(read_line)(char *to, int room) {
  if (room <= 0) return NULL;
  int length = 0;
  while (length < room - 1) {
    if (__heddle_fresh_bool()) {
      if (length == 0) return NULL;
      break;
    }
    char c = __heddle_fresh_char();
    to[length++] = c;
    if (c == '\n') break;
  }
  to[length] = 0;
  return to;
}

static void HEDDLE_PLAIN(read_bytes)(char *to, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) to[i] = __heddle_fresh_char();
}

char *fgets(char *to, int room, FILE *file) { return HEDDLE_PLAIN(read_line)(to, room); }
char *gets(char *to) { __heddle_unmodelled("gets"); }

size_t fread(void *to, size_t bytes, size_t count, FILE *file) {
  if (bytes == 0) return 0;
  size_t read = at_most(count);
  HEDDLE_PLAIN(read_bytes)(to, read * bytes);
  return read;
}

ssize_t read(int descriptor, void *to, size_t bytes) {
  if (__heddle_fresh_bool()) return -1;
  size_t count = at_most(bytes);
  HEDDLE_PLAIN(read_bytes)(to, count);
  return (ssize_t)count;
}

ssize_t getline(char **line, size_t *room, FILE *file) { __heddle_unmodelled("getline"); }
ssize_t getdelim(char **line, size_t *room, int end, FILE *file) { __heddle_unmodelled("getdelim"); }
ssize_t __getdelim(char **line, size_t *room, int end, FILE *file) { __heddle_unmodelled("getdelim"); }

static FILE *opened(void) { return __heddle_fresh_bool() ? &other_file : NULL; }

FILE *fopen(const char *path, const char *mode) { return opened(); }
FILE *fopen64(const char *path, const char *mode) { return opened(); }
FILE *freopen(const char *path, const char *mode, FILE *file) { return opened(); }
FILE *fdopen(int descriptor, const char *mode) { return opened(); }
FILE *tmpfile(void) { return opened(); }
int fclose(FILE *file) { return or_failure(0); }
int feof(FILE *file) { return __heddle_fresh_int(); }
int ferror(FILE *file) { return __heddle_fresh_int(); }
void clearerr(FILE *file) {}
void rewind(FILE *file) {}
int fseek(FILE *file, long offset, int whence) { return or_failure(0); }
long ftell(FILE *file) { return __heddle_fresh_long(); }
int fileno(FILE *file) { return __heddle_fresh_int(); }
void flockfile(FILE *file) { __heddle_unmodelled("flockfile"); }
int ftrylockfile(FILE *file) { __heddle_unmodelled("ftrylockfile"); }
void funlockfile(FILE *file) { __heddle_unmodelled("funlockfile"); }
