#include "reach/domains/formulas.h"

#include <stdlib.h>

PathLabel path_label_at(const Formulas *f, LabelId label) {
  assert(label > LABEL_FALSE);
  return *PathLabelVector_at(&f->labels, label);
}

static LabelId add_label(Formulas *f, PathLabel label) {
  PathLabelVector_push(&f->labels, label);
  return (LabelId)f->labels.count - 1;
}

// --- conditions ---

bool path_assume(Formulas *f, Trie *condition, Term formula) {
  enum { MOST_PARTS = 64 }; // beyond so many conjuncts, a conjunction is not split any more and counts as a literal
  Term stack[MOST_PARTS] = {formula};
  for (unsigned count = 1, parts = 1; count > 0;) {
    Term t = stack[--count];
    if (term_is_true(f->terms, t)) continue;
    if (term_is_false(f->terms, t) || trie_get(&f->tries, *condition, term_not(f->terms, t))) return false;
    if (term_operator(f->terms, t) == TERM_AND && parts < MOST_PARTS) {
      parts++;
      stack[count++] = term_child(f->terms, t, 0);
      stack[count++] = term_child(f->terms, t, 1);
    } else {
      *condition = trie_put(&f->tries, *condition, t, 1);
    }
  }
  return true;
}

// The recursion follows the trie, so conditions that share parts of their tries share the conjunctions of these parts.
Term path_conjunction(Formulas *f, Trie condition) {
  if (condition == TRIE_EMPTY) return term_true(f->terms);
  if (f->conjunctions.count <= condition) TermVector_resize(&f->conjunctions, trie_count(&f->tries));
  if (f->conjunctions.data[condition] != TERM_NONE) return f->conjunctions.data[condition];
  TrieNode node = *TrieNodeVector_at(&f->tries.nodes, condition);
  Term result = node.key;
  if (node.bit != 0) {
    Term left = path_conjunction(f, node.left), right = path_conjunction(f, node.right);
    result = term_and(f->terms, left, right);
  }
  f->conjunctions.data[condition] = result;
  return result;
}

// --- values ---

static Term value_at_start(Formulas *f, uint32_t variable) {
  Term term = term_variable_by_index(f->terms, variable);
  return f->walk ? walk_initial(f->walk, term) : term;
}

Term path_value(Formulas *f, Trie values, uint32_t variable) {
  Term value = trie_get(&f->tries, values, variable);
  return value != TERM_NONE ? value : value_at_start(f, variable);
}

// Values are collected first and put into the trie together, because this makes fewer intermediate tries.
static void collect_value(Formulas *f, uint32_t variable, Term value) {
  Term kept = value == value_at_start(f, variable) ? TERM_NONE : value;
  TrieEntryVector_push(&f->entries, (TrieEntry){.key = variable, .value = kept});
}

static int compare_entries(const void *a, const void *b) {
  uint32_t x = ((const TrieEntry *)a)->key, y = ((const TrieEntry *)b)->key;
  return x < y ? -1 : x > y;
}

static Trie put_collected(Formulas *f, Trie trie) {
  return trie_put_all(&f->tries, trie, f->entries.data, f->entries.count);
}

// --- steps ---

void path_enter(Formulas *f, EdgeId edge, Trie values, uint32_t first_instance) {
  const Transitions *t = f->transitions;
  const Transition *transition = &t->edges.data[edge];
  assert(first_instance + transition->fresh_count <= f->instances.count);
  map_clear(&f->substitution);
  map_clear(&f->cache);
  for (uint32_t i = f->first.data[edge]; i < f->first.data[edge + 1]; i++) {
    uint32_t variable = f->variables.data[i];
    map_put(&f->substitution, term_variable_by_index(f->terms, variable), path_value(f, values, variable));
  }
  for (uint32_t i = 0; i < transition->fresh_count; i++)
    map_put(&f->substitution, t->fresh.data[transition->first_fresh + i], f->instances.data[first_instance + i]);
}

Term path_seen(Formulas *f, Term t) { return term_substitute(f->terms, t, &f->substitution, &f->cache); }

uint32_t path_instances(Formulas *f, EdgeId edge) {
  const Transitions *t = f->transitions;
  const Transition *transition = &t->edges.data[edge];
  uint32_t first = (uint32_t)f->instances.count;
  for (uint32_t i = 0; i < transition->fresh_count; i++) {
    Term fresh = t->fresh.data[transition->first_fresh + i];
    const char *name = term_variable_name(f->terms, fresh);
    TermVector_push(&f->instances, term_variable(f->terms, term_sort(f->terms, fresh), name));
  }
  return first;
}

Term path_guard(const Formulas *f, const Move *move) {
  const Transition *transition = &f->transitions->edges.data[move->edge];
  return move->missed ? transition->missed : transition->guard;
}

bool path_ends(const Formulas *f, const Move *move) {
  return move->missed || f->transitions->edges.data[move->edge].end != ENDS_NOT;
}

Trie path_values_after(Formulas *f, EdgeId edge, Trie values) {
  const Transitions *t = f->transitions;
  const Transition *transition = &t->edges.data[edge];
  TrieEntryVector_clear(&f->entries);
  for (uint32_t i = 0; i < transition->update_count; i++) {
    const Update *update = &t->updates.data[transition->first_update + i];
    collect_value(f, term_variable_index(f->terms, update->variable), path_seen(f, update->value));
  }
  if (f->entries.count > 1) qsort(f->entries.data, f->entries.count, sizeof *f->entries.data, compare_entries);
  return put_collected(f, values);
}

LabelId path_begin(Formulas *f) {
  PathLabel label = {.condition = TRIE_EMPTY, .values = TRIE_EMPTY, .arriving = NO_ID, .waiting = NO_ID};
  return add_label(f, label);
}

LabelId path_begin_initially(Formulas *f) {
  PathLabel label = path_label_at(f, path_begin(f));
  for (size_t i = 0; i < f->variables.count; i++) {
    uint32_t variable = f->variables.data[i];
    Term value = transitions_initial(f->transitions, term_variable_by_index(f->terms, variable));
    if (value != TERM_NONE) label.values = trie_put(&f->tries, label.values, variable, value);
  }
  return add_label(f, label);
}

LabelId path_chosen_step(const Formulas *f, LabelId label, Solver *solver) {
  for (;;) {
    PathLabel l = path_label_at(f, label);
    if (!path_is_joined(&l)) return label;
    label = l.choice != TERM_NONE && solver_holds(solver, l.choice) ? l.arriving : l.waiting;
  }
}

LabelId path_step(Formulas *f, const Move *move) {
  PathLabel label = path_label_at(f, move->before);
  label.arriving = label.waiting = NO_ID;
  label.choice = label.newest = TERM_NONE;
  label.iterations = 0;
  label.first_instance = path_instances(f, move->edge);
  path_enter(f, move->edge, label.values, label.first_instance);
  if (!path_assume(f, &label.condition, path_seen(f, path_guard(f, move)))) return LABEL_FALSE;
  label.values = path_ends(f, move) ? (Trie)TRIE_EMPTY : path_values_after(f, move->edge, label.values);
  return add_label(f, label);
}

// --- joins ---

typedef struct Join {
  Formulas *formulas;
  PathLabel joined;
  Term choice; // TERM_NONE: none was needed so far
} Join;

static void list_literal(void *context, uint32_t literal, uint32_t arriving, uint32_t waiting) {
  (void)waiting;
  Formulas *f = context;
  TermVector_push(arriving ? &f->arriving : &f->waiting, literal);
}

static Term choice_of(Join *join) {
  TermStore *terms = join->formulas->terms;
  if (join->choice == TERM_NONE) join->choice = term_variable(terms, sort_bits(1), "way");
  return join->choice;
}

static void remove_term(TermVector *list, Term removed) {
  size_t kept = 0;
  for (size_t i = 0; i < list->count; i++)
    if (list->data[i] != removed) list->data[kept++] = list->data[i];
  list->count = kept;
}

// A literal of the arriving label whose negation is a literal of the waiting label becomes the choice.
static void find_choice(Join *join, Trie waiting) {
  Formulas *f = join->formulas;
  for (size_t i = 0; i < f->arriving.count; i++) {
    Term literal = f->arriving.data[i], negation = term_not(f->terms, literal);
    if (!trie_get(&f->tries, waiting, negation)) continue;
    join->choice = literal;
    remove_term(&f->arriving, literal);
    remove_term(&f->waiting, negation);
    return;
  }
}

// Sets the literals of a sorted list to `value` in the condition; 0 removes them.
static Trie put_literals(Formulas *f, Trie condition, const TermVector *list, uint32_t value) {
  assert(value <= 1);
  TrieEntryVector_clear(&f->entries);
  for (size_t i = 0; i < list->count; i++)
    TrieEntryVector_push(&f->entries, (TrieEntry){.key = list->data[i], .value = value});
  return put_collected(f, condition);
}

static Term conjunction_of_list(Formulas *f, const TermVector *list) {
  return path_conjunction(f, put_literals(f, TRIE_EMPTY, list, 1));
}

// The joined condition: the literals of both labels, and, depending on the choice, the literals of only one.
static void join_conditions(Join *join, Trie waiting) {
  Formulas *f = join->formulas;
  Trie condition = put_literals(f, waiting, &f->waiting, 0);
  find_choice(join, waiting);
  if (f->arriving.count > 0 || f->waiting.count > 0) {
    Term yes = conjunction_of_list(f, &f->arriving), no = conjunction_of_list(f, &f->waiting);
    Term by_choice = term_ite(f->terms, choice_of(join), yes, no);
    if (!path_assume(f, &condition, by_choice)) condition = trie_put(&f->tries, condition, term_false(f->terms), 1);
  }
  join->joined.condition = condition;
}

static void join_value(void *context, uint32_t variable, uint32_t arriving, uint32_t waiting) {
  Join *join = context;
  Formulas *f = join->formulas;
  Term a = arriving ? arriving : value_at_start(f, variable), w = waiting ? waiting : value_at_start(f, variable);
  collect_value(f, variable, term_ite(f->terms, choice_of(join), a, w));
}

LabelId path_join(Formulas *f, LabelId waiting_id, LabelId arriving_id) {
  PathLabel arriving = path_label_at(f, arriving_id), waiting = path_label_at(f, waiting_id);
  TermVector_clear(&f->arriving);
  TermVector_clear(&f->waiting);
  trie_compare(&f->tries, arriving.condition, waiting.condition, list_literal, f);
  PathLabel joined = {.values = waiting.values, .arriving = arriving_id, .waiting = waiting_id};
  joined.iterations = arriving.iterations > waiting.iterations ? arriving.iterations : waiting.iterations;
  bool same = arriving.values == waiting.values;
  if (same && f->arriving.count == 0) { // the waiting condition implies the arriving one, which stands for both
    joined.condition = arriving.condition;
    joined.arriving = waiting_id;
    joined.waiting = arriving_id;
    return add_label(f, joined);
  }
  if (same && f->waiting.count == 0) {
    joined.condition = waiting.condition;
    return add_label(f, joined);
  }
  joined.newest = (Term)term_store_size(f->terms);
  Join join = {.formulas = f, .joined = joined};
  join_conditions(&join, waiting.condition);
  TrieEntryVector_clear(&f->entries);
  trie_compare(&f->tries, arriving.values, waiting.values, join_value, &join);
  join.joined.values = put_collected(f, waiting.values);
  join.joined.choice = join.choice;
  return add_label(f, join.joined);
}

// --- setting up ---

static void note_variable(void *context, Term variable) {
  Formulas *f = context;
  uint32_t index = term_variable_index(f->terms, variable);
  if (index >= f->transitions->state_limit || map_contains(&f->substitution, index)) return;
  map_put(&f->substitution, index, 1);
  U32Vector_push(&f->variables, index);
}

// Lists the state variables that each edge reads.
static void list_variables(Formulas *f) {
  const Transitions *t = f->transitions;
  for (size_t e = 0; e < t->edges.count; e++) {
    const Transition *transition = &t->edges.data[e];
    U32Vector_push(&f->first, (uint32_t)f->variables.count);
    map_clear(&f->substitution);
    term_each_variable(f->terms, transition->guard, note_variable, f);
    if (transition->missed != TERM_NONE) term_each_variable(f->terms, transition->missed, note_variable, f);
    for (uint32_t i = 0; i < transition->update_count; i++)
      term_each_variable(f->terms, t->updates.data[transition->first_update + i].value, note_variable, f);
  }
  U32Vector_push(&f->first, (uint32_t)f->variables.count);
}

void formulas_init(Formulas *f, const Transitions *transitions, Walk *walk, Account *account) {
  *f = (Formulas){.transitions = transitions, .terms = transitions->program->terms, .walk = walk};
  trie_table_init(&f->tries, account);
  PathLabelVector_init(&f->labels, account);
  PathLabelVector_resize(&f->labels, LABEL_FALSE + 1);
  TermVector_init(&f->instances, account);
  TermVector_init(&f->conjunctions, account);
  U32Vector_init(&f->variables, account);
  U32Vector_init(&f->first, account);
  map_init(&f->substitution, account);
  map_init(&f->cache, account);
  TermVector_init(&f->arriving, account);
  TermVector_init(&f->waiting, account);
  TrieEntryVector_init(&f->entries, account);
  list_variables(f);
}

void formulas_free(Formulas *f) {
  TrieEntryVector_free(&f->entries);
  TermVector_free(&f->waiting);
  TermVector_free(&f->arriving);
  map_free(&f->cache);
  map_free(&f->substitution);
  U32Vector_free(&f->first);
  U32Vector_free(&f->variables);
  TermVector_free(&f->conjunctions);
  TermVector_free(&f->instances);
  PathLabelVector_free(&f->labels);
  trie_table_free(&f->tries);
}
