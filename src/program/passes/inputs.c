// Two-valued inputs: an input that is only ever tested for being zero becomes an input of the values 0 and 1.
//
// A variable or cell is truth-only if everything that is done with its value asks only whether it is zero: comparisons
// with 0, through extensions, choices, disjunctions, and copies to variables and cells that are truth-only themselves.
// All start as truth-only. A use that needs more of the value makes its variable or cell not truth-only, until nothing
// changes.
#include "program/passes/pass_list.h"
#include "program/passes/rewrite.h"

enum { SEEN_CLOSELY = 1, SEEN_TRUTH = 2 };

typedef struct TruthAnalysis {
  Program *program;
  bool *variable; // still truth-only?
  bool *cell;
  uint8_t *seen; // per term: how it was looked at already
  Map sets[5];   // facts on lists of cells that many steps share, by the bytes of the access: 1, 2, 4, 8, 16
  bool changed;
} TruthAnalysis;

// What is known of a list of cells for good.
enum { SET_KNOWN = 1, SET_WHOLE = 2, SET_DEMOTED = 4, SET_MIXED = 8 }; // mixed: some cell is not truth-only

static unsigned set_facts(const TruthAnalysis *analysis, const Access *access) {
  return (unsigned)map_get_or(&analysis->sets[__builtin_ctz(access->bytes)], cell_set_key(access->cells), 0);
}

static void add_facts(TruthAnalysis *analysis, const Access *access, unsigned facts) {
  map_put(&analysis->sets[__builtin_ctz(access->bytes)], cell_set_key(access->cells),
          set_facts(analysis, access) | facts);
}

static void demote_variable(TruthAnalysis *analysis, VariableId variable) {
  if (variable == NO_ID || !analysis->variable[variable]) return;
  analysis->variable[variable] = false;
  analysis->changed = true;
}

static bool is_zero(const TermStore *terms, Term t) {
  return term_is_constant(terms, t) && term_constant_value(terms, t) == 0;
}

// `t` is used: closely, or only for its truth.
static void look_at(TruthAnalysis *analysis, Term t, bool truth) {
  const TermStore *terms = analysis->program->terms;
  if (t == TERM_NONE || value_is_fresh(t) || term_is_constant(terms, t)) return;
  uint8_t bit = truth ? SEEN_TRUTH : SEEN_CLOSELY;
  if (analysis->seen[t] & (bit | SEEN_CLOSELY)) return;
  analysis->seen[t] |= bit;
  TermOperator op = term_operator(terms, t);
  if (op == TERM_VARIABLE) {
    if (!truth) demote_variable(analysis, program_variable_of_term(analysis->program, t));
    return;
  }
  unsigned arity = term_arity(terms, t);
  bool tests_first = op == TERM_EQ && is_zero(terms, term_child(terms, t, 1));
  bool tests_second = (op == TERM_EQ || op == TERM_ULT) && is_zero(terms, term_child(terms, t, 0));
  bool passes_on = truth && (op == TERM_ZEXT || op == TERM_SEXT || op == TERM_OR || op == TERM_ITE);
  for (unsigned i = 0; i < arity; i++) {
    bool child_truth = passes_on && !(op == TERM_ITE && i == 0);
    if (i == 0) child_truth |= tests_first;
    if (i == 1) child_truth |= tests_second;
    look_at(analysis, term_child(terms, t, i), child_truth);
  }
}

// Is each cell that the access may touch accessed as a whole? Bytes of a value say nothing about its truth.
static bool accessed_whole(TruthAnalysis *analysis, const Access *access) {
  const Program *p = analysis->program;
  unsigned known = set_facts(analysis, access);
  if (known & SET_KNOWN) return known & SET_WHOLE;
  const uint32_t *cells = cell_set_cells(p, access->cells);
  bool whole = true;
  for (uint32_t i = 0; whole && i < access->cells.count; i++) whole = p->cells.data[cells[i]].bytes == access->bytes;
  add_facts(analysis, access, SET_KNOWN | (whole ? SET_WHOLE : 0));
  return whole;
}

static bool all_truth_only(TruthAnalysis *analysis, const Access *access) {
  const uint32_t *cells = cell_set_cells(analysis->program, access->cells);
  if (set_facts(analysis, access) & (SET_DEMOTED | SET_MIXED)) return access->cells.count == 0;
  for (uint32_t i = 0; i < access->cells.count; i++) {
    if (analysis->cell[cells[i]]) continue;
    add_facts(analysis, access, SET_MIXED);
    return false;
  }
  return true;
}

static void demote_cells(TruthAnalysis *analysis, const Access *access) {
  const uint32_t *cells = cell_set_cells(analysis->program, access->cells);
  if (set_facts(analysis, access) & SET_DEMOTED) return;
  add_facts(analysis, access, SET_DEMOTED);
  for (uint32_t i = 0; i < access->cells.count; i++) {
    analysis->changed |= analysis->cell[cells[i]];
    analysis->cell[cells[i]] = false;
  }
}

static void look_at_step(TruthAnalysis *analysis, const Step *step) {
  const Access *access = &step->access;
  look_at(analysis, step->guard, false);
  look_at(analysis, step->operand, false);
  if (access->address != TERM_NONE) {
    bool whole = accessed_whole(analysis, access);
    look_at(analysis, access->address, false);
    if (access->reads && (!whole || !analysis->variable[access->into])) demote_cells(analysis, access);
    look_at(analysis, access->stored, whole && all_truth_only(analysis, access));
  }
  for (uint32_t i = 0; i < step->assignment_count; i++)
    look_at(analysis, step->assignments[i].value, analysis->variable[step->assignments[i].variable]);
}

static bool is_candidate(const Program *p, const Assignment *assignment) {
  return assignment->value == VALUE_INPUT && term_width(p->terms, variable_term(p, assignment->variable)) > 1;
}

static bool has_candidate(const Program *p) {
  for (size_t s = 0; s < p->steps.count; s++)
    for (uint32_t i = 0; i < p->steps.data[s].assignment_count; i++)
      if (is_candidate(p, &p->steps.data[s].assignments[i])) return true;
  return false;
}

// v := input  becomes  b := input (one bit); v := b.
static void split_input(Program *p, EdgeId id, uint32_t which) {
  VariableId variable = edge_only_step(p, id)->assignments[which].variable;
  Term bit = step_narrow_input(p, id, which, 1);
  Assignment widen = {variable, term_zero_extend(p->terms, bit, term_width(p->terms, variable_term(p, variable)))};
  Step second = step_plain(p, edge_only_step(p, id)->position);
  second.assignments = &widen;
  second.assignment_count = 1;
  edge_add_step_behind(p, id, &second);
}

void pass_inputs(Program *p) {
  if (!has_candidate(p)) return;
  size_t variables = p->variables.count, cells = p->cells.count, terms = term_store_size(p->terms) + 1;
  TruthAnalysis analysis = {.program = p, .changed = true};
  analysis.variable = memory_allocate(p->account, variables * sizeof *analysis.variable);
  analysis.cell = memory_allocate(p->account, cells * sizeof *analysis.cell);
  analysis.seen = memory_allocate_zeroed(p->account, terms);
  for (size_t i = 0; i < 5; i++) map_init(&analysis.sets[i], p->account);
  memset(analysis.variable, true, variables * sizeof *analysis.variable);
  if (cells) memset(analysis.cell, true, cells * sizeof *analysis.cell);
  while (analysis.changed) {
    analysis.changed = false;
    for (size_t s = 0; s < p->steps.count; s++) look_at_step(&analysis, &p->steps.data[s]);
  }
  size_t edges = p->edges.count;
  for (size_t e = 0; e < edges; e++) {
    uint32_t count = edge_first_step(p, e)->assignment_count;
    for (uint32_t i = 0; i < count; i++) {
      const Assignment *assignment = &edge_first_step(p, e)->assignments[i];
      if (assignment->variable < variables && is_candidate(p, assignment) && analysis.variable[assignment->variable])
        split_input(p, (EdgeId)e, i);
    }
  }
  memory_free(p->account, analysis.variable, variables * sizeof *analysis.variable);
  memory_free(p->account, analysis.cell, cells * sizeof *analysis.cell);
  memory_free(p->account, analysis.seen, terms);
  for (size_t i = 0; i < 5; i++) map_free(&analysis.sets[i]);
  program_index(p);
}
