// The file that a bench adds its results to while it runs.
//
// A row is appended by one write as soon as its run has ended, and nothing is ever rewritten: whenever the bench is
// killed, all that had ended stands in the file, followed at most by a part of one line, which the next bench that
// resumes cuts off. A file that exists is either gone on with (resume) or renamed to FILE~. The file is locked: two
// benches do not write one file. Paths below /dev and /proc, and what is not a regular file, are only appended to.
#ifndef HEDDLE_BENCH_RESULTS_FILE_H
#define HEDDLE_BENCH_RESULTS_FILE_H

#include "base/log.h"
#include "bench/row.h"

#include <sys/types.h>

typedef struct BenchFile {
  int descriptor; // -1: none
  const char *path;
  bool regular;
  off_t size; // of a regular file: the end of its last whole row
} BenchFile;

// Opens `path` and writes the header, or, with `resume`, fills in the rows that the file has. Those that are done, but
// not in the file, are appended. Returns false, after a line in the log, if that fails, or if the file has a row that
// is none of `rows` or was made with other options.
bool bench_file_open(BenchFile *file, const char *path, bool resume, BenchRowVector *rows, Arena *arena, Log *log);
// Appends a row and marks it as kept. Returns false, after a line in the log, if the whole of it could not be written.
bool bench_file_append(BenchFile *file, BenchRow *row, Log *log);
bool bench_file_close(BenchFile *file, Log *log);

#endif
