#include "reach/combination.h"
#include "reach/domains/domains.h"
#include "reach/reach.h"
#include "reach/tree/certificate.h"
#include "reach/tree/invariants.h"
#include "transition/path_schedule.h"
#include "verdict/question.h"

#include <string.h>

typedef struct Run {
  Context *context;
  ReachChoice choice; // resolved by combination_resolve
  Result *result;
  Program *view;
  Explorer explorer;
  AnyDomain domain;
} Run;

// --- the schedule of an error path ---

static Bits value_in_model(Run *run, Term term) {
  return solver_value(explorer_feasibility(&run->explorer)->solver, term);
}

static void add_initial_cells(Run *run, PathSchedule *schedule) {
  const Program *p = run->context->program;
  for (CellId c = 0; c < p->cells.count; c++) {
    uint64_t known;
    if (p->cells.data[c].initial == TERM_NONE &&
        map_get(&explorer_walk(&run->explorer)->initial, p->cells.data[c].term, &known))
      path_schedule_initial(schedule, c, value_in_model(run, (Term)known));
  }
}

static void report_unsafe(Run *run) {
  Explorer *x = &run->explorer;
  Account *account = run->context->account;
  PathSchedule schedule;
  path_schedule_init(&schedule, run->context->program, explorer_transitions(x), run->context->property, account);
  BitsVector fresh;
  BitsVector_init(&fresh, account);
  Walk *walk = explorer_walk(x);
  walk_to(walk, explorer_error(x)); // includes the goal's own step
  add_initial_cells(run, &schedule);
  for (size_t i = 0; i < walk->steps.count; i++) {
    const WalkStep *step = &walk->steps.data[i];
    BitsVector_clear(&fresh);
    for (uint32_t k = 0; k < explorer_transitions(x)->edges.data[step->edge].fresh_count; k++)
      BitsVector_push(&fresh, value_in_model(run, walk->inputs.data[step->inputs + k]));
    path_schedule_edge(&schedule, step->edge, fresh.data);
  }
  run->result->answer = ANSWER_UNSAFE;
  run->result->schedule = path_schedule_end(&schedule);
  BitsVector_free(&fresh);
}

// --- searches ---

static ExploreAnswer run_explorer(Run *run, const ExploreOptions *options, Budget *budget) {
  explorer_init(&run->explorer, run->view, options, budget, run->context->log, run->context->account);
  Domain *domain = domain_open(&run->domain, reach_domain(&run->choice), &run->explorer);
  return explorer_run(&run->explorer, domain);
}

static void close_explorer(Run *run) {
  run->domain.domain.operations->free(&run->domain.domain);
  explorer_free(&run->explorer);
}

// --- the answer ---

static void report_cuts(Run *run) {
  if (run->view->joints_missing) result_add_cut(run->result, CUT_CONSTRUCT, run->view->joints_missing);
  const U32Vector *cuts = explorer_met_cuts(&run->explorer);
  if (explorer_iterations_cut(&run->explorer)) {
    Text what;
    text_init(&what, run->context->account);
    text_format(&what, "loops were followed %u times", (unsigned)explorer_options(&run->explorer)->most_iterations);
    result_add_cut(run->result, CUT_UNWINDING, what.data);
    text_free(&what);
  }
  for (size_t i = 0; i < cuts->count; i++) {
    if (cuts->data[i] == NO_ID)
      result_add_cut(run->result, CUT_CONSTRUCT, "a pointer whose target was not foreseen");
    else
      result_add_program_cut(run->result, run->view, cuts->data[i]);
  }
}

// Explores the same program without a reduction, in the time that is left. NULL: it is safe there, too, or the time was
// not enough.
static const char *check_against_all(Run *run) {
  ExploreOptions options = *explorer_options(&run->explorer);
  options.reduction = &reduction_none;
  options.symmetry = false;
  options.checked = 0;
  Run all = {.context = run->context, .choice = run->choice, .result = run->result, .view = run->view};
  ExploreAnswer answer = run_explorer(&all, &options, run->context->budget);
  close_explorer(&all);
  result_count(run->result, "full_interleaving", answer == EXPLORE_SAFE);
  return answer == EXPLORE_UNSAFE ? "internal error: the reduction missed a violation" : NULL;
}

static void report_safe(Run *run) {
  Result *result = run->result;
  if (result->cuts.count > 0) return;
  double start = clock_now();
  const char *flaw = certificate_check(&run->explorer, SOLVER_AUTOMATIC, run->context->budget, run->context->account);
  result_count(result, "certificate_seconds", clock_now() - start);
  if (!flaw && run->context->options->check_reduction) flaw = check_against_all(run);
  if (flaw) {
    StopReason stopped = run->context->budget->reason;
    result_unknown_for(result, stopped == STOP_NONE ? REASON_INTERNAL : reason_of_stop(stopped), "%s", flaw);
    text_add(&result->covered, "the tree is complete, and its certificate not checked to the end");
    return;
  }
  result->answer = ANSWER_SAFE;
  invariants_print(&run->explorer, &result->proof);
}

static void report(Run *run, ExploreAnswer answer) {
  Result *result = run->result;
  Explorer *x = &run->explorer;
  report_cuts(run);
  switch (answer) {
  case EXPLORE_UNSAFE: report_unsafe(run); break;
  case EXPLORE_SAFE: report_safe(run); break;
  case EXPLORE_UNDECIDED:
    result_unknown_for(result, explorer_broken(x) ? REASON_INTERNAL : REASON_GAVE_UP, "%s", explorer_flaw(x));
    break;
  case EXPLORE_STOPPED:
    result_stopped(result, explorer_budget(x)->reason);
    text_format(&result->covered, "a tree of %zu nodes", explorer_tree(x)->nodes.count);
    break;
  }
  explorer_statistics(x)->ordered_threads = thread_mask_count(explorer_reduction(x)->begins.held_first);
  explorer_statistics(x)->controls = control_count(explorer_controls(x));
  if (run->domain.domain.operations->lazy)
    explorer_statistics(x)->implications = run->domain.label.implications.by_solver;
#define X(name) result_count(result, #name, (double)explorer_statistics(x)->name);
  EXPLORE_STATISTICS(X)
#undef X
}

// The share of the time limit that the search may use. The rest is for the certificate.
static const double search_share = 0.85;

// What the options say. The reduction of its own choice is `monotone` for unreach-call, as in the Impara paper. For
// all other properties it is by persistent sets, which every combination has: their goals stand in most threads, and
// `monotone` takes many more interleavings until all of them are proved.
static ReachChoice choose(const Context *context) {
  ReachChoice choice = reach_choice(context->options);
  if (context->property != PROPERTY_UNREACH_CALL && choice.reduction == REDUCTION_OPTION_AUTO)
    choice.reduction = REDUCTION_OPTION_PERSISTENT;
  return choice;
}

static Result *reach_run(Context *context) {
  Run run = {.context = context, .result = result_new(context->property, context->account)};
  if (context->program->threads.count > MOST_MASKED_THREADS) {
    result_unknown_for(run.result, REASON_THREADS, "more than %d threads", MOST_MASKED_THREADS);
    return run.result;
  }
  run.choice = choose(context);
  Text error;
  text_init(&error, context->account);
  bool accepted = combination_resolve(&run.choice, &error);
  if (!accepted) result_unknown(run.result, "%s", error.data);
  text_free(&error);
  if (!accepted) return run.result;
  ExploreOptions options = reach_explore_options(context->options, &run.choice);
  Budget search = budget_share(context->budget, search_share);
  BlockSize size = run.choice.block == BLOCK_OPTION_SINGLE ? BLOCK_SINGLE : BLOCK_LARGE;
  run.view = question_joint_view(context->program, context->property, size);
  options.symmetry = engine_symmetry(context->options) && question_ignores_equal(run.view, context->property);
  report(&run, run_explorer(&run, &options, &search));
  close_explorer(&run);
  program_free_view(run.view);
  return run.result;
}

static bool reach_accepts(const EngineOptions *options, Text *error) {
  ReachChoice choice = reach_choice(options);
  return combination_resolve(&choice, error);
}

static unsigned reach_begins(const Features *features) {
  return features->loops > 0 && features->threads <= 3 ? BEGINS_LATER - 1 : BEGINS_LATER + 1;
}

static void set_predicates(EngineOptions *options) {
  options->domain = name_of(domain_names, DOMAIN_PREDICATE);
  options->reduction = name_of(reduction_names, REDUCTION_OPTION_PERSISTENT);
  options->block = name_of(block_names, BLOCK_OPTION_LOOP);
}

static void set_values(EngineOptions *options) {
  options->domain = name_of(domain_names, DOMAIN_EXPLICIT);
  options->reduction = name_of(reduction_names, REDUCTION_OPTION_AWARE);
  options->block = name_of(block_names, BLOCK_OPTION_LARGE);
}

static const EngineVariant reach_variants[] = {
    {" --domain predicate --reduction persistent --block loop", set_predicates},
    {" --domain explicit --reduction aware --block large", set_values},
    {0},
};

const Engine reach_engine = {.name = "reach",
                             .summary = "abstract reachability: Impact, values of variables, predicates",
                             .properties = 1u << PROPERTY_UNREACH_CALL | 1u << PROPERTY_NO_DATA_RACE |
                                           1u << PROPERTY_NO_DEADLOCK | 1u << PROPERTY_VALID_MEMSAFETY |
                                           1u << PROPERTY_NO_DIVISION_BY_ZERO | 1u << PROPERTY_NO_OVERFLOW |
                                           1u << PROPERTY_VALID_MEMCLEANUP | 1u << PROPERTY_VALID_MEMTRACK,
                             .reads = "domain reduction block search unwind simplify prune abstraction precision "
                                      "enumerate force-cover dependence symmetry check-reduction",
                             .tries_again = 1u << PROPERTY_VALID_MEMTRACK,
                             .accepts = reach_accepts,
                             .most_edges = MOST_JOINT_EDGES,
                             .begins = reach_begins,
                             .variants = reach_variants,
                             .run = reach_run};
