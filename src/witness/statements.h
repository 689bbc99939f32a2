// The statements of a C source file, by position: where each begins, and where a call ends.
//
// Debug information gives steps the positions of operators and operands; witnesses name the first character of the
// statement. This is a light scan of the text, not a parser: comments, strings and directives are skipped, bodies of
// functions are told from initialisers and types, and statements are found by what stands before them. The statement
// of a position is the last one that begins at or before it; the condition of a do loop belongs to the do.
//
// Limits: statements that macros make are unknown (a position inside an expansion is that of the macro's use);
// K&R-style functions are not found; the file is read as it is, so that line markers in preprocessed files are not
// followed.
#ifndef HEDDLE_WITNESS_STATEMENTS_H
#define HEDDLE_WITNESS_STATEMENTS_H

#include "base/text.h"
#include "base/vector.h"

typedef struct SourcePoint {
  uint32_t line, column; // from 1; 0: none
} SourcePoint;

typedef enum StatementKind { STATEMENT_PLAIN, STATEMENT_IF, STATEMENT_LOOP, STATEMENT_SWITCH } StatementKind;

typedef struct StatementMark {
  SourcePoint at;     // where the text that belongs to the statement begins
  uint32_t statement; // its number: marks of one statement share it (a do and its while)
  StatementKind kind;
} StatementMark;
VECTOR(StatementMarkVector, StatementMark);

typedef struct Statements {
  Text text;
  U64Vector line_starts;     // offsets; line 1 first
  StatementMarkVector marks; // ordered by position
  U32Vector first_mark;      // per statement
} Statements;

// From a file, or from a text; a file that cannot be read has no statements (false).
bool statements_read(Statements *statements, const char *path, Account *account);
void statements_scan(Statements *statements, const char *text, Account *account);
void statements_free(Statements *statements);

static inline bool points_equal(SourcePoint a, SourcePoint b) { return a.line == b.line && a.column == b.column; }

// The statement of a position, UINT32_MAX if there is none (or the point has no line).
uint32_t statements_at(const Statements *statements, SourcePoint point);
// Where a statement begins.
SourcePoint statements_start(const Statements *statements, uint32_t statement);
StatementKind statements_kind(const Statements *statements, uint32_t statement);
// The right parenthesis of the call that begins at `point`; line 0 if none follows.
SourcePoint statements_call_end(const Statements *statements, SourcePoint point);
// Is the word (a name) one of the file's tokens, outside comments, strings and directives?
bool statements_have_word(const Statements *statements, const char *word);
uint32_t statements_lines(const Statements *statements);

#endif
