// The engine: a first part of the exhaustive search, random runs, the rest of it; the schedule; the verdict.
#include "explicit/explicit_engine.h"
#include "explicit/early_ends.h"
#include "explicit/explicit_options.h"
#include "explicit/input_regions.h"
#include "explicit/ltl/ltl_search.h"
#include "explicit/random_search.h"
#include "explicit/search.h"
#include "judge/judge.h"
#include "judge/wording.h"
#include "program/settled.h"

typedef struct Run {
  Context *context;
  ExplicitOptions options;
  Result *result;
  Program *view; // of the program, without the values on which nothing depends
  bool carries;  // indeterminate values are copied without being chosen
  StateLayout layout;
  MachineCode code;
  Footprint footprint;
  InputSamples samples;
  Domains domains;
  Chooser chooser, random_chooser; // the searches take turns, so each has its own
  Mover mover, random_mover;
  Path path;
  Symmetry symmetry; // of the exhaustive search
  SymmetryCare care;
  size_t told; // violations after which the search went on
} Run;

enum { PRESERVED = PRESERVES_REACHABILITY | PRESERVES_RACES | PRESERVES_DEADLOCKS | PRESERVES_MEMORY };

static bool reduces(const Run *run) { return run->options.reduction != EXPLICIT_REDUCTION_NONE; }

static void run_open(Run *run, Context *context, bool carry) {
  Account *account = context->account;
  bool races = context->property == PROPERTY_NO_DATA_RACE;
  run->context = context;
  run->options = explicit_options(context->options);
  run->result = result_new(context->property, account);
  run->view = program_view(context->program);
  // What pointers hold at the end is read from the states: no value may be missing there.
  bool values = context->property == PROPERTY_VALID_MEMTRACK, reduced = reduces(run) && !values;
  if (reduced) passes_reduce(run->view, PRESERVED, BLOCK_STEP);
  run->carries = carry && reduced;
  LayoutMode mode = run->carries ? LAYOUT_CARRYING : reduced ? LAYOUT_EXACT : LAYOUT_PLAIN;
  state_layout_init(&run->layout, run->view, mode, account);
  machine_code_init(&run->code, &run->layout, account);
  footprint_init(&run->footprint, &run->code, races, account);
  input_samples_init(&run->samples, run->view, account);
  size_t choices[CHOICE_KINDS] = {[CHOICE_INPUT] = run->code.writes.count,
                                  [CHOICE_VARIABLE] = run->code.resolves.count,
                                  [CHOICE_CELL] = run->view->cells.count};
  domains_init(&run->domains, choices, account);
  if (reduces(run)) regions_find(&run->domains, run->view, &run->code, context->budget, account);
  unsigned input_bits = run->options.input_bits;
  chooser_init(&run->chooser, &run->samples, input_bits, 0, account);
  chooser_init(&run->random_chooser, &run->samples, input_bits, run->options.seed, account);
  run->chooser.domains = run->random_chooser.domains = &run->domains;
  mover_init(&run->mover, &run->footprint, context->property, &run->chooser, account);
  mover_init(&run->random_mover, &run->footprint, context->property, &run->random_chooser, account);
  path_init(&run->path, account);
}

static void run_close(Run *run) {
  path_free(&run->path);
  mover_free(&run->random_mover);
  mover_free(&run->mover);
  chooser_free(&run->random_chooser);
  chooser_free(&run->chooser);
  domains_free(&run->domains);
  input_samples_free(&run->samples);
  footprint_free(&run->footprint);
  machine_code_free(&run->code);
  state_layout_free(&run->layout);
  program_free_view(run->view);
}

// Turns the path into a schedule. The judge sees it where the engine's answer arrives.
static void report_violation(Run *run) {
  const Context *context = run->context;
  run->result->answer = ANSWER_UNSAFE;
  run->result->schedule =
      path_schedule(&run->path, &run->random_mover, context->program, context->property, context->account);
}

// Tells the violation at the end of the path. True: it is settled, and the searches go on.
static bool tell_violation(Run *run) {
  const Context *context = run->context;
  if (!context->tell) return false;
  Schedule *schedule =
      path_schedule(&run->path, &run->random_mover, context->program, context->property, context->account);
  bool goes_on = context->tell(context, schedule);
  schedule_free(schedule);
  if (!goes_on) return false;
  view_settle(run->view, context->program);
  run->told++;
  return true;
}

static const char *other(const Run *run) { return run->told ? "other " : ""; }

static void note_position(const Program *program, StepId step, Text *out) {
  const Position *position = &program->steps.data[step].position;
  if (position->file != NULL) text_format(out, " at %s:%u", position->file, (unsigned)position->line);
}

static void report_doubts(Run *run, const Bitset *doubted) {
  Text what;
  text_init(&what, run->context->account);
  for (size_t s = bitset_next(doubted, 0); s < doubted->bits; s = bitset_next(doubted, s + 1)) {
    text_clear(&what);
    text_add(&what, "a race, if the undefined function that is called");
    note_position(run->context->program, (StepId)s, &what);
    text_add(&what, " writes through its argument");
    result_add_cut(run->result, CUT_CONSTRUCT, what.data);
  }
  text_free(&what);
}

// What bounded the search, as cuts of the result.
static void report_cuts(Run *run, const Search *search) {
  const Program *p = run->context->program;
  for (CutId cut = 0; cut < p->cuts.count; cut++) {
    if (run->mover.cuts_met[cut] || run->random_mover.cuts_met[cut]) result_add_program_cut(run->result, p, cut);
  }
  report_doubts(run, &run->mover.doubted);
  report_doubts(run, &run->random_mover.doubted);
  if (search == NULL) return;
  Text what;
  text_init(&what, run->context->account);
  const Bitset *unforeseen = &run->mover.machine.unforeseen;
  for (size_t s = bitset_next(unforeseen, 0); s < unforeseen->bits; s = bitset_next(unforeseen, s + 1)) {
    text_clear(&what);
    text_add(&what, "a pointer whose target was not foreseen");
    note_position(p, (StepId)s, &what);
    result_add_cut(run->result, CUT_CONSTRUCT, what.data);
  }
  for (size_t i = 0; i < search->sampled.list.count; i++) {
    text_clear(&what);
    sampled_choice_print(&what, p, &search->sampled.list.data[i]);
    result_add_cut(run->result, CUT_INPUT, what.data);
  }
  text_free(&what);
  if (run->mover.bounded)
    result_add_cut(run->result, CUT_SEARCH, "an atomic section that does not end, or too many ways on");
}

// Where executions ended that did not violate the property: all of these places, if every state was visited.
static void report_ended(Run *run) {
  const Program *p = run->context->program;
  bitset_union(&run->mover.machine.ended, &run->random_mover.machine.ended);
  const Bitset *ended = &run->mover.machine.ended;
  for (size_t s = bitset_next(ended, 0); s < ended->bits; s = bitset_next(ended, s + 1))
    ends_rest_on(run->result, p, (StepId)s, true);
  result_count(run->result, "ends_known", 1);
}

static void count_search(Run *run, const Search *search) {
  Result *result = run->result;
  const SearchStatistics *statistics = &search->statistics;
  size_t components = 0;
  for (size_t c = 0; c < search->store.component_count; c++) components += search->store.components[c].contents.count;
  result_count(result, "states", (double)statistics->states);
  result_count(result, "transitions", (double)statistics->transitions);
  result_count(result, "revisits", (double)statistics->revisits);
  result_count(result, "max_depth", (double)statistics->max_depth);
  result_count(result, "reduction_single", (double)statistics->single);
  result_count(result, "reduction_full", (double)statistics->full);
  result_count(result, "reduction_woken", (double)statistics->woken);
  result_count(result, "symmetry_early", run->care == SYMMETRY_EARLY);
  result_count(result, "symmetry_late", run->care == SYMMETRY_LATE);
  result_count(result, "search_seconds", search->seconds);
  result_count(result, "violations_told", (double)run->told);
  result_count(result, "components", (double)components);
  double bytes = (double)store_memory(&search->store);
  result_count(result, "state_bytes", statistics->states > 0 ? bytes / (double)statistics->states : 0);
}

// No other engine can decide the property. (For reachability another engine would run.)
static bool is_last_resort(const Context *context) {
  return context->alone && context->property != PROPERTY_UNREACH_CALL;
}

#define MOST_SAMPLED_SECONDS 60.0 // of a search that cannot become a proof
enum { MOST_NOTES = 3 };

static bool exchanges(const Run *run) {
  ExplicitReduction reduction = run->options.reduction;
  Property property = run->context->property;
  // What counts at the end of the process is another matter: main may end it between joins.
  if (property == PROPERTY_VALID_MEMTRACK || property == PROPERTY_VALID_MEMCLEANUP) return false;
  return run->options.symmetry && (reduction == EXPLICIT_REDUCTION_AUTO || reduction == EXPLICIT_REDUCTION_PERSISTENT);
}

static void open_search(Run *run, Search *search, SymmetryCare care) {
  Context *context = run->context;
  // A race is seen after one of its two events only; with sleep sets that one may not be executed again.
  bool sleeps = run->options.reduction == EXPLICIT_REDUCTION_SLEEP && context->property != PROPERTY_NO_DATA_RACE;
  search_init(search, &run->mover, reduces(run), sleeps, run->options.max_states, context->budget, context->log,
              &run->path, context->account);
  search->growing = context->growing;
  search->grow_at = context->grow_at;
  search->also_met = run->random_mover.cuts_met;
  run->care = exchanges(run) ? care : SYMMETRY_NONE;
  if (!symmetry_init(&run->symmetry, &run->mover, run->care, context->account))
    run->care = SYMMETRY_NONE;
  else
    search_exchange(search, &run->symmetry);
  if (!is_last_resort(context)) return;
  double quarter = budget_left(context->budget) / 4;
  search->sampled_until = clock_now() + (quarter < MOST_SAMPLED_SECONDS ? quarter : MOST_SAMPLED_SECONDS);
  search->notes = context->round == 0 ? MOST_NOTES : 0;
}

static void close_search(Run *run, Search *search) {
  search_free(search);
  symmetry_free(&run->symmetry);
}

// Starts or goes on, also behind violations; from the start with more care as long as main tells threads apart.
static SearchEnd run_search(Run *run, Search *search, uint64_t pause_at) {
  for (;;) {
    SearchEnd end = search_run(search, pause_at);
    if (end == SEARCH_VIOLATION && tell_violation(run)) {
      search_go_on(search);
      continue;
    }
    if (end != SEARCH_TOLD_APART) return end;
    SymmetryCare care = run->care + 1;
    close_search(run, search);
    open_search(run, search, care);
  }
}

static void report_search(Run *run, const Search *search, SearchEnd end) {
  Result *result = run->result;
  unsigned long long states = search->statistics.states;
  count_search(run, search);
  if (end == SEARCH_VIOLATION) {
    report_violation(run);
    return;
  }
  report_cuts(run, search);
  if (end == SEARCH_COMPLETE) {
    text_format(&result->covered, "all %llu states", states);
    report_ended(run);
    if (result->cuts.count == 0)
      result->answer = ANSWER_SAFE;
    else
      result_unknown_for_cuts(result); // although every state was visited
    return;
  }
  text_format(&result->covered, "%llu states, no %sviolation in them", states, other(run));
  state_sources_tell(&search->sources, &result->covered);
  if (end == SEARCH_GAVE_UP || end == SEARCH_GROWS)
    result_unknown_for_cuts(result);
  else if (end == SEARCH_LIMIT)
    result_unknown_for(result, REASON_STATES, "state limit reached");
  else
    result_stopped(result, run->context->budget->reason);
}

// A part of the search: the judge's clocks know races whose accesses are not next to each other, so it is asked about
// runs in which the search itself has found nothing.
static bool judge_sees_race(void *context) {
  Run *run = context;
  Context *c = run->context;
  Text message;
  text_init(&message, c->account);
  Schedule *schedule = path_schedule(&run->path, &run->random_mover, c->program, c->property, c->account);
  bool violates = judge_schedule(c->program, schedule, NULL, &message, c->account) == JUDGE_VIOLATION;
  schedule_free(schedule);
  text_free(&message);
  return violates;
}

// True if a violation was found (and reported) that ends the search.
static bool search_randomly(Run *run, uint64_t runs, double seconds, bool judged) {
  Context *context = run->context;
  RandomSearch search;
  random_search_init(&search, &run->random_mover, run->options.seed, context->budget, context->log, &run->path,
                     context->account);
  search.ask = judged ? judge_sees_race : NULL;
  CoverageArchive archive;
  bool guided = run->options.search == EXPLICIT_SEARCH_GUIDED;
  if (guided) {
    coverage_archive_init(&archive, run->random_mover.machine.layout, context->account);
    random_search_guide(&search, &archive);
  }
  search.context = run;
  bool found = random_search_run(&search, runs, seconds);
  while (found && tell_violation(run)) found = random_search_run(&search, runs, seconds);
  result_count(run->result, "random_runs", (double)search.runs);
  result_count(run->result, "random_moves", (double)search.moves);
  random_search_free(&search);
  if (guided) coverage_archive_free(&archive);
  if (found) report_violation(run);
  return found;
}

// Are there calls that will be inlined once an execution reaches them?
static bool on_demand(const Context *context) { return context->growing >> CUT_CALLS & 1; }

// Have the runs come to calls that the next lowering inlines?
static bool met_calls(const Run *run) {
  const Program *p = run->context->program;
  for (CutId c = 0; c < p->cuts.count; c++)
    if (run->random_mover.cuts_met[c] && p->cuts.data[c].call_count) return true;
  return false;
}

static const double GUIDED_ON_DEMAND = 0.5; // seconds before calls that were met are inlined

static void only_random(Run *run) {
  const Context *context = run->context;
  bool first_calls = run->options.search == EXPLICIT_SEARCH_GUIDED && on_demand(context);
  if (first_calls && search_randomly(run, 0, GUIDED_ON_DEMAND, false)) return;
  bool grows = first_calls && met_calls(run);
  if (!grows && search_randomly(run, run->options.random_runs, 0, false)) return;
  report_cuts(run, NULL);
  double runs = result_statistic(run->result, "random_runs");
  text_format(&run->result->covered, "%.0f random runs, no %sviolation in them", runs, other(run));
  if (grows)
    result_unknown_for_cuts(run->result);
  else if (context->budget->reason != STOP_NONE)
    result_stopped(run->result, context->budget->reason);
  else
    result_unknown_for(run->result, REASON_RANDOM, "random runs only");
}

// How long random runs take before the exhaustive search continues; short, if they only have to find calls to inline.
static double random_seconds(const Context *context) {
  double tenth = budget_left(context->budget) / 10, most = on_demand(context) ? 0.3 : 2;
  return tenth < most ? tenth : most;
}

enum { JUDGED_RUNS = 400 };

// Was a race seen behind an attempt that was supposed to fail? Runs in which it really fails may show it to the judge.
static bool has_doubts(const Run *run) {
  const Program *p = run->view;
  bool any = false;
  for (size_t s = 0; p->supposed.count && s < p->steps.count; s++) {
    const Access *access = &p->steps.data[s].access;
    bool supposes = access->address != TERM_NONE && access->unordered && access->writes;
    if (!supposes || !term_is_constant(p->terms, access->stored)) continue;
    any |= run->mover.cuts_met[term_constant_value(p->terms, access->stored) - 1];
  }
  return any;
}
// Programs that are done by then need no luck. Where calls are inlined on demand, random runs find more of them sooner.
enum { STATES_BEFORE_RANDOM = 50000, STATES_ON_DEMAND = 5000 };

static void run_searches(Run *run) {
  if (run->options.search == EXPLICIT_SEARCH_RANDOM || run->options.search == EXPLICIT_SEARCH_GUIDED) {
    only_random(run);
    return;
  }
  bool exhaustive = run->options.search == EXPLICIT_SEARCH_EXHAUSTIVE;
  Search search;
  open_search(run, &search, SYMMETRY_EARLY);
  uint64_t pause = on_demand(run->context) ? STATES_ON_DEMAND : STATES_BEFORE_RANDOM;
  SearchEnd end = run_search(run, &search, exhaustive ? 0 : pause);
  bool found = end == SEARCH_PAUSED && search_randomly(run, 0, random_seconds(run->context), false);
  if (end == SEARCH_PAUSED && !found) end = search_should_grow(&search) ? SEARCH_GROWS : run_search(run, &search, 0);
  if (end == SEARCH_COMPLETE && has_doubts(run))
    found = search_randomly(run, JUDGED_RUNS, random_seconds(run->context), true);
  if (found)
    count_search(run, &search);
  else
    report_search(run, &search, end);
  close_search(run, &search);
}

static Result *run_reachability(Context *context) {
  Run run = {0};
  run_open(&run, context, !context->again); // a copy may have differed from its original
  run_searches(&run);
  run_close(&run);
  if (context->again) result_count(run.result, "searched_again", 1);
  return run.result;
}

static Result *replay_engine_run(Context *context) {
  const Program *p = context->program;
  if (p->threads.count > MOST_MASKED_THREADS) {
    Result *result = result_new(context->property, context->account);
    result_unknown_for(result, REASON_THREADS, "more than %d threads", MOST_MASKED_THREADS);
    result_seal(result);
    return result;
  }
  Result *result = context->property == PROPERTY_LTL ? ltl_search_run(context) : run_reachability(context);
  if (context->log != NULL) log_progress_end(context->log);
  result_rest_on_program(result, p);
  if (context->account != NULL) result_count(result, "memory_peak_bytes", (double)context->account->peak);
  if (result->answer != ANSWER_UNSAFE) result_seal(result); // a counterexample waits for the judge
  return result;
}

static unsigned explicit_begins(const Features *features) {
  return features->input_bits > 64 && features_finite(features) ? BEGINS_LATER : BEGINS_SOON + 1;
}

// Those that a finite execution violates.
enum {
  FINITE_PROPERTIES = 1u << PROPERTY_UNREACH_CALL | 1u << PROPERTY_NO_OVERFLOW | 1u << PROPERTY_VALID_MEMCLEANUP |
                      1u << PROPERTY_VALID_MEMTRACK | 1u << PROPERTY_NO_DATA_RACE | 1u << PROPERTY_NO_DEADLOCK |
                      1u << PROPERTY_VALID_MEMSAFETY | 1u << PROPERTY_NO_DIVISION_BY_ZERO
};

const Engine explicit_engine = {
    .name = "replay",
    .summary = "concrete search: random runs and all interleavings of a small program",
    .properties = FINITE_PROPERTIES | 1u << PROPERTY_LTL,
    .reads = "reduction symmetry search random exhaustive seed input-bits max-states",
    .reductions = &explicit_reduction_names,
    .searches = &explicit_search_names,
    .stops_to_grow = true,
    .tries_again = FINITE_PROPERTIES,
    .begins = explicit_begins,
    .run = replay_engine_run,
};
