// The data of the HTML report: one JSON object, which the page's script (html_page.js) reads.
//
// The object is put into a script element. So `<`, `>` and `&` are escaped, and each byte that is not part of valid
// UTF-8 becomes U+FFFD. No text of a program can end the element or make the page unreadable.
//
//   version, model, files, answer, property, claim, violation, reason, covered, proof     texts
//   assumptions: [text], cuts: [[kind, what]], statistics: [[name, number]]
//   sources: [{path, text}]        the text is null if the file cannot be read or is too large
//   threads: [{path, routine, parent}]   parent is -1 for main
// and with an executed trace (html_trace.c):
//   positions: [[source, line, function]]
//   places: [[name, kind, thread, initial, position]]   cells and variables, in the order in which they are shown
//           kind: shared, local, lock, sync (inside objects of the library), control, constant or temporary
//           thread: -1 if it is no thread's; initial: null if indeterminate
//           position: of the first change of a variable, or -1
//   steps: [[thread, position, action, changes, next position, next lock]]
//           position: -1 if the step is shown with the step before; action: 0 or [word, argument]
//           changes: [[place, flags, after], ...]
//           next position: of the thread's next step, -1 if the thread has ended
//           next lock: the place of the lock that the thread's next step takes (it waits while a thread holds it), or
//           -1
//   loop: the step at which a lasso's loop begins, or -1
//   rounds: [[first, last, text]]   the steps [first, last) repeat the ones before them, as the text says
// The value of a lock is 0, or the index of the thread that holds it plus 1.
//
// The script and this file must agree on the form: a change here needs one in src/report/*.js. Nothing is kept between
// calls.
#ifndef HEDDLE_REPORT_PAGE_HTML_DATA_H
#define HEDDLE_REPORT_PAGE_HTML_DATA_H

#include "report/report.h"

enum {
  CHANGE_READ = 1,   // the step read this place and did not write it
  CHANGE_CHOSEN = 2, // the value is an input
  CHANGE_UPDATE = 4, // the step read the place before it wrote it
  CHANGE_HIDDEN = 8  // bookkeeping of a library model: the page shows the action instead
};

void html_add_data(const Report *report, Text *out);

// --- shared by html_data.c and html_trace.c ---

// Appends a JSON string that is safe in a script element. The text may hold any bytes.
void html_add_string(Text *out, const char *bytes, size_t count);

// The source files that the report mentions, each once. The paths belong to the program or the report.
typedef struct HtmlSources {
  const char **paths;
  size_t count, capacity;
} HtmlSources;
size_t html_source_index(HtmlSources *sources, const char *path);

// Appends the members that need a trace, each after a comma.
void html_add_trace(const Report *report, HtmlSources *sources, Text *out);

#endif
