#include "survey/survey.h"

#include "survey/formats.h"
#include "survey/lock_orders.h"
#include "survey/memory/dereferences.h"
#include "survey/sent_addresses.h"
#include "survey/shared_objects.h"
#include "survey/slices/call_summary.h"
#include "survey/synchronisation/doubtful_locks.h"

#include "base/budget.h"

#include <stdlib.h>

const char *survey_protection_name(SurveyProtection protection) {
  static const char *const names[] = {
#define X(id, name, text) [SURVEY_##id] = name,
      SURVEY_PROTECTIONS(X)
#undef X
  };
  assert(protection < sizeof names / sizeof *names);
  return names[protection];
}

const char *survey_doubt_name(SurveyDoubt doubt) {
  static const char *const names[] = {
#define X(id, name, text) [SURVEY_DOUBT_##id] = name,
      SURVEY_DOUBTS(X)
#undef X
  };
  assert(doubt < sizeof names / sizeof *names);
  return names[doubt];
}

bool survey_doubt_is_outside(SurveyDoubt doubt) {
  return doubt == SURVEY_DOUBT_OUTSIDE || doubt == SURVEY_DOUBT_ELSEWHERE || doubt == SURVEY_DOUBT_LIBRARY;
}

uint64_t survey_name_key(const char *name) {
  Text key;
  text_init(&key, NULL);
  for (const char *c = name; *c; c++) {
    text_add_char(&key, *c);
    if (*c == ':') c += strspn(c + 1, "0123456789");
  }
  uint64_t hash = hash_bytes(key.data, key.length);
  text_free(&key);
  return hash;
}

// What a run of the stations needs beside the facts.
typedef struct Run {
  SurveyFacts facts;
  Pointing *pointing;
  U32Vector entries;
  const SurveyOptions *options;
  Survey *survey;
} Run;

static int compare_u32(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static bool find_entries(Run *run, const Code *code, Text *error) {
  for (uint32_t i = 0; i < run->options->entry_count; i++) {
    uint32_t function = code_find_function(code, run->options->entries[i]);
    if (function == NO_CODE_ID || !code->functions[function].defined) {
      text_format(error, "there is no function '%s' with a body in the program", run->options->entries[i]);
      return false;
    }
    U32Vector_push(&run->entries, function);
  }
  if (run->entries.count > 1) qsort(run->entries.data, run->entries.count, sizeof(uint32_t), compare_u32);
  if (code->main != NO_CODE_ID || run->entries.count > 0) return true;
  text_add(error, "the program has no function main; name the functions that threads call with --entry");
  return false;
}

static void progress(const Run *run, const char *station, uint64_t done, uint64_t total) {
  if (run->options->progress) run->options->progress(run->options->progress_context, station, done, total);
}

// --- assumptions ---

static void assume(StringVector *all, Arena *arena, const char *text) {
  StringVector_push(all, arena_string(arena, text));
}

static void assume_pointing(StringVector *all, Arena *arena, Account *account) {
  Text lines;
  text_init(&lines, account);
  pointing_assumptions(&lines);
  for (const char *line = lines.data; *line;) {
    size_t length = strcspn(line, "\n");
    if (length > 0) StringVector_push(all, arena_format(arena, "%.*s", (int)length, line));
    line += length + (line[length] == '\n');
  }
  text_free(&lines);
}

static void list_lock_assumptions(bool strict, StringVector *all, Arena *arena) {
  assume(all, arena,
         strict ? "locks are initialised before they are used, and not used after they are destroyed"
                : "locks are not initialised again or destroyed while a thread may hold them");
  assume(all, arena, "a function that waits for a lock returns with it");
  assume(all, arena,
         strict ? "a thread is joined once, after its creation"
                : "a thread unlocks only what it holds, and joins a thread once, after its creation");
}

// Functions of other libraries, of which some are named.
static void assume_libraries(StringVector *all, Run *run, Arena *arena) {
  enum { MOST_NAMES = 6 };
  const Code *code = run->facts.code;
  Text text;
  text_init(&text, run->facts.account);
  uint32_t count = 0;
  for (uint32_t f = 0; f < code->function_count; f++) {
    const Effect *effect = code->functions[f].defined ? NULL : calls_effect(run->facts.calls, f);
    if (!effect || !effect_is_foreign(effect) || ++count > MOST_NAMES) continue;
    text_format(&text, "%s%s", count > 1 ? ", " : "", code->functions[f].name);
  }
  if (count > MOST_NAMES) text_format(&text, " and %u more", (unsigned)(count - MOST_NAMES));
  if (count > 0)
    assume(all, arena,
           arena_format(arena, "functions of other libraries do with memory what their documentation says: %s",
                        text.data));
  text_free(&text);
}

static void list_assumptions(Run *run, bool volatile_accesses) {
  StringVector all;
  Arena *arena = &run->survey->arena;
  StringVector_init(&all, run->facts.account);
  assume_pointing(&all, arena, run->facts.account);
  assume_libraries(&all, run, arena);
  list_lock_assumptions(run->facts.strict, &all, arena);
  assume(&all, arena,
         "a block is published by an access that orders: none that a warning names, no relaxed atomic one");
  assume(&all, arena, "no block is used after it was freed");
  if (run->facts.code->file_assembly) assume(&all, arena, "assembly outside of functions touches no objects");
  if (volatile_accesses && run->options->volatile_reading == VOLATILE_ATOMIC)
    assume(&all, arena, "accesses by volatile lvalues are atomic");
  if (volatile_accesses && run->options->volatile_reading == VOLATILE_IGNORE)
    assume(&all, arena, "accesses by volatile lvalues do not race, and what they order does not race");
  run->survey->assumption_count = (uint32_t)all.count;
  run->survey->assumptions = arena_copy(arena, all.data, all.count * sizeof *all.data);
  StringVector_free(&all);
}

// --- stations ---

static void begin_facts(Run *run, const Code *code) {
  SurveyFacts *f = &run->facts;
  const uint32_t *entries = run->entries.data;
  size_t count = run->entries.count;
  f->code = code;
  f->pointing = run->pointing;
  number_sets_init(&f->sets, f->account);
  f->calls = calls_new(code, run->pointing, entries, count, f->account);
  f->templates = templates_new(code, run->pointing, f->calls, entries, count, f->account);
  f->locks = locks_new(code, run->pointing, f->calls, f->account);
  sharing_init(&f->sharing, code, run->pointing, f->calls, f->account);
  lock_families_init(&f->families, code, run->pointing, f->calls, f->account);
  semaphores_init(&f->semaphores, code, run->pointing, f->calls, f->account);
  if (f->strict) bitset_clear_all(&f->semaphores.calls); // they may be initialised again, or have many waits
  released_init(&f->released, code, run->pointing, f->calls, &f->semaphores, &f->sets, f->account);
}

static void end_facts(Run *run) {
  SurveyFacts *f = &run->facts;
  released_free(&f->released);
  semaphores_free(&f->semaphores);
  lock_families_free(&f->families);
  sharing_free(&f->sharing);
  locks_free(f->locks);
  templates_free(f->templates);
  calls_free(f->calls);
  number_sets_free(&f->sets);
}

static void give_up(Survey *survey, const char *station) {
  survey->complete = false;
  survey->incomplete_reason = arena_format(&survey->arena, "out of time: %s", station);
}

static void find_races(Run *run, Flow *flow, Accesses *accesses) {
  Survey *survey = run->survey;
  progress(run, "races", 0, accesses->classes.count);
  bitset_init(&run->facts.doubtful, pointing_area_count(run->pointing), run->facts.account);
  survey->built_format = run->facts.strict && formats_may_be_built(&run->facts);
  survey->sent_addresses = run->facts.strict && addresses_may_be_sent(&run->facts);
  if (run->facts.strict) run->survey->unset_lock = doubtful_locks_find(&run->facts.doubtful, &run->facts, flow);
  Races races = {.limited = {0}};
  if (!races_find(&races, accesses, &run->facts, flow, run->facts.account)) give_up(survey, "races");
  survey->totals.shared_accesses = accesses->count;
  Describe d = {survey, &run->facts, flow, accesses};
  objects_report(&d, &races);
  if (!lock_orders_report(&d, flow)) give_up(survey, "lock orders");
  list_assumptions(run, accesses->counted_volatile);
  races_free(&races);
  bitset_free(&run->facts.doubtful);
}

typedef struct PostCheck {
  SurveyFacts *facts;
  U32Vector wrong;
} PostCheck;

// A post by a thread that does not surely have the semaphore.
static void check_post(void *argument, uint32_t context, uint32_t statement, const FlowState *before,
                       const FlowState *after) {
  PostCheck *check = argument;
  SurveyFacts *facts = check->facts;
  (void)context, (void)after;
  if (!semaphores_is_lock(&facts->semaphores, statement) || !semaphores_posts(facts->calls, statement)) return;
  CodeOperand semaphore = code_operand(facts->code, &facts->code->statements[statement], 1);
  uint32_t lock = locks_named(facts->locks, semaphore, false);
  bool held = lock != NO_CODE_ID && set_has(&facts->sets, before->locks, lock);
  if (!held) U32Vector_push(&check->wrong, statement);
}

// True if some semaphores are no locks.
static bool drop_semaphores(SurveyFacts *facts, Flow *flow) {
  if (bitset_empty(&facts->semaphores.calls)) return false;
  PostCheck check = {.facts = facts};
  U32Vector_init(&check.wrong, facts->account);
  flow_visit(flow, check_post, &check);
  for (size_t i = 0; i < check.wrong.count; i++)
    if (semaphores_is_lock(&facts->semaphores, check.wrong.data[i]))
      semaphores_drop(&facts->semaphores, facts->code, facts->pointing, check.wrong.data[i]);
  bool dropped = check.wrong.count > 0;
  U32Vector_free(&check.wrong);
  return dropped;
}

// The flow with semaphores that are surely locks: each round without those that the one before has dropped. False: the
// deadline has passed.
static bool run_flow(Run *run, Flow **flow) {
  SurveyFacts *facts = &run->facts;
  for (;;) {
    *flow = flow_new(facts);
    if (!flow_run(*flow)) return false;
    if (!drop_semaphores(facts, *flow)) return true;
    flow_end(*flow);
  }
}

static void go_through_flow(Run *run) {
  Flow *flow = NULL;
  progress(run, "flow", 0, run->facts.code->statement_count);
  Accesses accesses;
  accesses_init(&accesses, run->facts.account);
  bool in_time = run_flow(run, &flow);
  progress(run, "accesses", 0, flow_context_count(flow));
  if (!in_time)
    give_up(run->survey, "flow");
  else if (!accesses_find(&accesses, &run->facts, flow, run->options->volatile_reading))
    give_up(run->survey, "accesses");
  else
    find_races(run, flow, &accesses);
  accesses_free(&accesses);
  flow_end(flow);
}

static void go(Run *run, const Code *code) {
  Survey *survey = run->survey;
  for (uint32_t f = 0; f < code->function_count; f++) survey->totals.functions += code->functions[f].defined;
  survey->totals.lines = code->lines;
  survey->totals.statements = code->statement_count;
  progress(run, "pointing", 0, code->statement_count);
  run->pointing = pointing_new(code, run->entries.data, (uint32_t)run->entries.count, run->options->strict,
                               run->options->deadline, run->facts.account);
  if (!run->pointing) {
    give_up(survey, "pointing");
    return;
  }
  begin_facts(run, code);
  survey->totals.threads = templates_count(run->facts.templates);
  progress(run, "dereferences", 0, code->statement_count);
  if (!run->options->strict && !dereferences_find(survey, &run->facts, run->entries.data, run->entries.count))
    give_up(survey, "dereferences");
  go_through_flow(run);
  if (run->options->summarise_calls) survey->calls = call_summary_new(&run->facts, &survey->arena);
  end_facts(run);
  pointing_free(run->pointing);
}

Survey *survey_run(const Code *code, const SurveyOptions *options, Text *error, Account *account) {
  Run run = {.options = options,
             .facts = {.account = account, .strict = options->strict, .deadline = options->deadline}};
  U32Vector_init(&run.entries, account);
  if (find_entries(&run, code, error)) {
    run.survey = memory_allocate_zeroed(account, sizeof *run.survey);
    arena_init(&run.survey->arena, account);
    run.survey->complete = true;
    go(&run, code);
  }
  U32Vector_free(&run.entries);
  return run.survey;
}

void survey_free(Survey *survey) {
  if (!survey) return;
  Account *account = survey->arena.account;
  arena_free(&survey->arena);
  memory_free(account, survey, sizeof *survey);
}
