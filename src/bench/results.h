// The commands of the bench that read files of results: `heddle bench compare`, `plot` and `table`.
#ifndef HEDDLE_BENCH_RESULTS_H
#define HEDDLE_BENCH_RESULTS_H

#include "base/log.h"
#include "bench/bench_options.h"

// Each returns the exit status that the help text says.
int bench_compare_command(const BenchOptions *options, Log *log);
int bench_plot_command(const BenchOptions *options, Log *log);
int bench_table_command(const BenchOptions *options, Log *log);

#endif
