#include "bench/plot.h"

#include "base/printable.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum {
  WIDTH = 860,
  LEFT = 72,
  RIGHT = 836,
  TOP = 48,
  BOTTOM = 424,
  LEGEND = 492, // first line of the legend
  LEGEND_LINE = 22,
  COLOURS = 8,
  LONGEST_LABEL = 48
};

// Distinct also without seeing all colours, and dark or light enough for their background. Past the last one,
// the lines are dashed.
static const char *const light_colours[COLOURS] = {"#0072b2", "#d55e00", "#00795a", "#b0508a",
                                                   "#8a6d00", "#2f8fc4", "#6a3d9a", "#444444"};
static const char *const dark_colours[COLOURS] = {"#58b4f0", "#ff8f4d", "#35cfa2", "#f29fce",
                                                  "#e8c34a", "#a5dcff", "#bda4f5", "#d0d0d0"};

typedef struct Series {
  const char *label;
  size_t first, count; // in Plot.points
  size_t right_true, right_false, wrong, undecided, unjudged;
} Series;
VECTOR(SeriesVector, Series);

typedef struct Plot {
  Text *out;
  SeriesVector series;
  BenchRowVector points; // right answers, those of a series by time
  size_t most;           // right answers of a series
  double low, high;      // decades of the time axis, as exponents of ten
} Plot;

static const double least_time = 1e-3; // as files are written

// ---- what is drawn

static int compare_times(const void *left, const void *right) {
  const BenchRow *a = left, *b = right;
  return (a->wall > b->wall) - (a->wall < b->wall);
}

static void collect(Plot *plot, const BenchRowVector *rows, const BenchVariant *variant, const char *unnamed) {
  Series series = {.label = variant ? variant->name : unnamed, .first = plot->points.count};
  for (size_t i = 0; i < rows->count; i++) {
    const BenchRow *row = &rows->data[i];
    if (!row->done || row->variant != variant) continue;
    switch (row_outcome(row)) {
    case OUTCOME_RIGHT_TRUE: series.right_true++; break;
    case OUTCOME_RIGHT_FALSE: series.right_false++; break;
    case OUTCOME_WRONG_TRUE:
    case OUTCOME_WRONG_FALSE: series.wrong++; break;
    case OUTCOME_UNJUDGED: series.unjudged++; break;
    default: series.undecided++; break;
    }
    if (row_is_right(row)) BenchRowVector_push(&plot->points, *row);
  }
  series.count = plot->points.count - series.first;
  if (series.count > 0) qsort(plot->points.data + series.first, series.count, sizeof *plot->points.data, compare_times);
  if (series.count > plot->most) plot->most = series.count;
  SeriesVector_push(&plot->series, series);
}

static void set_scale(Plot *plot) {
  double low = INFINITY, high = -INFINITY;
  for (size_t i = 0; i < plot->points.count; i++) {
    double exponent = log10(fmax(plot->points.data[i].wall, least_time));
    low = fmin(low, exponent);
    high = fmax(high, exponent);
  }
  if (plot->points.count == 0) low = -1, high = 1;
  // A time of exactly 10 s, written and read, must not open a decade of its own.
  plot->low = floor(low + 1e-9);
  plot->high = ceil(high - 1e-9);
  if (plot->high < plot->low + 1) plot->high = plot->low + 1;
  assert(isfinite(plot->low) && isfinite(plot->high));
}

static double x_of(const Plot *plot, double n) {
  assert(n >= 0 && n <= (double)plot->most);
  return LEFT + (RIGHT - LEFT) * n / (double)(plot->most ? plot->most : 1);
}

static double y_of(const Plot *plot, double seconds) {
  assert(plot->low < plot->high);
  double part = (log10(fmax(seconds, least_time)) - plot->low) / (plot->high - plot->low);
  return BOTTOM - (BOTTOM - TOP) * part;
}

// ---- text

// The length of the UTF-8 character at `text`; 0 if it is none, or none that XML may have.
static size_t character_length(const char *text) {
  uint32_t code;
  size_t length = utf8_decode(text, strlen(text), &code);
  bool allowed = length && (code >= 0x20 || code == '\t' || code == '\n') && code != 0xfffe && code != 0xffff;
  return allowed ? length : 0;
}

// At most so many characters of a text, with a sign that some are missing.
static void add_escaped(Text *out, const char *text, size_t most) {
  for (size_t count = 0; *text; count++) {
    if (count == most) {
      text_add(out, "…");
      return;
    }
    size_t length = character_length(text);
    if (*text == '&')
      text_add(out, "&amp;");
    else if (*text == '<')
      text_add(out, "&lt;");
    else if (*text == '>')
      text_add(out, "&gt;");
    else if (length == 0)
      text_add_char(out, '?');
    else
      text_add_bytes(out, text, length);
    text += length ? length : 1;
  }
}

// ---- drawing

static void add_colours(Text *out, const char *indent, const char *const *colours) {
  for (int i = 0; i < COLOURS; i++)
    text_format(out, "%s.s%d{stroke:%s}.p%d{fill:%s}\n", indent, i, colours[i], i, colours[i]);
}

static void add_style(Text *out) {
  text_add(out, "<style>\n"
                "text{font:13px sans-serif;fill:#222}.title{font-size:15px;font-weight:bold}\n"
                ".page{fill:#fff}.grid{stroke:#dcdcdc}.minor{stroke:#f0f0f0}.axis{stroke:#555}\n"
                ".line{fill:none;stroke-width:2;stroke-linejoin:round}\n");
  add_colours(out, "", light_colours);
  text_add(out,
           "@media (prefers-color-scheme: dark){\n"
           "  text{fill:#e4e4e4}.page{fill:#16181d}.grid{stroke:#3a3f4a}.minor{stroke:#24272e}.axis{stroke:#aaa}\n");
  add_colours(out, "  ", dark_colours);
  text_add(out, "}\n</style>\n");
}

static void add_line(Text *out, const char *class, double x1, double y1, double x2, double y2) {
  text_format(out, "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", class, x1, y1, x2, y2);
}

static void add_time_axis(const Plot *plot) {
  for (double decade = plot->low; decade <= plot->high; decade++) {
    double seconds = pow(10, decade);
    for (int k = 2; k < 10 && decade < plot->high; k++)
      add_line(plot->out, "minor", LEFT, y_of(plot, k * seconds), RIGHT, y_of(plot, k * seconds));
    double y = y_of(plot, seconds);
    add_line(plot->out, "grid", LEFT, y, RIGHT, y);
    text_format(plot->out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n", LEFT - 8, y + 4, seconds);
  }
  text_format(plot->out,
              "<text transform=\"translate(20 %d) rotate(-90)\" text-anchor=\"middle\">wall time [s]</text>\n",
              (TOP + BOTTOM) / 2);
}

// 1, 2 or 5 times a power of ten, so that there are at most ten marks.
static size_t step_of(size_t most) {
  static const size_t factors[] = {1, 2, 5};
  for (size_t power = 1;; power *= 10)
    for (size_t i = 0; i < 3; i++)
      if (most / (factors[i] * power) <= 10) return factors[i] * power;
}

static void add_count_axis(const Plot *plot) {
  size_t step = step_of(plot->most);
  for (size_t n = 0; n <= plot->most; n += step) {
    double x = x_of(plot, (double)n);
    add_line(plot->out, "grid", x, TOP, x, BOTTOM);
    text_format(plot->out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%zu</text>\n", x, BOTTOM + 19, n);
  }
  text_format(plot->out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">n-th fastest right answer</text>\n",
              (LEFT + RIGHT) / 2, BOTTOM + 42);
  add_line(plot->out, "axis", LEFT, BOTTOM, RIGHT, BOTTOM);
  add_line(plot->out, "axis", LEFT, TOP, LEFT, BOTTOM);
}

static void add_dashes(Text *out, size_t index) {
  static const char *const dashes[] = {"8 4", "2 3", "10 3 2 3"};
  if (index >= COLOURS) text_format(out, " stroke-dasharray=\"%s\"", dashes[(index / COLOURS - 1) % 3]);
}

// The line, and on it the points, whose tips name the tasks.
static void add_series(const Plot *plot, size_t index) {
  const Series *series = &plot->series.data[index];
  assert(series->first + series->count <= plot->points.count && series->count <= plot->most);
  text_format(plot->out, "<polyline class=\"line s%zu\"", index % COLOURS);
  add_dashes(plot->out, index);
  text_add(plot->out, " points=\"");
  for (size_t i = 0; i < series->count; i++)
    text_format(plot->out, "%s%.1f,%.1f", i ? " " : "", x_of(plot, (double)(i + 1)),
                y_of(plot, plot->points.data[series->first + i].wall));
  text_format(plot->out, "\"/>\n<g class=\"p%zu\">\n", index % COLOURS);
  for (size_t i = 0; i < series->count; i++) {
    const BenchRow *row = &plot->points.data[series->first + i];
    text_format(plot->out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.6\"><title>", x_of(plot, (double)(i + 1)),
                y_of(plot, row->wall));
    add_escaped(plot->out, row->name, SIZE_MAX);
    text_format(plot->out, ": %.3f s</title></circle>\n", row->wall);
  }
  text_add(plot->out, "</g>\n");
}

static void add_legend(const Plot *plot, size_t index) {
  const Series *series = &plot->series.data[index];
  int y = LEGEND + (int)index * LEGEND_LINE;
  text_format(plot->out, "<line class=\"line s%zu\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"", index % COLOURS, LEFT,
              y - 4, LEFT + 36, y - 4);
  add_dashes(plot->out, index);
  text_format(plot->out, "/>\n<text x=\"%d\" y=\"%d\">", LEFT + 46, y);
  add_escaped(plot->out, series->label, LONGEST_LABEL);
  text_format(plot->out, ": %zu right (%zu true, %zu false), %zu wrong, %zu undecided", series->count,
              series->right_true, series->right_false, series->wrong, series->undecided);
  if (series->unjudged) text_format(plot->out, ", %zu unjudged", series->unjudged);
  text_add(plot->out, "</text>\n");
}

void plot_svg(Text *out, const BenchRowVector *rows, const char *unnamed) {
  Plot plot = {.out = out};
  for (size_t i = 0; i < rows->count; i++)
    if (rows_variant_begins(rows, i)) collect(&plot, rows, rows->data[i].variant, unnamed);
  set_scale(&plot);
  int height = LEGEND + LEGEND_LINE * (int)plot.series.count;
  text_format(out,
              "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "
              "width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n<title>Time of right answers</title>\n",
              WIDTH, height, WIDTH, height);
  add_style(out);
  text_format(
      out,
      "<rect class=\"page\" width=\"%d\" height=\"%d\"/>\n<text class=\"title\" x=\"%d\" y=\"28\">Time of right "
      "answers, fastest first</text>\n",
      WIDTH, height, LEFT);
  add_time_axis(&plot);
  add_count_axis(&plot);
  for (size_t i = 0; i < plot.series.count; i++) add_series(&plot, i);
  for (size_t i = 0; i < plot.series.count; i++) add_legend(&plot, i);
  text_add(out, "</svg>\n");
  SeriesVector_free(&plot.series);
  BenchRowVector_free(&plot.points);
}
