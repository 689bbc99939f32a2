// Task definitions: the `.yml` files of SV-COMP (formats 1.0, 2.0 and 2.1), which name a program and what is known
// about it.
//
//   format_version: '2.0'
//   input_files: 'peterson.c'                      # a name or a list of names, relative to this file
//   properties:
//     - property_file: ../properties/unreach-call.prp
//       expected_verdict: false                    # optional
//       subproperty: valid-deref                   # optional
//   options:                                       # optional
//     language: C
//     data_model: ILP32                            # the default when absent
//   heddle:                                        # optional, ours
//     options: --threads-limit 4                   # added to the command line of `heddle check`; or a list of words
//     verdict: UNKNOWN                             # the only right answer, but for an expected violation
//     reason: unwinding                            # must occur in the reason of that UNKNOWN
//
// Any other key is an error, and so is a key given twice, since a misspelt expectation would be one that is never
// checked. `required_files` and `additional_information` belong to the format and are not looked at.
//
// A Task's texts live in the arena it was read with; the vectors are the task's own (task_free).
#ifndef HEDDLE_BENCH_TASK_H
#define HEDDLE_BENCH_TASK_H

#include "base/arena.h"
#include "base/text.h"
#include "base/vector.h"

#include <stdbool.h>

typedef enum Expected { EXPECTED_NONE, EXPECTED_TRUE, EXPECTED_FALSE } Expected;

typedef struct TaskProperty {
  const char *name; // base name of the property file: "unreach-call"
  const char *file; // path of the property file; it need not exist
  Expected expected;
  const char *subproperty; // or NULL
} TaskProperty;
VECTOR(TaskPropertyVector, TaskProperty);

typedef struct Task {
  const char *path;       // of the task definition
  StringVector inputs;    // at least one; openable from the working directory
  const char *data_model; // "ILP32" or "LP64"
  TaskPropertyVector properties;
  StringVector options;       // more options for `heddle check`
  bool must_be_unknown;       // `verdict: UNKNOWN`
  const char *unknown_reason; // part of the reason, or NULL
} Task;

// Reads the task definition `yaml`, which came from `path`. Returns false, and adds "path:line: what is wrong" to
// `error`, when it is malformed; the task is then empty.
bool task_parse(Task *task, Arena *arena, const char *path, const char *yaml, size_t length, Text *error);
bool task_read(Task *task, Arena *arena, const char *path, Text *error);
void task_free(Task *task);

#endif
