// Property-directed reachability, by ABC. An invariant that it finds is checked on the circuit by a solver of our own.
//
// Its settings are tried one after the other, each for a share of the time: which of them finds an invariant soon differs
// from circuit to circuit.
#include "circuit/abc/abc_question.h"

typedef struct Setting {
  const char *command;
  double share; // of the time that is left
} Setting;

// dc2 makes the logic between latches smaller, and keeps the latches. -n -c: generalise clauses against counterexamples to
// generalisation (Hassan, Bradley, Somenzi, FMCAD 2013).
#define SETTING(options, share) {"dc2; pdr " options " -d -I " ABC_INVARIANT_NAME, share}
static const Setting settings[] = {
    SETTING("-n -c", 0.6),
    SETTING("", 0.5),
    SETTING("-n", 1),
};
enum { SETTING_COUNT = sizeof settings / sizeof *settings };

// If nothing bad can be reached by structure alone, ABC may write no invariant: then none is needed.
static MethodAnswer check_invariant(AbcQuestion *asking) {
  Question *question = asking->question;
  Invariant invariant;
  invariant_init(&invariant, question->account);
  correspondence_tell(&asking->same, &invariant);
  text_clear(&asking->said);
  abc_read(&asking->abc, ABC_INVARIANT, &asking->said);
  InvariantFlaw flaw = INVARIANT_UNCHECKED;
  if (asking->said.length > 0 && !aiger_read_invariant(&asking->aiger, asking->said.data, &invariant))
    text_add(question->reason, "internal error: ABC's invariant cannot be read");
  else
    flaw = invariant_check(&invariant, question->circuit, question->bad, question->budget, question->account);
  if (flaw != INVARIANT_HOLDS && flaw != INVARIANT_UNCHECKED)
    text_format(question->reason, "internal error: ABC's invariant is none: %s", invariant_flaw_text(flaw));
  result_count(question->result, "invariant_clauses", (double)invariant_count(&invariant));
  invariant_free(&invariant);
  return flaw == INVARIANT_HOLDS ? METHOD_UNREACHABLE : METHOD_UNKNOWN;
}

// METHOD_UNKNOWN without a reason: another setting, or more time, may do better.
static MethodAnswer try_setting(AbcQuestion *asking, const Setting *setting, double seconds) {
  uint32_t frame = 0;
  AbcEnd end = abc_question_run(asking, setting->command, "write_cex -a " ABC_TRACE_NAME, seconds);
  if (end != ABC_DONE) return METHOD_UNKNOWN;
  if (abc_question_said(asking, ") in frame ", &frame) && frame > 0) abc_question_cover(asking, frame - 1);
  if (abc_question_said(asking, "Invariant F[", &frame)) result_count(asking->question->result, "frames", frame);
  if (abc_question_said(asking, "Property proved", NULL)) return check_invariant(asking);
  if (!abc_question_said(asking, "was asserted in frame ", &frame)) return METHOD_UNKNOWN;
  result_count(asking->question->result, "frames", frame + 1);
  return abc_question_trace(asking);
}

// All settings once: for their shares of the time or, if that is unlimited, for so many seconds each.
static MethodAnswer try_all(AbcQuestion *asking, double slice) {
  Question *question = asking->question;
  MethodAnswer answer = METHOD_UNKNOWN;
  for (size_t i = 0; i < SETTING_COUNT && answer == METHOD_UNKNOWN && question->reason->length == 0; i++) {
    bool limited = question->budget->deadline > 0;
    answer = try_setting(asking, &settings[i], limited ? settings[i].share * budget_left(question->budget) : slice);
  }
  return answer;
}

static MethodAnswer pdr_run(Question *question) {
  static const double first_slice = 10, growth = 3, longest = 1e6; // seconds
  AbcQuestion asking;
  MethodAnswer answer = METHOD_UNKNOWN;
  bool ready = abc_question_init(&asking, question);
  for (double slice = first_slice; ready && slice < longest; slice *= growth) {
    answer = try_all(&asking, slice);
    if (answer != METHOD_UNKNOWN || question->reason->length > 0 || question->budget->deadline > 0) break;
  }
  if (answer == METHOD_UNKNOWN) abc_question_give_up(&asking);
  abc_question_free(&asking);
  return answer;
}

const Method method_pdr = {.name = "pdr", .summary = "property-directed reachability by ABC", .run = pdr_run};
