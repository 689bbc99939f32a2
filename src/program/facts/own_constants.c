#include "program/facts/own_constants.h"

#include "base/sorted.h"
#include "program/passes/rewrite.h"

// What is being found out about a location.
typedef struct Knowledge {
  bool reached, pending;
} Knowledge;

typedef struct Propagation {
  const Program *program;
  OwnConstants *out;
  Knowledge *at; // per location
  OwnConstantsAfter *after;
  void *context;
} Propagation;

SORTED_FIND(find_fact, OwnConstant, .variable, Term);

void own_constants_set(OwnConstantVector *facts, Term variable, Term value) {
  size_t at = find_fact(facts->data, facts->count, variable);
  bool there = at < facts->count && facts->data[at].variable == variable;
  if (value == TERM_NONE) {
    if (!there) return;
    memmove(facts->data + at, facts->data + at + 1, (facts->count - at - 1) * sizeof(OwnConstant));
    facts->count--;
    return;
  }
  if (!there) {
    OwnConstantVector_push(facts, (OwnConstant){0});
    memmove(facts->data + at + 1, facts->data + at, (facts->count - 1 - at) * sizeof(OwnConstant));
  }
  facts->data[at] = (OwnConstant){.variable = variable, .value = value};
}

// Keeps only the facts that both have. Returns whether `into` lost one.
static bool meet(OwnConstantVector *into, const OwnConstantVector *from) {
  size_t kept = 0;
  for (size_t i = 0; i < into->count; i++) {
    size_t at = find_fact(from->data, from->count, into->data[i].variable);
    bool same = at < from->count && from->data[at].variable == into->data[i].variable &&
                from->data[at].value == into->data[i].value;
    if (same) into->data[kept++] = into->data[i];
  }
  bool lost = kept < into->count;
  into->count = kept;
  return lost;
}

bool is_own_variable(const Program *p, Term variable) {
  CellId cell = program_cell_of_term(p, variable);
  if (cell != NO_ID) return !p->cells.data[cell].shared;
  return program_variable_of_term(p, variable) != NO_ID;
}

static void know_at_entry(Propagation *f, ThreadId thread) {
  const Program *p = f->program;
  LocationId entry = p->threads.data[thread].entry;
  OwnConstantVector *facts = &f->out->at[entry];
  f->at[entry].reached = f->at[entry].pending = true;
  for (VariableId v = 0; v < p->variables.count; v++) {
    if (p->variables.data[v].thread != thread) continue;
    Term term = variable_term(p, v);
    own_constants_set(facts, term, term_constant(p->terms, term_width(p->terms, term), 0));
  }
  for (CellId cell = 0; cell < p->cells.count; cell++)
    if (!p->cells.data[cell].shared && p->cells.data[cell].initial != TERM_NONE)
      own_constants_set(facts, p->cells.data[cell].term, p->cells.data[cell].initial);
}

// Brings what holds after an edge to its end. True: the end has news.
static bool arrive(Propagation *f, LocationId to, const OwnConstantVector *after) {
  Knowledge *there = &f->at[to];
  bool news = !there->reached;
  if (news)
    for (size_t i = 0; i < after->count; i++) OwnConstantVector_push(&f->out->at[to], after->data[i]);
  else
    news = meet(&f->out->at[to], after);
  there->reached = true;
  there->pending |= news;
  return news;
}

static void spread(Propagation *f) {
  const Program *p = f->program;
  U32Vector order;
  U32Vector_init(&order, f->out->account);
  program_reverse_postorder(p, &order, NULL);
  OwnConstantVector after;
  OwnConstantVector_init(&after, f->out->account);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < order.count; i++) {
      LocationId here = order.data[i];
      if (!f->at[here].pending) continue;
      f->at[here].pending = false;
      uint32_t count;
      const EdgeId *edges = location_edges(p, here, &count);
      for (uint32_t k = 0; k < count; k++) {
        OwnConstantVector_clear(&after);
        if (!f->after(f->context, edges[k], &f->out->at[here], &after)) continue;
        changed |= arrive(f, p->edges.data[edges[k]].to, &after);
      }
    }
  }
  OwnConstantVector_free(&after);
  U32Vector_free(&order);
}

void own_constants_init(OwnConstants *constants, const Program *p, OwnConstantsAfter *after, void *context,
                        Account *account) {
  size_t count = p->locations.count;
  *constants = (OwnConstants){.count = count, .account = account};
  constants->at = memory_allocate(account, count * sizeof *constants->at);
  for (size_t l = 0; l < count; l++) OwnConstantVector_init(&constants->at[l], account);
  Propagation f = {.program = p, .out = constants, .after = after, .context = context};
  f.at = memory_allocate_zeroed(account, count * sizeof *f.at);
  for (ThreadId t = 0; t < p->threads.count; t++) know_at_entry(&f, t);
  spread(&f);
  memory_free(account, f.at, count * sizeof *f.at);
}

void own_constants_free(OwnConstants *constants) {
  for (size_t l = 0; l < constants->count; l++) OwnConstantVector_free(&constants->at[l]);
  memory_free(constants->account, constants->at, constants->count * sizeof *constants->at);
}
