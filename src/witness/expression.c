#include "witness/expression.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// Wide enough that nothing of 64 bits overflows; results beyond 64 bits are unknown.
typedef __int128 Wide;

typedef struct Value {
  bool known;
  Wide number;
  unsigned width; // of the variable that it is the value of; 0: computed
} Value;

enum { LONGEST_PATH = 256, DEEPEST = 200 };

typedef struct Reader {
  const char *at;
  const ExpressionScope *scope; // NULL: only the form is read
  bool as_unsigned;             // how the bits of a variable are read
  const char *complaint;        // NULL: well formed so far
  unsigned depth;
  bool no_value;                                  // the text contains what has no value in any state
  void (*visit)(void *context, const char *name); // NULL, or is called with the first name of each path
  void *context;
} Reader;

static const Value unknown = {false, 0, 0};

static Value known(Wide number) { return (Value){true, number, 0}; }

static void skip_blanks(Reader *r) {
  while (isspace((unsigned char)*r->at)) r->at++;
}

static bool take(Reader *r, const char *token) {
  skip_blanks(r);
  size_t length = strlen(token);
  if (strncmp(r->at, token, length) != 0) return false;
  r->at += length;
  return true;
}

static Value without_value(Reader *r) {
  r->no_value = true;
  return unknown;
}

static Value complain(Reader *r, const char *complaint) {
  if (!r->complaint) r->complaint = complaint;
  return unknown;
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$'; }

static Value read_conditional(Reader *r);

// --- primary expressions ---

static Value read_number(Reader *r) {
  char *end;
  unsigned long long value = strtoull(r->at, &end, 0);
  if (*end == '.' || *end == 'e' || *end == 'E' || *end == 'p' || *end == 'P') {
    (void)strtod(r->at, &end);
    while (is_word(*end)) end++;
    r->at = end;
    return without_value(r);
  }
  while (*end == 'u' || *end == 'U' || *end == 'l' || *end == 'L') end++;
  if (is_word(*end)) return complain(r, "a number with letters");
  r->at = end;
  return known((Wide)value);
}

static Value read_character(Reader *r) {
  static const char names[] = "abfnrtv0\\'\"?", values[] = "\a\b\f\n\r\t\v\0\\'\"?";
  assert(*r->at == '\'');
  r->at++;
  if (*r->at == '\0') return complain(r, "a character without an end");
  int value = (unsigned char)*r->at++;
  if (value == '\\') {
    const char *escape = *r->at ? strchr(names, *r->at) : NULL;
    if (!escape) return complain(r, "an unknown character");
    value = (unsigned char)values[escape - names];
    r->at++;
  }
  if (*r->at != '\'') return complain(r, "a character without an end");
  r->at++;
  return known(value);
}

static void append(char *path, size_t *length, const char *bytes, size_t count) {
  assert(*length < LONGEST_PATH);
  if (*length + count >= LONGEST_PATH) count = LONGEST_PATH - 1 - *length; // too long for any name of the program
  memcpy(path + *length, bytes, count);
  *length += count;
  path[*length] = '\0';
}

static size_t word_length(const char *at) {
  size_t length = 0;
  while (is_word(at[length])) length++;
  return length;
}

// Skips the arguments of a call. Their values do not matter: a call has no value.
static void skip_arguments(Reader *r) {
  if (take(r, ")")) return;
  do (void)read_conditional(r);
  while (take(r, ","));
  if (!take(r, ")")) complain(r, "a call without an end");
}

// Does the path lead on from what is a scalar itself? That is a dereference of a pointer, or nonsense.
static bool leaves_scalar(const Reader *r, const char *path) {
  char base[LONGEST_PATH];
  size_t length = strcspn(path, ".[");
  if (!path[length]) return false;
  snprintf(base, sizeof base, "%.*s", (int)length, path);
  uint64_t bits;
  unsigned width;
  return r->scope->value_of(r->scope->context, base, &bits, &width);
}

static Value path_value(Reader *r, const char *path) {
  uint64_t bits = 0;
  unsigned width = 0;
  if (!r->scope) return unknown;
  if (!r->scope->value_of(r->scope->context, path, &bits, &width) || width == 0 || width > 64)
    return leaves_scalar(r, path) ? without_value(r) : unknown;
  Wide value = (Wide)bits;
  if (width > 1 && !r->as_unsigned && bits >> (width - 1) & 1) value -= (Wide)1 << width;
  return (Value){true, value, width};
}

static Value read_path(Reader *r) {
  char path[LONGEST_PATH] = "";
  size_t length = 0, word = *r->at == '\\' ? 1 + word_length(r->at + 1) : word_length(r->at);
  append(path, &length, r->at, word);
  r->at += word;
  if (strcmp(path, "true") == 0) return known(1);
  if (strcmp(path, "false") == 0) return known(0);
  if (r->visit) r->visit(r->context, path);
  bool plain = true;
  for (;;) {
    if (take(r, "[")) {
      Value index = read_conditional(r);
      if (!take(r, "]")) return complain(r, "an index without an end");
      char digits[32];
      int count = snprintf(digits, sizeof digits, "[%lld]", (long long)index.number);
      plain = plain && index.known;
      append(path, &length, digits, (size_t)count);
    } else if (take(r, "->") || (*r->at == '.' && take(r, "."))) {
      if (r->at[-1] == '>') plain = false;
      skip_blanks(r);
      word = word_length(r->at);
      if (word == 0) return complain(r, "a member without a name");
      append(path, &length, ".", 1);
      append(path, &length, r->at, word);
      r->at += word;
    } else if (take(r, "(")) {
      skip_arguments(r);
      plain = false;
    } else
      break;
  }
  return plain ? path_value(r, path) : without_value(r);
}

// --- casts and unary operators ---

static bool is_type_word(const char *at, size_t length) {
  static const char *const words[] = {"void",     "char",    "short",   "int",      "long",     "signed",
                                      "unsigned", "_Bool",   "float",   "double",   "const",    "size_t",
                                      "struct",   "union",   "enum",    "volatile", "int8_t",   "int16_t",
                                      "int32_t",  "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strlen(words[i]) == length && memcmp(words[i], at, length) == 0) return true;
  return false;
}

// The type of a cast behind its left parenthesis: how wide its integers are for certain (0: not known).
static bool read_type(Reader *r, unsigned *width, bool *is_unsigned) {
  skip_blanks(r);
  if (!is_type_word(r->at, word_length(r->at))) return false;
  *width = 32;
  *is_unsigned = false;
  while (!take(r, ")")) {
    skip_blanks(r);
    size_t length = word_length(r->at);
    if (length == 0) {
      if (*r->at != '*') {
        complain(r, "a type that cannot be read");
        return true;
      }
      *width = 0;
      r->at++;
      continue;
    }
    if (strncmp(r->at, "unsigned", 8) == 0) *is_unsigned = true;
    if (strncmp(r->at, "char", 4) == 0) *width = 8;
    if (strncmp(r->at, "short", 5) == 0) *width = 16;
    if (strncmp(r->at, "int", length) != 0 && strncmp(r->at, "unsigned", 8) != 0 && strncmp(r->at, "signed", 6) != 0 &&
        strncmp(r->at, "char", 4) != 0 && strncmp(r->at, "short", 5) != 0 && strncmp(r->at, "const", 5) != 0)
      *width = 0;
    r->at += length;
  }
  return true;
}

// A value that a cast keeps is known; one that it changes is computed where the type is certain.
static Value cast(Value value, unsigned width, bool is_unsigned) {
  if (!value.known || width == 0)
    return value.known && value.number >= 0 && value.number <= INT32_MAX ? value : unknown;
  Wide modulus = (Wide)1 << width, number = value.number & (modulus - 1);
  if (!is_unsigned && number >> (width - 1)) number -= modulus;
  return known(number);
}

static Value read_unary(Reader *r) {
  if (++r->depth > DEEPEST) return complain(r, "too deep");
  skip_blanks(r);
  Value value = unknown;
  const char *start = r->at;
  unsigned width;
  bool is_unsigned;
  if (*r->at == '!' && r->at[1] != '=') {
    r->at++;
    value = read_unary(r);
    value = value.known ? known(value.number == 0) : unknown;
  } else if (*r->at == '-' || *r->at == '+' || *r->at == '~') {
    char operator= * r->at++;
    value = read_unary(r);
    value.width = 0;
    if (value.known && operator== '-') value.number = -value.number;
    if (value.known && operator== '~') value.number = ~value.number;
  } else if (*r->at == '*' || (*r->at == '&' && r->at[1] != '&')) {
    r->at++;
    (void)read_unary(r);
    value = without_value(r);
  } else if (take(r, "(")) {
    if (read_type(r, &width, &is_unsigned))
      value = cast(read_unary(r), width, is_unsigned);
    else {
      r->at = start + 1;
      value = read_conditional(r);
      if (!take(r, ")")) value = complain(r, "a parenthesis without an end");
    }
  } else if (isdigit((unsigned char)*r->at))
    value = read_number(r);
  else if (*r->at == '\'')
    value = read_character(r);
  else if (is_word(*r->at) || *r->at == '\\')
    value = read_path(r);
  else
    value = complain(r, *r->at ? "an unexpected character" : "an unexpected end");
  r->depth--;
  return value;
}

// --- binary operators ---

typedef enum Operator {
  OP_NONE,
  OP_MUL,
  OP_DIV,
  OP_REM,
  OP_ADD,
  OP_SUB,
  OP_SHL,
  OP_SHR,
  OP_LE,
  OP_GE,
  OP_LT,
  OP_GT,
  OP_EQ,
  OP_NE,
  OP_AND,
  OP_XOR,
  OP_OR,
  OP_ALL,
  OP_ANY
} Operator;

typedef struct OperatorRow {
  const char *text;
  Operator operator;
  unsigned level; // higher binds closer
} OperatorRow;

// An operator whose text begins with another operator's text comes before it.
static const OperatorRow operators[] = {
    {"<<", OP_SHL, 8}, {">>", OP_SHR, 8}, {"<=", OP_LE, 7},  {">=", OP_GE, 7},  {"==", OP_EQ, 6},  {"!=", OP_NE, 6},
    {"&&", OP_ALL, 2}, {"||", OP_ANY, 1}, {"*", OP_MUL, 10}, {"/", OP_DIV, 10}, {"%", OP_REM, 10}, {"+", OP_ADD, 9},
    {"-", OP_SUB, 9},  {"<", OP_LT, 7},   {">", OP_GT, 7},   {"&", OP_AND, 5},  {"^", OP_XOR, 4},  {"|", OP_OR, 3}};

static const OperatorRow *peek_operator(Reader *r) {
  skip_blanks(r);
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
    if (strncmp(r->at, operators[i].text, strlen(operators[i].text)) == 0) return &operators[i];
  return NULL;
}

// Equality as in C: operands of 32 bits or more are not promoted, so only their bits count.
static bool are_equal(Value a, Value b) {
  unsigned width = a.width > b.width ? a.width : b.width;
  Wide difference = a.number - b.number;
  return difference == 0 || (width >= 32 && (difference & (((Wide)1 << width) - 1)) == 0);
}

// Outside the range of int, the result in C depends on the types of the operands, so it is unknown.
static Value in_range(Wide number) { return number >= INT32_MIN && number <= INT32_MAX ? known(number) : unknown; }

static Value apply(Operator operator, Value a, Value b) {
  if (operator== OP_ALL) {
    if ((a.known && a.number == 0) || (b.known && b.number == 0)) return known(0);
    return a.known && b.known ? known(1) : unknown;
  }
  if (operator== OP_ANY) {
    if ((a.known && a.number != 0) || (b.known && b.number != 0)) return known(1);
    return a.known && b.known ? known(0) : unknown;
  }
  assert(operator!= OP_NONE);
  if (!a.known || !b.known) return unknown;
  Wide x = a.number, y = b.number;
  switch (operator) {
  case OP_MUL: return x > -((Wide)1 << 62) && x < (Wide)1 << 62 ? in_range(x * y) : unknown;
  case OP_DIV: return y != 0 ? in_range(x / y) : unknown;
  case OP_REM: return y != 0 ? in_range(x % y) : unknown;
  case OP_ADD: return in_range(x + y);
  case OP_SUB: return in_range(x - y);
  case OP_SHL: return x >= 0 && x <= INT32_MAX && y >= 0 && y < 32 ? in_range(x << y) : unknown;
  case OP_SHR: return x >= 0 && y >= 0 && y < 32 ? known(x >> y) : unknown;
  case OP_AND: return known(x & y);
  case OP_XOR: return known(x ^ y);
  case OP_OR: return known(x | y);
  case OP_EQ: return known(are_equal(a, b));
  case OP_NE: return known(!are_equal(a, b));
  case OP_LE: return known(x <= y);
  case OP_GE: return known(x >= y);
  case OP_LT: return known(x < y);
  default: return known(x > y);
  }
}

static Value read_binary(Reader *r, unsigned level) {
  assert(level >= 1);
  Value left = read_unary(r);
  for (;;) {
    const OperatorRow *row = peek_operator(r);
    if (!row || row->level < level || r->complaint) return left;
    r->at += strlen(row->text);
    Value right = read_binary(r, row->level + 1);
    bool divides = row->operator== OP_DIV || row->operator== OP_REM;
    if (divides && right.known && right.number == 0) r->no_value = true;
    left = apply(row->operator, left, right);
  }
}

static Value read_conditional(Reader *r) {
  if (++r->depth > DEEPEST) return complain(r, "too deep");
  Value condition = read_binary(r, 1);
  if (take(r, "?")) {
    Value yes = read_conditional(r);
    if (!take(r, ":")) return complain(r, "a condition without its colon");
    Value no = read_conditional(r);
    condition = !condition.known ? unknown : condition.number != 0 ? yes : no;
  }
  r->depth--;
  return condition;
}

static Value read_all(Reader *r) {
  Value value = read_conditional(r);
  skip_blanks(r);
  if (*r->at && !r->complaint) complain(r, "something after its end");
  return r->complaint ? unknown : value;
}

bool expression_valid(const char *text, Text *error) {
  Reader r = {.at = text};
  (void)read_all(&r);
  if (r.complaint) text_format(error, "the expression `%s` has %s", text, r.complaint);
  return r.complaint == NULL;
}

Truth expression_evaluate(const char *text, const ExpressionScope *scope) {
  Reader as_signed = {.at = text, .scope = scope}, as_unsigned = {.at = text, .scope = scope, .as_unsigned = true};
  Value a = read_all(&as_signed), b = read_all(&as_unsigned);
  if (!a.known || !b.known || (a.number != 0) != (b.number != 0)) return TRUTH_UNKNOWN;
  return a.number != 0 ? TRUTH_TRUE : TRUTH_FALSE;
}

bool expression_has_no_value(const char *text, const ExpressionScope *scope) {
  Reader r = {.at = text, .scope = scope};
  (void)read_all(&r);
  return r.no_value;
}

void expression_visit_names(const char *text, void (*visit)(void *context, const char *name), void *context) {
  Reader r = {.at = text, .visit = visit, .context = context};
  (void)read_all(&r);
}

bool expression_is_equation(const char *text, const char *path, int64_t *constant) {
  const char *equals = strstr(text, "==");
  if (!equals) return false;
  for (int swapped = 0; swapped < 2; swapped++) {
    Reader r = {.at = swapped ? equals + 2 : text};
    const char *end = swapped ? text + strlen(text) : equals;
    if (!take(&r, path) || is_word(*r.at)) continue;
    skip_blanks(&r);
    if (r.at != end) continue;
    Reader other = {.at = swapped ? text : equals + 2};
    Value value = read_unary(&other);
    skip_blanks(&other);
    if (other.complaint || !value.known || other.at != (swapped ? equals : text + strlen(text))) return false;
    if (value.number > INT64_MAX) value.number -= (Wide)1 << 64; // the same bits
    *constant = (int64_t)value.number;
    return true;
  }
  return false;
}
