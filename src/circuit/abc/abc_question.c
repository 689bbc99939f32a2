#include "circuit/abc/abc_question.h"

#include <stdlib.h>

static const double LONGEST = 1e6; // seconds; longer than any run
static const double CORRESPONDENCE_SHARE = 0.25;

bool abc_question_init(AbcQuestion *q, Question *question) {
  *q = (AbcQuestion){.question = question};
  text_init(&q->script, question->account);
  text_init(&q->output, question->account);
  Budget part = budget_share(question->budget, CORRESPONDENCE_SHARE);
  correspondence_init(&q->same, question->circuit, question->bad, &part, question->account);
  aiger_init_plain(&q->aiger, &q->same.reduced, q->same.reduced_bad, question->account);
  result_count(question->result, "equal_nodes", q->same.pairs);
  result_count(question->result, "equality_rounds", q->same.rounds);
  result_count(question->result, "equality_questions", q->same.questions);
  result_count(question->result, "abc_latches", (double)q->aiger.latches.count);
  result_count(question->result, "abc_gates", (double)q->aiger.gates.count);
  Text model;
  text_init(&model, question->account);
  aiger_write(&q->aiger, true, &model);
  bool good = abc_init(&q->abc, &model);
  if (!good) text_add(question->reason, "a file for ABC could not be made");
  text_free(&model);
  return good;
}

void abc_question_free(AbcQuestion *q) {
  result_count(q->question->result, "abc_seconds", q->abc.seconds);
  abc_free(&q->abc);
  aiger_free(&q->aiger);
  correspondence_free(&q->same);
  text_free(&q->output);
  text_free(&q->script);
}

AbcEnd abc_question_run(AbcQuestion *q, const char *command, const char *epilogue, double seconds) {
  Question *question = q->question;
  double left = budget_left(question->budget);
  if (seconds > LONGEST) seconds = LONGEST;
  double until = left < seconds ? left : seconds;
  text_clear(&q->output);
  text_clear(&q->script);
  text_format(&q->script, "read_aiger " ABC_MODEL_NAME "; %s", command);
  // ABC counts in whole seconds, and 0 means no limit. The rest of the second is for the check of its answer.
  if (until >= 2) text_format(&q->script, " -T %u", (unsigned)(until - 0.5));
  text_format(&q->script, "; %s", epilogue);
  AbcEnd end = abc_run(&q->abc, q->script.data, seconds, question->budget, question->reason);
  abc_read(&q->abc, ABC_OUTPUT, &q->output);
  log_detail(question->log, "ABC: %s: %s", q->script.data, q->output.data);
  return end;
}

bool abc_question_printed(const AbcQuestion *q, const char *phrase, uint32_t *number) {
  assert(phrase && *phrase);
  const char *place = strstr(q->output.data, phrase);
  if (place && number) *number = (uint32_t)strtoul(place + strlen(phrase), NULL, 10);
  return place != NULL;
}

void abc_question_cover(AbcQuestion *q, uint32_t steps) {
  if (steps > q->steps) q->steps = steps;
}

MethodAnswer abc_question_trace(AbcQuestion *q) {
  text_clear(&q->output);
  abc_read(&q->abc, ABC_TRACE, &q->output);
  if (aiger_read_trace(&q->aiger, q->output.data, q->question->trace)) return METHOD_REACHED;
  text_clear(q->question->reason);
  question_break(q->question, "ABC's counterexample cannot be read", NULL);
  return METHOD_UNKNOWN;
}

void abc_question_give_up(AbcQuestion *q) {
  Question *question = q->question;
  StopReason stopped = question->budget->reason;
  // ABC's own time limit ends a little before the budget's.
  if (stopped == STOP_NONE && budget_left(question->budget) < 2) stopped = STOP_TIME;
  if (question->reason->length == 0)
    text_add(question->reason, stopped == STOP_NONE ? "ABC gave up" : stop_reason_text(stopped));
  if (q->steps > 0) text_format(question->covered, "no violation within %u steps", (unsigned)q->steps);
}
