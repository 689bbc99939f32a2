#include "explicit/ltl/ltl_search.h"
#include "explicit/explicit_options.h"

#include "explicit/ltl/ltl_product.h"
#include "judge/lasso.h"

// --- schedules ---

// Walks along a path of the product with a whole state, of which states of the graph are what has influence.
typedef struct Walk {
  LtlStates *states;
  Concrete now, next;
  Schedule *schedule;
  StateId wanted; // after the step that is looked for
  bool found;
} Walk;

static void add_started(Walk *walk, const LtlStep *step) {
  const Program *p = walk->states->program;
  for (size_t i = 0; i < step->started_count; i++) {
    ThreadId thread = p->locations.data[p->edges.data[step->started[i]].from].thread;
    schedule_add(walk->schedule, thread, step->started[i], NULL, 0);
  }
}

static void walk_visit(void *context, const LtlStep *step) {
  Walk *walk = context;
  bool ended = step->outcome == OUTCOME_HALT || step->outcome == OUTCOME_ERROR;
  if (walk->found || (step->outcome != OUTCOME_TAKEN && !ended)) return;
  if (ltl_states_intern(walk->states, step->after, ended) != walk->wanted) return;
  walk->found = true;
  concrete_copy(&walk->next, step->after);
  schedule_add(walk->schedule, step->thread, step->edge, step->choices, step->choice_count);
  add_started(walk, step);
}

// False: a step is not found again (which cannot be).
static bool walk_along(Walk *walk, const ProductStepVector *path) {
  for (size_t i = 0; i < path->count; i++) {
    const ProductStep *step = &path->data[i];
    if (step->thread == NO_ID) continue;
    walk->wanted = step->to;
    walk->found = false;
    ltl_states_each_step(walk->states, &walk->now, step->thread, walk_visit, walk);
    if (!walk->found) return false;
    concrete_copy(&walk->now, &walk->next);
  }
  return true;
}

static bool same_steps(const Schedule *schedule, size_t first, size_t second, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const ScheduleStep *a = &schedule->steps.data[first + i], *b = &schedule->steps.data[second + i];
    if (a->edge != b->edge || a->choice_count != b->choice_count) return false;
  }
  return true;
}

// The loop is walked twice. What it reads first may hold any value only the first time (if that has no influence): then
// the second time is the loop.
static bool walk_lasso(Walk *walk, const ProductStepVector *stem, const ProductStepVector *loop) {
  Schedule *schedule = walk->schedule;
  if (!walk_along(walk, stem)) return false;
  size_t first = schedule->steps.count;
  schedule->loop_start = (uint32_t)first;
  if (!walk_along(walk, loop)) return false;
  size_t second = schedule->steps.count, choices = schedule->choices.count;
  if (second == first) return true; // no thread takes a step any more
  if (!walk_along(walk, loop)) return false;
  if (schedule->steps.count == 2 * second - first && same_steps(schedule, first, second, second - first)) {
    schedule->steps.count = second;
    schedule->choices.count = choices;
  } else
    schedule->loop_start = (uint32_t)second;
  return true;
}

static Schedule *tell_lasso(LtlProduct *product, const Context *context) {
  Account *account = context->account;
  Walk walk = {.states = &product->graph->states, .schedule = schedule_new(account)};
  walk.schedule->fingerprint = context->program->fingerprint;
  walk.schedule->property = context->property;
  concrete_init(&walk.now, context->program, account);
  concrete_init(&walk.next, context->program, account);
  ProductStepVector stem, loop;
  ProductStepVector_init(&stem, account);
  ProductStepVector_init(&loop, account);
  ltl_product_lasso(product, &stem, &loop);
  bool told = walk_lasso(&walk, &stem, &loop);
  ProductStepVector_free(&loop);
  ProductStepVector_free(&stem);
  concrete_free(&walk.next);
  concrete_free(&walk.now);
  if (told) return walk.schedule;
  schedule_free(walk.schedule);
  return NULL;
}

// --- the result ---

typedef struct LtlRun {
  Context *context;
  Result *result;
  LtlGraph graph;
  LtlAutomaton automaton;
  GraphEnd end;
  StopReason stopped; // why the graph is not complete
} LtlRun;

static void cut_at_steps(LtlRun *run, const Bitset *steps, CutKind kind, const char *what) {
  const Program *p = run->context->program;
  Text text;
  text_init(&text, run->context->account);
  for (size_t s = bitset_next(steps, 0); s < steps->bits; s = bitset_next(steps, s + 1)) {
    const Position *position = &p->steps.data[s].position;
    text_clear(&text);
    text_add(&text, what);
    if (position->file != NULL) text_format(&text, " at %s:%u", position->file, (unsigned)position->line);
    result_add_cut(run->result, kind, text.data);
  }
  text_free(&text);
}

// What bounded the search, as cuts of the result.
static void report_cuts(LtlRun *run) {
  const LtlStates *states = &run->graph.states;
  const Program *p = run->context->program;
  for (size_t c = bitset_next(&states->cuts_met, 0); c < states->cuts_met.bits;
       c = bitset_next(&states->cuts_met, c + 1))
    result_add_program_cut(run->result, p, (CutId)c);
  cut_at_steps(run, &states->unforeseen, CUT_CONSTRUCT, "a step whose effect was not foreseen");
  Text what;
  text_init(&what, run->context->account);
  text_format(&what, "a value of more than %u bits", states->input_bits);
  cut_at_steps(run, &states->sampled, CUT_INPUT, what.data);
  if (run->graph.doubtful)
    result_add_cut(run->result, CUT_CONSTRUCT, "the formula looks through a pointer that was not foreseen");
  if (run->graph.undetermined != NO_ID) {
    text_clear(&what);
    text_format(&what, "the formula reads %s, which holds any value", p->cells.data[run->graph.undetermined].name);
    result_add_cut(run->result, CUT_INPUT, what.data);
  }
  text_free(&what);
}

// The judge has the last word where this arrives: if steps depend on values that were sampled, it may be in doubt. Then
// the cuts say what bounded the search.
static void report_found(LtlRun *run, LtlProduct *product) {
  const Context *context = run->context;
  Result *result = run->result;
  Schedule *schedule = tell_lasso(product, context);
  if (schedule == NULL) {
    result_unknown_for(result, REASON_INTERNAL, "internal error: what was found is no lasso");
    return;
  }
  report_cuts(run);
  result->answer = ANSWER_UNSAFE;
  result->schedule = schedule;
}

static void report_none(LtlRun *run) {
  Result *result = run->result;
  report_cuts(run);
  unsigned long long states = ltl_graph_count(&run->graph);
  bool all = run->end == GRAPH_COMPLETE;
  text_format(&result->covered, all ? "all %llu states" : "%llu states, no violation in them", states);
  if (run->end == GRAPH_LIMIT)
    result_unknown_for(result, REASON_STATES, "state limit reached");
  else if (run->end == GRAPH_STOPPED)
    result_stopped(result, run->stopped);
  else if (result->cuts.count == 0)
    result->answer = ANSWER_SAFE;
  else
    result_unknown_for_cuts(result);
}

// --- the run ---

static void search_product(LtlRun *run) {
  Context *context = run->context;
  LtlProduct product;
  ltl_product_init(&product, &run->graph, &run->automaton, context->ltl->fair, context->account);
  ProductEnd end = ltl_product_search(&product, context->budget);
  result_count(run->result, "product_states", (double)product.nodes.count);
  result_count(run->result, "product_transitions", (double)product.transitions);
  result_count(run->result, "automaton_states", (double)run->automaton.sets.count);
  switch (end) {
  case PRODUCT_FOUND: report_found(run, &product); break;
  case PRODUCT_EMPTY: report_none(run); break;
  case PRODUCT_STOPPED:
    report_cuts(run);
    result_stopped(run->result, context->budget->reason);
    break;
  }
  ltl_product_free(&product);
}

// When not all states fit into the time, what there is may hold a violation.
static const double SHARE_OF_STATES = 0.7;

static void run_all(LtlRun *run) {
  Context *context = run->context;
  Budget share = budget_share(context->budget, SHARE_OF_STATES);
  run->end = ltl_graph_build(&run->graph, explicit_options(context->options).max_states, &share, context->log);
  run->stopped = share.reason;
  result_count(run->result, "states", (double)ltl_graph_count(&run->graph));
  result_count(run->result, "transitions", (double)run->graph.edges.count);
  result_count(run->result, "letters", (double)run->graph.letter_values.count);
  search_product(run);
}

Result *ltl_search_run(Context *context) {
  LtlRun run = {.context = context, .result = result_new(context->property, context->account)};
  ltl_graph_init(&run.graph, context->program, explicit_options(context->options).input_bits, context->account);
  const LtlProperty *ltl = context->ltl;
  if (ltl_automaton_init(&run.automaton, &ltl->store, ltl->negation, context->account))
    run_all(&run);
  else
    result_unknown(run.result, "the formula has more than %d parts to be promised", MOST_PROMISES);
  ltl_automaton_free(&run.automaton);
  ltl_graph_free(&run.graph);
  return run.result;
}
