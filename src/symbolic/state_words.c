#include "symbolic/state_words.h"

// --- what can matter ---

static void add_word(void *context, Term variable) {
  Words *w = context;
  Sort sort = term_sort(w->terms, variable);
  if (sort_is_array(sort) || map_contains(&w->word_of, variable)) return;
  Word word = {.variable = variable, .first_bit = (uint32_t)w->bits.count, .width = term_width(w->terms, variable)};
  assert(word.width > 0);
  word.fresh = term_variable_index(w->terms, variable) >= w->transitions->state_limit;
  uint32_t id = (uint32_t)w->words.count;
  for (uint32_t i = 0; i < word.width; i++) WordBitVector_push(&w->bits, (WordBit){.word = id, .known = BIT_OPEN});
  WordVector_push(&w->words, word);
  map_put(&w->word_of, variable, id);
}

static void add_state_word(void *context, Term variable) {
  const Words *w = context;
  if (term_variable_index(w->terms, variable) < w->transitions->state_limit) add_word(context, variable);
}

static void find_edges(Words *w) {
  const Program *p = w->transitions->program;
  ByteVector_resize(&w->edges, p->edges.count);
  for (EdgeId e = 0; e < p->edges.count; e++) {
    const Transition *transition = &w->transitions->edges.data[e];
    bool left_out = transition->end == ENDS_THE_PROCESS && !w->infinite;
    bool changes = transition->end == ENDS_NOT || (w->infinite && transition->end != ENDS_IN_CUT);
    if (left_out || term_is_false(w->terms, transition->guard)) continue;
    w->edges.data[e] = changes ? EDGE_TAKEN | EDGE_CHANGES : EDGE_TAKEN;
  }
  for (ThreadId t = 1; t < p->threads.count; t++) {
    EdgeId start;
    thread_beginning(p, t, &start);
    if (start != NO_ID) w->edges.data[start] = 0;
  }
}

// Adds a word for each variable in conditions, and then for each variable whose value flows into a word.
static void find_words(Words *w) {
  const Transitions *t = w->transitions;
  Map followed; // the updates whose values were searched
  map_init(&followed, w->account);
  if (w->infinite && t->program->unforeseen != TERM_NONE)
    term_each_variable(w->terms, t->program->unforeseen, add_word, w);
  for (size_t i = 0; i < t->program->observations.count && w->infinite; i++)
    if (t->program->observations.data[i] != TERM_NONE)
      term_each_variable(w->terms, t->program->observations.data[i], add_word, w);
  bool more = true;
  for (bool first = true; more; first = false) {
    more = first;
    for (EdgeId e = 0; e < w->edges.count; e++) {
      const Transition *transition = &t->edges.data[e];
      if (first && w->edges.data[e] & EDGE_TAKEN) term_each_variable(w->terms, transition->guard, add_word, w);
      if (first && w->infinite && transition->waits) term_each_variable(w->terms, transition->open, add_state_word, w);
      if (first && transition->missed != TERM_NONE) term_each_variable(w->terms, transition->missed, add_word, w);
      for (uint32_t i = 0; w->edges.data[e] & EDGE_CHANGES && i < transition->update_count; i++) {
        const Update *update = words_update(w, transition, i);
        uint64_t key = transition->first_update + i;
        if (!map_contains(&w->word_of, update->variable) || map_contains(&followed, key)) continue;
        map_put(&followed, key, 1);
        term_each_variable(w->terms, update->value, add_word, w);
        more = true;
      }
    }
  }
  map_free(&followed);
}

// --- bits ---

bool words_supports(const Words *w, Term t) {
  return !term_has_floating_point(w->terms, t) && !term_has_array(w->terms, t);
}

static bool blast(Words *w, Term t) {
  if (!words_supports(w, t)) return false;
  bitblast_term(&w->blaster, t);
  return true;
}

static bool blast_edge(Words *w, EdgeId e) {
  const Transition *transition = &w->transitions->edges.data[e];
  bool fine = true;
  if (w->edges.data[e] & EDGE_TAKEN) fine &= blast(w, transition->guard);
  if (transition->missed != TERM_NONE) fine &= blast(w, transition->missed);
  for (uint32_t i = 0; w->edges.data[e] & EDGE_CHANGES && i < transition->update_count; i++) {
    const Update *update = words_update(w, transition, i);
    if (map_contains(&w->word_of, update->variable)) fine &= blast(w, update->value);
  }
  return fine;
}

// False: an observation has no bits, so the formula cannot be decided.
static bool blast_observations(Words *w) {
  const TermVector *observations = &w->transitions->program->observations;
  bool fine = true;
  Term unforeseen = w->transitions->program->unforeseen;
  if (w->infinite && unforeseen != TERM_NONE) fine = blast(w, unforeseen);
  for (size_t i = 0; i < observations->count && w->infinite; i++)
    if (observations->data[i] != TERM_NONE) fine &= blast(w, observations->data[i]);
  return fine;
}

static const char *blast_all(Words *w, Budget *budget) {
  enum { MOST_GATES = 20000000 };
  if (!blast_observations(w))
    return "the formula looks at floating-point numbers or arrays, which circuits do not know";
  for (size_t i = 0; i < w->words.count; i++) bitblast_term(&w->blaster, w->words.data[i].variable);
  for (EdgeId e = 0; e < w->edges.count; e++) {
    if (!blast_edge(w, e)) w->edges.data[e] |= EDGE_UNSUPPORTED;
    if (budget_exhausted(budget, "bits-of-steps")) return "out of time";
    if (aig_node_count(&w->aig) > MOST_GATES) return "the steps are too large for a circuit";
  }
  U32Vector_resize(&w->bit_of_input, w->aig.inputs.count);
  for (size_t i = 0; i < w->bit_of_input.count; i++) w->bit_of_input.data[i] = NO_ID;
  for (size_t i = 0; i < w->words.count; i++) {
    const AigLiteral *literals = bitblast_term(&w->blaster, w->words.data[i].variable);
    for (uint32_t k = 0; k < w->words.data[i].width; k++)
      w->bit_of_input.data[aig_input_index(&w->aig, aig_node(literals[k]))] = w->words.data[i].first_bit + k;
  }
  return NULL;
}

// --- known bits ---

static uint8_t value_at(const uint8_t *nodes, AigLiteral literal) {
  uint8_t value = nodes[aig_node(literal)];
  return value == BIT_OPEN ? BIT_OPEN : value ^ aig_is_inverted(literal);
}

// Simulates the graph with the values 0, 1 and open.
static void simulate(const Words *w, uint8_t *nodes) {
  nodes[0] = BIT_ZERO;
  for (uint32_t n = 1; n < aig_node_count(&w->aig); n++) {
    if (aig_is_input(&w->aig, n)) {
      uint32_t bit = w->bit_of_input.data[aig_input_index(&w->aig, n)];
      nodes[n] = bit == NO_ID ? BIT_OPEN : w->bits.data[bit].known;
      continue;
    }
    uint8_t left = value_at(nodes, aig_left(&w->aig, n)), right = value_at(nodes, aig_right(&w->aig, n));
    nodes[n] = left == BIT_ZERO || right == BIT_ZERO ? BIT_ZERO
               : left == BIT_ONE && right == BIT_ONE ? BIT_ONE
                                                     : BIT_OPEN;
  }
}

// The word may get this value: bits that may differ from it become open. Returns whether a bit became open.
static bool widen(Words *w, uint32_t word, Term value, const uint8_t *nodes) {
  assert(!w->words.data[word].fresh);
  const AigLiteral *literals = words_supports(w, value) ? bitblast_term(&w->blaster, value) : NULL;
  bool changed = false;
  for (uint32_t i = 0; i < w->words.data[word].width; i++) {
    WordBit *bit = words_bit(w, word, i);
    if (bit->known == BIT_OPEN || (literals && value_at(nodes, literals[i]) == bit->known)) continue;
    bit->known = BIT_OPEN;
    changed = true;
  }
  return changed;
}

static bool widen_by_edge(Words *w, EdgeId e, const uint8_t *nodes) {
  const Transition *transition = &w->transitions->edges.data[e];
  if (!(w->edges.data[e] & EDGE_CHANGES)) return false;
  if (words_supports(w, transition->guard) &&
      value_at(nodes, bitblast_bool(&w->blaster, transition->guard)) == BIT_ZERO)
    return false;
  bool changed = false;
  for (uint32_t i = 0; i < transition->update_count; i++) {
    const Update *update = words_update(w, transition, i);
    uint32_t word = words_find(w, update->variable);
    if (word != NO_ID) changed |= widen(w, word, update->value, nodes);
  }
  return changed;
}

static const char *find_known(Words *w, Budget *budget) {
  for (size_t i = 0; i < w->words.count; i++) {
    if (w->words.data[i].fresh) continue;
    Term initial = transitions_initial(w->transitions, w->words.data[i].variable);
    if (initial == TERM_NONE || !term_is_constant(w->terms, initial)) continue;
    Bits value = term_constant_value(w->terms, initial);
    for (uint32_t k = 0; k < w->words.data[i].width; k++)
      words_bit(w, (uint32_t)i, k)->known = value >> k & 1 ? BIT_ONE : BIT_ZERO;
  }
  size_t bytes = aig_node_count(&w->aig);
  uint8_t *nodes = memory_allocate(w->account, bytes);
  const char *flaw = NULL;
  for (bool changed = true; changed && !flaw;) {
    changed = false;
    simulate(w, nodes);
    for (EdgeId e = 0; e < w->edges.count; e++) changed |= widen_by_edge(w, e, nodes);
    if (budget_exhausted(budget, "bits-known")) flaw = "out of time";
  }
  memory_free(w->account, nodes, bytes);
  return flaw;
}

Term words_facts(const Words *w) {
  Term facts = term_true(w->terms);
  for (size_t i = 0; i < w->words.count; i++) {
    const Word *word = &w->words.data[i];
    for (uint32_t low = 0, high; low < word->width; low = high) {
      bool open = words_bit(w, (uint32_t)i, low)->known == BIT_OPEN;
      Bits value = 0;
      for (high = low; high < word->width; high++) {
        uint8_t known = words_bit(w, (uint32_t)i, high)->known;
        if ((known == BIT_OPEN) != open) break;
        if (known == BIT_ONE) value |= (Bits)1 << (high - low);
      }
      if (open) continue;
      Term part = term_extract(w->terms, word->variable, high - 1, low);
      facts = term_and(w->terms, facts, term_eq(w->terms, part, term_constant(w->terms, high - low, value)));
    }
  }
  return facts;
}

// --- all ---

const char *words_init(Words *w, const Transitions *transitions, bool infinite, Budget *budget, Account *account) {
  *w = (Words){
      .transitions = transitions, .terms = transitions->program->terms, .infinite = infinite, .account = account};
  WordVector_init(&w->words, account);
  WordBitVector_init(&w->bits, account);
  map_init(&w->word_of, account);
  aig_init(&w->aig, account);
  bitblast_init(&w->blaster, w->terms, &w->aig, account);
  ByteVector_init(&w->edges, account);
  U32Vector_init(&w->bit_of_input, account);
  U32Vector_init(&w->bit_of_variable, account);
  find_edges(w);
  find_words(w);
  assert(w->edges.count == transitions->edges.count);
  const char *flaw = blast_all(w, budget);
  if (!flaw) flaw = find_known(w, budget);
  return flaw;
}

void words_free(Words *w) {
  U32Vector_free(&w->bit_of_variable);
  U32Vector_free(&w->bit_of_input);
  ByteVector_free(&w->edges);
  bitblast_free(&w->blaster);
  aig_free(&w->aig);
  map_free(&w->word_of);
  WordBitVector_free(&w->bits);
  WordVector_free(&w->words);
}
