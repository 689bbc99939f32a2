// Results of a bench as a picture: a quantile plot in SVG.
//
// Each variant is a line whose n-th point is the wall time of its n-th fastest right answer, on a logarithmic axis.
// What is wrong or undecided is no point; the legend counts it. Colours follow the reader's preference for light or
// dark; a viewer without that shows the light ones. Names are escaped: the picture is well-formed XML whatever they
// hold.
#ifndef HEDDLE_BENCH_PLOT_H
#define HEDDLE_BENCH_PLOT_H

#include "bench/row.h"

// Rows that are not done are left out. `unnamed` is what the legend calls rows without a variant.
void plot_svg(Text *out, const BenchRowVector *rows, const char *unnamed);

#endif
