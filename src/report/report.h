// The data of a report, and the reports that are files: an HTML page, a witness and SARIF.
//
// A report is a text that is appended to `out`; the caller writes the file. Reports execute nothing: the judge has
// executed the trace, and the result is sealed. A Report points to its parts and owns none of them; all must outlive
// the call. The source files are read again; if one cannot be read, its lines are left out.
#ifndef HEDDLE_REPORT_REPORT_H
#define HEDDLE_REPORT_REPORT_H

#include "verdict/trace.h"
#include "verdict/verdict.h"

typedef struct Report {
  const Result *result;     // sealed
  const Program *program;   // NULL if it was not lowered: the result is then UNKNOWN, or SAFE by a survey
  const Trace *trace;       // executed up to the violation; NULL unless the result is UNSAFE
  const char *invariant;    // for SAFE: a C expression over globals that holds in every state; may be empty or NULL
  const char *const *files; // as the user named them
  size_t file_count;
  const char *project;    // the directory of the compilation database, or NULL
  const char *version;    // of Heddle
  const char *data_model; // "ILP32" or "LP64"
} Report;

// The data of a report, which is what a page is made of; and the self-contained page of such data, or of the data of
// several reports (report_join_data). `file` is the first of the program.
void report_page_data(const Report *report, Text *out);
void report_page(Answer answer, const char *file, const char *data, Text *out);
// A row of the table of goals on a page with several reports.
typedef struct PageRow {
  Property property;
  Answer answer;
  const char *reason; // why goals are open, or ""
  size_t goals, proved, violated, open;
} PageRow;
// The data of a page with the data of several reports, in this order; not empty.
void report_join_data(Answer answer, const PageRow *rows, size_t row_count, const Text *const *reports, size_t count,
                      Text *out);
// A witness in YAML (witness.c): of the violation, or of correctness. Nothing is appended if the result is UNKNOWN, if
// the property is a formula (the format has no form for that), or if the violation is in no statement that statements.h
// can find.
void report_witness(const Report *report, Text *out);
// SARIF 2.1.0 (sarif.c).
void report_sarif(const Report *report, Text *out);
// One SARIF document with the results of several (sarif_merge.c), which report_sarif made; `answer` is the worst.
void report_merge_sarif(Answer answer, const Text *const *documents, size_t count, Text *out);

#endif
