#include "base/text.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_CAPACITY = 64, READ_BLOCK = 64 * 1024 };

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

static int write_all(int file, const char *data, size_t count) {
  while (count) {
    ssize_t written = write(file, data, count);
    if (written < 0) {
      if (errno == EINTR) continue;
      return -1;
    }
    data += written;
    count -= (size_t)written;
  }
  return 0;
}

// Writes and closes; keeps the first error.
static int write_and_close(int file, const Text *text) {
  int result = write_all(file, text->data, text->length);
  int error = errno;
  if (close(file) != 0 && result == 0) return -1;
  errno = error;
  return result;
}

// A terminal, pipe or device cannot be replaced by a rename: it is written in place.
static bool is_special(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

int text_write_file(const Text *text, const char *path) {
  if (is_special(path)) {
    int file = open(path, O_WRONLY | O_CLOEXEC);
    return file < 0 ? -1 : write_and_close(file, text);
  }
  Text temporary;
  text_init(&temporary, text->account);
  text_format(&temporary, "%s.%ld.tmp", path, (long)getpid());
  int result = -1;
  int file = open(temporary.data, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
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

int text_read_file(Text *text, const char *path) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  size_t old_length = text->length;
  ssize_t count;
  do {
    reserve(text, READ_BLOCK);
    count = read(file, text->data + text->length, READ_BLOCK);
    if (count > 0) text->length += (size_t)count;
  } while (count > 0 || (count < 0 && errno == EINTR));
  int error = errno;
  if (count < 0) text->length = old_length;
  text->data[text->length] = '\0';
  close(file);
  errno = error;
  return count < 0 ? -1 : 0;
}
