// The data of the HTML report: one JSON object, which the page's script (html_page.js) reads.
//
// It is made to stand inside a script element: `<`, `>` and `&` are escaped, and so is every byte that is not part of
// valid UTF-8 (it becomes U+FFFD), so that no text of a program can leave the element or make the page unreadable.
//
//   version, model, files, answer, property, claim, violation, reason, covered, proof     texts
//   assumptions: [text], cuts: [[kind, what]], statistics: [[name, number]]
//   sources: [{path, text}]        the text is null if the file cannot be read or is too large
//   threads: [{path, routine, parent}]   parent is -1 for main
// and with an executed trace (html_trace.c):
//   positions: [[source, line, function]]
//   places: [[name, kind, thread, initial, position]]   cells and variables, in the order they are shown; kind is
// shared,
//           local, lock, sync (inside objects of the library), control, constant or temporary; the thread is -1 if
//           none; the initial value is null if indeterminate; the position is where a variable changes first, or -1
//   steps: [[thread, position, action, changes, next position, next lock]]
//           position -1: told with the step before; action 0 or [word, argument]; changes [[place, flags, after], ...];
//           next position: where the thread stands after the step, -1 if it has ended; next lock: the place of the lock
//           that it takes next (it waits while somebody holds it), or -1
//   loop: the step where a lasso's loop begins, or -1
//   rounds: [[first, last, text]]   steps [first, last) repeat what stands before them, as the text says (rounds.h)
// A lock holds 0, or the number of its holder: the thread's index and one.
#ifndef HEDDLE_REPORT_HTML_DATA_H
#define HEDDLE_REPORT_HTML_DATA_H

#include "report/report.h"

enum {
  CHANGE_READ = 1,   // the step read this place and left it alone
  CHANGE_CHOSEN = 2, // the value is an input
  CHANGE_UPDATE = 4, // the step read the place before it wrote it
  CHANGE_HIDDEN = 8  // bookkeeping of the library: told by actions
};

void html_add_data(const Report *report, Text *out);

// --- shared by html_data.c and html_trace.c ---

// A JSON string that can stand in a script element. The text may hold any bytes.
void html_add_string(Text *out, const char *bytes, size_t count);
// The same as the value of a member, with a comma before it.
void html_add_member(Text *out, const char *name, const char *value);

// The source files that the report mentions, each once.
typedef struct HtmlSources {
  const char **paths;
  size_t count, capacity;
} HtmlSources;
size_t html_source_index(HtmlSources *sources, const char *path);

// The members that need a trace, each with a comma before it.
void html_add_trace(const Report *report, HtmlSources *sources, Text *out);

#endif
