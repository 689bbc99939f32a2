// Linear temporal logic: what formulas mean on words, laws between them, and that the automaton of a formula accepts
// exactly the words that satisfy it.
#include "ltl/ltl_property.h"
#include "ltl/parse.h"
#include "ltl/promises.h"
#include "share.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
// cmocka wants the headers above first
#include <cmocka.h>

enum { ATOMS = 3, LONGEST_WORD = 6, MOST_PROMISES = 5 };

static uint32_t random_below(uint64_t *seed, uint32_t limit) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*seed >> 33) % limit;
}

static Ltl random_formula(LtlStore *store, uint64_t *seed, unsigned size) {
  if (size <= 1) {
    Ltl atom = ltl_atom(store, random_below(seed, ATOMS));
    return random_below(seed, 2) ? atom : ltl_not(store, atom);
  }
  unsigned left = 1 + random_below(seed, size - 1);
  Ltl a = random_formula(store, seed, left), b = random_formula(store, seed, size - left);
  switch (random_below(seed, 12)) {
  case 0: return ltl_and(store, a, b);
  case 1: return ltl_or(store, a, b);
  case 2: return ltl_until(store, a, b);
  case 3: return ltl_release(store, a, b);
  case 4: return ltl_weak_until(store, a, b);
  case 5: return ltl_implies(store, a, b);
  case 6: return ltl_equal(store, a, b);
  case 7: return ltl_next(store, a);
  case 8: return ltl_finally(store, a);
  case 9: return ltl_globally(store, a);
  case 10: return ltl_globally(store, ltl_finally(store, a));
  default: return ltl_not(store, a);
  }
}

static LtlWord random_word(uint64_t *seed, uint64_t *letters) {
  LtlWord word = {.letters = letters, .length = 1 + random_below(seed, LONGEST_WORD)};
  word.loop = random_below(seed, word.length);
  for (uint32_t i = 0; i < word.length; i++) letters[i] = random_below(seed, 1u << ATOMS);
  return word;
}

// --- words ---

static void test_meaning(void **state) {
  (void)state;
  LtlStore store;
  ltl_store_init(&store, NULL);
  Ltl p = ltl_atom(&store, 0), q = ltl_atom(&store, 1);
  enum { P = 1, Q = 2 };
  const struct {
    Ltl formula;
    LtlWord word;
    bool holds;
  } cases[] = {
      {ltl_globally(&store, ltl_finally(&store, p)), {(uint64_t[]){0, P, 0}, 3, 1}, true},
      {ltl_globally(&store, ltl_finally(&store, p)), {(uint64_t[]){P, P, 0}, 3, 2}, false},
      {ltl_finally(&store, ltl_globally(&store, p)), {(uint64_t[]){0, 0, P}, 3, 2}, true},
      {ltl_until(&store, p, q), {(uint64_t[]){P, P, Q}, 3, 0}, true},
      {ltl_until(&store, p, q), {(uint64_t[]){P}, 1, 0}, false},
      {ltl_weak_until(&store, p, q), {(uint64_t[]){P}, 1, 0}, true},
      {ltl_weak_until(&store, p, q), {(uint64_t[]){P, 0, Q}, 3, 0}, false},
      {ltl_release(&store, p, q), {(uint64_t[]){Q, Q | P, 0}, 3, 2}, true},
      {ltl_release(&store, p, q), {(uint64_t[]){Q, P, 0}, 3, 2}, false},
      {ltl_next(&store, p), {(uint64_t[]){0, P}, 2, 0}, true},
      {ltl_next(&store, p), {(uint64_t[]){P, 0}, 2, 1}, false},
      {ltl_globally(&store, ltl_implies(&store, p, ltl_finally(&store, q))), {(uint64_t[]){P, Q, P}, 3, 1}, true},
      {ltl_globally(&store, ltl_implies(&store, p, ltl_finally(&store, q))), {(uint64_t[]){P, Q, P}, 3, 2}, false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    assert_int_equal(ltl_holds(&store, cases[i].formula, &cases[i].word), cases[i].holds);
    assert_int_equal(ltl_holds(&store, ltl_not(&store, cases[i].formula), &cases[i].word), !cases[i].holds);
  }
  assert_true(ltl_has_next(&store, ltl_globally(&store, ltl_next(&store, p))));
  assert_false(ltl_has_next(&store, ltl_until(&store, p, q)));
  Text text;
  text_init(&text, NULL);
  const char *names[] = {"x == 1", "y"};
  ltl_print(&store, ltl_until(&store, ltl_not(&store, p), q), names, &text);
  assert_string_equal(text.data, "(!(x == 1) U (y))");
  text_clear(&text);
  ltl_print(&store, ltl_globally(&store, ltl_finally(&store, q)), names, &text);
  assert_string_equal(text.data, "G F (y)");
  text_free(&text);
  ltl_store_free(&store);
}

static void test_laws(void **state) {
  (void)state;
  LtlStore store;
  ltl_store_init(&store, NULL);
  uint64_t seed = 11;
  for (unsigned round = 0; round < 2000; round++) {
    Ltl a = random_formula(&store, &seed, 4), b = random_formula(&store, &seed, 4);
    uint64_t letters[LONGEST_WORD];
    LtlWord word = random_word(&seed, letters);
    const Ltl pairs[][2] = {
        {ltl_until(&store, a, b), ltl_or(&store, b, ltl_and(&store, a, ltl_next(&store, ltl_until(&store, a, b))))},
        {ltl_release(&store, a, b), ltl_and(&store, b, ltl_or(&store, a, ltl_next(&store, ltl_release(&store, a, b))))},
        {ltl_weak_until(&store, a, b), ltl_or(&store, ltl_until(&store, a, b), ltl_globally(&store, a))},
        {ltl_not(&store, ltl_not(&store, a)), a},
        {ltl_not(&store, ltl_until(&store, a, b)), ltl_release(&store, ltl_not(&store, a), ltl_not(&store, b))}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
      assert_int_equal(ltl_holds(&store, pairs[i][0], &word), ltl_holds(&store, pairs[i][1], &word));
  }
  ltl_store_free(&store);
}

// --- the automaton, explicitly ---

typedef struct Step {
  uint64_t letter;
  uint32_t guesses; // bit per promise
} Step;

static PromiseValue constant(void *context, bool value) {
  (void)context;
  return value;
}
static PromiseValue atom(void *context, uint32_t atom, bool positive) {
  return (((const Step *)context)->letter >> atom & 1) == positive;
}
static PromiseValue guess(void *context, uint32_t promise) { return ((const Step *)context)->guesses >> promise & 1; }
static PromiseValue both(void *context, PromiseValue a, PromiseValue b) {
  (void)context;
  return a && b;
}
static PromiseValue either(void *context, PromiseValue a, PromiseValue b) {
  (void)context;
  return a || b;
}
static const PromiseGates truth = {constant, atom, guess, both, either};

// States are (position, promises made), and one more for the start.
typedef struct Move {
  uint32_t from, to, fulfils; // fulfils: bit per UNTIL
} Move;
VECTOR(MoveVector, Move);

static void add_moves(const Promises *p, const LtlWord *word, MoveVector *moves) {
  uint32_t sets = 1u << p->promised.count, start = word->length * sets;
  U32Vector kept = {0};
  for (uint32_t i = 0; i < word->length; i++) {
    uint32_t next = i + 1 < word->length ? i + 1 : word->loop;
    for (uint32_t guesses = 0; guesses < sets; guesses++) {
      Step step = {.letter = word->letters[i], .guesses = guesses};
      promises_keep(p, &truth, &step, &kept);
      if (i == 0 && kept.data[p->formula]) MoveVector_push(moves, (Move){start, next * sets + guesses, UINT32_MAX});
      for (uint32_t made = 0; made < sets; made++) {
        Move move = {i * sets + made, next * sets + guesses, 0};
        bool fine = true;
        for (uint32_t k = 0; k < p->promised.count && fine; k++)
          fine = !(made >> k & 1) || kept.data[p->promised.data[k]];
        for (uint32_t u = 0; u < p->untils.count; u++) {
          Ltl until = p->promised.data[p->untils.data[u]];
          if (!(made >> p->untils.data[u] & 1) || kept.data[ltl_node(p->store, until)->right]) move.fulfils |= 1u << u;
        }
        if (fine) MoveVector_push(moves, move);
      }
    }
  }
  U32Vector_free(&kept);
}

// Keeps the states of `alive` from which a move that fulfils `until` (UINT32_MAX: any) can be reached within `alive`.
static bool shrink(const MoveVector *moves, uint32_t until, bool *alive, bool *good, size_t states) {
  for (size_t s = 0; s < states; s++) good[s] = false;
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 0; i < moves->count; i++) {
      const Move *move = &moves->data[i];
      if (!alive[move->from] || !alive[move->to] || good[move->from]) continue;
      if (good[move->to] || until == UINT32_MAX || move->fulfils >> until & 1) good[move->from] = more = true;
    }
  }
  bool shrunk = false;
  for (size_t s = 0; s < states; s++) {
    shrunk |= alive[s] && !good[s];
    alive[s] = alive[s] && good[s];
  }
  return shrunk;
}

static bool accepts(const Promises *p, const LtlWord *word) {
  uint32_t states = (word->length << p->promised.count) + 1;
  MoveVector moves = {0};
  add_moves(p, word, &moves);
  bool *alive = test_malloc(states * sizeof(bool)), *good = test_malloc(states * sizeof(bool));
  for (uint32_t s = 0; s < states; s++) alive[s] = true;
  for (bool more = true; more;) {
    more = shrink(&moves, UINT32_MAX, alive, good, states);
    for (uint32_t u = 0; u < p->untils.count; u++) more |= shrink(&moves, u, alive, good, states);
  }
  bool accepted = alive[states - 1];
  test_free(good);
  test_free(alive);
  MoveVector_free(&moves);
  return accepted;
}

static void test_automaton(void **state) {
  (void)state;
  uint64_t seed = 1;
  unsigned checked = 0, satisfied = 0, temporal = 0;
  while (checked < 10000 / SHARE) {
    LtlStore store;
    ltl_store_init(&store, NULL);
    Ltl formula = random_formula(&store, &seed, 2 + random_below(&seed, 5));
    Promises promises;
    promises_init(&promises, &store, formula, NULL);
    if (promises.promised.count <= MOST_PROMISES) {
      uint64_t letters[LONGEST_WORD];
      LtlWord word = random_word(&seed, letters);
      bool holds = ltl_holds(&store, formula, &word);
      assert_int_equal(accepts(&promises, &word), holds);
      checked++;
      satisfied += holds;
      temporal += promises.untils.count > 0;
    }
    promises_free(&promises);
    ltl_store_free(&store);
  }
  assert_true(satisfied > 2000 / SHARE && satisfied < 8000 / SHARE); // else words and formulas would say little
  assert_true(temporal > 3000 / SHARE);
}

// --- as people write it ---

static void test_parser(void **state) {
  (void)state;
  // What it is printed as, or the beginning of the error.
  const struct {
    const char *text, *expected;
    bool good;
  } cases[] = {
      {"G (request -> F acknowledge == 1)", "G (F (acknowledge == 1) || !(request))", true},
      {"[] <> x", "G F (x)", true},
      {"! (a U b)", "(!(a) R !(b))", true},
      {"a U b U c", "((a) U ((b) U (c)))", true},
      {"a W b", "((b) R ((a) || (b)))", true},
      {"a && b || c", "(((a) && (b)) || (c))", true},
      {"a -> b -> c", "(((c) || !(b)) || !(a))", true},
      {"X X x", "X X (x)", true},
      {"(x + 1) < y && F z", "(((x + 1) < y) && F (z))", true},
      {"G ((a + b) * 2 == c)", "G ((a + b) * 2 == c)", true},
      {"G p->next != 0", "G (p->next != 0)", true},
      {"G p -> q", "((q) || F !(p))", true},
      {"G !at(worker:12)", "G !(worker:12)", true},
      {"F at(done)", "F (done)", true},
      {"F \"U == 1 && b\"", "F (U == 1 && b)", true},
      {"a[i && j] != b", "(a[i && j] != b)", true},
      {"true U x", "F (x)", true},
      {"truest", "(truest)", true},
      {"a && a", "(a)", true},
      {"G c == 'U'", "G (c == 'U')", true},
      {"c == '\\'' && F 'G' == c", "((c == '\\'') && F ('G' == c))", true},
      {"F (c == ')' && x)", "F ((c == ')') && (x))", true},
      {"s == \"a && \\\"b\" || x", "((s == \"a && \\\"b\") || (x))", true},
      {"(c) == \"U\"[0]", "((c) == \"U\"[0])", true},
      {"(x && \" G \" + 1)", "((x && \" G \" + 1))", true}, // nothing that C does not have, whatever is in the string
      {"F \"c == '\\\"' && G\"", "F (c == '\"' && G)", true},
      {"F \"c == '\\\\'\"", "F (c == '\\\\')", true},
      {"F \"a /* U\n */ && // b\n c\"", "F (a && c)", true},
      {"F (x == 1 /* && y */)", "F (x == 1)", true},
      {"x /* U */ == 1 && x  ==\n1", "(x == 1)", true},
      {"x//y\n&& F/**/z // && false", "((x) && F (z))", true},
      {"c == '/*' && d == \"//\"", "((c == '/*') && (d == \"//\"))", true},
      {"x \\\n && y \\\r\n", "((x) && (y))", true},
      {"at(/* here */ done)", "(done)", true},
      {"a && b && c", "((c) && ((a) && (b)))", true},
      {"", "column 1: a formula is missing here", false},
      {"F x /* y", "column 5: this comment is not closed", false},
      {"F x /*/", "column 5: this comment is not closed", false},
      {"F c == 'U", "column 8: this character constant is not closed", false},
      {"F c == 'U\n'", "line 1, column 8: this character constant is not closed", false},
      {"F f(\"U)", "column 5: this quote is not closed", false},
      {"F \"a\\\"", "column 3: this quote is not closed", false},
      {"F \"a /* b\"", "column 3: this comment is not closed", false},
      {"F \" \"", "column 3: an expression is missing in the quotes", false},
      {"F x\n&& G", "line 2, column 5: a formula is missing here", false},
      {"F )\n&& G", "line 1, column 3: a formula is missing here", false},
      {"// a\n\n /* b\n c */ ) F", "line 4, column 7: a formula is missing here", false},
      {"G \n", "line 2, column 1: a formula is missing here", false},
      {"G", "column 2: a formula is missing here", false},
      {"a &&", "column 5: a formula is missing here", false},
      {"(F a", "column 5: a closing parenthesis is missing here", false},
      {"a )", "column 3: an operator or the end is expected here", false},
      {"F \"a", "column 3: this quote is not closed", false},
      {"a U", "column 4: a formula is missing here", false},
      {"G (a -> F )", "column 11: a formula is missing here", false},
      {"at()", "column 1: at() wants function:line or a label", false},
      {"at('\"GU)->  (1'", "column 1: at() wants function:line or a label", false},
      {"f(x", "column 1: a parenthesis is not closed in this expression", false},
  };
  unsigned wrong = 0;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    LtlStore store;
    ltl_store_init(&store, NULL);
    Arena arena;
    arena_init(&arena, NULL);
    LtlAtomVector atoms = {0};
    Text text;
    text_init(&text, NULL);
    Ltl formula;
    bool good = ltl_parse(&store, cases[i].text, &formula, &atoms, &arena, &text);
    const char *names[8];
    for (size_t k = 0; k < atoms.count && k < 8; k++) names[k] = atoms.data[k].text;
    if (good) ltl_print(&store, formula, names, &text);
    bool right = good == cases[i].good && strncmp(text.data, cases[i].expected, strlen(cases[i].expected)) == 0;
    if (!right) print_message("%s: %s\n", cases[i].text, text.data);
    wrong += !right;
    text_free(&text);
    LtlAtomVector_free(&atoms);
    arena_free(&arena);
    ltl_store_free(&store);
  }
  assert_int_equal(wrong, 0);
}

// Whether a parenthesis begins a formula or an expression shows at its end only. What was taken for atoms in between,
// more than there may be, is no part of the formula.
static void test_expression_of_many(void **state) {
  (void)state;
  LtlStore store;
  ltl_store_init(&store, NULL);
  Arena arena;
  arena_init(&arena, NULL);
  LtlAtomVector atoms = {0};
  Text text, error;
  text_init(&text, NULL);
  text_init(&error, NULL);
  text_add(&text, "F ((x0");
  for (unsigned i = 1; i < 70; i++) text_format(&text, " && x%u", i);
  text_add(&text, ") == 1)");
  Ltl formula;
  assert_true(ltl_parse(&store, text.data, &formula, &atoms, &arena, &error));
  assert_int_equal(atoms.count, 1);
  const uint64_t letters[] = {0, 1};
  assert_true(ltl_holds(&store, formula, &(LtlWord){.letters = letters, .length = 2, .loop = 1}));
  assert_false(ltl_holds(&store, formula, &(LtlWord){.letters = letters, .length = 1, .loop = 0}));
  text_free(&error);
  text_free(&text);
  LtlAtomVector_free(&atoms);
  arena_free(&arena);
  ltl_store_free(&store);
}

// --- long and deep ones ---

typedef struct Parsed {
  LtlStore store;
  Arena arena;
  LtlAtomVector atoms;
  Text text, error;
  Ltl formula;
} Parsed;

static void parsed_begin(Parsed *p) {
  *p = (Parsed){0};
  ltl_store_init(&p->store, NULL);
  arena_init(&p->arena, NULL);
  text_init(&p->text, NULL);
  text_init(&p->error, NULL);
}

static bool parsed_end(Parsed *p) {
  return ltl_parse(&p->store, p->text.data, &p->formula, &p->atoms, &p->arena, &p->error);
}

static void parsed_free(Parsed *p) {
  text_free(&p->error);
  text_free(&p->text);
  LtlAtomVector_free(&p->atoms);
  arena_free(&p->arena);
  ltl_store_free(&p->store);
}

static void add_chain(Text *text, const char *between, unsigned count) {
  static const char *const operands[] = {"F x", "G y", "z"};
  for (unsigned i = 0; i < count; i++) text_format(text, "%s%s", i ? between : "", operands[i % 3]);
}

// All that walks over formulas does so, and agrees on a word.
static void expect_truth(Parsed *p, Ltl formula, bool holds) {
  const uint64_t letters[] = {0, 1, 4}; // x comes, y does not hold always, z not at first
  const LtlWord word = {.letters = letters, .length = 3, .loop = 1};
  assert_int_equal(ltl_holds(&p->store, formula, &word), holds);
  assert_int_equal(ltl_holds(&p->store, ltl_not(&p->store, formula), &word), !holds);
  assert_int_equal(ltl_not(&p->store, ltl_not(&p->store, formula)), formula);
  assert_false(ltl_has_next(&p->store, formula));
  Promises promises;
  promises_init(&promises, &p->store, formula, NULL);
  assert_in_range(promises.promised.count, 1, 4);
  promises_free(&promises);
}

static void test_long_chains(void **state) {
  (void)state;
  // Of 3k operands, k are true: F x.
  const struct {
    const char *between;
    bool holds;
  } chains[] = {{" && ", false}, {" || ", true}, {" <-> ", true}};
  for (size_t i = 0; i < sizeof chains / sizeof *chains; i++)
    for (unsigned count = 3; count <= 400000; count = count == 3 ? 120000 : count + 279999) {
      Parsed p;
      parsed_begin(&p);
      add_chain(&p.text, chains[i].between, count);
      assert_true(parsed_end(&p));
      assert_int_equal(p.atoms.count, 3);
      // Of k = count/3 of each kind, 2k do not hold: an even number.
      expect_truth(&p, p.formula, chains[i].holds);
      parsed_free(&p);
    }
}

// Each way to nest: as deep as may be, and one deeper.
static void test_depth(void **state) {
  (void)state;
  const struct {
    const char *before, *operand, *behind;
    unsigned most;    // how often `before` may stand there
    unsigned columns; // of `before`
  } nests[] = {
      {"x U ", "x", "", 500, 4}, {"x W ", "x", "", 500, 4},   {"x R ", "x", "", 500, 4}, {"x -> ", "x", "", 500, 5},
      {"G ", "x", "", 500, 2},   {"<>", "x", "", 500, 2},     {"X ", "x", "", 500, 2},   {"!", "x", "", 500, 1},
      {"(F ", "x", ")", 250, 3}, {"(x U", " x", ")", 250, 4},
  };
  for (size_t i = 0; i < sizeof nests / sizeof *nests; i++)
    for (unsigned count = nests[i].most; count < 1000000; count += count == nests[i].most ? 1 : 400000) {
      Parsed p;
      parsed_begin(&p);
      for (unsigned k = 0; k < count; k++) text_add(&p.text, nests[i].before);
      text_add(&p.text, nests[i].operand);
      for (unsigned k = 0; k < count; k++) text_add(&p.text, nests[i].behind);
      assert_int_equal(parsed_end(&p), count == nests[i].most);
      if (count > nests[i].most) assert_non_null(strstr(p.error.data, ": the formula is nested too deeply"));
      // Behind the first operator that is one too many.
      if (count > nests[i].most && nests[i].most == 500)
        assert_int_equal(strtoul(p.error.data + strlen("column "), NULL, 10), 501 * nests[i].columns + 1);
      parsed_free(&p);
    }
}

// The deepest formulas are long chains in many parentheses.
static void test_deep_chains(void **state) {
  (void)state;
  enum { LEVELS = 249, OPERANDS = 1200 };
  Parsed p;
  parsed_begin(&p);
  for (unsigned i = 0; i < LEVELS; i++) {
    text_add(&p.text, "!(");
    add_chain(&p.text, " <-> ", OPERANDS);
    text_add(&p.text, " <-> ");
  }
  text_add(&p.text, "F x");
  for (unsigned i = 0; i < LEVELS; i++) text_add_char(&p.text, ')');
  assert_true(parsed_end(&p));
  expect_truth(&p, p.formula, LEVELS % 2 == 0); // a chain of 3k is true, so each level is a negation
  parsed_free(&p);
}

// Equivalences that share nothing but their parts: as many nodes as operators, some times over.
static void test_equivalences(void **state) {
  (void)state;
  enum { OPERANDS = 2000 };
  Parsed p;
  parsed_begin(&p);
  Ltl left = ltl_atom(&p.store, 0), right = ltl_atom(&p.store, 0);
  for (uint32_t i = 1; i < OPERANDS; i++) {
    left = ltl_equal(&p.store, left, ltl_atom(&p.store, i % 60));
    right = ltl_equal(&p.store, ltl_finally(&p.store, ltl_atom(&p.store, i % 60)), right);
  }
  Ltl all = ltl_equal(&p.store, left, right);
  assert_int_equal(ltl_not(&p.store, ltl_not(&p.store, all)), all);
  assert_false(ltl_has_next(&p.store, all));
  assert_true(ltl_has_next(&p.store, ltl_equal(&p.store, all, ltl_next(&p.store, left))));
  assert_in_range(p.store.nodes.count, OPERANDS, 20 * OPERANDS);
  parsed_free(&p);
}

// Very many atoms, as there are in what turns out to be one expression.
static void test_many_atoms(void **state) {
  (void)state;
  enum { ATOMS_HERE = 100000 };
  Parsed p;
  parsed_begin(&p);
  for (unsigned i = 0; i < 2 * ATOMS_HERE; i++) text_format(&p.text, "%sx%u", i ? " || " : "", i % ATOMS_HERE);
  assert_true(parsed_end(&p));
  assert_int_equal(p.atoms.count, ATOMS_HERE);
  parsed_free(&p);
}

static void test_property(void **state) {
  (void)state;
  LtlProperty property;
  Text text;
  text_init(&text, NULL);
  assert_true(ltl_property_init(&property, " // when\n G  (x ==\t1 /* one */ ->\n F at(a))\n", false, &text, NULL));
  assert_string_equal(property.text, "G (x == 1 -> F at(a))");
  assert_int_equal(property.atoms.count, 2);
  assert_string_equal(property.atoms.data[0].text, "x == 1");
  property.origin = "formula.ltl: ";
  ltl_property_position(&property, property.atoms.data[1].column, &text);
  assert_string_equal(text.data, "formula.ltl: line 3, column 4");
  ltl_property_free(&property);
  text_clear(&text);
  Text many;
  text_init(&many, NULL);
  for (unsigned i = 0; i <= MOST_ATOMS; i++) text_format(&many, "%sx%u", i ? "\n&& " : "", i);
  assert_false(ltl_property_init(&property, many.data, false, &text, NULL));
  assert_string_equal(text.data, "line 65, column 4: more than 64 different expressions");
  ltl_property_free(&property);
  text_free(&many);
  text_free(&text);
}

// Whatever the text is, there is a formula or an error; and a formula is the same on one line.
static void test_random_texts(void **state) {
  (void)state;
  static const char *const tokens[] = {"(", ")", "\"", "'", "\\",   "/*",  "*/",    "//",  "\n",  " ",
                                       "x", "U", "G",  "F", "at(",  "&&",  "||",    "<->", "-> ", "!",
                                       "[", "]", "==", "1", "true", "'U'", "\"a\"", "->",  "[]",  "<>"};
  uint64_t seed = 5;
  unsigned formulas = 0;
  for (unsigned round = 0; round < 20000; round++) {
    Text text, error;
    text_init(&text, NULL);
    text_init(&error, NULL);
    for (uint32_t k = random_below(&seed, 14); k > 0; k--)
      text_add(&text, tokens[random_below(&seed, sizeof tokens / sizeof *tokens)]);
    LtlProperty property, again;
    bool good = ltl_property_init(&property, text.data, false, &error, NULL);
    assert_int_equal(good, error.length == 0);
    if (good) {
      formulas++;
      assert_true(ltl_property_init(&again, property.text, false, &error, NULL));
      assert_int_equal(again.formula, property.formula);
      assert_int_equal(again.atoms.count, property.atoms.count);
      ltl_property_free(&again);
    }
    ltl_property_free(&property);
    text_free(&error);
    text_free(&text);
  }
  assert_true(formulas > 1000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_meaning),
      cmocka_unit_test(test_laws),
      cmocka_unit_test(test_automaton),
      cmocka_unit_test(test_parser),
      cmocka_unit_test(test_expression_of_many),
      cmocka_unit_test(test_long_chains),
      cmocka_unit_test(test_depth),
      cmocka_unit_test(test_deep_chains),
      cmocka_unit_test(test_equivalences),
      cmocka_unit_test(test_many_atoms),
      cmocka_unit_test(test_property),
      cmocka_unit_test(test_random_texts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
