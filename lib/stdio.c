// Files of <stdio.h>, and input from them.
//
// Input is any input, which may end or fail anywhere. It is written to the user's memory by ordinary accesses. A call
// that fills a block may change all of the block; the bytes behind the count that it returns are any value. Opening a
// file allocates a FILE (opened_file.h) or fails. A FILE's position, end and error marks are not kept. Standard input
// is exact if it is given (standard_input.h).
//
// Not modelled: gets; buffers of the program's own (setvbuf), where races or memory safety are asked for.
#include "descriptors.h"
#include "opened_file.h"
#include "results.h"
#include "standard_input.h"
#include "text.h"

#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#undef getc
#undef fread_unlocked
#undef feof
#undef ferror
#undef clearerr

static FILE input_file, output_file, error_file;
FILE *stdin = &input_file;
FILE *const __heddle_stdin_file = &input_file;
FILE *stdout = &output_file;
FILE *stderr = &error_file;

// --- input ---

// Is it standard input, and is that given? No `&&`, so that it is a constant where nothing is given.
static int is_given_input(const FILE *file) { return __heddle_stdin_given & (file == &input_file); }

// The same before something is read from the file.
static int is_given(const FILE *file) {
  __heddle_read_data(file != &input_file);
  return is_given_input(file);
}

static int next_character(const FILE *file) {
  look_at(file);
  return is_given(file) ? __heddle_stdin_character() : or_failure((unsigned char)__heddle_fresh_char());
}

int getchar(void) { return next_character(&input_file); }
int getchar_unlocked(void) { return next_character(&input_file); }
int fgetc(FILE *file) { return next_character(file); }
int fgetc_unlocked(FILE *file) { return next_character(file); }
int getc(FILE *file) { return next_character(file); }
int getc_unlocked(FILE *file) { return next_character(file); }
int _IO_getc(FILE *file) { return next_character(file); }

int getw(FILE *file) {
  look_at(file);
  if (is_given(file)) __heddle_unmodelled("getw of the standard input that is given");
  return __heddle_fresh_int();
}

int ungetc(int c, FILE *file) {
  look_at(file);
  if (c == EOF) return EOF;
  return is_given(file) ? __heddle_stdin_put_back(c) : or_failure((unsigned char)c);
}

static void HEDDLE_PLAIN(copy_taken)(char *to, struct heddle_taken taken) {
  for (size_t i = 0; i < taken.count; i++) to[i] = taken.from[i];
}

static char *given_line(char *to, size_t most) {
  struct heddle_taken line = __heddle_stdin_take_line(most, '\n');
  if (line.count == 0) return NULL;
  HEDDLE_PLAIN(copy_taken)(to, line);
  HEDDLE_PLAIN(end_text)(to + line.count);
  return to;
}

// A line: any characters, and a zero behind them.
char *fgets(char *to, int room, FILE *file) {
  look_at(file);
  if (room <= 0) return NULL;
  if (room == 1) {
    HEDDLE_PLAIN(end_text)(to);
    return to;
  }
  if (is_given(file)) return given_line(to, (size_t)room - 1);
  int length = __heddle_fresh_int();
  if (length <= 0) {
    note_failure(1);
    return NULL;
  }
  __heddle_assume(length < room);
  __heddle_any_bytes(to, (size_t)room);
  HEDDLE_PLAIN(end_text)(to + length);
  return to;
}

char *fgets_unlocked(char *to, int room, FILE *file) { return fgets(to, room, file); }
char *__fgets_chk(char *to, size_t size, int room, FILE *file) { return fgets(to, room, file); }
char *gets(char *to) { __heddle_unmodelled("gets"); }

// An element that was read in part has any value, too.
size_t fread(void *to, size_t bytes, size_t count, FILE *file) {
  look_at(file);
  if (bytes == 0 || count == 0) return 0;
  if (is_given(file)) {
    struct heddle_taken taken = __heddle_stdin_take(bytes * count);
    HEDDLE_PLAIN(copy_taken)(to, taken);
    return taken.count / bytes;
  }
  size_t read = at_most(count);
  note_failure(read < count);
  if (read > 0 || (bytes > 1 && __heddle_fresh_bool())) __heddle_any_bytes(to, bytes * count);
  return read;
}

size_t fread_unlocked(void *to, size_t bytes, size_t count, FILE *file) { return fread(to, bytes, count, file); }
size_t __fread_chk(void *to, size_t size, size_t bytes, size_t count, FILE *file) {
  return fread(to, bytes, count, file);
}

static char *HEDDLE_PLAIN(line_place)(char **line, const size_t *room, size_t needed) {
  return *line && *room >= needed ? *line : NULL;
}

static char *HEDDLE_PLAIN(new_line)(char **line, size_t *room, size_t needed) {
  char *old = *line, *place = __heddle_allocate(needed);
  if (old) __heddle_free(old);
  *line = place;
  *room = needed;
  return place;
}

static ssize_t given_text(char **line, size_t *room, int end) {
  struct heddle_taken taken = __heddle_stdin_take_line(SIZE_MAX, (char)end);
  if (taken.count == 0) return -1;
  char *place = HEDDLE_PLAIN(line_place)(line, room, taken.count + 1);
  if (!place) place = HEDDLE_PLAIN(new_line)(line, room, taken.count + 1);
  HEDDLE_PLAIN(copy_taken)(place, taken);
  HEDDLE_PLAIN(end_text)(place + taken.count);
  return (ssize_t)taken.count;
}

ssize_t getdelim(char **line, size_t *room, int end, FILE *file) {
  look_at(file);
  if (is_given(file)) return given_text(line, room, end);
  ssize_t length = count_or_failure(SSIZE_MAX);
  if (length <= 0) return -1;
  char *place = HEDDLE_PLAIN(line_place)(line, room, (size_t)length + 1);
  if (!place) place = HEDDLE_PLAIN(new_line)(line, room, (size_t)length + 1);
  __heddle_any_bytes(place, (size_t)length);
  HEDDLE_PLAIN(end_text)(place + length);
  return length;
}

ssize_t getline(char **line, size_t *room, FILE *file) { return getdelim(line, room, '\n', file); }
ssize_t __getdelim(char **line, size_t *room, int end, FILE *file) { return getdelim(line, room, end, file); }

// --- files ---

// The owner's number, and how often it has locked the file: in the object itself, which nothing else uses.
struct file_lock {
  int owner, depth;
};

static int is_standard(const FILE *file) { return file == &input_file || file == &output_file || file == &error_file; }

static int opens(const char *path, const char *mode) {
  if (path) __heddle_read_string(path, SIZE_MAX);
  if (mode) __heddle_read_string(mode, SIZE_MAX);
  int failed = __heddle_fresh_bool();
  note_failure(failed);
  return !failed;
}

static int HEDDLE_PLAIN(only_reads)(const char *mode) {
  return mode[0] == 'r' && mode[1] != '+' && !(mode[1] == 'b' && mode[2] == '+');
}

static FILE *opened(const char *path, const char *mode) {
  if (!mode || !HEDDLE_PLAIN(only_reads)(mode)) __heddle_note_data(OWN_DATA);
  if (!opens(path, mode)) return NULL;
  FILE *file = __heddle_allocate_own(sizeof *file);
  *(struct file_lock *)file = (struct file_lock){0};
  return file;
}

static int HEDDLE_PLAIN(must_not_exist)(const char *mode) {
  for (int i = 1; i < 4 && mode[i]; i++)
    if (mode[i] == 'x') return 1;
  return 0;
}

FILE *fopen(const char *path, const char *mode) {
  FILE *file = opened(path, mode);
  if (file && HEDDLE_PLAIN(must_not_exist)(mode)) __heddle_file_excludes();
  return file;
}
FILE *fopen64(const char *path, const char *mode) { return fopen(path, mode); }

static void closed(FILE *file) {
  look_at(file);
  if (!is_standard(file)) __heddle_free_own(file);
}

// If it fails the file is closed.
FILE *freopen(const char *path, const char *mode, FILE *file) {
  if (is_given(file)) __heddle_unmodelled("freopen of the standard input that is given");
  look_at(file);
  if (opens(path, mode)) return file;
  closed(file);
  return NULL;
}

FILE *freopen64(const char *path, const char *mode, FILE *file) { return freopen(path, mode, file); }
FILE *fdopen(int descriptor, const char *mode) { return opened(NULL, mode); }
FILE *tmpfile(void) { return opened(NULL, NULL); }
FILE *tmpfile64(void) { return opened(NULL, NULL); }
FILE *popen(const char *command, const char *mode) { __heddle_unmodelled("popen"); }
int pclose(FILE *file) { __heddle_unmodelled("pclose"); }
FILE *fmemopen(void *memory, size_t bytes, const char *mode) { __heddle_unmodelled("fmemopen"); }
FILE *open_memstream(char **text, size_t *bytes) { __heddle_unmodelled("open_memstream"); }

int fclose(FILE *file) {
  closed(file);
  return zero_or_failure();
}

int fcloseall(void) { return zero_or_failure(); }
int feof(FILE *file) {
  look_at(file);
  return is_given(file) ? __heddle_stdin_ended() : __heddle_fresh_int();
}

int feof_unlocked(FILE *file) { return feof(file); }
int ferror(FILE *file) {
  look_at(file);
  return is_given(file) ? 0 : __heddle_fresh_int();
}

int ferror_unlocked(FILE *file) { return ferror(file); }

void clearerr(FILE *file) {
  look_at(file);
  if (is_given(file)) __heddle_stdin_forget_end();
}

void clearerr_unlocked(FILE *file) { clearerr(file); }

void rewind(FILE *file) {
  look_at(file);
  if (is_given_input(file)) __heddle_stdin_rewind();
}

// Changes of the position in a standard input that is given.
static void refuse_given(const FILE *file) {
  look_at(file);
  if (is_given_input(file)) __heddle_unmodelled("fseek or ftell of the standard input that is given");
}
int fseek(FILE *file, long offset, int whence) {
  refuse_given(file);
  return zero_or_failure();
}

int fseeko(FILE *file, off_t offset, int whence) {
  refuse_given(file);
  return zero_or_failure();
}

int fseeko64(FILE *file, long long offset, int whence) {
  refuse_given(file);
  return zero_or_failure();
}

// The position in a file that the program wrote depends on what it wrote: a guess.
static long long position_of(const FILE *file, long long most) {
  refuse_given(file);
  if (!__heddle_data_is_own(file != &input_file)) return count_or_failure(LONG_MAX);
  long long position = (long long)(__heddle_guess_int() & INT_MAX) << 31 | (__heddle_guess_int() & INT_MAX);
  int failed = (position > most) | (__heddle_guess_int() == 0);
  note_failure(failed);
  return failed ? -1 : position;
}

long ftell(FILE *file) { return position_of(file, LONG_MAX); }
off_t ftello(FILE *file) { return position_of(file, LONG_MAX); }
long long ftello64(FILE *file) { return position_of(file, LLONG_MAX); }

int fgetpos(FILE *file, fpos_t *position) {
  look_at(file);
  __heddle_any_bytes(position, sizeof *position);
  return zero_or_failure();
}

int fsetpos(FILE *file, const fpos_t *position) {
  look_at(file);
  __heddle_read_bytes(position, sizeof *position);
  return zero_or_failure();
}

int fileno(FILE *file) {
  look_at(file);
  if (file == &input_file) return 0;
  return file == &output_file ? 1 : file == &error_file ? 2 : any_in(3, 1023);
}
int fileno_unlocked(FILE *file) { return fileno(file); }

static void own_buffer(const FILE *file, const char *buffer) {
  look_at(file);
  if (buffer && __heddle_every_access) __heddle_unmodelled("a buffer of the program's own for a file");
}

void setbuf(FILE *file, char *buffer) { own_buffer(file, buffer); }
void setbuffer(FILE *file, char *buffer, size_t bytes) { own_buffer(file, buffer); }
void setlinebuf(FILE *file) { look_at(file); }
int setvbuf(FILE *file, char *buffer, int mode, size_t bytes) {
  own_buffer(file, buffer);
  return 0;
}

int remove(const char *path) {
  __heddle_read_string(path, SIZE_MAX);
  int result = zero_or_failure();
  if (result == 0) __heddle_file_excludes();
  return result;
}

int rename(const char *from, const char *to) {
  __heddle_read_string(from, SIZE_MAX);
  __heddle_read_string(to, SIZE_MAX);
  int result = zero_or_failure();
  if (result == 0) __heddle_file_excludes();
  return result;
}

// --- locks ---

void flockfile(FILE *file) {
  struct file_lock *lock = (struct file_lock *)file;
  if (lock->owner != __heddle_self_number()) __heddle_lock(&lock->owner);
  lock->depth++;
}

int ftrylockfile(FILE *file) {
  struct file_lock *lock = (struct file_lock *)file;
  if (lock->owner != __heddle_self_number() && !__heddle_trylock(&lock->owner)) return 1;
  lock->depth++;
  return 0;
}

void funlockfile(FILE *file) {
  struct file_lock *lock = (struct file_lock *)file;
  if (lock->owner == __heddle_self_number() && --lock->depth == 0) __heddle_unlock(&lock->owner);
}
