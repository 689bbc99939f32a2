// The portfolio with engines that are made for it: which one wins, what a broken engine costs, agreement, turns, and
// what is said when none decides. And the plan: which engine is asked for what.
#include "test_replay_support.h"

#include "cli/run/engines.h"
#include "cli/run/portfolio.h"
#include "program/settled.h"
#include "verdict/finding.h"

#include <signal.h>
#include <unistd.h>

// --- engines ---

static Result *say(const Context *context, Answer answer) {
  Result *result = result_new(context->property, context->account);
  result->answer = answer;
  if (answer == ANSWER_UNSAFE) {
    result->schedule = schedule_new(context->account);
    result->schedule->property = context->property;
    result->schedule->fingerprint = context->program->fingerprint;
  }
  return result;
}

static Result *say_safe(Context *context) { return say(context, ANSWER_SAFE); }
static Result *say_unsafe(Context *context) { return say(context, ANSWER_UNSAFE); }

static Result *say_safe_later(Context *context) {
  usleep(150000);
  return say(context, ANSWER_SAFE);
}

static Result *say_unsafe_later(Context *context) {
  usleep(150000);
  return say(context, ANSWER_UNSAFE);
}

static Result *crash(Context *context) {
  (void)context;
  signal(SIGSEGV, SIG_DFL);
  raise(SIGSEGV);
  return NULL;
}

static Result *fill_memory(Context *context) {
  for (;;) memory_allocate(context->account, 1 << 20);
  return NULL;
}

static Result *ignore_the_budget(Context *context) {
  (void)context;
  for (;;) pause();
  return NULL;
}

static Result *run_out_of_time(Context *context) {
  while (!budget_exhausted_now(context->budget, "test")) usleep(1000);
  Result *result = say(context, ANSWER_UNKNOWN);
  result_unknown(result, "%s", stop_reason_text(context->budget->reason));
  result_count(result, "unwound", 3);
  text_add(&result->covered, "three turns");
  return result;
}

static Result *give_up(Context *context) {
  Result *result = say(context, ANSWER_UNKNOWN);
  result_unknown(result, "too hard");
  return result;
}

static Result *meet_thread_limit(Context *context) {
  Result *result = say(context, ANSWER_SAFE);
  result_add_cut(result, CUT_THREADS, "more than 2 threads");
  return result;
}

// Knows only what another engine has learned.
static Result *use_what_was_learned(Context *context) {
  return context->unwound >= 3 ? say(context, ANSWER_SAFE) : run_out_of_time(context);
}

static Result *want_predicates(Context *context) {
  bool mine = strcmp(context->options->domain, "predicate") == 0;
  return mine ? say(context, ANSWER_SAFE) : run_out_of_time(context);
}

// A counterexample, and in the other way a proof, or the same once more.
static Result *say_safe_again(Context *context) { return say(context, context->again ? ANSWER_SAFE : ANSWER_UNSAFE); }
static Result *say_unsafe_again(Context *context) { return say(context, ANSWER_UNSAFE); }

static size_t settled_now(const Context *context) { return context->program->settled.count; }

static bool tell(const Context *context) {
  Result *result = say(context, ANSWER_UNSAFE);
  bool goes_on = context->tell && context->tell(context, result->schedule);
  result_free(result);
  return goes_on;
}

// Three violations in one search, each settled when the search goes on; then the rest is proved.
static Result *find_three(Context *context) {
  size_t before = settled_now(context);
  for (size_t i = 0; i < 3; i++)
    if (!tell(context) || settled_now(context) != before + i + 1) return say(context, ANSWER_UNSAFE);
  return say(context, ANSWER_SAFE);
}

static Result *find_three_later(Context *context) {
  usleep(200000);
  return find_three(context);
}

// Ends with each violation. When it begins again, they are settled.
static Result *find_two_anew(Context *context) {
  return say(context, settled_now(context) < 2 ? ANSWER_UNSAFE : ANSWER_SAFE);
}

// Finds, after a while, what was told before, and hears that it is settled.
static Result *find_late(Context *context) {
  usleep(300000);
  if (!tell(context) || settled_now(context) < 3) return say(context, ANSWER_UNSAFE);
  return run_out_of_time(context);
}

// The same, and proves the rest.
static Result *find_late_and_prove(Context *context) {
  usleep(300000);
  if (!tell(context) || settled_now(context) < 3) return say(context, ANSWER_UNSAFE);
  return say(context, ANSWER_SAFE);
}

static Result *find_much_later_and_prove(Context *context) {
  usleep(300000);
  return find_late_and_prove(context);
}

static Result *find_three_and_die(Context *context) {
  Result *result = find_three(context);
  result_free(result);
  return crash(context);
}

// Finds three, and leaves the rest to others.
static Result *find_three_and_give_up(Context *context) {
  Result *result = find_three(context);
  result_free(result);
  return give_up(context);
}

#define ENGINE(function) {.name = #function, .reads = "", .run = function}
#define ENGINE_AGAIN(function)                                                                                         \
  {.name = #function, .reads = "", .tries_again = 1u << PROPERTY_UNREACH_CALL, .run = function}
static const Engine table[] = {ENGINE(say_safe),
                               ENGINE(say_unsafe),
                               ENGINE(say_safe_later),
                               ENGINE(say_unsafe_later),
                               ENGINE(crash),
                               ENGINE(fill_memory),
                               ENGINE(ignore_the_budget),
                               ENGINE(run_out_of_time),
                               ENGINE(give_up),
                               ENGINE(meet_thread_limit),
                               ENGINE(use_what_was_learned),
                               ENGINE(want_predicates),
                               ENGINE(find_three),
                               ENGINE(find_three_later),
                               ENGINE(find_two_anew),
                               ENGINE(find_late),
                               ENGINE(find_late_and_prove),
                               ENGINE(find_much_later_and_prove),
                               ENGINE(find_three_and_die),
                               ENGINE(find_three_and_give_up),
                               ENGINE_AGAIN(say_safe_again),
                               ENGINE_AGAIN(say_unsafe_again)};

static const Engine *engine_named(const char *name) {
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (strcmp(table[i].name, name) == 0) return &table[i];
  fail_msg("no engine %s", name);
  return NULL;
}

// --- a setting ---

typedef struct Setting {
  Build build;
  Interrupt interrupt;
  Log log;
  Plan plan;
  Portfolio portfolio;
  bool confirms;
  JudgeOutcome refuses; // what the judge says if it does not confirm
  unsigned judged;      // so often it was asked
  unsigned contradicted;
  unsigned told, most; // violations that were told; the judge confirms `most` of them (0: all)
  double took;
} Setting;

static JudgeOutcome confirm(void *context, const Result *result, Text *why) {
  Setting *s = context;
  assert_non_null(result->schedule);
  s->judged++;
  if (s->most && s->told == s->most) return JUDGE_MISFIT; // it is settled
  if (s->confirms) return JUDGE_VIOLATION;
  text_add(why, "step 0 does not fit");
  return s->refuses;
}

// Tells the violation as an error at a line of its own.
static AfterFinding tell_it(void *context, Result *result, Text *finding) {
  Setting *s = context;
  assert_true(result->confirmed);
  Finding found;
  finding_init(&found, VIOLATION_ERROR);
  finding_add_place(&found, "x.c", 10 + ++s->told);
  finding_write_json(&found, finding);
  assert_true(finding_settle(&found, s->build.p));
  finding_free(&found);
  return AFTER_FINDING_GOES_ON;
}

static void contradict_it(void *context, const char *finding, const char *reason) {
  Setting *s = context;
  s->contradicted++;
  assert_non_null(strstr(finding, "x.c"));
  assert_non_null(strstr(reason, "internal error: contradiction in program"));
  assert_non_null(strstr(reason, " says SAFE (heddle check x.c --engine say_"));
  assert_non_null(strstr(reason, " says UNSAFE (heddle check x.c --engine find_"));
}

static void setting_open(Setting *s, const char *const *names) {
  *s = (Setting){.confirms = true, .refuses = JUDGE_MISFIT};
  build_begin(&s->build);
  build_thread(&s->build, "main", NO_ID);
  build_exit(&s->build, 0);
  passes_prepare(s->build.p, NULL);
  assert_true(interrupt_init(&s->interrupt));
  log_init(&s->log, LOG_QUIET);
  for (; *names; names++)
    s->plan.lanes[s->plan.count++] = (Lane){
        .members = {{.engine = engine_named(*names), .options = {.domain = "label"}, .settings = ""}}, .count = 1};
  s->portfolio = (Portfolio){.plan = &s->plan,
                             .program = s->build.p,
                             .property = PROPERTY_UNREACH_CALL,
                             .interrupt = &s->interrupt,
                             .log = &s->log,
                             .jobs = 2,
                             .slice = 0.2,
                             .agree = 1,
                             .repeat = "heddle check x.c",
                             .confirm = confirm,
                             .context = s};
}

static Result *setting_run(Setting *s, double seconds) {
  double started = clock_now();
  s->portfolio.deadline = started + seconds;
  Result *result = portfolio_run(&s->portfolio);
  s->took = clock_now() - started;
  return result;
}

static void setting_close(Setting *s) {
  interrupt_free(&s->interrupt);
  build_end(&s->build);
}

#define NAMES(...) ((const char *const[]){__VA_ARGS__, NULL})

// Runs the engines; `reason` is a part of why it is unknown.
static void expect(const char *const *names, unsigned jobs, unsigned agree, Answer answer, const char *reason) {
  Setting s;
  setting_open(&s, names);
  s.portfolio.jobs = jobs;
  s.portfolio.agree = agree;
  s.portfolio.memory = 600u << 20; // sanitizers need much
  Result *result = setting_run(&s, 3);
  assert_int_equal(result->answer, answer);
  if (!strstr(result->reason.data, reason)) fail_msg("'%s' is not in '%s'", reason, result->reason.data);
  assert_true(s.took < 3.6);
  result_free(result);
  setting_close(&s);
}

// --- tests ---

static void test_first_verdict_wins(void **state) {
  (void)state;
  for (unsigned jobs = 1; jobs <= 3; jobs++) {
    Setting s;
    setting_open(&s, NAMES("say_safe", "ignore_the_budget", "run_out_of_time"));
    s.portfolio.jobs = jobs;
    Result *result = setting_run(&s, 60);
    assert_int_equal(result->answer, ANSWER_SAFE);
    assert_true(result_statistic(result, "decided_by_say_safe") > 0);
    assert_true(s.took < 5);
    result_free(result);
    setting_close(&s);
  }
  expect(NAMES("ignore_the_budget", "say_unsafe_later"), 2, 1, ANSWER_UNSAFE, "");
}

static void test_a_broken_engine_costs_itself(void **state) {
  (void)state;
  expect(NAMES("crash", "fill_memory", "say_safe_later"), 2, 1, ANSWER_SAFE, "");
  expect(NAMES("crash", "fill_memory", "say_unsafe"), 1, 1, ANSWER_UNSAFE, "");
  expect(NAMES("crash", "fill_memory", "give_up"), 2, 1, ANSWER_UNKNOWN, "crash: engine crashed (signal 11)");
  expect(NAMES("crash", "fill_memory", "give_up"), 1, 1, ANSWER_UNKNOWN, "fill_memory: out of memory");
  expect(NAMES("crash", "give_up"), 1, 1, ANSWER_UNKNOWN, "give_up: too hard");
  expect(NAMES("crash"), 2, 1, ANSWER_UNKNOWN, "engine crashed (signal 11)");
}

static void test_unconfirmed_counterexamples_do_not_count(void **state) {
  (void)state;
  for (unsigned other = 0; other < 2; other++) {
    Setting s;
    setting_open(&s, other ? NAMES("say_unsafe", "say_safe_later") : NAMES("say_unsafe"));
    s.confirms = false;
    Result *result = setting_run(&s, 3);
    assert_int_equal(result->answer, other ? ANSWER_SAFE : ANSWER_UNKNOWN);
    if (!other)
      assert_string_equal(result->reason.data,
                          "internal error: the counterexample was not confirmed: step 0 does not fit");
    result_free(result);
    setting_close(&s);
  }
}

// An engine with another way left takes it once; what it says then counts.
static void test_another_way_after_a_refusal(void **state) {
  (void)state;
  for (unsigned safe = 0; safe < 2; safe++) {
    Setting s;
    setting_open(&s, safe ? NAMES("say_safe_again") : NAMES("say_unsafe_again"));
    s.confirms = false;
    Result *result = setting_run(&s, 3);
    assert_int_equal(result->answer, safe ? ANSWER_SAFE : ANSWER_UNKNOWN);
    if (!safe) assert_int_equal(result->why, REASON_INTERNAL);
    assert_int_equal(s.judged, safe ? 1 : 2);
    result_free(result);
    setting_close(&s);
  }
}

static void test_doubts_are_no_mistakes(void **state) {
  (void)state;
  Setting s;
  setting_open(&s, NAMES("say_unsafe"));
  s.confirms = false;
  s.refuses = JUDGE_DOUBT;
  Result *result = setting_run(&s, 3);
  assert_int_equal(result->answer, ANSWER_UNKNOWN);
  assert_int_equal(result->why, REASON_DOUBT);
  assert_int_equal(s.judged, 1);
  result_free(result);
  setting_close(&s);
}

// Runs the engines with up to `most` violations, which are told; returns the sealed answer about the rest.
static Result *find_all(Setting *s, const char *const *names, unsigned agree, unsigned most) {
  setting_open(s, names);
  s->portfolio.agree = agree;
  s->portfolio.tell = tell_it;
  s->portfolio.contradict = contradict_it;
  s->most = most;
  return setting_run(s, 3);
}

static void test_search_goes_on_after_violations(void **state) {
  (void)state;
  static const struct {
    const char *names[4];
    unsigned told;
    Answer answer;
    unsigned contradicted, agree;
  } cases[] = {
      {{"find_three"}, 3, ANSWER_SAFE, 0, 1},
      {{"find_two_anew"}, 2, ANSWER_SAFE, 0, 1},
      // It had not heard of them: a contradiction about these three. What it says of the rest counts for nothing, so
      // that another one has to decide that.
      {{"find_three_and_die", "say_safe_later"}, 3, ANSWER_UNKNOWN, 3, 1},
      {{"find_three_and_give_up", "say_safe_later", "find_late_and_prove"}, 3, ANSWER_SAFE, 3, 1},
      {{"find_three_and_die"}, 3, ANSWER_UNKNOWN, 0, 1},
      {{"find_three_and_give_up", "find_late"}, 3, ANSWER_UNKNOWN, 0, 1},
      {{"say_safe", "find_late"}, 0, ANSWER_SAFE, 0, 1},
      // Two have to agree. The one that says SAFE first contradicts what the other ones find later.
      {{"say_safe", "find_three_later"}, 3, ANSWER_UNKNOWN, 3, 2},
      {{"say_safe", "find_three_later", "find_much_later_and_prove"}, 3, ANSWER_SAFE, 3, 2},
      {{"say_safe", "find_late"}, 1, ANSWER_UNKNOWN, 1, 2},
      {{"find_three", "say_unsafe_later"}, 3, ANSWER_UNKNOWN, 0, 2},
      {{"find_three", "find_late_and_prove"}, 3, ANSWER_SAFE, 0, 2},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Setting s;
    Result *result = find_all(&s, cases[i].names, cases[i].agree, cases[i].told);
    if (s.told != cases[i].told || result->answer != cases[i].answer)
      fail_msg("%s: %u told, %s (%s)", cases[i].names[0], s.told, answer_text(result->answer), result->reason.data);
    assert_int_equal(s.build.p->settled.count, s.told);
    assert_int_equal(s.contradicted, cases[i].contradicted);
    assert_null(strstr(result->reason.data, "contradiction"));
    result_free(result);
    setting_close(&s);
  }
}

// With --first, or for formulas, the first violation is the verdict.
static void test_first_violation_ends_without_tell(void **state) {
  (void)state;
  expect(NAMES("find_three"), 2, 1, ANSWER_UNSAFE, "");
  expect(NAMES("find_two_anew"), 1, 1, ANSWER_UNSAFE, "");
}

static void test_agreement(void **state) {
  (void)state;
  expect(NAMES("say_safe", "say_safe_later"), 2, 2, ANSWER_SAFE, "");
  expect(NAMES("say_safe", "say_safe_later"), 1, 2, ANSWER_SAFE, "");
  expect(NAMES("say_safe", "give_up"), 2, 2, ANSWER_UNKNOWN, "1 of 2 engines said SAFE; give_up: too hard");
  expect(NAMES("say_unsafe", "say_safe"), 1, 2, ANSWER_UNSAFE, "");
  for (unsigned jobs = 1; jobs <= 2; jobs++)
    expect(NAMES("say_safe", "say_unsafe_later"), jobs, 2, ANSWER_UNKNOWN,
           "say_safe says SAFE (heddle check x.c --engine say_safe); say_unsafe_later says UNSAFE (heddle check x.c "
           "--engine say_unsafe_later)");
}

// An engine that was asked before the others is not run: its word counts, and can be contradicted.
static void test_said_before(void **state) {
  (void)state;
  static const struct {
    const char *other;
    Answer answer;
    const char *reason;
  } cases[] = {
      {"say_safe_later", ANSWER_SAFE, ""},
      {"give_up", ANSWER_UNKNOWN, "1 of 2 engines said SAFE; give_up: too hard"},
      {"say_unsafe", ANSWER_UNKNOWN,
       "crash says SAFE (heddle check x.c --engine crash); say_unsafe says UNSAFE (heddle check x.c --engine "
       "say_unsafe)"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    for (unsigned jobs = 1; jobs <= 2; jobs++) {
      Setting s;
      setting_open(&s, NAMES(cases[i].other, "crash"));
      s.plan.lanes[1].said_safe = true;
      s.portfolio.jobs = jobs;
      s.portfolio.agree = 2;
      Result *result = setting_run(&s, 3);
      assert_int_equal(result->answer, cases[i].answer);
      if (!strstr(result->reason.data, cases[i].reason)) fail_msg("'%s'", result->reason.data);
      result_free(result);
      setting_close(&s);
    }
  }
}

static void test_time_is_kept(void **state) {
  (void)state;
  for (unsigned jobs = 1; jobs <= 2; jobs++) {
    Setting s;
    setting_open(&s, NAMES("ignore_the_budget", "run_out_of_time"));
    s.portfolio.jobs = jobs;
    Result *result = setting_run(&s, 0.8);
    assert_int_equal(result->answer, ANSWER_UNKNOWN);
    assert_string_equal(result->reason.data, "out of time");
    assert_true(s.took >= 0.7 && s.took < 1.7);
    result_free(result);
    setting_close(&s);
  }
}

// With one job lanes take turns, and what one learned is there for the next.
static void test_turns_and_learning(void **state) {
  (void)state;
  Setting s;
  setting_open(&s, NAMES("run_out_of_time", "use_what_was_learned"));
  s.portfolio.jobs = 1;
  Result *result = setting_run(&s, 30);
  assert_int_equal(result->answer, ANSWER_SAFE);
  assert_true(s.took < 5);
  result_free(result);
  setting_close(&s);
}

static void test_settings_in_turn(void **state) {
  (void)state;
  for (unsigned jobs = 1; jobs <= 2; jobs++) {
    Setting s;
    setting_open(&s, NAMES("ignore_the_budget", "want_predicates"));
    Lane *lane = &s.plan.lanes[1];
    lane->members[1] = lane->members[0];
    lane->members[1].options.domain = "predicate";
    lane->count = 2;
    s.portfolio.jobs = jobs;
    Result *result = setting_run(&s, jobs == 1 ? 20 : 1);
    assert_int_equal(result->answer, ANSWER_SAFE);
    result_free(result);
    setting_close(&s);
  }
}

// A cut that larger limits move ends the round, unless other cuts are in the way.
static void test_growth_ends_the_round(void **state) {
  (void)state;
  for (unsigned grows = 0; grows < 2; grows++) {
    Setting s;
    setting_open(&s, NAMES("meet_thread_limit", "run_out_of_time"));
    s.portfolio.may_grow = true;
    s.portfolio.growing = grows ? 1u << CUT_THREADS : 1u << CUT_HEAP;
    Result *result = setting_run(&s, 1);
    assert_int_equal(result->answer, ANSWER_UNKNOWN);
    assert_int_equal(result->cuts.count, 1);
    assert_int_equal(s.took < 0.9, grows);
    result_free(result);
    setting_close(&s);
  }
}

static void test_interrupt(void **state) {
  (void)state;
  Setting s;
  setting_open(&s, NAMES("run_out_of_time", "ignore_the_budget"));
  raise(SIGTERM); // blocked: the head reads it
  Result *result = setting_run(&s, 60);
  assert_int_equal(result->answer, ANSWER_UNKNOWN);
  assert_string_equal(result->reason.data, "interrupted");
  assert_true(s.took < 2);
  result_free(result);
  setting_close(&s);
}

// --- the plan ---

static void parse(Options *options, Text *error, bool good, const char *const *words) {
  char *argv[16] = {0};
  int argc = 0;
  for (; *words; words++) argv[argc++] = (char *)*words;
  assert_int_equal(options_parse(options, COMMAND_CHECK, argc, argv, error), good);
}

static void test_plan(void **state) {
  (void)state;
  const struct {
    const char *const *words;
    Features features;
    const char *order; // the lanes; NULL: none
  } cases[] = {
      {NAMES("x.c"), {.threads = 3}, "order replay reach circuit "},
      {NAMES("x.c"), {.threads = 3, .loops = 2}, "replay order reach circuit "},
      {NAMES("x.c"), {.threads = 3, .input_bits = 320}, "order replay reach circuit "},
      {NAMES("x.c", "--engine", "circuit"), {.threads = 3}, "circuit "},
      {NAMES("x.c", "--unwind", "3"), {.threads = 3}, "order reach "},
      {NAMES("x.c", "--exhaustive"), {.threads = 3}, "replay "},
      {NAMES("x.c", "--reduction", "sleep"), {.threads = 3}, "replay "},
      {NAMES("x.c", "--property", "no-data-race"), {.threads = 3}, "order replay reach circuit "},
      {NAMES("x.c", "--property", "valid-memsafety"), {.threads = 3}, "order replay reach circuit "},
      {NAMES("x.c", "--property", "no-deadlock"), {.threads = 3}, "order replay reach circuit "},
      {NAMES("x.c", "--exhaustive", "--method", "bdd"), {.threads = 3}, NULL},
      {NAMES("x.c", "--exhaustive", "--agree", "2"), {.threads = 3}, NULL},
      {NAMES("x.c", "--agree", "0"), {.threads = 3}, NULL},
      {NAMES("x.c", "--agree", "4"), {.threads = 3}, "order replay reach circuit "},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Options options;
    Text text;
    text_init(&text, NULL);
    parse(&options, &text, cases[i].order != NULL, cases[i].words);
    if (cases[i].order) {
      Plan plan;
      plan_make(&plan, &options, &cases[i].features);
      for (size_t k = 0; k < plan.count; k++) text_format(&text, "%s ", plan.lanes[k].members[0].engine->name);
      assert_string_equal(text.data, cases[i].order);
    } else {
      assert_true(text.length > 0);
    }
    text_free(&text);
    options_free(&options);
  }
}

// Every option of engines is read by one, and engines read no others.
static void test_who_reads_what(void **state) {
  (void)state;
  for (size_t i = 0; i < option_row_count; i++) {
    unsigned readers = 0;
    for (size_t e = 0; engines[e]; e++) readers += engine_reads(engines[e], option_rows[i].name);
    assert_int_equal(readers > 0, option_rows[i].engine);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_first_verdict_wins),
      cmocka_unit_test(test_a_broken_engine_costs_itself),
      cmocka_unit_test(test_unconfirmed_counterexamples_do_not_count),
      cmocka_unit_test(test_another_way_after_a_refusal),
      cmocka_unit_test(test_doubts_are_no_mistakes),
      cmocka_unit_test(test_search_goes_on_after_violations),
      cmocka_unit_test(test_first_violation_ends_without_tell),
      cmocka_unit_test(test_agreement),
      cmocka_unit_test(test_said_before),
      cmocka_unit_test(test_time_is_kept),
      cmocka_unit_test(test_turns_and_learning),
      cmocka_unit_test(test_settings_in_turn),
      cmocka_unit_test(test_growth_ends_the_round),
      cmocka_unit_test(test_interrupt),
      cmocka_unit_test(test_plan),
      cmocka_unit_test(test_who_reads_what),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
