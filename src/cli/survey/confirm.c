#include "cli/survey/confirm.h"

#include "cli/run/findings.h"
#include "cli/run/supervised.h"
#include "cli/survey/confirm_focus.h"
#include "cli/survey/confirm_marks.h"
#include "survey/slices/race_slice.h"

#include <assert.h>
#include <unistd.h>

typedef struct Session {
  const Confirmation *confirmation;
  SurveyReport *report;
  Arena *arena;
  U32Vector targets; // objects, in the order of their numbers
  double end;        // of the runs of the present kind, on clock_now's clock; 0: none
} Session;

// One run: what is asked, and what came of it.
typedef struct Trial {
  const char *subject;                // for progress lines
  const FrontSlice *slice;            // NULL: the whole program
  const SuppressionVector *elsewhere; // lines that are not asked about; NULL: all are
  bool random;                        // random executions only; else all engines
  double deadline;                    // 0: none
  bool proved, late;                  // of the whole program; it may find more with more time
  const char *reason;                 // why it does not know more; NULL: it found a race or proved that there is none
} Trial;

// --- one run ---

// The options of the check that the survey asks for: all comments count as accesses, and nothing is written.
static Options check_options(const Options *survey, const Trial *trial) {
  Options options = *survey;
  options.command = COMMAND_CHECK;
  options.properties = property_alone(PROPERTY_NO_DATA_RACE);
  options.property_value = PROPERTY_NO_DATA_RACE;
  options.no_suppressions = 1;
  options.json = options.sarif = options.report = NULL;
  options.slice = trial->slice;
  options.focus = trial->elsewhere;
  if (trial->random) options.engine = "replay";
  if (trial->random) options.engine_options.search = "guided";
  return options;
}

static void take_answer(Session *s, Trial *trial, const CheckMessage *message) {
  const Result *result = message->result;
  Text reason;
  text_init(&reason, NULL);
  switch (result->answer) {
  case ANSWER_UNSAFE:
    confirm_mark_finding(message, s->confirmation->code, s->report, s->arena, s->confirmation->log);
    break;
  case ANSWER_SAFE: trial->reason = "no race was found in what was looked at"; break;
  case ANSWER_UNKNOWN:
    result_add_reason(result, &reason);
    trial->reason = arena_string(s->arena, reason.data);
    trial->late = result->why == REASON_TIME;
    break;
  }
  text_free(&reason);
}

static void take_answers(Session *s, Trial *trial, const CheckMessageVector *answers) {
  for (size_t i = 0; i < answers->count; i++) take_answer(s, trial, &answers->data[i]);
  bool whole = !trial->slice && !trial->elsewhere && !s->confirmation->options->entry.count;
  if (!whole || answers->count != 1 || answers->data[0].result->answer != ANSWER_SAFE) return;
  trial->proved = true;
  confirm_exclude_all(answers->data[0].result, s->report, s->arena);
}

static unsigned processors(const Options *options) {
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  return options->jobs ? (unsigned)options->jobs : online > 0 ? (unsigned)online : 1;
}

static void run_trial(Session *s, Trial *trial) {
  const Confirmation *c = s->confirmation;
  Options options = check_options(c->options, trial);
  Check check = {.options = &options,
                 .interrupt = c->interrupt,
                 .log = c->log,
                 .subject = trial->subject,
                 .memory = c->memory,
                 .jobs = processors(&options),
                 .no_survey = true,
                 .started = clock_now(),
                 .deadline = trial->deadline,
                 .unit = c->unit};
  phase_init(&check.phase);
  ChildLimits limits = {
      .deadline = check.deadline > 0 ? check.deadline + CHECK_GRACE : 0, .grace = CHECK_GRACE, .memory = check.memory};
  Supervision supervision = {.limits = &limits, .interrupt = c->interrupt, .log = c->log, .kind = MESSAGE_FINDINGS};
  Message message;
  Text reason;
  text_init(&reason, NULL);
  ReasonKind why;
  log_detail(c->log, "--confirm: %s", trial->subject);
  bool done = output_supervise(&supervision, findings_run, &check, &message, &reason, &why);
  if (done && message.kind == MESSAGE_FINDINGS) {
    take_answers(s, trial, &message.findings.answers);
  } else {
    trial->reason = arena_string(s->arena, done ? message.error.data : reason.data);
    trial->late = !done && why == REASON_TIME;
    log_detail(c->log, "--confirm: %s: %s", trial->subject, trial->reason);
  }
  text_free(&reason);
  message_free(&message);
  phase_free(&check.phase);
}

// --- time ---

enum { SECONDS_WITHOUT_LIMIT = 60, SHORTEST_TRIAL = 3 };

static bool is_over(const Session *s) {
  return *s->confirmation->interrupt->flag || (s->end > 0 && clock_now() >= s->end);
}

// The end of a run that gets this share of the time that is left, and not less than the shortest run is worth.
static double end_of_share(const Session *s, double share) {
  assert(share > 0 && share <= 1);
  double now = clock_now(), end = s->end;
  if (end <= 0) return now + SECONDS_WITHOUT_LIMIT;
  double seconds = (end - now) * share;
  if (seconds < SHORTEST_TRIAL) seconds = SHORTEST_TRIAL;
  return now + seconds < end ? now + seconds : end;
}

// --- which objects ---

static bool is_confirmed(const SurveyReport *report, uint32_t object) {
  const SurveyMark *mark = &report->objects[object];
  bool confirmed = survey_standing_is_race(mark->standing);
  for (uint32_t i = 0; i < report->survey->objects[object].pair_count; i++)
    confirmed |= survey_standing_is_race(report->pairs[mark->first_pair + i].standing);
  return confirmed;
}

static bool is_suppressed(const SurveyReport *report, uint32_t object) {
  uint32_t first = report->objects[object].first_pair, count = report->survey->objects[object].pair_count;
  for (uint32_t i = 0; i < count; i++)
    if (report->pairs[first + i].standing != SURVEY_STANDS_SUPPRESSED) return false;
  return true;
}

static void list_targets(Session *s, uint32_t object) {
  const Survey *survey = s->report->survey;
  for (uint32_t i = 0; i < survey->object_count; i++) {
    bool asked = object == NO_CODE_ID ? survey->objects[i].status != SURVEY_PROVED : i == object;
    if (asked && survey->objects[i].pair_count && !is_suppressed(s->report, i)) U32Vector_push(&s->targets, i);
  }
}

static size_t count_left(const Session *s, size_t from) {
  size_t left = 0;
  for (size_t i = from; i < s->targets.count; i++) left += !is_confirmed(s->report, s->targets.data[i]);
  return left;
}

static void not_confirmed(Session *s, uint32_t object, const char *why) { s->report->objects[object].tried = why; }

// --- the runs ---

typedef struct SliceTrial {
  uint64_t budget; // as for race_slice_make
  bool bare, random;
} SliceTrial;
static const SliceTrial slice_trials[] = {{RACE_SLICE_NARROW, true, true},
                                          {RACE_SLICE_NARROW, true, false},
                                          {3000, true, true},
                                          {3000, true, false},
                                          {30000, false, false}};
enum { SLICE_TRIALS = sizeof slice_trials / sizeof *slice_trials };

// The whole program; with all that is left, also without a limit. False: there is nothing more to ask.
static bool try_whole(Session *s, double share, bool *late) {
  bool unlimited = share >= 1 && s->end <= 0;
  Trial trial = {.subject = "the whole program", .deadline = unlimited ? 0 : end_of_share(s, share)};
  run_trial(s, &trial);
  *late = trial.late;
  return !trial.proved && count_left(s, 0) > 0 && !is_over(s);
}

// A narrow slice is for the leading pairs; it may show races of the others, too.
static RaceSlice make_slice(const Session *s, const Focus *focus, SliceTrial how) {
  const U32Vector *wanted = how.budget == RACE_SLICE_NARROW ? &focus->leading : &focus->statements;
  return race_slice_make(s->confirmation->code, s->report->survey->calls, wanted->data, wanted->count, how.budget,
                         how.bare, s->arena);
}

static void try_all_lines(Session *s, SliceTrial how, double share) {
  Focus focus;
  focus_init(&focus, s->confirmation->code, s->report, s->targets.data, s->targets.count);
  RaceSlice slice = make_slice(s, &focus, how);
  Trial trial = {
      .slice = &slice.front, .elsewhere = &focus.rows, .random = how.random, .deadline = end_of_share(s, share)};
  trial.subject = arena_format(s->arena, "all warnings in a slice of %u of %u functions%s", (unsigned)slice.kept,
                               (unsigned)slice.all, how.random ? ", at random" : "");
  run_trial(s, &trial);
  focus_free(&focus);
}

static void try_slice(Session *s, uint32_t object, const Focus *focus, const RaceSlice *slice, bool random,
                      double share) {
  const char *name = s->report->survey->objects[object].name;
  Trial trial = {
      .slice = &slice->front, .elsewhere = &focus->rows, .random = random, .deadline = end_of_share(s, share)};
  trial.subject =
      arena_format(s->arena, "%s in a slice of %u of %u functions", name, (unsigned)slice->kept, (unsigned)slice->all);
  run_trial(s, &trial);
  if (trial.reason)
    not_confirmed(s, object,
                  arena_format(s->arena, "in a slice of %u of %u functions: %s", (unsigned)slice->kept,
                               (unsigned)slice->all, trial.reason));
}

static void try_object(Session *s, uint32_t object, size_t left) {
  Focus focus;
  focus_init(&focus, s->confirmation->code, s->report, &object, 1);
  uint32_t before = UINT32_MAX; // functions of the slice of the trial before the last
  uint32_t last = UINT32_MAX;
  for (unsigned i = 0; i < SLICE_TRIALS && !is_confirmed(s->report, object) && !is_over(s); i++) {
    RaceSlice slice = make_slice(s, &focus, slice_trials[i]);
    bool same = slice_trials[i].bare && i >= 2 && slice.kept == before;
    before = last;
    last = slice.kept;
    if (same) continue;
    try_slice(s, object, &focus, &slice, slice_trials[i].random, 1.0 / (double)(left * (SLICE_TRIALS - i)));
  }
  focus_free(&focus);
}

static void try_objects(Session *s) {
  for (size_t i = 0; i < s->targets.count; i++) {
    uint32_t object = s->targets.data[i];
    if (is_confirmed(s->report, object)) continue;
    if (is_over(s))
      not_confirmed(s, object, "there was no time left");
    else
      try_object(s, object, count_left(s, i));
  }
}

static const double SLICES_SHARE = 0.75; // of the time, if the whole program may need the rest

static void try_slices(Session *s) {
  try_all_lines(s, slice_trials[0], 0.2);
  if (count_left(s, 0) && !is_over(s)) try_all_lines(s, slice_trials[1], 0.2);
  try_objects(s);
}

void confirm_pairs(const Confirmation *confirmation, uint32_t object, SurveyReport *report, Arena *arena) {
  Session s = {.confirmation = confirmation, .report = report, .arena = arena, .end = confirmation->deadline};
  list_targets(&s, object);
  bool late = false, sliced = report->survey->calls != NULL;
  if (try_whole(&s, 0.15, &late) && sliced) {
    double now = clock_now();
    if (late && s.end > 0) s.end = now + (s.end - now) * SLICES_SHARE;
    try_slices(&s);
    s.end = confirmation->deadline;
  }
  if (late && count_left(&s, 0) && !is_over(&s)) try_whole(&s, 1, &late);
  U32Vector_free(&s.targets);
}
