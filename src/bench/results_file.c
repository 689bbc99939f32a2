#include "bench/results_file.h"

#include "base/file.h"
#include "bench/csv.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static bool complain(const BenchFile *file, Log *log) {
  log_error(log, "bench: %s: %s", file->path, strerror(errno));
  return false;
}

// ---- opening

static bool open_descriptor(BenchFile *file, Log *log) {
  file->descriptor = open(file->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file->descriptor < 0) file->descriptor = open(file->path, O_WRONLY | O_APPEND | O_CLOEXEC); // a pipe, perhaps
  struct stat status;
  if (file->descriptor < 0 || fstat(file->descriptor, &status) != 0) return complain(file, log);
  file->regular = S_ISREG(status.st_mode) && !file_is_system_path(file->path);
  file->size = file->regular ? status.st_size : 0;
  if (!file->regular) return true;
  // A bench that was killed may have left a child that is about to begin: it still has the lock, but not for long.
  for (int tries = 0; flock(file->descriptor, LOCK_EX | LOCK_NB) != 0; tries++) {
    if (errno != EWOULDBLOCK) break; // a file system without locks
    if (tries == 50) {
      log_error(log, "bench: %s: another bench is writing it", file->path);
      return false;
    }
    usleep(20000);
  }
  return true;
}

// Renames what is there, or what a link leads to, and begins anew.
static bool put_aside(BenchFile *file, Log *log) {
  char *target = realpath(file->path, NULL);
  if (!target) return complain(file, log);
  Text aside;
  text_init(&aside, NULL);
  text_format(&aside, "%s~", target);
  bool good = rename(target, aside.data) == 0;
  if (good)
    log_note(log, "bench: the results in %s were renamed to %s~", file->path, file->path);
  else
    complain(file, log);
  text_free(&aside);
  free(target);
  if (!good) return false;
  close(file->descriptor);
  file->descriptor = -1;
  return open_descriptor(file, log);
}

// ---- going on

static const char *name_of(const BenchVariant *variant) { return variant ? variant->name : ""; }

// Says why the file's row is not one of this bench; false if it is.
static bool differs(const BenchRow *row, const BenchRow *found, Text *why) {
  if (!row)
    text_add(why, "is not run by this command");
  else if (row->kept)
    text_add(why, "is there twice");
  else if (strcmp(row->options, found->options) != 0)
    text_format(why, "was run with `%s`, not `%s`", found->options, row->options);
  else if (row_expected(row) != row_expected(found))
    text_add(why, "has another expected verdict now");
  return why->length > 0;
}

// Fills in the row that the file's row is about.
static bool adopt(const BenchFile *file, const BenchIndex *index, const BenchRow *found, Log *log) {
  BenchRow *row = bench_index_find(index, found, found->variant);
  Text why;
  text_init(&why, NULL);
  bool other = differs(row, found, &why);
  const char *variant = name_of(found->variant);
  if (other)
    log_error(log, "bench: %s cannot be resumed: %s%s%s%s %s", file->path, found->name, variant[0] ? " [" : "", variant,
              variant[0] ? "]" : "", why.data);
  text_free(&why);
  if (other) return false;
  assert(row && !row->kept);
  row->done = row->kept = true;
  row->answer = found->answer;
  row->reason = found->reason;
  row->wall = found->wall;
  row->cpu = found->cpu;
  row->memory_mb = found->memory_mb;
  row->statistics = found->statistics;
  return true;
}

static bool adopt_all(const BenchFile *file, const BenchRowVector *found, BenchRowVector *rows, Log *log) {
  BenchIndex index;
  bench_index_init(&index, rows);
  const BenchRow *twice = bench_index_twice(&index);
  if (twice) log_error(log, "bench: %s cannot be resumed: two tasks are named %s", file->path, twice->name);
  bool good = !twice;
  for (size_t i = 0; i < found->count && good; i++) good = adopt(file, &index, &found->data[i], log);
  bench_index_free(&index);
  return good;
}

// Cuts off what is torn.
static bool cut(BenchFile *file, size_t complete, Log *log) {
  if ((off_t)complete == file->size) return true;
  log_note(log, "bench: %s: a line that was cut off is dropped", file->path);
  if (ftruncate(file->descriptor, (off_t)complete) != 0) return complain(file, log);
  file->size = (off_t)complete;
  return true;
}

static bool go_on(BenchFile *file, BenchRowVector *rows, Arena *arena, Log *log) {
  Text text, header, error;
  text_init(&text, NULL);
  text_init(&header, NULL);
  text_init(&error, NULL);
  csv_header(&header, rows->count > 0 && rows->data[0].variant);
  BenchRowVector found = {0};
  size_t complete = 0;
  bool good = file_read_named(&text, file->path, FILE_MOST_DATA, &error);
  if (!good) {
    log_error(log, "bench: %s", error.data);
  } else if (!csv_parse(&found, arena, text.data, text.length, NULL, &complete, &error)) {
    log_error(log, "bench: %s cannot be resumed: %s", file->path, error.data);
    good = false;
  } else if (complete == 0 && strncmp(text.data, header.data, text.length) != 0) {
    log_error(log, "bench: %s cannot be resumed: it is not a file of results", file->path);
    good = false;
  } else if (complete > 0 && strncmp(text.data, header.data, header.length) != 0) {
    log_error(log, "bench: %s cannot be resumed: its header is not %.*s", file->path, (int)header.length - 1,
              header.data);
    good = false;
  }
  good = good && adopt_all(file, &found, rows, log) && cut(file, complete, log);
  if (good && found.count > 0)
    log_note(log, "bench: %zu of %zu runs are in %s already", found.count, rows->count, file->path);
  BenchRowVector_free(&found);
  text_free(&text);
  text_free(&header);
  text_free(&error);
  return good;
}

// ---- writing

// In one write, where the system can; what is torn is cut off again.
static bool append(BenchFile *file, const Text *text, Log *log) {
  assert(text->length > 0 && text->data[text->length - 1] == '\n' && "whole rows only");
  if (!file_write(file->descriptor, text->data, text->length)) {
    complain(file, log);
    if (file->regular && ftruncate(file->descriptor, file->size) != 0) complain(file, log);
    return false;
  }
  file->size += (off_t)text->length;
  return true;
}

bool bench_file_append(BenchFile *file, BenchRow *row, Log *log) {
  if (file->descriptor < 0 || row->kept) return true;
  Text text;
  text_init(&text, NULL);
  csv_row(&text, row);
  row->kept = append(file, &text, log);
  text_free(&text);
  return row->kept;
}

static bool append_header(BenchFile *file, bool variants, Log *log) {
  Text text;
  text_init(&text, NULL);
  csv_header(&text, variants);
  bool good = append(file, &text, log);
  text_free(&text);
  return good;
}

bool bench_file_open(BenchFile *file, const char *path, bool resume, BenchRowVector *rows, Arena *arena, Log *log) {
  *file = (BenchFile){.descriptor = -1, .path = path};
  bool good = open_descriptor(file, log);
  if (good && resume && !file->regular) {
    log_error(log, "bench: %s cannot be resumed: it is not a regular file", path);
    good = false;
  }
  if (good && resume)
    good = go_on(file, rows, arena, log);
  else if (good && file->size > 0)
    good = put_aside(file, log);
  if (good && file->size == 0) good = append_header(file, rows->count > 0 && rows->data[0].variant, log);
  for (size_t i = 0; i < rows->count && good; i++)
    if (rows->data[i].done) good = bench_file_append(file, &rows->data[i], log);
  if (!good && file->descriptor >= 0) close(file->descriptor);
  if (!good) file->descriptor = -1;
  return good;
}

bool bench_file_close(BenchFile *file, Log *log) {
  if (file->descriptor < 0) return true;
  bool good = close(file->descriptor) == 0;
  file->descriptor = -1;
  return good || complain(file, log);
}
