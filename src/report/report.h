// What all reports are made from, and the reports that are files.
//
// A report is a text; whoever asks for it writes it. The reports never run anything: the trace was executed by
// `replay`, the result is sealed.
#ifndef HEDDLE_REPORT_REPORT_H
#define HEDDLE_REPORT_REPORT_H

#include "verdict/trace.h"
#include "verdict/verdict.h"

typedef struct Report {
  const Result *result;     // sealed
  const Program *program;   // NULL if there is none: the result is then UNKNOWN
  const Trace *trace;       // executed, to the violation; NULL unless the result is UNSAFE
  const char *always;       // for SAFE: a C expression over globals that holds in every state; may be empty or NULL
  const char *const *files; // as the user named them
  size_t file_count;
  const char *project;    // the directory of the compilation database, or NULL
  const char *version;    // of Heddle
  const char *data_model; // "ILP32" or "LP64"
} Report;

// One self-contained page (html.c).
void report_html(const Report *report, Text *out);
// A witness in YAML (witness.c): of the violation, or of correctness. Empty if the result is UNKNOWN, if a formula was
// asked for (the format has no form for that), or if the violation is in no statement that can be named (statements.h
// says which those are).
void report_witness(const Report *report, Text *out);
// SARIF 2.1.0 (sarif.c).
void report_sarif(const Report *report, Text *out);

#endif
