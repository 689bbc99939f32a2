// C output, for people: traces, labels, invariants.
//
// Bit-vectors carry no signedness, so they are shown as signed numbers, with a cast where an operator is unsigned. Very
// deep or long terms end in "...", because shared subterms are repeated and the text would grow without use.
#include "term/term_internal.h"

#include <math.h>

enum { MAX_DEPTH = 200, MAX_LENGTH = 64 * 1024 };

// How tightly an expression binds; a part with a smaller value than its place asks for gets parentheses.
typedef enum Precedence {
  ANY,
  CONDITIONAL,
  LOGICAL_OR,
  LOGICAL_AND,
  BIT_OR,
  BIT_XOR,
  BIT_AND,
  EQUALITY,
  RELATIONAL,
  SHIFT,
  SUM,
  PRODUCT,
  PREFIX,
  POSTFIX
} Precedence;

// What a constant stands for in its place.
typedef enum Reading { PLAIN, SIGNED, UNSIGNED, FLOATING } Reading;

typedef struct Printer {
  const TermStore *store;
  Text *out;
  size_t start;
  unsigned depth;
} Printer;

static void print(Printer *p, Term t, Precedence place, Reading reading);

// --- constants and types ---

static void print_unsigned(Text *out, Bits value) {
  char digits[40];
  unsigned count = 0;
  do digits[count++] = (char)('0' + (unsigned)(value % 10));
  while (value /= 10);
  while (count) text_add_char(out, digits[--count]);
}

static void print_hexadecimal(Text *out, Bits value) {
  uint64_t high = (uint64_t)(value >> 64), low = (uint64_t)value;
  if (high)
    text_format(out, "0x%llx%016llx", (unsigned long long)high, (unsigned long long)low);
  else
    text_format(out, "0x%llx", (unsigned long long)low);
}

static void print_floating_constant(Text *out, unsigned width, Bits value) {
  double number;
  if (width == 32) {
    uint32_t pattern = (uint32_t)value;
    float single;
    memcpy(&single, &pattern, sizeof single);
    number = (double)single;
  } else {
    uint64_t pattern = (uint64_t)value;
    memcpy(&number, &pattern, sizeof number);
  }
  char digits[40];
  snprintf(digits, sizeof digits, width == 32 ? "%.9g" : "%.17g", number);
  text_add(out, isnan(number) ? "NAN" : isinf(number) ? (number < 0 ? "-INFINITY" : "INFINITY") : digits);
  if (isfinite(number) && !strpbrk(digits, ".e")) text_add(out, ".0");
}

static bool is_shown_negative(unsigned width, Bits value, Reading reading) {
  if (width == 1 || reading == UNSIGNED || reading == FLOATING || !is_negative(width, value)) return false;
  return reading == SIGNED || as_signed(width, value) >= -65536;
}

static void print_number(Printer *p, unsigned width, Bits value, Precedence place, Reading reading) {
  if (reading == FLOATING) {
    print_floating_constant(p->out, width, value);
  } else if (is_shown_negative(width, value, reading)) {
    bool parenthesised = place > PREFIX;
    if (parenthesised) text_add_char(p->out, '(');
    text_add_char(p->out, '-');
    print_unsigned(p->out, -value & bits_mask(width));
    if (parenthesised) text_add_char(p->out, ')');
  } else if (value <= UINT32_MAX || reading == SIGNED) {
    print_unsigned(p->out, value);
  } else {
    print_hexadecimal(p->out, value);
  }
}

static void print_type(Text *out, unsigned width, bool is_signed) {
  switch (width) {
  case 8: text_add(out, is_signed ? "signed char" : "unsigned char"); return;
  case 16: text_add(out, is_signed ? "short" : "unsigned short"); return;
  case 32: text_add(out, is_signed ? "int" : "unsigned"); return;
  case 64: text_add(out, is_signed ? "long long" : "unsigned long long"); return;
  case 128: text_add(out, is_signed ? "__int128" : "unsigned __int128"); return;
  default: text_format(out, is_signed ? "_BitInt(%u)" : "unsigned _BitInt(%u)", width);
  }
}

static void print_cast(Printer *p, unsigned width, bool is_signed, Term t) {
  text_add_char(p->out, '(');
  print_type(p->out, width, is_signed);
  text_add_char(p->out, ')');
  print(p, t, PREFIX, PLAIN);
}

// An operand of an unsigned operator: constants and extended terms are unsigned as they stand.
static void print_unsigned_operand(Printer *p, Term t, Precedence place) {
  if (is_constant(p->store, t) || is_operator(p->store, t, TERM_ZEXT))
    print(p, t, place, UNSIGNED);
  else
    print_cast(p, width_of(p->store, t), false, t);
}

// --- operators ---

static void print_infix(Printer *p, Term a, const char *symbol, Term b, Precedence level, Reading reading) {
  print(p, a, level, reading);
  text_format(p->out, " %s ", symbol);
  print(p, b, (Precedence)(level + 1), reading); // a - (b - c) keeps its parentheses
}

// Comparisons put a constant on the right.
static void print_comparison(Printer *p, Term t) {
  TermOperator op = operator_of(p->store, t);
  Term a = child_of(p->store, t, 0), b = child_of(p->store, t, 1);
  bool strict = op == TERM_ULT || op == TERM_SLT || op == TERM_FP_LT, mirrored = is_constant(p->store, a);
  const char *symbol = strict ? (mirrored ? " > " : " < ") : (mirrored ? " >= " : " <= ");
  Term left = mirrored ? b : a, right = mirrored ? a : b;
  Reading reading = op == TERM_ULT || op == TERM_ULE ? UNSIGNED : op == TERM_SLT || op == TERM_SLE ? SIGNED : FLOATING;
  if (reading == UNSIGNED)
    print_unsigned_operand(p, left, RELATIONAL);
  else
    print(p, left, RELATIONAL, reading);
  text_add(p->out, symbol);
  print(p, right, SHIFT, reading);
}

static void print_call(Printer *p, const char *name, Term t, Reading reading) {
  text_format(p->out, "%s(", name);
  for (unsigned i = 0; i < term_arity(p->store, t); i++) {
    if (i) text_add(p->out, ", ");
    print(p, child_of(p->store, t, i), CONDITIONAL, reading);
  }
  text_add_char(p->out, ')');
}

static void print_sum(Printer *p, Term t) {
  Term a = child_of(p->store, t, 0), b = child_of(p->store, t, 1);
  if (!is_constant(p->store, b) || !is_shown_negative(width_of(p->store, b), term_constant_value(p->store, b), PLAIN)) {
    print(p, a, SUM, PLAIN);
    text_add(p->out, " + ");
    // Addition is associative: x + (y + z) needs no parentheses. A difference does, for the eye.
    print(p, b, is_operator(p->store, b, TERM_ADD) ? SUM : PRODUCT, PLAIN);
    return;
  }
  print(p, a, SUM, PLAIN);
  text_add(p->out, " - ");
  print_unsigned(p->out, -term_constant_value(p->store, b) & bits_mask(width_of(p->store, b)));
}

static void print_unsigned_infix(Printer *p, Term t, const char *symbol, Precedence level) {
  print_unsigned_operand(p, child_of(p->store, t, 0), level);
  text_format(p->out, " %s ", symbol);
  print(p, child_of(p->store, t, 1), (Precedence)(level + 1), UNSIGNED);
}

static void print_overflow(Printer *p, Term t) {
  TermOperator op = operator_of(p->store, t);
  text_add(p->out, "overflow(");
  switch (op) {
  case TERM_NEGO:
    text_add_char(p->out, '-');
    print(p, child_of(p->store, t, 0), PREFIX, PLAIN);
    break;
  case TERM_UADDO: print_unsigned_infix(p, t, "+", SUM); break;
  case TERM_USUBO: print_unsigned_infix(p, t, "-", SUM); break;
  case TERM_UMULO: print_unsigned_infix(p, t, "*", PRODUCT); break;
  default: {
    const char *symbol = op == TERM_SADDO ? "+" : op == TERM_SSUBO ? "-" : op == TERM_SMULO ? "*" : "/";
    Precedence level = op == TERM_SADDO || op == TERM_SSUBO ? SUM : PRODUCT;
    print_infix(p, child_of(p->store, t, 0), symbol, child_of(p->store, t, 1), level, SIGNED);
  }
  }
  text_add_char(p->out, ')');
}

static void print_extract(Printer *p, Term t) {
  Term x = child_of(p->store, t, 0);
  unsigned low = term_parameter(p->store, t, 1), width = width_of(p->store, t);
  if (low == 0 && width > 1) {
    print_cast(p, width, true, x);
    return;
  }
  // A single bit is (x >> k & 1), a longer part is cut by a cast.
  text_add_char(p->out, '(');
  if (width > 1) {
    print_type(p->out, width, true);
    text_add(p->out, ")(");
  }
  print(p, x, low ? SHIFT : BIT_AND, PLAIN);
  if (low) text_format(p->out, " >> %u", low);
  text_add(p->out, width > 1 ? ")" : " & 1)");
}

static void print_zero_extension(Printer *p, Term t, Precedence place) {
  Term x = child_of(p->store, t, 0);
  unsigned width = width_of(p->store, x);
  if (width == 1) {
    print(p, x, place, PLAIN);
    return;
  }
  // The unsigned cast that widens does the cutting as well: (unsigned char)x.
  bool cut = is_operator(p->store, x, TERM_EXTRACT) && term_parameter(p->store, x, 1) == 0;
  print_cast(p, width, false, cut ? child_of(p->store, x, 0) : x);
}

static void print_sign_extension(Printer *p, Term t) {
  Term x = child_of(p->store, t, 0);
  if (width_of(p->store, x) > 1) {
    print_cast(p, width_of(p->store, t), true, x);
    return;
  }
  text_add_char(p->out, '-');
  print(p, x, PREFIX, PLAIN);
}

static void print_concat(Printer *p, Term t) {
  Term high = child_of(p->store, t, 0), low = child_of(p->store, t, 1);
  if (is_constant(p->store, high))
    print(p, high, SHIFT, UNSIGNED);
  else
    print_cast(p, width_of(p->store, t), false, high);
  text_format(p->out, " << %u | ", width_of(p->store, low));
  print_unsigned_operand(p, low, BIT_XOR);
}

static void print_not(Printer *p, Term t) {
  Term x = child_of(p->store, t, 0);
  TermOperator inner = operator_of(p->store, x);
  if (width_of(p->store, t) == 1 && (inner == TERM_EQ || inner == TERM_FP_EQ)) {
    print_infix(p, child_of(p->store, x, 0), "!=", child_of(p->store, x, 1), EQUALITY,
                inner == TERM_EQ ? PLAIN : FLOATING);
    return;
  }
  text_add_char(p->out, width_of(p->store, t) == 1 ? '!' : '~');
  print(p, x, PREFIX, PLAIN);
}

// a && (b && c) is a && b && c.
static void print_connective(Printer *p, Term t, const char *symbol, Precedence level) {
  Term b = child_of(p->store, t, 1);
  print(p, child_of(p->store, t, 0), level, PLAIN);
  text_format(p->out, " %s ", symbol);
  print(p, b, is_operator(p->store, b, operator_of(p->store, t)) ? level : (Precedence)(level + 1), PLAIN);
}

static void print_conversion(Printer *p, Term t) {
  TermOperator op = operator_of(p->store, t);
  unsigned width = width_of(p->store, t);
  Term x = child_of(p->store, t, 0);
  if (op == TERM_FP_TO_SINT || op == TERM_FP_TO_UINT) {
    print_cast(p, width, op == TERM_FP_TO_SINT, x);
    return;
  }
  text_add(p->out, width == 32 ? "(float)" : "(double)");
  if (op == TERM_FP_FROM_UINT)
    print_unsigned_operand(p, x, PREFIX);
  else
    print(p, x, PREFIX, op == TERM_FP_TO_FP ? FLOATING : SIGNED);
}

// --- the tables ---

static Precedence precedence_of(const TermStore *store, Term t) {
  bool one_bit = term_sort(store, t) == sort_bits(1);
  switch (operator_of(store, t)) {
  case TERM_ITE: return CONDITIONAL;
  case TERM_OR: return one_bit ? LOGICAL_OR : BIT_OR;
  case TERM_AND: return one_bit ? LOGICAL_AND : BIT_AND;
  case TERM_XOR: return one_bit ? EQUALITY : BIT_XOR;
  case TERM_CONCAT: return BIT_OR;
  case TERM_EQ:
  case TERM_FP_EQ: return EQUALITY;
  case TERM_ULT:
  case TERM_ULE:
  case TERM_SLT:
  case TERM_SLE:
  case TERM_FP_LT:
  case TERM_FP_LE: return RELATIONAL;
  case TERM_SHL:
  case TERM_LSHR:
  case TERM_ASHR: return SHIFT;
  case TERM_ADD:
  case TERM_SUB:
  case TERM_FP_ADD:
  case TERM_FP_SUB: return SUM;
  case TERM_MUL:
  case TERM_UDIV:
  case TERM_UREM:
  case TERM_SDIV:
  case TERM_SREM:
  case TERM_FP_MUL:
  case TERM_FP_DIV: return PRODUCT;
  case TERM_NOT: {
    TermOperator inner = operator_of(store, child_of(store, t, 0));
    return one_bit && (inner == TERM_EQ || inner == TERM_FP_EQ) ? EQUALITY : PREFIX;
  }
  case TERM_ZEXT: // a widened boolean is just the boolean
    return width_of(store, child_of(store, t, 0)) == 1 ? precedence_of(store, child_of(store, t, 0)) : PREFIX;
  case TERM_EXTRACT: return one_bit ? POSTFIX : PREFIX;
  case TERM_NEG:
  case TERM_SEXT:
  case TERM_FP_TO_FP:
  case TERM_FP_TO_SINT:
  case TERM_FP_TO_UINT:
  case TERM_FP_FROM_SINT:
  case TERM_FP_FROM_UINT: return PREFIX;
  default: return POSTFIX;
  }
}

// Operators written as a sign between their operands.
static bool print_plain_infix(Printer *p, Term t) {
  const char *symbol;
  Reading reading = PLAIN;
  switch (operator_of(p->store, t)) {
  case TERM_SUB: symbol = "-"; break;
  case TERM_MUL: symbol = "*"; break;
  case TERM_SDIV: symbol = "/", reading = SIGNED; break;
  case TERM_SREM: symbol = "%", reading = SIGNED; break;
  case TERM_SHL: symbol = "<<"; break;
  case TERM_ASHR: symbol = ">>"; break;
  case TERM_EQ: symbol = "=="; break;
  case TERM_XOR: symbol = width_of(p->store, t) == 1 ? "!=" : "^"; break;
  case TERM_FP_ADD: symbol = "+", reading = FLOATING; break;
  case TERM_FP_SUB: symbol = "-", reading = FLOATING; break;
  case TERM_FP_MUL: symbol = "*", reading = FLOATING; break;
  case TERM_FP_DIV: symbol = "/", reading = FLOATING; break;
  case TERM_FP_EQ: symbol = "==", reading = FLOATING; break;
  default: return false;
  }
  print_infix(p, child_of(p->store, t, 0), symbol, child_of(p->store, t, 1), precedence_of(p->store, t), reading);
  return true;
}

static void print_choice(Printer *p, Term t, Reading reading) {
  print(p, child_of(p->store, t, 0), LOGICAL_OR, PLAIN);
  text_add(p->out, " ? ");
  print(p, child_of(p->store, t, 1), CONDITIONAL, reading);
  text_add(p->out, " : ");
  print(p, child_of(p->store, t, 2), CONDITIONAL, reading);
}

static void print_operation(Printer *p, Term t, Precedence level, Reading reading) {
  TermOperator op = operator_of(p->store, t);
  bool one_bit = term_sort(p->store, t) == sort_bits(1);
  if (print_plain_infix(p, t)) return;
  switch (op) {
  case TERM_VARIABLE: text_add(p->out, term_variable_name(p->store, t)); return;
  case TERM_NOT: print_not(p, t); return;
  case TERM_NEG:
    text_add_char(p->out, '-');
    print(p, child_of(p->store, t, 0), POSTFIX, PLAIN); // not PREFIX: "--x" would be something else
    return;
  case TERM_AND: print_connective(p, t, one_bit ? "&&" : "&", level); return;
  case TERM_OR: print_connective(p, t, one_bit ? "||" : "|", level); return;
  case TERM_ADD: print_sum(p, t); return;
  case TERM_UDIV: print_unsigned_infix(p, t, "/", level); return;
  case TERM_UREM: print_unsigned_infix(p, t, "%", level); return;
  case TERM_LSHR: print_unsigned_infix(p, t, ">>", level); return;
  case TERM_CONCAT: print_concat(p, t); return;
  case TERM_EXTRACT: print_extract(p, t); return;
  case TERM_ZEXT: print_zero_extension(p, t, level); return;
  case TERM_SEXT: print_sign_extension(p, t); return;
  case TERM_ITE: print_choice(p, t, reading); return;
  case TERM_SMOD: print_call(p, "mod", t, SIGNED); return;
  case TERM_SELECT:
    print(p, child_of(p->store, t, 0), POSTFIX, PLAIN);
    text_add_char(p->out, '[');
    print(p, child_of(p->store, t, 1), ANY, PLAIN);
    text_add_char(p->out, ']');
    return;
  case TERM_STORE: print_call(p, "store", t, PLAIN); return;
  case TERM_CONST_ARRAY: print_call(p, "all", t, PLAIN); return;
  case TERM_ROTL:
  case TERM_ROTR: print_call(p, term_operator_name(op), t, PLAIN); return;
  case TERM_FP_REM: print_call(p, "fmod", t, FLOATING); return;
  case TERM_FP_SQRT: print_call(p, "sqrt", t, FLOATING); return;
  case TERM_FP_IS_NAN: print_call(p, "isnan", t, FLOATING); return;
  case TERM_FP_LT:
  case TERM_FP_LE: print_comparison(p, t); return;
  default: break;
  }
  if (op >= TERM_ULT && op <= TERM_SLE)
    print_comparison(p, t);
  else if (op >= TERM_NEGO && op <= TERM_SDIVO)
    print_overflow(p, t);
  else
    print_conversion(p, t);
}

static void print(Printer *p, Term t, Precedence place, Reading reading) {
  if (p->depth >= MAX_DEPTH || p->out->length - p->start > MAX_LENGTH) {
    text_add(p->out, "...");
    return;
  }
  if (is_constant(p->store, t)) {
    print_number(p, width_of(p->store, t), term_constant_value(p->store, t), place, reading);
    return;
  }
  Precedence level = precedence_of(p->store, t);
  bool parenthesised = level < place;
  p->depth++;
  if (parenthesised) text_add_char(p->out, '(');
  print_operation(p, t, level, reading);
  if (parenthesised) text_add_char(p->out, ')');
  p->depth--;
}

void term_print_c(const TermStore *store, Term t, Text *out) {
  Printer p = {.store = store, .out = out, .start = out->length};
  print(&p, t, ANY, PLAIN);
}
