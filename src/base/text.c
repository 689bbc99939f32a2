#include "base/text.h"

#include "base/file.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_CAPACITY = 64 };

void text_init(Text *text, Account *account) {
  *text = (Text){.data = memory_allocate(account, FIRST_CAPACITY), .capacity = FIRST_CAPACITY, .account = account};
  text->data[0] = '\0';
}

void text_free(Text *text) {
  memory_free(text->account, text->data, text->capacity);
  *text = (Text){.account = text->account};
}

void text_clear(Text *text) {
  text->length = 0;
  text->data[0] = '\0';
}

// Makes room for `count` more bytes and the terminator.
static void reserve(Text *text, size_t count) {
  size_t needed = text->length + count + 1;
  if (needed <= text->capacity) return;
  size_t grown = text->capacity * 2 > needed ? text->capacity * 2 : needed;
  text->data = memory_resize(text->account, text->data, text->capacity, grown);
  text->capacity = grown;
}

void text_add_bytes(Text *text, const char *bytes, size_t count) {
  reserve(text, count);
  if (count) memcpy(text->data + text->length, bytes, count);
  text->length += count;
  text->data[text->length] = '\0';
}

void text_add(Text *text, const char *string) { text_add_bytes(text, string, strlen(string)); }

void text_add_char(Text *text, char c) { text_add_bytes(text, &c, 1); }

void text_add_flat(Text *text, const char *string) {
  for (; *string; string++) text_add_char(text, isspace((unsigned char)*string) ? ' ' : *string);
}

void text_vformat(Text *text, const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  size_t room = text->capacity - text->length;
  int length = vsnprintf(text->data + text->length, room, format, arguments);
  assert(length >= 0);
  if ((size_t)length >= room) {
    reserve(text, (size_t)length);
    vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
  }
  va_end(again);
  text->length += (size_t)length;
}

void text_format(Text *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  text_vformat(text, format, arguments);
  va_end(arguments);
}

void text_pad(Text *text, size_t column) {
  size_t start = text->length;
  while (start > 0 && text->data[start - 1] != '\n') start--;
  size_t width = text->length - start;
  if (width >= column) return;
  size_t count = column - width;
  reserve(text, count);
  memset(text->data + text->length, ' ', count);
  text->length += count;
  text->data[text->length] = '\0';
}

// Writes and closes; keeps the first error.
static int write_and_close(int file, const Text *text) {
  bool good = file_write(file, text->data, text->length);
  int error = errno;
  if (close(file) != 0 && good) return -1;
  errno = error;
  return good ? 0 : -1;
}

// A terminal, pipe or device cannot be replaced by a rename: it is written in place.
static bool is_special(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

// Creates a file that was not there beside `path`, whose own name may already be as long as names can be.
static int create_beside(const char *path, Text *name) {
  enum { TRIES = 100 };
  char *folder = file_folder(path);
  int file = -1;
  for (unsigned i = 0; i < TRIES && file < 0; i++) {
    text_clear(name);
    text_format(name, "%s/heddle-%ld-%u.tmp", folder, (long)getpid(), i);
    file = open(name->data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0 && errno != EEXIST) break;
  }
  free(folder);
  return file;
}

int text_write_file(const Text *text, const char *path) {
  if (is_special(path)) return file_append_in_place(path, text->data, text->length) ? 0 : -1;
  Text temporary;
  text_init(&temporary, text->account);
  int result = -1;
  int file = create_beside(path, &temporary);
  if (file >= 0) {
    result = write_and_close(file, text);
    if (result == 0) result = rename(temporary.data, path);
    int error = errno;
    if (result != 0) unlink(temporary.data);
    errno = error;
  }
  text_free(&temporary);
  return result;
}
