#include "command/output.h"

#include "base/file.h"
#include "base/printable.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// --- what is printed ---

bool output_is_coloured(void) {
  const char *none = getenv("NO_COLOR"), *terminal = getenv("TERM");
  return isatty(STDOUT_FILENO) && !(none && *none) && terminal && strcmp(terminal, "dumb") != 0;
}

static bool begins_as_verdict(const char *line) {
  static const char *const verdicts[] = {"result:", "witness:", "survey:"};
  for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++)
    if (strncmp(line, verdicts[i], strlen(verdicts[i])) == 0) return true;
  return false;
}

// A line that reads like a verdict begins behind a newline that came from outside, in a name: that newline is shown, as
// newlines in names are.
static void add_lines(const Text *text, unsigned keep, Text *out) {
  const char *line = text->data, *end = text->data + text->length;
  while (line < end) {
    const char *newline = memchr(line, '\n', (size_t)(end - line)), *next = newline ? newline + 1 : end;
    bool forged = next < end && begins_as_verdict(next);
    text_add_printable(out, line, (size_t)(next - line), forged ? keep & ~(unsigned)PRINTABLE_KEEP_LINES : keep);
    line = next;
  }
  assert(line == end);
}

void output_error(Log *log, const Text *error) {
  log_progress_end(log);
  static const char name[] = "heddle: ";
  Text shown;
  text_init(&shown, NULL);
  if (!strstr(error->data, name)) text_add(&shown, name);
  add_lines(error, PRINTABLE_KEEP_LINES, &shown);
  if (!error->length || error->data[error->length - 1] != '\n') text_add_char(&shown, '\n');
  fwrite(shown.data, 1, shown.length, stderr);
  text_free(&shown);
}

static bool write_out(Log *log, const Text *text) {
  if (fflush(stdout) == 0 && file_write(STDOUT_FILENO, text->data, text->length)) return true;
  if (errno == EPIPE) return true;
  log_error(log, "cannot write to standard output: %s", strerror(errno));
  return false;
}

bool output_print(Log *log, const Text *text) { return output_verdict(log, text, NULL); }

bool output_verdict(Log *log, const Text *details, Text *verdict) {
  Text shown;
  text_init(&shown, NULL);
  add_lines(details, PRINTABLE_KEEP_LINES | (output_is_coloured() ? PRINTABLE_KEEP_TONES : 0), &shown);
  if (verdict) {
    text_one_line(verdict);
    if (shown.length && shown.data[shown.length - 1] != '\n') text_add_char(&shown, '\n');
    text_format(&shown, "%s\n", verdict->data);
  }
  bool good = write_out(log, &shown);
  text_free(&shown);
  return good;
}

bool output_bytes(Log *log, const Text *bytes) { return write_out(log, bytes); }

// --- files ---

static bool is_open_as(const char *path, int descriptor) {
  struct stat named, open_file;
  return stat(path, &named) == 0 && fstat(descriptor, &open_file) == 0 && named.st_dev == open_file.st_dev &&
         named.st_ino == open_file.st_ino;
}

// Standard output is written through its own descriptor, which knows how far it has got.
static bool write_in_place(const Text *text, const char *path) {
  if (is_open_as(path, STDOUT_FILENO)) return file_write(STDOUT_FILENO, text->data, text->length);
  return file_append_in_place(path, text->data, text->length);
}

// A rename would replace a symbolic link, so its target is what is written.
static bool replace_target(const Text *text, const char *path) {
  char *target = file_target(path);
  if (!target) return false;
  bool system = file_is_system_path(path) || file_is_system_path(target) || is_open_as(path, STDOUT_FILENO);
  bool good = system ? write_in_place(text, path) : text_write_file(text, target) == 0;
  int error = errno;
  free(target);
  errno = error;
  return good;
}

bool output_file(Log *log, const Text *text, const char *path) {
  if (replace_target(text, path)) return true;
  log_error(log, "cannot write %s: %s", path, strerror(errno));
  return false;
}
