#include "ltl/parse.h"

#include <ctype.h>

typedef struct Parser {
  LtlStore *store;
  const char *text;
  size_t at;
  LtlAtomVector *atoms;
  Arena *arena;
  Text *error;
  unsigned depth;
} Parser;

enum { DEEPEST = 500 }; // of parentheses and operators: the parser is recursive

static bool complain(Parser *p, size_t at, const char *what) {
  if (!p->error->length) text_format(p->error, "column %zu: %s", at + 1, what);
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

// --- atoms ---

// An operator of the logic or the end stands here, outside of parentheses: the C expression before it ends. `p->q` is C's
// own, `p -> q` is an implication.
static bool ends_expression(const char *c) {
  static const char *const symbols[] = {"&&", "||", "<->", ")"};
  if (*c == '\0') return true;
  for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
    if (strncmp(c, symbols[i], strlen(symbols[i])) == 0) return true;
  if (strncmp(c, "->", 2) == 0) return isspace((unsigned char)c[2]);
  return strchr("UWR", *c) && !is_word_character(c[1]);
}

static uint32_t number_of(Parser *p, const char *begin, size_t length, bool place, size_t at) {
  while (length > 0 && isspace((unsigned char)begin[length - 1])) length--;
  const char *text = arena_format(p->arena, "%.*s", (int)length, begin);
  for (uint32_t i = 0; i < p->atoms->count; i++)
    if (p->atoms->data[i].place == place && strcmp(p->atoms->data[i].text, text) == 0) return i;
  LtlAtomVector_push(p->atoms, (LtlAtom){.text = text, .place = place, .column = (uint32_t)at + 1});
  return (uint32_t)p->atoms->count - 1;
}

static bool parse_quoted(Parser *p, Ltl *out) {
  size_t begin = p->at++;
  const char *end = strchr(p->text + p->at, '"');
  if (!end) return complain(p, begin, "this quote is not closed");
  size_t length = (size_t)(end - p->text) - p->at;
  if (length == 0) return complain(p, begin, "an expression is missing in the quotes");
  *out = ltl_atom(p->store, number_of(p, p->text + p->at, length, false, p->at));
  p->at += length + 1;
  return true;
}

static bool parse_place(Parser *p, Ltl *out) {
  size_t begin = p->at;
  p->at = (size_t)(strchr(p->text + p->at, '(') - p->text) + 1;
  skip_blanks(p);
  const char *end = strchr(p->text + p->at, ')');
  if (!end) return complain(p, begin, "at(...) is not closed");
  size_t length = (size_t)(end - p->text) - p->at;
  if (length == 0) return complain(p, begin, "at() wants function:line or a label");
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
    if (c == '"') return complain(p, p->at, "a quote inside an expression");
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

// Does what follows go on as a C expression, so that what stands before it was C's own?
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
  }
  return false;
}

// A formula in parentheses, or a C expression that begins with one: `(x + 1) < y`.
static bool parse_parentheses(Parser *p, Ltl *out) {
  size_t begin = p->at, atoms = p->atoms->count;
  unsigned depth = p->depth;
  p->at++;
  bool inside = parse_equal(p, out);
  if (inside && !take(p, ")")) inside = complain(p, p->at, "a closing parenthesis is missing here");
  if (inside && !goes_on_in_c(p)) return true;
  if (!inside && is_temporal(p->text + begin)) return false;
  text_clear(p->error);
  p->atoms->count = atoms;
  p->depth = depth;
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
  if (++p->depth > DEEPEST) return complain(p, p->at, "the formula is nested too deeply");
  static const struct {
    const char *token;
    Ltl (*make)(LtlStore *store, Ltl a);
  } operators[] = {{"G", ltl_globally}, {"[]", ltl_globally}, {"F", ltl_finally}, {"<>", ltl_finally}, {"X", ltl_next}};
  bool fine;
  skip_blanks(p);
  if (p->text[p->at] == '!' && p->text[p->at + 1] != '=') {
    p->at++;
    fine = parse_unary(p, out);
    if (fine) *out = ltl_not(p->store, *out);
  } else {
    size_t i = 0;
    while (i < sizeof operators / sizeof *operators && !take(p, operators[i].token)) i++;
    bool found = i < sizeof operators / sizeof *operators;
    fine = found ? parse_unary(p, out) : parse_primary(p, out);
    if (fine && found) *out = operators[i].make(p->store, *out);
  }
  p->depth--;
  return fine;
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
    if (!parse_until(p, &right)) return false;
    *out = operators[i].make(p->store, *out, right);
    break;
  }
  return true;
}

static bool parse_and(Parser *p, Ltl *out) {
  if (!parse_until(p, out)) return false;
  for (Ltl right; take(p, "&&"); *out = ltl_and(p->store, *out, right))
    if (!parse_until(p, &right)) return false;
  return true;
}

static bool parse_or(Parser *p, Ltl *out) {
  if (!parse_and(p, out)) return false;
  for (Ltl right; take(p, "||"); *out = ltl_or(p->store, *out, right))
    if (!parse_and(p, &right)) return false;
  return true;
}

static bool parse_implies(Parser *p, Ltl *out) {
  if (++p->depth > DEEPEST) return complain(p, p->at, "the formula is nested too deeply");
  bool fine = parse_or(p, out);
  Ltl right;
  if (fine && take(p, "->")) {
    fine = parse_implies(p, &right);
    if (fine) *out = ltl_implies(p->store, *out, right);
  }
  p->depth--;
  return fine;
}

static bool parse_equal(Parser *p, Ltl *out) {
  if (!parse_implies(p, out)) return false;
  for (Ltl right; take(p, "<->"); *out = ltl_equal(p->store, *out, right))
    if (!parse_implies(p, &right)) return false;
  return true;
}

bool ltl_parse(LtlStore *store, const char *text, Ltl *formula, LtlAtomVector *atoms, Arena *arena, Text *error) {
  Parser p = {.store = store, .text = text, .atoms = atoms, .arena = arena, .error = error};
  if (!parse_equal(&p, formula)) return false;
  skip_blanks(&p);
  return p.text[p.at] == '\0' || complain(&p, p.at, "an operator or the end is expected here");
}
