// Property-directed reachability by ABC. An invariant that ABC finds is checked on the circuit by a solver of our own.
//
// ABC's settings are tried one after the other, each for a share of the time, because it differs from circuit to
// circuit which of them finds an invariant soon.
#include "circuit/abc/abc_question.h"

typedef struct Setting {
  const char *command;
  double share; // of the time that is left
} Setting;

// dc2 makes the logic between latches smaller and keeps the latches. -n -c: generalise clauses with counterexamples to
// generalisation (Hassan, Bradley, Somenzi, FMCAD 2013).
#define SETTING(options, share) {"dc2; pdr " options " -d -I " ABC_INVARIANT_NAME, share}
static const Setting settings[] = {
    SETTING("-n -c", 0.6),
    SETTING("", 0.5),
    SETTING("-n", 1),
};
enum { SETTING_COUNT = sizeof settings / sizeof *settings };

// Checks the invariant that ABC wrote. If ABC sees by structure alone that nothing bad can be reached, it may write
// none; then our equalities are checked alone.
static MethodAnswer check_invariant(AbcQuestion *q) {
  Question *question = q->question;
  Invariant invariant;
  invariant_init(&invariant, question->account);
  correspondence_add_pairs(&q->same, &invariant);
  text_clear(&q->output);
  abc_read(&q->abc, ABC_INVARIANT, &q->output);
  InvariantFlaw flaw = INVARIANT_UNCHECKED;
  if (q->output.length > 0 && !aiger_read_invariant(&q->aiger, q->output.data, &invariant))
    question_break(question, "ABC's invariant cannot be read", NULL);
  else
    flaw = invariant_check(&invariant, question->circuit, question->bad, question->budget, question->account);
  if (flaw != INVARIANT_HOLDS && flaw != INVARIANT_UNCHECKED)
    question_break(question, "ABC's invariant is none", invariant_flaw_text(flaw));
  result_count(question->result, "invariant_clauses", (double)invariant_count(&invariant));
  invariant_free(&invariant);
  return flaw == INVARIANT_HOLDS ? METHOD_UNREACHABLE : METHOD_UNKNOWN;
}

// If the answer is METHOD_UNKNOWN and there is no reason, another setting or more time may find an answer.
static MethodAnswer try_setting(AbcQuestion *q, const Setting *setting, double seconds) {
  uint32_t frame = 0;
  AbcEnd end = abc_question_run(q, setting->command, "write_cex -a " ABC_TRACE_NAME, seconds);
  if (end != ABC_DONE) return METHOD_UNKNOWN;
  if (abc_question_printed(q, ") in frame ", &frame) && frame > 0) abc_question_cover(q, frame - 1);
  if (abc_question_printed(q, "Invariant F[", &frame)) result_count(q->question->result, "frames", frame);
  if (abc_question_printed(q, "Property proved", NULL)) return check_invariant(q);
  if (!abc_question_printed(q, "was asserted in frame ", &frame)) return METHOD_UNKNOWN;
  result_count(q->question->result, "frames", frame + 1);
  return abc_question_trace(q);
}

// Tries each setting once: for its share of the time or, if time is unlimited, for `slice` seconds.
static MethodAnswer try_all(AbcQuestion *q, double slice) {
  Question *question = q->question;
  MethodAnswer answer = METHOD_UNKNOWN;
  for (size_t i = 0; i < SETTING_COUNT && answer == METHOD_UNKNOWN && question->reason->length == 0; i++) {
    bool limited = question->budget->deadline > 0;
    answer = try_setting(q, &settings[i], limited ? settings[i].share * budget_left(question->budget) : slice);
  }
  return answer;
}

MethodAnswer pdr_reach(Question *question) {
  static const double first_slice = 10, growth = 3, longest = 1e6; // seconds
  AbcQuestion q;
  MethodAnswer answer = METHOD_UNKNOWN;
  bool ready = abc_question_init(&q, question);
  for (double slice = first_slice; ready && slice < longest; slice *= growth) {
    answer = try_all(&q, slice);
    if (answer != METHOD_UNKNOWN || question->reason->length > 0 || question->budget->deadline > 0) break;
  }
  if (answer == METHOD_UNKNOWN) abc_question_give_up(&q);
  abc_question_free(&q);
  return answer;
}
