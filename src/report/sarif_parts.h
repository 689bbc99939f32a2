// Parts of SARIF: strings, messages, locations and files.
//
// Text from outside (names of files, source lines) is made valid UTF-8: a byte that is not part of a character becomes
// U+FFFD. Files are named by percent-encoded URIs. The URI is relative if the file is below a base: the working
// directory or the directory of the project (`originalUriBaseIds` has their paths). Otherwise it is `file:///...`.
//
// SarifFiles owns the bases and the sources; the paths are strings of the program or the report.
#ifndef HEDDLE_REPORT_SARIF_PARTS_H
#define HEDDLE_REPORT_SARIF_PARTS_H

#include "program/program.h"
#include "report/source_text.h"

enum { SARIF_BASE_WORK, SARIF_BASE_PROJECT, SARIF_BASES };

typedef struct SarifFiles {
  StringVector paths; // the artifacts, in order; not owned
  Sources sources;
  Text bases[SARIF_BASES]; // absolute, with a slash at the end; empty if there is none
} SarifFiles;

void sarif_files_init(SarifFiles *files, const char *project); // NULL: no project
void sarif_files_free(SarifFiles *files);
size_t sarif_file_index(SarifFiles *files, const char *path); // adds it if it is new

void sarif_add_string(Text *out, const char *string);
void sarif_add_member(Text *out, const char *name, const char *string); // "name": "string"
void sarif_add_message(Text *out, const char *text);                    // {"text": "..."}
void sarif_add_artifact_location(const SarifFiles *files, const char *path, Text *out);
// A location with its line, its text and an optional message.
void sarif_add_location(SarifFiles *files, const Position *position, const char *message, Text *out);
void sarif_add_artifacts(const SarifFiles *files, Text *out);
void sarif_add_bases(const SarifFiles *files, Text *out); // `originalUriBaseIds`, and a comma after it

// Adds results for suppressed places (sarif_suppressed.c). `first`: there are no results before them.
struct Report;
void sarif_add_suppressed(const struct Report *report, SarifFiles *files, bool first, Text *out);

#endif
