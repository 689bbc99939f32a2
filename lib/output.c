// Output. It has no effect and may fail. What is printed is read by ordinary accesses: strings and blocks, the format,
// the arguments of %s; %n is stored. Every function locks its FILE, so that a FILE has no races. The order in which
// the output of threads mixes is not modelled.
#include "opened_file.h"
#include "results.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#undef putc
#undef fwrite_unlocked

// How many characters, or -1.
static int printed(size_t length) {
  int failed = __heddle_fresh_bool();
  note_failure(failed);
  return __heddle_select_int(failed, -1, (int)length);
}

// Not negative, or EOF.
static int done(void) {
  int result = __heddle_fresh_int();
  result = __heddle_select_int(result < 0, EOF, result);
  note_failure(result < 0);
  return result;
}

int printf(const char *format, ...) {
  look_at(stdout);
  return printed(__heddle_print(format));
}

int fprintf(FILE *file, const char *format, ...) {
  look_at(file);
  return printed(__heddle_print(format));
}

int dprintf(int descriptor, const char *format, ...) { return printed(__heddle_print(format)); }
int vprintf(const char *format, va_list list) {
  look_at(stdout);
  return printed(__heddle_print_list(format, list));
}

int vfprintf(FILE *file, const char *format, va_list list) {
  look_at(file);
  return printed(__heddle_print_list(format, list));
}

int vdprintf(int descriptor, const char *format, va_list list) { return printed(__heddle_print_list(format, list)); }
int __printf_chk(int flag, const char *format, ...) {
  look_at(stdout);
  return printed(__heddle_print(format));
}

int __fprintf_chk(FILE *file, int flag, const char *format, ...) {
  look_at(file);
  return printed(__heddle_print(format));
}

int __dprintf_chk(int descriptor, int flag, const char *format, ...) { return printed(__heddle_print(format)); }
int __vprintf_chk(int flag, const char *format, va_list list) {
  look_at(stdout);
  return printed(__heddle_print_list(format, list));
}

int __vfprintf_chk(FILE *file, int flag, const char *format, va_list list) {
  look_at(file);
  return printed(__heddle_print_list(format, list));
}

int puts(const char *string) {
  look_at(stdout);
  __heddle_read_string(string, SIZE_MAX);
  return done();
}

int fputs(const char *string, FILE *file) {
  look_at(file);
  __heddle_read_string(string, SIZE_MAX);
  return done();
}

int fputs_unlocked(const char *string, FILE *file) { return fputs(string, file); }

int putchar(int c) {
  look_at(stdout);
  return or_failure((unsigned char)c);
}

int putchar_unlocked(int c) { return or_failure((unsigned char)c); }
int fputc(int c, FILE *file) {
  look_at(file);
  return or_failure((unsigned char)c);
}

int fputc_unlocked(int c, FILE *file) { return fputc(c, file); }
int putc(int c, FILE *file) { return fputc(c, file); }
int putc_unlocked(int c, FILE *file) { return fputc(c, file); }
int _IO_putc(int c, FILE *file) { return fputc(c, file); }

int putw(int word, FILE *file) {
  look_at(file);
  return zero_or_failure();
}

size_t fwrite(const void *from, size_t bytes, size_t count, FILE *file) {
  look_at(file);
  __heddle_read_bytes(from, bytes * count);
  if (bytes == 0) return 0;
  size_t written = at_most(count);
  note_failure(written < count);
  return written;
}

size_t fwrite_unlocked(const void *from, size_t bytes, size_t count, FILE *file) {
  return fwrite(from, bytes, count, file);
}

int fflush(FILE *file) {
  if (file) look_at(file);
  return zero_or_failure();
}

int fflush_unlocked(FILE *file) { return fflush(file); }

void perror(const char *text) {
  look_at(stderr);
  if (text) __heddle_read_string(text, SIZE_MAX);
}

// --- text in memory ---

int snprintf(char *to, size_t room, const char *format, ...) { return (int)__heddle_format(to, room, format); }
int sprintf(char *to, const char *format, ...) { return (int)__heddle_format(to, SIZE_MAX, format); }
int vsnprintf(char *to, size_t room, const char *format, va_list list) {
  return (int)__heddle_format_list(to, room, format, list);
}
int vsprintf(char *to, const char *format, va_list list) {
  return (int)__heddle_format_list(to, SIZE_MAX, format, list);
}
int __snprintf_chk(char *to, size_t room, int flag, size_t size, const char *format, ...) {
  return (int)__heddle_format(to, room, format);
}
int __sprintf_chk(char *to, int flag, size_t size, const char *format, ...) {
  return (int)__heddle_format(to, SIZE_MAX, format);
}
int __vsnprintf_chk(char *to, size_t room, int flag, size_t size, const char *format, va_list list) {
  return (int)__heddle_format_list(to, room, format, list);
}
int __vsprintf_chk(char *to, int flag, size_t size, const char *format, va_list list) {
  return (int)__heddle_format_list(to, SIZE_MAX, format, list);
}

static void HEDDLE_PLAIN(store_text)(char **to, char *text) { *to = text; }

// The text is made twice: to know its length, and to write it.
int asprintf(char **to, const char *format, ...) {
  size_t length = __heddle_format(NULL, 0, format);
  char *text = __heddle_allocate(length + 1);
  __heddle_format(text, SIZE_MAX, format);
  HEDDLE_PLAIN(store_text)(to, text);
  return (int)length;
}

int vasprintf(char **to, const char *format, va_list list) {
  va_list again;
  va_copy(again, list);
  size_t length = __heddle_format_list(NULL, 0, format, list);
  char *text = __heddle_allocate(length + 1);
  __heddle_format_list(text, SIZE_MAX, format, again);
  va_end(again);
  HEDDLE_PLAIN(store_text)(to, text);
  return (int)length;
}

int __asprintf_chk(char **to, int flag, const char *format, ...) {
  size_t length = __heddle_format(NULL, 0, format);
  char *text = __heddle_allocate(length + 1);
  __heddle_format(text, SIZE_MAX, format);
  HEDDLE_PLAIN(store_text)(to, text);
  return (int)length;
}

int __vasprintf_chk(char **to, int flag, const char *format, va_list list) { return vasprintf(to, format, list); }

// --- the system's log, and messages ---

void openlog(const char *name, int options, int facility) {
  if (name) __heddle_read_string(name, SIZE_MAX);
}
void closelog(void) {}
int setlogmask(int mask) { return __heddle_fresh_int(); }
void syslog(int priority, const char *format, ...) { __heddle_print(format); }
void vsyslog(int priority, const char *format, va_list list) { __heddle_print_list(format, list); }
void __syslog_chk(int priority, int flag, const char *format, ...) { __heddle_print(format); }

_Noreturn void exit(int status);

void warn(const char *format, ...) {
  if (format) __heddle_print(format);
}
void warnx(const char *format, ...) {
  if (format) __heddle_print(format);
}
void vwarn(const char *format, va_list list) {
  if (format) __heddle_print_list(format, list);
}
void vwarnx(const char *format, va_list list) {
  if (format) __heddle_print_list(format, list);
}
_Noreturn void err(int status, const char *format, ...) {
  if (format) __heddle_print(format);
  exit(status);
}
_Noreturn void errx(int status, const char *format, ...) {
  if (format) __heddle_print(format);
  exit(status);
}
_Noreturn void verr(int status, const char *format, va_list list) {
  if (format) __heddle_print_list(format, list);
  exit(status);
}
_Noreturn void verrx(int status, const char *format, va_list list) {
  if (format) __heddle_print_list(format, list);
  exit(status);
}
void error(int status, int code, const char *format, ...) {
  __heddle_print(format);
  if (status != 0) exit(status);
}
