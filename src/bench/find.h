// Which rows a bench has: the task definitions below some paths, and the properties asked for.
#ifndef HEDDLE_BENCH_FIND_H
#define HEDDLE_BENCH_FIND_H

#include "base/log.h"
#include "bench/row.h"

// Adds a row for each task definition (`*.yml`) at or below `path`, in the order of their names, and for each of its
// properties that is `property`; with "all", each that Heddle knows. Malformed definitions are reported and become
// rows that are errors. Tasks without such a property have no row. Returns false, after reporting, if `path` cannot
// be read. Tasks are allocated in the arena; free them with rows_free_tasks.
bool rows_find(BenchRowVector *rows, Arena *arena, const char *path, const char *property, Log *log);
void rows_free_tasks(BenchRowVector *rows);

// Whether `name` is a property of Heddle's.
bool bench_knows_property(const char *name);

#endif
