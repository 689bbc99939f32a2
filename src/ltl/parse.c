#include "ltl/parse.h"

#include "ltl/source.h"

#include <assert.h>
#include <ctype.h>

typedef struct Parser {
  LtlStore *store;
  const char *text; // without comments; constants are closed
  size_t at;
  LtlAtomVector *atoms;
  Map numbers;        // hash of an atom -> its number, when it was seen last
  U32Vector operands; // of the chains that are being read, the innermost last
  Arena *arena;
  Text *error;
  unsigned depth; // of parentheses and operators that are open: the parser is recursive
  bool lost;      // the error is inside a formula for certain: no parenthesis around it can belong to a C expression
} Parser;

enum { DEEPEST = 500 };

static bool complain(Parser *p, size_t at, const char *what) {
  if (p->error->length) return false;
  source_position(p->text, at, p->error);
  text_format(p->error, ": %s", what);
  return false;
}

static void skip_blanks(Parser *p) {
  while (isspace((unsigned char)p->text[p->at])) p->at++;
}

static bool is_word_character(char c) { return isalnum((unsigned char)c) || c == '_'; }

// Takes a symbol, or a word that ends there.
static bool take(Parser *p, const char *token) {
  skip_blanks(p);
  size_t length = strlen(token);
  if (strncmp(p->text + p->at, token, length) != 0) return false;
  if (is_word_character(token[0]) && is_word_character(p->text[p->at + length])) return false;
  p->at += length;
  return true;
}

// Calls `parse` one level deeper.
static bool parse_deeper(Parser *p, bool (*parse)(Parser *p, Ltl *out), Ltl *out) {
  skip_blanks(p);
  if (p->depth == DEEPEST) return complain(p, p->at, "the formula is nested too deeply");
  p->depth++;
  bool fine = parse(p, out);
  assert(p->depth > 0);
  p->depth--;
  return fine;
}

// The length of the constant that begins here. The parser is never inside a constant, and all constants are closed.
static size_t constant_at(const char *text) {
  size_t length = source_constant(text);
  assert(length > 1);
  return length;
}

// --- atoms ---

// An operator of the logic or the end stands here, outside of parentheses: the C expression before it ends. `p->q` is
// C's own, `p -> q` is an implication.
static bool ends_expression(const char *c) {
  static const char *const symbols[] = {"&&", "||", "<->", ")"};
  if (*c == '\0') return true;
  for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
    if (strncmp(c, symbols[i], strlen(symbols[i])) == 0) return true;
  if (strncmp(c, "->", 2) == 0) return c[2] == '\0' || isspace((unsigned char)c[2]);
  return strchr("UWR", *c) && !is_word_character(c[1]);
}

static bool is_atom(const Parser *p, uint64_t number, const char *text, bool place) {
  if (number >= p->atoms->count) return false;
  const LtlAtom *atom = &p->atoms->data[number];
  return atom->place == place && strcmp(atom->text, text) == 0;
}

static uint32_t number_of(Parser *p, const char *begin, size_t length, bool place, size_t at) {
  Text line;
  text_init(&line, p->arena->account);
  source_on_one_line(begin, length, &line);
  const char *text = arena_string(p->arena, line.data);
  uint64_t key = hash_bytes(text, line.length) ^ place, known;
  text_free(&line);
  if (map_get(&p->numbers, key, &known)) {
    if (is_atom(p, known, text, place)) return (uint32_t)known;
    for (uint32_t i = 0; i < p->atoms->count; i++) // it was given up, or another one has the same hash
      if (is_atom(p, i, text, place)) return i;
  }
  map_put(&p->numbers, key, p->atoms->count);
  LtlAtomVector_push(p->atoms, (LtlAtom){.text = text, .place = place, .column = (uint32_t)at + 1});
  return (uint32_t)p->atoms->count - 1;
}

// The text in the quotes is C and may have comments. A quote in it has a backslash before it.
static bool parse_quoted(Parser *p, Ltl *out) {
  size_t begin = p->at, length = constant_at(p->text + begin);
  Text inside, clean;
  text_init(&inside, p->arena->account);
  text_init(&clean, p->arena->account);
  for (size_t i = begin + 1; i < begin + length - 1; i++) {
    if (p->text[i] == '\\' && p->text[i + 1] == '"') continue;
    text_add_char(&inside, p->text[i]);
    if (p->text[i] == '\\') text_add_char(&inside, p->text[++i]);
  }
  SourceFault fault = {0};
  bool closed = source_without_comments(inside.data, &clean, &fault);
  bool empty = clean.data[strspn(clean.data, " \t\r\n\v\f")] == '\0';
  if (!closed)
    complain(p, begin, fault.what);
  else if (empty)
    complain(p, begin, "an expression is missing in the quotes");
  else
    *out = ltl_atom(p->store, number_of(p, clean.data, clean.length, false, begin + 1));
  text_free(&clean);
  text_free(&inside);
  p->at = begin + length;
  return closed && !empty;
}

static bool parse_place(Parser *p, Ltl *out) {
  size_t begin = p->at;
  p->at = (size_t)(strchr(p->text + p->at, '(') - p->text) + 1;
  skip_blanks(p);
  size_t length = strcspn(p->text + p->at, ")'\"");
  char end = p->text[p->at + length];
  if (end == '\0') return complain(p, begin, "at(...) is not closed");
  if (length == 0 || end != ')') return complain(p, begin, "at() wants function:line or a label");
  *out = ltl_atom(p->store, number_of(p, p->text + p->at, length, true, begin));
  p->at += length + 1;
  return true;
}

static bool begins_place(const Parser *p) {
  const char *c = p->text + p->at;
  if (strncmp(c, "at", 2) != 0) return false;
  for (c += 2; isspace((unsigned char)*c); c++) continue;
  return *c == '(';
}

static bool parse_atom(Parser *p, Ltl *out) {
  skip_blanks(p);
  if (p->text[p->at] == '"') return parse_quoted(p, out);
  if (begins_place(p)) return parse_place(p, out);
  size_t begin = p->at;
  for (unsigned open = 0;; p->at++) {
    char c = p->text[p->at];
    bool in_word = p->at > begin && is_word_character(p->text[p->at - 1]) && is_word_character(c);
    if (open == 0 && !in_word && ends_expression(p->text + p->at)) break;
    if (c == '\0') return complain(p, begin, "a parenthesis is not closed in this expression");
    if (c == '"' || c == '\'') p->at += constant_at(p->text + p->at) - 1;
    open += c == '(' || c == '[';
    if (c == ')' || c == ']') {
      if (open == 0) return complain(p, p->at, "this bracket was not opened");
      open--;
    }
  }
  if (p->at == begin) return complain(p, begin, "a formula is missing here");
  *out = ltl_atom(p->store, number_of(p, p->text + begin, p->at - begin, false, begin));
  return true;
}

// --- formulas ---

static bool parse_equal(Parser *p, Ltl *out);

// Does a C expression continue here, so that the text before it was a part of that expression?
static bool goes_on_in_c(Parser *p) {
  skip_blanks(p);
  return !ends_expression(p->text + p->at);
}

// Has the text up to the end of the parentheses an operator that C does not have?
static bool is_temporal(const char *c) {
  unsigned open = 0;
  for (char before = ' '; *c; before = *c++) {
    open += *c == '(';
    if (*c == ')' && --open == 0) return false;
    if (strchr("GFXUWR", *c) && !is_word_character(before) && !is_word_character(c[1])) return true;
    if (strncmp(c, "->", 2) == 0 && (c[2] == '\0' || isspace((unsigned char)c[2]))) return true;
    if (*c == '"' || *c == '\'') c += constant_at(c) - 1;
  }
  return false;
}

// A formula in parentheses, or a C expression that begins with one: `(x + 1) < y`.
static bool parse_parentheses(Parser *p, Ltl *out) {
  size_t begin = p->at, atoms = p->atoms->count, operands = p->operands.count;
  p->at++;
  bool inside = parse_deeper(p, parse_equal, out);
  if (inside && !take(p, ")")) inside = complain(p, p->at, "a closing parenthesis is missing here");
  if (inside && !goes_on_in_c(p)) return true;
  if (!inside && !p->lost) p->lost = is_temporal(p->text + begin);
  if (!inside && p->lost) return false;
  text_clear(p->error);
  p->atoms->count = atoms;
  p->operands.count = operands;
  p->at = begin;
  return parse_atom(p, out);
}

static bool parse_primary(Parser *p, Ltl *out) {
  skip_blanks(p);
  if (p->text[p->at] == '(') return parse_parentheses(p, out);
  size_t begin = p->at;
  if (take(p, "true") && !goes_on_in_c(p)) {
    *out = ltl_true(p->store);
    return true;
  }
  p->at = begin;
  if (take(p, "false") && !goes_on_in_c(p)) {
    *out = ltl_false(p->store);
    return true;
  }
  p->at = begin;
  return parse_atom(p, out);
}

static bool parse_unary(Parser *p, Ltl *out) {
  static const struct {
    const char *token;
    Ltl (*make)(LtlStore *store, Ltl a);
  } operators[] = {{"G", ltl_globally}, {"[]", ltl_globally}, {"F", ltl_finally},
                   {"<>", ltl_finally}, {"X", ltl_next},      {"!", ltl_not}};
  enum { COUNT = sizeof operators / sizeof *operators };
  skip_blanks(p);
  bool unequal = strncmp(p->text + p->at, "!=", 2) == 0;
  size_t i = 0;
  while (i < COUNT && (unequal || !take(p, operators[i].token))) i++;
  if (i == COUNT) return parse_primary(p, out);
  if (!parse_deeper(p, parse_unary, out)) return false;
  *out = operators[i].make(p->store, *out);
  return true;
}

static bool parse_until(Parser *p, Ltl *out) {
  if (!parse_unary(p, out)) return false;
  static const struct {
    const char *token;
    Ltl (*make)(LtlStore *store, Ltl a, Ltl b);
  } operators[] = {{"U", ltl_until}, {"W", ltl_weak_until}, {"R", ltl_release}};
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
    if (!take(p, operators[i].token)) continue;
    Ltl right;
    if (!parse_deeper(p, parse_until, &right)) return false;
    *out = operators[i].make(p->store, *out, right);
    break;
  }
  return true;
}

// Operands with an operator between them that may be bracketed in any way.
static bool parse_chain(Parser *p, const char *token, bool (*parse)(Parser *p, Ltl *out),
                        Ltl (*combine)(LtlStore *store, Ltl a, Ltl b), Ltl *out) {
  size_t first = p->operands.count;
  do {
    if (!parse(p, out)) return false;
    U32Vector_push(&p->operands, *out);
  } while (take(p, token));
  *out = ltl_chain(p->store, combine, p->operands.data + first, p->operands.count - first);
  p->operands.count = first;
  return true;
}

static bool parse_and(Parser *p, Ltl *out) { return parse_chain(p, "&&", parse_until, ltl_and, out); }
static bool parse_or(Parser *p, Ltl *out) { return parse_chain(p, "||", parse_and, ltl_or, out); }

static bool parse_implies(Parser *p, Ltl *out) {
  if (!parse_or(p, out)) return false;
  if (!take(p, "->")) return true;
  Ltl right;
  if (!parse_deeper(p, parse_implies, &right)) return false;
  *out = ltl_implies(p->store, *out, right);
  return true;
}

static bool parse_equal(Parser *p, Ltl *out) { return parse_chain(p, "<->", parse_implies, ltl_equal, out); }

static bool parse_all(Parser *p, Ltl *out) {
  if (!parse_equal(p, out)) return false;
  skip_blanks(p);
  return p->text[p->at] == '\0' || complain(p, p->at, "an operator or the end is expected here");
}

bool ltl_parse(LtlStore *store, const char *text, Ltl *formula, LtlAtomVector *atoms, Arena *arena, Text *error) {
  Text clean;
  text_init(&clean, arena->account);
  Parser p = {.store = store, .text = text, .atoms = atoms, .arena = arena, .error = error};
  map_init(&p.numbers, arena->account);
  U32Vector_init(&p.operands, arena->account);
  SourceFault fault = {0};
  bool good = source_without_comments(text, &clean, &fault) || complain(&p, fault.at, fault.what);
  p.text = clean.data;
  good = good && parse_all(&p, formula);
  U32Vector_free(&p.operands);
  map_free(&p.numbers);
  text_free(&clean);
  return good;
}
