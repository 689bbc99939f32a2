// The text of single lines of source files, for reports.
//
// Each file is read once, at its first use. A file that cannot be read has no lines. Sources owns the contents; the
// paths belong to the caller and must outlive it.
#ifndef HEDDLE_REPORT_SOURCE_TEXT_H
#define HEDDLE_REPORT_SOURCE_TEXT_H

#include "base/text.h"
#include "base/vector.h"

typedef struct SourceFile {
  const char *path; // the caller's string, compared by content
  Text content;
  U64Vector line_starts; // offsets; line 1 first
} SourceFile;
VECTOR(SourceFileVector, SourceFile);

typedef struct Sources {
  SourceFileVector files;
  Account *account;
} Sources;

void sources_init(Sources *sources, Account *account);
void sources_free(Sources *sources);
// Appends the line without leading, trailing and repeated blanks. Returns false if there is no such line or it is
// blank.
bool sources_add_line(Sources *sources, const char *path, uint32_t line, Text *out);

#endif
