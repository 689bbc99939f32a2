// The statements of a C source file, by position: where each begins, and where a call ends.
//
// Debug information gives steps the positions of operators and operands, but witnesses name the first character of a
// statement. This module scans the text and does not parse it: it skips comments, strings and directives, distinguishes
// the bodies of functions from initialisers and types, and finds the beginning of a statement by the token before it.
// The statement of a position is the last one that begins at or before it. The condition of a do loop belongs to the
// statement of its `do`.
//
// Invariants: `marks` is ordered by position; first_mark[s] is the first mark of statement s; line_starts[0] is 0. The
// value owns a copy of the text. Any text is accepted: a text that is not C gives some statements or none.
//
// Limits: statements inside the expansion of a macro are not found (a position in the expansion is that of the macro's
// use); functions in K&R style are not found; the file is read as it is, so line markers in preprocessed files are not
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

// Finds the statements of a text, which is copied.
void statements_scan(Statements *statements, const char *text, size_t length, Account *account);
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
