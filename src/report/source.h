// Source lines: the text of a line of a source file, for traces. Each file is read once; a file that is missing or
// unreadable has no lines.
#ifndef HEDDLE_REPORT_SOURCE_H
#define HEDDLE_REPORT_SOURCE_H

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
