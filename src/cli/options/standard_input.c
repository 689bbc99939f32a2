#define _GNU_SOURCE // memfd_create
#include "cli/options/standard_input.h"

#include "base/file.h"
#include "front/front.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// Copies everything from one descriptor to another. Returns 0 or an error number.
static int copy_all(int from, int to) {
  char buffer[65536];
  for (size_t total = 0;;) {
    ssize_t got = read(from, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno;
    if (got == 0) return 0;
    assert((size_t)got <= sizeof buffer);
    total += (size_t)got;
    if (total > FILE_MOST_DATA) return EFBIG;
    if (!file_write(to, buffer, (size_t)got)) return errno;
  }
}

static bool store_standard_input(Text *error) {
  int file = memfd_create("heddle-standard-input", MFD_CLOEXEC);
  int failure = file < 0 ? errno : copy_all(STDIN_FILENO, file);
  if (!failure && dup2(file, STDIN_FILENO) < 0) failure = errno;
  if (file >= 0) close(file);
  if (failure) text_format(error, "cannot read standard input: %s", strerror(failure));
  return !failure;
}

static StandardInputFile identify(void) {
  struct stat status;
  if (fstat(STDIN_FILENO, &status) != 0 || !S_ISREG(status.st_mode)) return (StandardInputFile){0};
  return (StandardInputFile){.known = true, .device = status.st_dev, .inode = status.st_ino};
}

bool standard_input_take(StringVector *operands, StandardInputFile *file, Text *error) {
  size_t found = 0;
  for (size_t i = 0; i < operands->count; i++) {
    bool here = strcmp(operands->data[i], "-") == 0 || strcmp(operands->data[i], FRONT_STANDARD_INPUT) == 0;
    if (here) operands->data[i] = FRONT_STANDARD_INPUT;
    found += here;
  }
  if (found > 1) text_add(error, "standard input (-) can be one file only");
  if (found == 1) *file = identify();
  return found == 0 || (found == 1 && store_standard_input(error));
}
