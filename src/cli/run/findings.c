#include "cli/run/findings.h"

#include "cli/run/message.h"
#include "cli/survey/survey_answer.h"

#include <assert.h>

// --- answers without a round ---

static CheckMessage *add_unknown(Check *check, Property property, ReasonKind why, const char *reason) {
  CheckMessage *answer = CheckMessageVector_push(check->answers, (CheckMessage){.result = NULL});
  check_message_init(answer);
  answer->result = result_new(property, NULL);
  result_unknown_for(answer->result, why, "%s", reason);
  return answer;
}

static void add_stopped(Check *check, Property property, StopReason stopped) {
  result_stopped(add_unknown(check, property, REASON_TIME, "")->result, stopped);
}

static bool is_interrupted(const Check *check) { return *check->interrupt->flag; }
static bool is_late(const Check *check) { return check->deadline > 0 && clock_now() >= check->deadline; }

// --- one property ---

// Was the finding of the last answer told before? Then settling it had no effect, and asking again would not end.
static bool is_repeated(const Check *check) {
  const Finding *last = &check->answers->data[check->answers->count - 1].finding;
  for (size_t i = check->first_answer; i + 1 < check->answers->count; i++)
    if (finding_is_same(&check->answers->data[i].finding, last)) return true;
  return false;
}

static void replace_repeated(Check *check, Property property) {
  CheckMessage last = CheckMessageVector_pop(check->answers);
  check_message_free(&last);
  add_unknown(check, property, REASON_INTERNAL, "internal error: a violation was found a second time");
}

// Looks at the last answer, which is UNSAFE. True if the property is to be asked again; if it is not, the rest has got
// an answer, unless there is no rest.
static bool goes_on(Check *check, Property property) {
  assert(check->answers->count > check->first_answer);
  const Finding *finding = &check->answers->data[check->answers->count - 1].finding;
  if (is_repeated(check)) {
    replace_repeated(check, property);
    return false;
  }
  if (check->options->first || property == PROPERTY_LTL) return false;
  if (!finding->places.count)
    add_unknown(check, property, REASON_GAVE_UP, "no search goes past a violation that is in no line of the source");
  else if (is_interrupted(check))
    add_stopped(check, property, STOP_SIGNAL);
  else if (is_late(check))
    add_stopped(check, property, STOP_TIME);
  else
    return true;
  return false;
}

// An interrupted engine may have its own word for it; a time limit and an interrupt are told the same way always.
static void add_answer(Check *check, Message *message) {
  assert(message->kind == MESSAGE_CHECK);
  Result *result = message->check.result;
  if (result->answer == ANSWER_UNKNOWN && is_interrupted(check)) result_stopped(result, STOP_SIGNAL);
  result_count(result, "seconds", clock_now() - check->started);
  CheckMessageVector_push(check->answers, message->check);
}

// Runs the rounds once and adds their answer. False after an error in the input.
static bool ask_once(Check *check, Text *error) {
  Message message;
  message_init(&message, MESSAGE_CHECK);
  rounds_run(check, &message);
  bool good = message.kind == MESSAGE_CHECK;
  if (!good) {
    text_add(error, message.error.data);
    message_free(&message);
    return false;
  }
  add_answer(check, &message);
  return true;
}

static Answer last_answer(const Check *check) { return CheckMessageVector_last(check->answers)->result->answer; }

// What the survey says is the answer if it is asked alone, and if it is SAFE and no other engine need agree. Else the
// message is freed. False after an error in the input; the other engines tell it if they are asked.
static bool take_survey(Check *check, Message *message, bool *decided, Text *error) {
  bool alone = survey_answer_is_all(check), good = message->kind == MESSAGE_CHECK;
  bool safe = good && message->check.result->answer == ANSWER_SAFE;
  *decided = alone || (safe && check->options->agree <= 1);
  check->survey_is_safe = safe;
  if (good) check->survey = survey_counts_of(message->check.result);
  if (safe && !alone) result_count(message->check.result, "decided_by_survey", 1);
  if (*decided && good) {
    add_answer(check, message);
    return true;
  }
  if (*decided) text_add(error, message->error.data);
  message_free(message);
  return !*decided;
}

// The survey, which needs no lowered program. True: the property has its answer, or there was an error in the input.
static bool ask_survey(Check *check, bool *good, Text *error) {
  check->survey = (SurveyCounts){0};
  check->survey_is_safe = false;
  if (!survey_answer_is_wanted(check)) return false;
  Message message;
  bool decided;
  survey_answer_ask(check, &message);
  *good = take_survey(check, &message, &decided, error);
  return decided;
}

static bool ask_property(Check *check, Property property, Text *error) {
  bool good, more = true;
  check->round = 0;
  check->first_answer = check->answers->count;
  if (ask_survey(check, &good, error)) return good;
  Text topic;
  text_init(&topic, NULL);
  check->lowering = lowering_first(check->options);
  do {
    round_topic(check, &topic);
    check->log->topic = topic.data;
    good = ask_once(check, error);
    more = good && last_answer(check) == ANSWER_UNSAFE && goes_on(check, property);
  } while (more);
  lowering_free(&check->lowering);
  check->log->topic = NULL;
  text_free(&topic);
  return good;
}

// --- all of them ---

// Sets the deadline of the next property: it gets an equal share of the time that is left.
static void share_time(Check *check, double end, unsigned left) {
  double now = clock_now();
  assert(left > 0);
  check->deadline = end > 0 && left > 1 && now < end ? now + (end - now) / left : end;
}

// The files of the program: those that the command line names, and those that the project added.
static StringVector with_added(const Options *options, const FrontUnit *unit) {
  StringVector files = {0};
  const StringVector *added = front_added(unit);
  for (size_t i = 0; i < options->operands.count; i++) StringVector_push(&files, options->operands.data[i]);
  for (size_t i = 0; i < added->count; i++) StringVector_push(&files, added->data[i]);
  return files;
}

// Compiles the program for the present property, unless that was done: the unit is the same for all properties but
// those about overflow and leaks. `whole` are the options as given, with the files of the unit.
static bool open_unit(Check *check, const Options *given, Options *whole, Text *error) {
  FrontView view = lowering_view(whole);
  if (check->unit && check->compiled.leaks == view.leaks && check->compiled.overflows == view.overflows) return true;
  if (check->unit) front_close(check->unit);
  double started = clock_now();
  phase_set(&check->phase, "compiling");
  if (check->log->terminal) log_progress(check->log, "compiling");
  check->unit = lowering_open(given, given->operands.data, given->operands.count, view, error, NULL);
  phase_set(&check->phase, "%s", "");
  if (!check->unit) {
    if (!error->length) text_add(error, "the program cannot be compiled");
    return false;
  }
  check->compiled = view;
  StringVector_free(&whole->operands);
  whole->operands = with_added(given, check->unit);
  log_detail(check->log, "compiled in %.2f s", clock_now() - started);
  return true;
}

static bool ask_all(Check *check, const Options *given, Options *whole, Text *error) {
  double end = check->deadline;
  unsigned left = properties_count(given->properties);
  bool good = true, stopped = false;
  for (unsigned i = 0; i < PROPERTY_COUNT && good; i++) {
    Property property = (Property)i;
    if (!properties_have(given->properties, property)) continue;
    whole->property_value = property;
    share_time(check, end, left--);
    if (stopped)
      add_unknown(check, property, REASON_NOT_ASKED, "not asked: --first ends a run at its first violation");
    else if (check->answers->count && is_interrupted(check))
      add_stopped(check, property, STOP_SIGNAL);
    else if (check->answers->count && is_late(check))
      add_stopped(check, property, STOP_TIME);
    else
      good = open_unit(check, given, whole, error) && ask_property(check, property, error);
    stopped = stopped || (good && given->first && last_answer(check) == ANSWER_UNSAFE);
  }
  check->deadline = end;
  return good;
}

void findings_run(void *context, Text *out) {
  Check *check = context;
  const Options *given = check->options;
  Message message;
  message_init(&message, MESSAGE_FINDINGS);
  Text error;
  text_init(&error, NULL);
  Options whole = *given;
  whole.operands = (StringVector){0};
  if (check->unit) whole.operands = with_added(given, check->unit); // the caller has compiled the program
  check->options = &whole;
  check->answers = &message.findings.answers;
  if (!ask_all(check, given, &whole, &error) && !error.length) text_add(&error, "the program cannot be checked");
  if (check->unit) front_close(check->unit);
  check->options = given;
  StringVector_free(&whole.operands);
  message_send(&message, &error, out);
  text_free(&error);
}
