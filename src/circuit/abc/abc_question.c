#include "circuit/abc/abc_question.h"

#include <stdlib.h>

static const double LONGEST = 1e6; // seconds: longer than anybody waits
static const double CORRESPONDENCE_SHARE = 0.25;

bool abc_question_init(AbcQuestion *asking, Question *question) {
  *asking = (AbcQuestion){.question = question};
  text_init(&asking->script, question->account);
  text_init(&asking->said, question->account);
  Budget part = budget_share(question->budget, CORRESPONDENCE_SHARE);
  correspondence_init(&asking->same, question->circuit, question->bad, &part, question->account);
  aiger_init_plain(&asking->aiger, &asking->same.reduced, asking->same.reduced_bad, question->account);
  result_count(question->result, "equal_nodes", asking->same.pairs);
  result_count(question->result, "equality_rounds", asking->same.rounds);
  result_count(question->result, "equality_questions", asking->same.questions);
  result_count(question->result, "abc_latches", (double)asking->aiger.latches.count);
  result_count(question->result, "abc_gates", (double)asking->aiger.gates.count);
  Text model;
  text_init(&model, question->account);
  aiger_write(&asking->aiger, true, &model);
  bool good = abc_init(&asking->abc, &model);
  if (!good) text_add(question->reason, "a file for ABC could not be made");
  text_free(&model);
  return good;
}

void abc_question_free(AbcQuestion *asking) {
  result_count(asking->question->result, "abc_seconds", asking->abc.seconds);
  abc_free(&asking->abc);
  aiger_free(&asking->aiger);
  correspondence_free(&asking->same);
  text_free(&asking->said);
  text_free(&asking->script);
}

AbcEnd abc_question_run(AbcQuestion *asking, const char *command, const char *others, double seconds) {
  Question *question = asking->question;
  double left = budget_left(question->budget);
  if (seconds > LONGEST) seconds = LONGEST;
  double until = left < seconds ? left : seconds;
  text_clear(&asking->said);
  text_clear(&asking->script);
  text_format(&asking->script, "read_aiger " ABC_MODEL_NAME "; %s", command);
  // ABC counts in whole seconds, and 0 is none at all. What is left of the second is for the check of its answer.
  if (until >= 2) text_format(&asking->script, " -T %u", (unsigned)(until - 0.5));
  text_format(&asking->script, "; %s", others);
  AbcEnd end = abc_run(&asking->abc, asking->script.data, seconds, question->budget, question->reason);
  abc_read(&asking->abc, ABC_OUTPUT, &asking->said);
  log_detail(question->log, "ABC: %s: %s", asking->script.data, asking->said.data);
  return end;
}

bool abc_question_said(const AbcQuestion *asking, const char *words, uint32_t *number) {
  const char *place = strstr(asking->said.data, words);
  if (place && number) *number = (uint32_t)strtoul(place + strlen(words), NULL, 10);
  return place != NULL;
}

void abc_question_cover(AbcQuestion *asking, uint32_t steps) {
  if (steps > asking->steps) asking->steps = steps;
}

MethodAnswer abc_question_trace(AbcQuestion *asking) {
  text_clear(&asking->said);
  abc_read(&asking->abc, ABC_TRACE, &asking->said);
  if (aiger_read_trace(&asking->aiger, asking->said.data, asking->question->trace)) return METHOD_REACHED;
  text_clear(asking->question->reason);
  text_add(asking->question->reason, "internal error: ABC's counterexample cannot be read");
  return METHOD_UNKNOWN;
}

void abc_question_give_up(AbcQuestion *asking) {
  Question *question = asking->question;
  StopReason stopped = question->budget->reason;
  // ABC ends a little before the time is over.
  if (stopped == STOP_NONE && budget_left(question->budget) < 2) stopped = STOP_TIME;
  if (question->reason->length == 0)
    text_add(question->reason, stopped == STOP_NONE ? "ABC gave up" : stop_reason_text(stopped));
  if (asking->steps > 0) text_format(question->covered, "no violation within %u steps", (unsigned)asking->steps);
}
