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
  const Program *program;   // NULL if there is none: the result is then UNKNOWN
  const Trace *trace;       // executed up to the violation; NULL unless the result is UNSAFE
  const char *always;       // for SAFE: a C expression over globals that holds in every state; may be empty or NULL
  const char *const *files; // as the user named them
  size_t file_count;
  const char *project;    // the directory of the compilation database, or NULL
  const char *version;    // of Heddle
  const char *data_model; // "ILP32" or "LP64"
} Report;

// One self-contained page (html.c).
void report_html(const Report *report, Text *out);
// A witness in YAML (witness.c): of the violation, or of correctness. Nothing is appended if the result is UNKNOWN, if
// the property is a formula (the format has no form for that), or if the violation is in no statement that statements.h
// can find.
void report_witness(const Report *report, Text *out);
// SARIF 2.1.0 (sarif.c).
void report_sarif(const Report *report, Text *out);

#endif
