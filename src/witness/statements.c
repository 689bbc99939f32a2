#include "witness/statements.h"

#include <assert.h>
#include <ctype.h>

// An open brace: of a block of statements, or of a type or an initialiser.
typedef struct BraceFrame {
  bool block;
  bool header;           // the surrounding statement is inside the parentheses of if, while, for, switch
  unsigned parentheses;  // open parentheses outside the brace
  unsigned header_depth; // open parentheses outside that header
} BraceFrame;
VECTOR(BraceFrameVector, BraceFrame);

// A do loop whose condition was not reached yet.
typedef struct PendingDo {
  uint32_t statement;
  size_t braces;
} PendingDo;
VECTOR(PendingDoVector, PendingDo);

typedef struct Scanner {
  Statements *out;
  const char *text, *at, *end;
  BraceFrameVector braces;
  PendingDoVector loops;
  unsigned parentheses;
  unsigned header_depth;
  bool header;     // between a controlling keyword and its closing parenthesis
  bool fresh;      // the next token begins a statement
  bool case_label; // between `case` and its colon
  char previous;   // last character of the token before
} Scanner;

static SourcePoint point_of(const Statements *statements, size_t offset) {
  const U64Vector *starts = &statements->line_starts;
  size_t low = 0, high = starts->count;
  while (high - low > 1) {
    size_t middle = (low + high) / 2;
    if (starts->data[middle] <= offset)
      low = middle;
    else
      high = middle;
  }
  assert(starts->count > 0 && starts->data[low] <= offset);
  return (SourcePoint){(uint32_t)low + 1, (uint32_t)(offset - starts->data[low]) + 1};
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$'; }

// Skips a string or character constant; `at` stands on its quote.
static const char *skip_quoted(const char *at, const char *end) {
  assert(at < end);
  char quote = *at++;
  for (; at < end && *at != quote && *at != '\n'; at++)
    if (*at == '\\' && at + 1 < end) at++;
  return at < end ? at + 1 : end;
}

static const char *skip_comment(const char *at, const char *end) {
  if (at[1] == '/') {
    while (at < end && *at != '\n') at++;
    return at;
  }
  for (at += 2; at + 1 < end; at++)
    if (at[0] == '*' && at[1] == '/') return at + 2;
  return end;
}

static bool at_line_start(const char *text, const char *at) {
  while (at > text && (at[-1] == ' ' || at[-1] == '\t')) at--;
  return at == text || at[-1] == '\n';
}

static const char *skip_directive(const char *at, const char *end) {
  for (; at < end && *at != '\n'; at++)
    if (*at == '\\' && at + 1 < end) at++;
  return at;
}

// Skips blanks, comments and directives.
static const char *skip_blanks(const char *text, const char *at, const char *end) {
  for (;;) {
    if (at >= end) return end;
    if (isspace((unsigned char)*at))
      at++;
    else if (*at == '/' && at + 1 < end && (at[1] == '/' || at[1] == '*'))
      at = skip_comment(at, end);
    else if (*at == '#' && at_line_start(text, at))
      at = skip_directive(at, end);
    else if (*at == '\\' && at + 1 < end && at[1] == '\n')
      at += 2;
    else
      return at;
  }
}

static bool in_block(const Scanner *s) { return s->braces.count > 0 && BraceFrameVector_last(&s->braces)->block; }

static uint32_t begin_statement(Scanner *s, const char *at, StatementKind kind) {
  uint32_t statement = (uint32_t)s->out->first_mark.count;
  StatementMark mark = {.at = point_of(s->out, (size_t)(at - s->text)), .statement = statement, .kind = kind};
  U32Vector_push(&s->out->first_mark, (uint32_t)s->out->marks.count);
  assert(s->out->marks.count == 0 || !points_equal(StatementMarkVector_last(&s->out->marks)->at, mark.at));
  StatementMarkVector_push(&s->out->marks, mark);
  return statement;
}

static bool word_is(const char *at, size_t length, const char *word) {
  return strlen(word) == length && memcmp(at, word, length) == 0;
}

static void begin_header(Scanner *s) {
  s->header = true;
  s->header_depth = s->parentheses;
  s->fresh = false;
}

// Does the `while` at `at` belong to the innermost do loop of this block? If so, it becomes a mark of that loop.
static bool ends_do(Scanner *s, const char *at) {
  if (s->loops.count == 0 || PendingDoVector_last(&s->loops)->braces != s->braces.count) return false;
  uint32_t statement = PendingDoVector_pop(&s->loops).statement;
  StatementMark mark = {.at = point_of(s->out, (size_t)(at - s->text)), .statement = statement, .kind = STATEMENT_LOOP};
  StatementMarkVector_push(&s->out->marks, mark);
  s->fresh = false;
  return true;
}

// A word where a statement may begin.
static void scan_first_word(Scanner *s, const char *at, size_t length) {
  const char *next = skip_blanks(s->text, at + length, s->end);
  if (word_is(at, length, "else")) return;
  if (word_is(at, length, "do")) {
    PendingDo pending = {begin_statement(s, at, STATEMENT_LOOP), s->braces.count};
    PendingDoVector_push(&s->loops, pending);
  } else if (word_is(at, length, "while") || word_is(at, length, "for")) {
    if (word_is(at, length, "while") && ends_do(s, at)) return;
    begin_statement(s, at, STATEMENT_LOOP);
    begin_header(s);
  } else if (word_is(at, length, "if")) {
    begin_statement(s, at, STATEMENT_IF);
    begin_header(s);
  } else if (word_is(at, length, "switch")) {
    begin_statement(s, at, STATEMENT_SWITCH);
    begin_header(s);
  } else if (word_is(at, length, "case")) {
    s->case_label = true;
    s->fresh = false;
  } else if (next < s->end && *next == ':') {
    s->at = next + 1; // a label: what follows is the statement
    s->previous = ':';
  } else {
    begin_statement(s, at, STATEMENT_PLAIN);
    s->fresh = false;
  }
}

static void open_brace(Scanner *s) {
  bool function = s->braces.count == 0 && s->previous == ')';
  bool block = function || (in_block(s) && (s->fresh || (s->parentheses > 0 && s->previous == '(')));
  BraceFrame frame = {block, s->header, s->parentheses, s->header_depth};
  BraceFrameVector_push(&s->braces, frame);
  if (!block) return;
  s->parentheses = 0;
  s->header = false;
  s->fresh = true;
}

static void close_brace(Scanner *s) {
  if (s->braces.count == 0) return;
  BraceFrame frame = BraceFrameVector_pop(&s->braces);
  while (s->loops.count > 0 && PendingDoVector_last(&s->loops)->braces > s->braces.count)
    (void)PendingDoVector_pop(&s->loops);
  s->parentheses = frame.parentheses;
  s->header = frame.header;
  s->header_depth = frame.header_depth;
  if (frame.block) s->fresh = in_block(s) && s->parentheses == 0;
}

static void scan_mark(Scanner *s, char c) {
  if (c == '{') {
    open_brace(s);
    return;
  }
  if (c == '}') {
    close_brace(s);
    return;
  }
  if (s->fresh && c != ';' && c != ':') {
    begin_statement(s, s->at, STATEMENT_PLAIN);
    s->fresh = false;
  }
  if (c == '(') s->parentheses++;
  if (c == ')' && s->parentheses > 0) {
    s->parentheses--;
    if (s->header && s->parentheses == s->header_depth) {
      s->header = false;
      s->fresh = true;
    }
  }
  if (c == ':' && s->case_label) {
    s->case_label = false;
    s->fresh = true;
  }
  if (c == ';' && in_block(s) && s->parentheses == 0) s->fresh = true;
}

static void scan_token(Scanner *s) {
  const char *at = s->at;
  if (is_word(*at)) {
    size_t length = 0;
    while (at + length < s->end && is_word(at[length])) length++;
    s->at += length;
    s->previous = 'a';
    if (s->fresh && in_block(s)) scan_first_word(s, at, length);
    return;
  }
  if (*at == '"' || *at == '\'') {
    s->at = skip_quoted(at, s->end);
    s->previous = '"';
    return;
  }
  scan_mark(s, *at);
  s->previous = *at;
  s->at = at + 1;
}

static void scan(Statements *statements, Account *account) {
  Scanner s = {.out = statements, .text = statements->text.data, .at = statements->text.data, .previous = ';'};
  s.end = s.text + statements->text.length;
  BraceFrameVector_init(&s.braces, account);
  PendingDoVector_init(&s.loops, account);
  U64Vector_push(&statements->line_starts, 0);
  for (const char *c = s.text; c < s.end; c++)
    if (*c == '\n') U64Vector_push(&statements->line_starts, (uint64_t)(c + 1 - s.text));
  while ((s.at = skip_blanks(s.text, s.at, s.end)) < s.end) scan_token(&s);
  assert(s.at == s.end);
  BraceFrameVector_free(&s.braces);
  PendingDoVector_free(&s.loops);
}

static void init(Statements *statements, Account *account) {
  text_init(&statements->text, account);
  U64Vector_init(&statements->line_starts, account);
  StatementMarkVector_init(&statements->marks, account);
  U32Vector_init(&statements->first_mark, account);
}

void statements_scan(Statements *statements, const char *text, size_t length, Account *account) {
  init(statements, account);
  text_add_bytes(&statements->text, text, length);
  scan(statements, account);
}

void statements_free(Statements *statements) {
  text_free(&statements->text);
  U64Vector_free(&statements->line_starts);
  StatementMarkVector_free(&statements->marks);
  U32Vector_free(&statements->first_mark);
}

static bool is_after(SourcePoint a, SourcePoint b) {
  return a.line > b.line || (a.line == b.line && a.column > b.column);
}

uint32_t statements_at(const Statements *statements, SourcePoint point) {
  const StatementMarkVector *marks = &statements->marks;
  if (point.line == 0) return UINT32_MAX;
  size_t low = 0, high = marks->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (is_after(marks->data[middle].at, point))
      high = middle;
    else
      low = middle + 1;
  }
  return low == 0 ? UINT32_MAX : marks->data[low - 1].statement;
}

SourcePoint statements_start(const Statements *statements, uint32_t statement) {
  assert(statement < statements->first_mark.count);
  return statements->marks.data[statements->first_mark.data[statement]].at;
}

StatementKind statements_kind(const Statements *statements, uint32_t statement) {
  assert(statement < statements->first_mark.count);
  return statements->marks.data[statements->first_mark.data[statement]].kind;
}

SourcePoint statements_call_end(const Statements *statements, SourcePoint point) {
  SourcePoint none = {0, 0};
  if (point.line == 0 || point.line > statements->line_starts.count) return none;
  const char *text = statements->text.data, *end = text + statements->text.length;
  const char *at = text + statements->line_starts.data[point.line - 1] + (point.column ? point.column - 1 : 0);
  unsigned open = 0;
  while ((at = skip_blanks(text, at, end)) < end) {
    if (*at == '"' || *at == '\'') {
      at = skip_quoted(at, end);
      continue;
    }
    if (open == 0 && (*at == ';' || *at == '{' || *at == '}')) return none;
    if (*at == '(') open++;
    if (*at == ')' && open > 0 && --open == 0) return point_of(statements, (size_t)(at - text));
    at++;
  }
  return none;
}

uint32_t statements_lines(const Statements *statements) { return (uint32_t)statements->line_starts.count; }

bool statements_have_word(const Statements *statements, const char *word) {
  const char *text = statements->text.data, *end = text + statements->text.length, *at = text;
  while ((at = skip_blanks(text, at, end)) < end) {
    size_t length = 0;
    while (at + length < end && is_word(at[length])) length++;
    if (length && word_is(at, length, word)) return true;
    if (length == 0) at = *at == '"' || *at == '\'' ? skip_quoted(at, end) : at + 1;
    at += length;
  }
  return false;
}
