// A child process of the bench: one run of `heddle check`, measured and held to its limits.
//
// The child leads a session of its own. Whatever it starts stays in that session unless it asks otherwise, so the
// session's processes are what is measured and what is ended. Standard output, standard error and the JSON result go
// to files without a name, so that nothing is left however the bench ends.
#ifndef HEDDLE_BENCH_SESSION_H
#define HEDDLE_BENCH_SESSION_H

#include "bench/row.h"

#include <signal.h>
#include <sys/types.h>

// What a child writes.
typedef enum BenchStream { BENCH_STREAM_OUT, BENCH_STREAM_ERR, BENCH_STREAM_JSON, BENCH_STREAM_COUNT } BenchStream;
#define BENCH_JSON_PATH "/proc/self/fd/3" // the name of BENCH_STREAM_JSON, for the child

typedef struct BenchChild {
  pid_t pid;                       // 0: the slot is free
  int streams[BENCH_STREAM_COUNT]; // descriptors
  size_t row;
  bool plain_source; // runs the `.c` beside a `.i` that did not compile
  double started;
  double sampled_cpu;    // seconds, of the living processes of the session
  double sampled_bytes;  // largest sum of resident memory seen
  BenchAnswer killed_as; // why the bench ended it, or BENCH_ANSWER_NONE
  const char *killed_reason;
} BenchChild;

typedef struct BenchLimits {
  double wall; // seconds
  size_t bytes;
} BenchLimits;

// Creates the files of a slot. Returns false with errno set if the system refuses.
bool bench_child_init(BenchChild *child);
void bench_child_free(BenchChild *child);
// Starts `arguments` (ended by NULL) as a child, with its files empty. `signals` is the mask that it runs with. Returns
// false with errno set if it cannot be started.
bool bench_child_start(BenchChild *child, char *const *arguments, const sigset_t *signals);
// Reads what all the sessions use now and ends those over a limit.
void bench_children_enforce(BenchChild *children, size_t count, const BenchLimits *limits);
void bench_child_end(BenchChild *child, BenchAnswer answer, const char *reason);
// If the child has ended: fills in the row's measurements, sets `status` as wait(2) does, and returns true. The
// rest of its session is gone then.
bool bench_child_reap(BenchChild *child, BenchRow *row, int *status);
// Completes the row: answer, reason and statistics from the files that the child left.
void bench_child_read_answer(const BenchChild *child, BenchRow *row, Arena *arena, int status, double wall_limit);

#endif
