// `heddle bench --help`, and that of the commands of the bench.
#ifndef HEDDLE_BENCH_BENCH_HELP_H
#define HEDDLE_BENCH_BENCH_HELP_H

#include "bench/bench_options.h"

void bench_help_print(BenchCommand command, Text *out);

#endif
