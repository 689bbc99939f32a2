// SMT-LIB output.
//
// One-bit terms are bit-vectors here, while SMT-LIB has booleans: each term has a natural form, as Bool or as bits, and
// is converted where the other is needed. Shared subterms get a `let`; so do deep ones, which bounds the recursion.
// Operators that SMT-LIB lacks, or has only in recent versions (rotation by a term, overflow predicates), are written
// out. Floating point needs fp.to_ieee_bv, as in Z3; fmod is an uninterpreted function.
#include "term/term_internal.h"

enum { INLINE_HEIGHT = 40 };

static const uint64_t DECLARED_FMOD_32 = UINT64_MAX, DECLARED_FMOD_64 = UINT64_MAX - 1; // no variable has these indices

typedef enum Form { AS_BITS, AS_BOOL } Form;

typedef struct Entry {
  Term term;
  uint32_t references;
  uint32_t height; // of the part that is printed in place
  uint32_t name;   // of its let, or 0
} Entry;
VECTOR(EntryVector, Entry);

typedef struct Printer {
  const TermStore *store;
  Text *out;
  Memo memo;           // from term to index of `entries`
  EntryVector entries; // children before parents
  uint32_t names;
} Printer;

// --- the plan: which subterms get a name ---

static void list_subterms(Printer *p, Term root) {
  TermVector stack;
  TermVector_init(&stack, p->store->account);
  TermVector_push(&stack, root);
  while (stack.count) {
    size_t top = stack.count;
    Term t = *TermVector_last(&stack);
    if (!memo_has(&p->memo, t))
      for (unsigned i = term_arity(p->store, t); i-- > 0;)
        if (!memo_has(&p->memo, child_of(p->store, t, i))) TermVector_push(&stack, child_of(p->store, t, i));
    if (stack.count > top) continue;
    TermVector_pop(&stack);
    if (memo_has(&p->memo, t)) continue;
    memo_put(&p->memo, t, (uint32_t)p->entries.count);
    EntryVector_push(&p->entries, (Entry){.term = t});
  }
  TermVector_free(&stack);
}

static Entry *entry_of(const Printer *p, Term t) {
  uint32_t index = 0;
  bool found = memo_get(&p->memo, t, &index);
  assert(found);
  (void)found;
  return EntryVector_at(&p->entries, index);
}

static void choose_names(Printer *p) {
  for (size_t i = 0; i < p->entries.count; i++) {
    Term t = p->entries.data[i].term;
    for (unsigned child = 0; child < term_arity(p->store, t); child++)
      entry_of(p, child_of(p->store, t, child))->references++;
  }
  for (size_t i = 0; i < p->entries.count; i++) {
    Entry *entry = &p->entries.data[i];
    unsigned arity = term_arity(p->store, entry->term);
    for (unsigned child = 0; child < arity; child++) {
      const Entry *below = entry_of(p, child_of(p->store, entry->term, child));
      if (!below->name && below->height + 1 > entry->height) entry->height = below->height + 1;
    }
    if (arity > 0 && (entry->references > 1 || entry->height >= INLINE_HEIGHT)) entry->name = ++p->names;
  }
}

// --- terms ---

static void print_constant(Text *out, unsigned width, Bits value) {
  bool hexadecimal = width % 4 == 0;
  unsigned step = hexadecimal ? 4 : 1;
  text_add(out, hexadecimal ? "#x" : "#b");
  for (unsigned position = width; position > 0; position -= step)
    text_add_char(out, "0123456789abcdef"[(unsigned)(value >> (position - step)) & ((1u << step) - 1)]);
}

static Form natural_form(const TermStore *store, Term t) {
  TermOperator op = operator_of(store, t);
  if ((op >= TERM_EQ && op <= TERM_SLE) || (op >= TERM_NEGO && op <= TERM_SDIVO) ||
      (op >= TERM_FP_EQ && op <= TERM_FP_IS_NAN))
    return AS_BOOL;
  bool connective = op == TERM_NOT || op == TERM_AND || op == TERM_OR || op == TERM_XOR || op == TERM_ITE;
  return connective && term_sort(store, t) == sort_bits(1) ? AS_BOOL : AS_BITS;
}

static void print_term(Printer *p, Term t, Form form);

static void print_child(Printer *p, Term t, unsigned i) { print_term(p, child_of(p->store, t, i), AS_BITS); }

static void print_application(Printer *p, const char *name, Term t, Form form) {
  text_format(p->out, "(%s", name);
  for (unsigned i = 0; i < term_arity(p->store, t); i++) {
    text_add_char(p->out, ' ');
    print_term(p, child_of(p->store, t, i), form);
  }
  text_add_char(p->out, ')');
}

static void print_sort(Text *out, Sort sort) {
  if (sort_is_array(sort))
    text_format(out, "(Array (_ BitVec %u) (_ BitVec %u))", sort_index_width(sort), sort_element_width(sort));
  else
    text_format(out, "(_ BitVec %u)", sort);
}

// The sum, difference or product of the operands in a wider sort; an overflow shows as a value that its low bits, sign-
// or zero-extended, do not give back.
static void print_wide_overflow(Printer *p, const char *operation, const char *extension, unsigned extra, Term t) {
  unsigned width = width_of(p->store, child_of(p->store, t, 0));
  text_format(p->out, "(let ((?o (%s ((_ %s %u) ", operation, extension, extra);
  print_child(p, t, 0);
  text_format(p->out, ") ((_ %s %u) ", extension, extra);
  print_child(p, t, 1);
  text_format(p->out, ")))) (distinct ?o ((_ %s %u) ((_ extract %u 0) ?o))))", extension, extra, width - 1);
}

static void print_overflow(Printer *p, Term t) {
  unsigned width = width_of(p->store, child_of(p->store, t, 0));
  switch (operator_of(p->store, t)) {
  case TERM_UADDO: print_wide_overflow(p, "bvadd", "zero_extend", 1, t); return;
  case TERM_SADDO: print_wide_overflow(p, "bvadd", "sign_extend", 1, t); return;
  case TERM_SSUBO: print_wide_overflow(p, "bvsub", "sign_extend", 1, t); return;
  case TERM_UMULO: print_wide_overflow(p, "bvmul", "zero_extend", width, t); return;
  case TERM_SMULO: print_wide_overflow(p, "bvmul", "sign_extend", width, t); return;
  case TERM_USUBO: print_application(p, "bvult", t, AS_BITS); return;
  default: break;
  }
  bool division = is_operator(p->store, t, TERM_SDIVO);
  text_add(p->out, division ? "(and (= " : "(= ");
  print_child(p, t, 0);
  text_add_char(p->out, ' ');
  print_constant(p->out, width, sign_bit(width));
  text_add_char(p->out, ')');
  if (!division) return;
  text_add(p->out, " (= ");
  print_child(p, t, 1);
  text_add_char(p->out, ' ');
  print_constant(p->out, width, bits_mask(width));
  text_add(p->out, "))");
}

static void print_rotation(Printer *p, Term t) {
  unsigned width = width_of(p->store, t);
  bool left = is_operator(p->store, t, TERM_ROTL);
  text_add(p->out, "(let ((?a ");
  print_child(p, t, 0);
  text_add(p->out, ") (?r (bvurem ");
  print_child(p, t, 1);
  text_add_char(p->out, ' ');
  print_constant(p->out, width, width);
  text_format(p->out, "))) (bvor (%s ?a ?r) (%s ?a (bvsub ", left ? "bvshl" : "bvlshr", left ? "bvlshr" : "bvshl");
  print_constant(p->out, width, width);
  text_add(p->out, " ?r))))");
}

// --- floating point ---

static const char *float_sort(unsigned width) { return width == 32 ? "8 24" : "11 53"; }

static void print_float(Printer *p, Term t) {
  text_format(p->out, "((_ to_fp %s) ", float_sort(width_of(p->store, t)));
  print_term(p, t, AS_BITS);
  text_add_char(p->out, ')');
}

// 2 to the power `exponent` as a floating-point constant; infinity where the format ends.
static void print_float_power(Text *out, unsigned width, bool negative, unsigned exponent) {
  Bits bias = width == 32 ? 127 : 1023, fraction = width == 32 ? 23 : 52;
  text_format(out, "((_ to_fp %s) ", float_sort(width));
  print_constant(out, width, (bias + exponent) << fraction | (Bits)negative << (width - 1));
  text_add_char(out, ')');
}

static void print_float_to_integer(Printer *p, Term t) {
  Term x = child_of(p->store, t, 0);
  unsigned width = width_of(p->store, t), from = width_of(p->store, x);
  bool is_signed = is_operator(p->store, t, TERM_FP_TO_SINT);
  text_add(p->out, "(let ((?f (fp.roundToIntegral RTZ ");
  print_float(p, x);
  text_add(p->out, "))) (ite (and (fp.leq ");
  if (is_signed)
    print_float_power(p->out, from, true, width - 1);
  else
    text_format(p->out, "(_ +zero %s)", float_sort(from));
  text_add(p->out, " ?f) (fp.lt ?f ");
  print_float_power(p->out, from, false, is_signed ? width - 1 : width);
  text_format(p->out, ")) ((_ fp.to_%s %u) RTZ ?f) ", is_signed ? "sbv" : "ubv", width);
  print_constant(p->out, width, 0);
  text_add(p->out, "))");
}

// Operations whose result is a floating-point number, given back as a bit pattern with one NaN.
static void print_float_operation(Printer *p, Term t) {
  TermOperator op = operator_of(p->store, t);
  unsigned width = width_of(p->store, t);
  text_add(p->out, "(let ((?f (");
  switch (op) {
  case TERM_FP_TO_FP:
  case TERM_FP_FROM_SINT: text_format(p->out, "(_ to_fp %s) RNE", float_sort(width)); break;
  case TERM_FP_FROM_UINT: text_format(p->out, "(_ to_fp_unsigned %s) RNE", float_sort(width)); break;
  default: text_format(p->out, "%s RNE", term_operator_name(op));
  }
  for (unsigned i = 0; i < term_arity(p->store, t); i++) {
    text_add_char(p->out, ' ');
    if (op == TERM_FP_FROM_SINT || op == TERM_FP_FROM_UINT)
      print_child(p, t, i);
    else
      print_float(p, child_of(p->store, t, i));
  }
  text_add(p->out, "))) (ite (fp.isNaN ?f) ");
  print_constant(p->out, width, width == 32 ? (Bits)0x7fc00000 : (Bits)0x7ff8 << 48);
  text_add(p->out, " (fp.to_ieee_bv ?f)))");
}

static void print_floating_point(Printer *p, Term t) {
  TermOperator op = operator_of(p->store, t);
  switch (op) {
  case TERM_FP_EQ:
  case TERM_FP_LT:
  case TERM_FP_LE:
  case TERM_FP_IS_NAN:
    text_format(p->out, "(%s", term_operator_name(op));
    for (unsigned i = 0; i < term_arity(p->store, t); i++) {
      text_add_char(p->out, ' ');
      print_float(p, child_of(p->store, t, i));
    }
    text_add_char(p->out, ')');
    return;
  case TERM_FP_REM: print_application(p, width_of(p->store, t) == 32 ? "fmod32" : "fmod64", t, AS_BITS); return;
  case TERM_FP_TO_SINT:
  case TERM_FP_TO_UINT: print_float_to_integer(p, t); return;
  default: print_float_operation(p, t);
  }
}

// --- everything ---

static void print_connective(Printer *p, Term t) {
  switch (operator_of(p->store, t)) {
  case TERM_NOT: print_application(p, "not", t, AS_BOOL); return;
  case TERM_AND: print_application(p, "and", t, AS_BOOL); return;
  case TERM_OR: print_application(p, "or", t, AS_BOOL); return;
  case TERM_XOR: print_application(p, "xor", t, AS_BOOL); return;
  default: print_application(p, "ite", t, AS_BOOL);
  }
}

static void print_equality(Printer *p, Term t) {
  bool booleans = natural_form(p->store, child_of(p->store, t, 0)) == AS_BOOL ||
                  natural_form(p->store, child_of(p->store, t, 1)) == AS_BOOL;
  print_application(p, "=", t, booleans ? AS_BOOL : AS_BITS);
}

static void print_choice(Printer *p, Term t) {
  text_add(p->out, "(ite ");
  print_term(p, child_of(p->store, t, 0), AS_BOOL);
  for (unsigned i = 1; i <= 2; i++) {
    text_add_char(p->out, ' ');
    print_child(p, t, i);
  }
  text_add_char(p->out, ')');
}

// One operator in its natural form.
static void print_operator(Printer *p, Term t) {
  TermOperator op = operator_of(p->store, t);
  if (op >= TERM_NEGO && op <= TERM_SDIVO) {
    print_overflow(p, t);
    return;
  }
  if (op >= TERM_FP_ADD) {
    print_floating_point(p, t);
    return;
  }
  if (op != TERM_EQ && natural_form(p->store, t) == AS_BOOL && !(op >= TERM_ULT && op <= TERM_SLE)) {
    print_connective(p, t);
    return;
  }
  char name[48];
  switch (op) {
  case TERM_VARIABLE: term_print_symbol(p->store, t, p->out); return;
  case TERM_CONSTANT: print_constant(p->out, width_of(p->store, t), term_constant_value(p->store, t)); return;
  case TERM_EQ: print_equality(p, t); return;
  case TERM_ITE: print_choice(p, t); return;
  case TERM_ROTL:
  case TERM_ROTR: print_rotation(p, t); return;
  case TERM_EXTRACT:
    snprintf(name, sizeof name, "(_ extract %u %u)", term_parameter(p->store, t, 0), term_parameter(p->store, t, 1));
    print_application(p, name, t, AS_BITS);
    return;
  case TERM_ZEXT:
  case TERM_SEXT:
    snprintf(name, sizeof name, "(_ %s %u)", term_operator_name(op),
             width_of(p->store, t) - width_of(p->store, child_of(p->store, t, 0)));
    print_application(p, name, t, AS_BITS);
    return;
  case TERM_CONST_ARRAY:
    text_add(p->out, "((as const ");
    print_sort(p->out, term_sort(p->store, t));
    text_add(p->out, ") ");
    print_child(p, t, 0);
    text_add_char(p->out, ')');
    return;
  default: print_application(p, term_operator_name(op), t, AS_BITS);
  }
}

static void print_term(Printer *p, Term t, Form form) {
  if (form == AS_BOOL && is_constant(p->store, t)) {
    text_add(p->out, term_is_true(p->store, t) ? "true" : "false");
    return;
  }
  Form natural = natural_form(p->store, t);
  if (natural != form) text_add(p->out, form == AS_BOOL ? "(= " : "(ite ");
  uint32_t name = entry_of(p, t)->name;
  if (name)
    text_format(p->out, "?%u", name);
  else
    print_operator(p, t);
  if (natural != form) text_add(p->out, form == AS_BOOL ? " #b1)" : " #b1 #b0)");
}

void term_print_smtlib(const TermStore *store, Term t, bool as_bool, Text *out) {
  assert(!as_bool || width_of(store, t) == 1);
  Printer p = {.store = store, .out = out};
  memo_begin(&p.memo, store);
  EntryVector_init(&p.entries, store->account);
  list_subterms(&p, t);
  choose_names(&p);
  for (size_t i = 0; i < p.entries.count; i++) {
    if (!p.entries.data[i].name) continue;
    text_format(out, "(let ((?%u ", p.entries.data[i].name);
    print_operator(&p, p.entries.data[i].term);
    text_add(out, ")) ");
  }
  print_term(&p, t, as_bool ? AS_BOOL : AS_BITS);
  for (uint32_t i = 0; i < p.names; i++) text_add_char(out, ')');
  EntryVector_free(&p.entries);
  memo_end(&p.memo);
}

// --- declarations ---

void term_print_symbol(const TermStore *store, Term variable, Text *out) {
  text_add_char(out, '|');
  for (const char *at = term_variable_name(store, variable); *at; at++) {
    bool allowed = *at != '|' && *at != '\\' && (unsigned char)*at >= ' ' && (unsigned char)*at < 0x7f;
    text_add_char(out, allowed ? *at : '_');
  }
  text_format(out, "!%u|", term_variable_index(store, variable));
}

static void declare_fmod(unsigned width, Map *declared, Text *out) {
  uint64_t key = width == 32 ? DECLARED_FMOD_32 : DECLARED_FMOD_64;
  if (map_contains(declared, key)) return;
  map_put(declared, key, 1);
  text_format(out, "(declare-fun fmod%u ((_ BitVec %u) (_ BitVec %u)) (_ BitVec %u))\n", width, width, width, width);
}

void term_print_declarations(const TermStore *store, Term t, Map *declared, Text *out) {
  Printer p = {.store = store};
  memo_begin(&p.memo, store);
  EntryVector_init(&p.entries, store->account);
  list_subterms(&p, t);
  for (size_t i = 0; i < p.entries.count; i++) {
    Term current = p.entries.data[i].term;
    if (is_operator(store, current, TERM_FP_REM)) declare_fmod(width_of(store, current), declared, out);
    if (!is_operator(store, current, TERM_VARIABLE)) continue;
    uint32_t index = term_variable_index(store, current);
    if (map_contains(declared, index)) continue;
    map_put(declared, index, 1);
    text_add(out, "(declare-const ");
    term_print_symbol(store, current, out);
    text_add_char(out, ' ');
    print_sort(out, term_sort(store, current));
    text_add(out, ")\n");
  }
  EntryVector_free(&p.entries);
  memo_end(&p.memo);
}
