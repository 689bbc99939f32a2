// `heddle bench`: runs `heddle check` on every task definition below some paths and compares the answers with what
// is expected.
//
// Each task is a child process of this very executable in a session of its own, so that all of it can be measured and
// ended. The bench enforces wall time and memory from outside, whatever the child does about its limits. What has ended
// stands in the file of results at once (bench/results_file.h), so that a bench that was killed can be resumed.
#ifndef HEDDLE_BENCH_BENCH_H
#define HEDDLE_BENCH_BENCH_H

#include "base/log.h"

// argv[0] is the command's name ("bench"). Returns the exit status: 0 if no verdict was wrong and no internal check
// failed (and with --expect, all were as expected), 1 otherwise, 2 for a usage error.
int bench_command(int argc, char **argv, Log *log);

#endif
