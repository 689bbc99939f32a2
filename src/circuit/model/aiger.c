#include "circuit/model/aiger.h"

#include <stdlib.h>

// --- the cone ---

static void mark(Aiger *a, AigLiteral literal, U32Vector *open) {
  uint32_t node = aig_node(literal);
  if (node == 0 || a->variables.data[node]) return;
  a->variables.data[node] = 1;
  U32Vector_push(open, node);
}

// Marks what the goals depend on, over any number of steps.
static void mark_cone(Aiger *a) {
  const Circuit *c = a->circuit;
  U32Vector open, latch_of; // per node: the number of its latch plus one
  U32Vector_init(&open, a->account);
  U32Vector_init(&latch_of, a->account);
  U32Vector_resize(&a->variables, aig_node_count(&c->aig));
  U32Vector_resize(&latch_of, aig_node_count(&c->aig));
  for (uint32_t i = 0; i < c->latches.count; i++) latch_of.data[aig_node(c->latches.data[i].now)] = i + 1;
  for (uint32_t i = 0; i < a->bad_count; i++) mark(a, a->bads[i], &open);
  mark(a, a->constraint, &open);
  for (size_t i = 0; i < a->justice.count; i++) mark(a, a->justice.data[i], &open);
  for (size_t i = 0; i < a->fairness.count; i++) mark(a, a->fairness.data[i], &open);
  while (open.count > 0) {
    uint32_t node = U32Vector_pop(&open);
    if (aig_is_gate(&c->aig, node)) {
      mark(a, aig_left(&c->aig, node), &open);
      mark(a, aig_right(&c->aig, node), &open);
    } else if (latch_of.data[node]) {
      mark(a, c->latches.data[latch_of.data[node] - 1].next, &open);
    }
  }
  U32Vector_free(&latch_of);
  U32Vector_free(&open);
}

// The number of inputs in the file.
static uint32_t aiger_input_count(const Aiger *a) {
  uint32_t count = (uint32_t)a->inputs.count;
  return count == 0 && a->plain ? 1 : count;
}

static uint32_t latch_count(const Aiger *a) {
  uint32_t count = (uint32_t)a->latches.count;
  return count == 0 && a->plain ? 1 : count;
}

// Numbers variables in the order that the binary format requires: inputs, latches, gates.
static void number(Aiger *a) {
  const Circuit *c = a->circuit;
  for (uint32_t i = 0; i < c->inputs.count; i++)
    if (a->variables.data[aig_node(c->inputs.data[i].literal)]) U32Vector_push(&a->inputs, i);
  for (uint32_t i = 0; i < c->latches.count; i++)
    if (a->variables.data[aig_node(c->latches.data[i].now)]) U32Vector_push(&a->latches, i);
  for (uint32_t node = 1; node < aig_node_count(&c->aig); node++)
    if (a->variables.data[node] && aig_is_gate(&c->aig, node)) U32Vector_push(&a->gates, node);
  uint32_t next = 1;
  for (size_t i = 0; i < a->inputs.count; i++)
    a->variables.data[aig_node(c->inputs.data[a->inputs.data[i]].literal)] = next++;
  next = aiger_input_count(a) + 1;
  for (size_t i = 0; i < a->latches.count; i++)
    a->variables.data[aig_node(c->latches.data[a->latches.data[i]].now)] = next++;
  next = aiger_input_count(a) + latch_count(a) + 1;
  for (size_t i = 0; i < a->gates.count; i++) a->variables.data[a->gates.data[i]] = next++;
}

static void aiger_init(Aiger *a, const U32Vector *justice, const U32Vector *fairness) {
  U32Vector_init(&a->justice, a->account);
  U32Vector_init(&a->fairness, a->account);
  for (size_t i = 0; justice && i < justice->count; i++) U32Vector_push(&a->justice, justice->data[i]);
  for (size_t i = 0; fairness && i < fairness->count; i++) U32Vector_push(&a->fairness, fairness->data[i]);
  if (a->lasso && a->justice.count == 0) U32Vector_push(&a->justice, AIG_TRUE);
  U32Vector_init(&a->inputs, a->account);
  U32Vector_init(&a->latches, a->account);
  U32Vector_init(&a->gates, a->account);
  U32Vector_init(&a->variables, a->account);
  mark_cone(a);
  number(a);
}

void aiger_init_property(Aiger *a, Circuit *c, Account *account) {
  *a = (Aiger){.circuit = c, .bads = {c->error, c->cut}, .bad_names = {"error", "cut"}, .account = account};
  a->bad_count = c->cut == AIG_FALSE ? 1 : 2;
  a->constraint_name = "moves";
  a->constraint = aig_or(&c->aig, c->moves, aig_or(&c->aig, c->error, c->cut));
  aiger_init(a, NULL, NULL);
}

void aiger_init_plain(Aiger *a, const Circuit *c, AigLiteral bad, Account *account) {
  *a = (Aiger){.circuit = c, .plain = true, .bads = {bad}, .bad_names = {"bad"}, .bad_count = 1, .account = account};
  a->constraint = AIG_TRUE;
  aiger_init(a, NULL, NULL);
}

void aiger_init_lasso(Aiger *a, const Circuit *c, AigLiteral constraint, AigLiteral limit, const U32Vector *justice,
                      const U32Vector *fairness, Account *account) {
  *a = (Aiger){
      .circuit = c, .lasso = true, .constraint = constraint, .constraint_name = "constraint", .account = account};
  a->bads[0] = limit;
  a->bad_names[0] = "cut";
  a->bad_count = limit != AIG_FALSE;
  aiger_init(a, justice, fairness);
}

void aiger_free(Aiger *a) {
  U32Vector_free(&a->fairness);
  U32Vector_free(&a->justice);
  U32Vector_free(&a->variables);
  U32Vector_free(&a->gates);
  U32Vector_free(&a->latches);
  U32Vector_free(&a->inputs);
}

// --- names ---

static bool same_name(const Variable *a, const Variable *b) {
  return a->thread == b->thread && (a->name == b->name || strcmp(a->name, b->name) == 0);
}

// Several variables of a thread may have the same name, since calls are inlined and scopes nest. Adds which of them it
// is.
static void add_ordinal(const Program *p, VariableId id, Text *out) {
  uint32_t before = 0;
  for (VariableId v = 0; v < id; v++) before += same_name(&p->variables.data[v], &p->variables.data[id]);
  if (before > 0) text_format(out, "~%u", (unsigned)before);
}

static void add_word_name(const Circuit *c, uint32_t bit, Text *out) {
  const Program *p = c->transitions->program;
  const Word *word = &c->words->words.data[c->words->bits.data[bit].word];
  uint32_t index = term_variable_index(p->terms, word->variable);
  VariableId variable = program_variable_of_term(p, word->variable);
  if (variable != NO_ID) {
    text_format(out, "%s:%s", p->threads.data[p->variables.data[variable].thread].path,
                p->variables.data[variable].name);
    add_ordinal(p, variable, out);
  } else if (index < p->cell_of.count && p->cell_of.data[index] != NO_ID) {
    const Cell *cell = &p->cells.data[p->cell_of.data[index]];
    const Object *object = &p->objects.data[cell->object];
    bool named =
        object->owner == NO_ID || object->storage == STORAGE_CONTROL; // the name says which thread it belongs to
    if (!named) text_format(out, "%s:", p->threads.data[object->owner].path);
    text_add(out, cell->name);
  } else {
    text_format(out, "word%u", (unsigned)c->words->bits.data[bit].word);
  }
  text_format(out, "[%u]", (unsigned)(bit - word->first_bit));
}

static void add_latch_name(const Circuit *c, uint32_t i, Text *out) {
  const CircuitLatch *latch = &c->latches.data[i];
  static const char *const names[] = {
      [LATCH_BIT] = "bit",         [LATCH_COUNTER] = "pc",    [LATCH_STARTED] = "started", [LATCH_ENDED] = "ended",
      [LATCH_PROMISE] = "promise", [LATCH_SHADOW] = "shadow", [LATCH_FLAG] = "flag"};
  if (latch->kind == LATCH_STARTED || latch->kind == LATCH_ENDED) {
    text_add(out, names[latch->kind]);
  } else if (latch->kind == LATCH_COUNTER && c->transitions) {
    const Thread *thread = &c->transitions->program->threads.data[latch->of];
    text_format(out, "pc.%s(%s)[%u]", thread->path, thread->routine, (unsigned)latch->place);
  } else if (latch->kind == LATCH_BIT && c->transitions) {
    if (c->value_of_bit.data[latch->of] == aig_not(latch->now)) text_add_char(out, '!');
    add_word_name(c, latch->of, out);
  } else { // without a program, a latch is named by its own number
    text_format(out, "%s[%u]", names[latch->kind], (unsigned)(latch->kind <= LATCH_COUNTER ? i : latch->of));
  }
}

static void add_input_name(const Circuit *c, uint32_t i, Text *out) {
  static const char *const names[] = {[INPUT_SELECT] = "select",
                                      [INPUT_CHOICE] = "choice",
                                      [INPUT_FRESH] = "fresh",
                                      [INPUT_INITIAL] = "initial:",
                                      [INPUT_GUESS] = "guess"};
  const CircuitInput *input = &c->inputs.data[i];
  text_add(out, names[input->kind]);
  if (input->kind == INPUT_INITIAL && c->transitions)
    add_word_name(c, input->of, out);
  else
    text_format(out, "[%u]", (unsigned)input->of);
}

// --- writing ---

static unsigned literal_of(const Aiger *a, AigLiteral literal) {
  if (aig_is_constant(literal)) return literal;
  assert(a->variables.data[aig_node(literal)]);
  return a->variables.data[aig_node(literal)] * 2 + aig_is_inverted(literal);
}

static void add_delta(Text *out, unsigned delta) {
  for (; delta >= 0x80; delta >>= 7) text_add_char(out, (char)((delta & 0x7f) | 0x80));
  text_add_char(out, (char)delta);
}

static void write_gate(const Aiger *a, uint32_t node, bool binary, Text *out) {
  unsigned gate = a->variables.data[node] * 2;
  unsigned left = literal_of(a, aig_left(&a->circuit->aig, node));
  unsigned right = literal_of(a, aig_right(&a->circuit->aig, node));
  unsigned larger = left > right ? left : right, smaller = left > right ? right : left;
  assert(gate > larger);
  if (!binary) {
    text_format(out, "%u %u %u\n", gate, larger, smaller);
    return;
  }
  add_delta(out, gate - larger);
  add_delta(out, larger - smaller);
}

static bool has_constraint(const Aiger *a) { return !a->plain && !(a->lasso && a->constraint == AIG_TRUE); }

static void write_header(const Aiger *a, bool binary, Text *out) {
  unsigned inputs = aiger_input_count(a), latches = latch_count(a), gates = (unsigned)a->gates.count;
  text_format(out, "%s %u %u %u", binary ? "aig" : "aag", inputs + latches + gates, inputs, latches);
  if (a->plain)
    text_format(out, " %u %u\n", (unsigned)a->bad_count, gates);
  else if (!a->lasso)
    text_format(out, " 0 %u %u 1\n", gates, (unsigned)a->bad_count);
  else
    text_format(out, " 0 %u %u %u 1 %u\n", gates, (unsigned)a->bad_count, (unsigned)has_constraint(a),
                (unsigned)a->fairness.count);
}

// One justice property: its size, then its literals; then the fairness constraints.
static void write_justice(const Aiger *a, Text *out) {
  if (!a->lasso) return;
  text_format(out, "%u\n", (unsigned)a->justice.count);
  for (size_t i = 0; i < a->justice.count; i++) text_format(out, "%u\n", literal_of(a, a->justice.data[i]));
  for (size_t i = 0; i < a->fairness.count; i++) text_format(out, "%u\n", literal_of(a, a->fairness.data[i]));
}

static void write_symbols(const Aiger *a, Text *out) {
  for (unsigned i = 0; i < a->inputs.count && !a->plain; i++) {
    text_format(out, "i%u ", i);
    add_input_name(a->circuit, a->inputs.data[i], out);
    text_add_char(out, '\n');
  }
  for (unsigned i = 0; i < a->latches.count; i++) {
    text_format(out, "l%u ", i);
    if (a->plain)
      text_format(out, "l%u", (unsigned)a->latches.data[i]);
    else
      add_latch_name(a->circuit, a->latches.data[i], out);
    text_add_char(out, '\n');
  }
  for (unsigned i = 0; i < a->bad_count && !a->plain; i++) text_format(out, "b%u %s\n", i, a->bad_names[i]);
  if (has_constraint(a)) text_format(out, "c0 %s\n", a->constraint_name);
  if (a->lasso) text_add(out, "j0 justice\n");
  for (unsigned i = 0; i < a->fairness.count; i++) text_format(out, "f%u fair[%u]\n", i, i);
}

void aiger_write(const Aiger *a, bool binary, Text *out) {
  const Circuit *c = a->circuit;
  write_header(a, binary, out);
  for (unsigned i = 0; i < aiger_input_count(a) && !binary; i++) text_format(out, "%u\n", (i + 1) * 2);
  for (size_t i = 0; i < a->latches.count; i++) {
    const CircuitLatch *latch = &c->latches.data[a->latches.data[i]];
    if (!binary) text_format(out, "%u ", literal_of(a, latch->now));
    text_format(out, "%u\n", literal_of(a, latch->next));
  }
  if (a->latches.count < latch_count(a)) { // a latch that stays 0
    if (!binary) text_format(out, "%u ", 2 * (aiger_input_count(a) + 1));
    text_add(out, "0\n");
  }
  for (uint32_t i = 0; i < a->bad_count; i++) text_format(out, "%u\n", literal_of(a, a->bads[i]));
  if (has_constraint(a)) text_format(out, "%u\n", literal_of(a, a->constraint));
  write_justice(a, out);
  for (size_t i = 0; i < a->gates.count; i++) write_gate(a, a->gates.data[i], binary, out);
  write_symbols(a, out);
  text_add(out, "c\na multi-threaded program as a circuit, by heddle\n");
  if (a->plain) return;
  text_add(out, a->lasso ? "justice: an infinite execution that violates the property\n"
                           "bad: a cut of the model can happen in this state; if it is reached, that there is no such "
                           "execution proves nothing\n"
                           "constraint: holds in every step of it\n"
                         : "bad: an error (or a cut of the model) can happen in this state\n"
                           "constraint: a step is taken, or something bad can happen\n");
  text_add(out,
           "pc: the location of a thread, by number; select: which thread moves; !: the latch keeps the inverse\n");
}

// --- reading ---

// The next digit of a counterexample, as a value; 'x' is any value, for which 0 will do. -1: there is none.
static int next_digit(const char **at) {
  for (; **at && **at != '#'; ++*at) {
    char digit = **at;
    if (digit == '0' || digit == '1' || digit == 'x') {
      ++*at;
      return digit == '1';
    }
  }
  return -1;
}

// All latches are 0 in the initial state.
static bool read_start(const char **at) {
  for (; **at && **at != '\n'; ++*at)
    if (**at != '0') return false;
  return **at == '\n';
}

bool aiger_read_trace(const Aiger *a, const char *text, CircuitTrace *trace) {
  if (!read_start(&text)) return false;
  uint32_t inputs = aiger_input_count(a), i = 0;
  uint8_t *step = NULL;
  for (int digit; (digit = next_digit(&text)) >= 0; i = (i + 1) % inputs) {
    if (i == 0) step = circuit_trace_add(trace, a->circuit);
    if (i < a->inputs.count) step[a->inputs.data[i]] = (uint8_t)digit;
  }
  return trace->steps > 0 && i == 0;
}

// Reads the numbers of the latches that are the columns of the table.
static bool read_columns(const Aiger *a, const char *line, U32Vector *columns) {
  static const char heading[] = ".ilb";
  for (line += strlen(heading); *line == ' ';) {
    line++;
    if (*line != 'l') return *line == '\n';
    char *end;
    unsigned long latch = strtoul(line + 1, &end, 10);
    if (end == line + 1 || latch >= a->circuit->latches.count) return false;
    U32Vector_push(columns, (uint32_t)latch);
    line = end;
  }
  return *line == '\n';
}

static bool read_cube(const U32Vector *columns, const char *line, Invariant *invariant) {
  for (size_t i = 0; i < columns->count; i++) {
    if (line[i] != '0' && line[i] != '1' && line[i] != '-') return false;
    if (line[i] != '-') invariant_add(invariant, columns->data[i], line[i] == '1');
  }
  invariant_close(invariant);
  return strncmp(line + columns->count, " 1\n", 3) == 0;
}

bool aiger_read_invariant(const Aiger *a, const char *text, Invariant *invariant) {
  U32Vector columns;
  U32Vector_init(&columns, a->account);
  bool good = true, headed = false, ended = false;
  for (const char *line = text; *line && good && !ended;) {
    if (strncmp(line, ".ilb", 4) == 0)
      good = headed = !headed && read_columns(a, line, &columns);
    else if (strncmp(line, ".e", 2) == 0)
      ended = true;
    else if (*line != '.' && *line != '#' && *line != '\n')
      good = headed && read_cube(&columns, line, invariant);
    const char *end = strchr(line, '\n');
    line = end ? end + 1 : line + strlen(line);
  }
  U32Vector_free(&columns);
  return good && headed && ended;
}
