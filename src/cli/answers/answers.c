#include "cli/answers/answers.h"

#include <assert.h>

// The goals of findings, each once.
static void collect_goals(const CheckMessage *findings, size_t count, Goals *goals) {
  for (size_t i = 0; i < count; i++) {
    const StringVector *names = &findings[i].finding.goals;
    for (size_t k = 0; k < names->count; k++) goals_add(goals, names->data[k], false);
  }
}

// The goals of the property as the last round saw them that came so far: it had the largest limits.
static const Goals *goals_of(const PropertyAnswer *answer) {
  if (answer->rest && answer->rest->goals.rows.count) return &answer->rest->goals;
  return answer->violations ? &answer->findings[answer->violations - 1].goals : NULL;
}

static void count_goals(PropertyAnswer *answer) {
  Goals violated, contradicted;
  goals_init(&violated);
  goals_init(&contradicted);
  collect_goals(answer->findings, answer->violations, &violated);
  collect_goals(answer->contradicted, answer->contradictions, &contradicted);
  const Goals *goals = goals_of(answer);
  bool proved = answer->rest && answer->rest->result->answer == ANSWER_SAFE;
  answer->violated = answer->goals = violated.rows.count;
  for (size_t i = 0; goals && i < goals->rows.count; i++) {
    const PropertyGoal *goal = &goals->rows.data[i];
    if (goals_have(&violated, goal->name)) continue;
    answer->goals++;
    answer->proved += (goal->safe || proved) && !goals_have(&contradicted, goal->name);
  }
  assert(answer->violated + answer->proved <= answer->goals);
  answer->open = answer->goals - answer->violated - answer->proved;
  goals_free(&contradicted);
  goals_free(&violated);
}

void answers_summarise(const CheckMessageVector *messages, PropertyAnswerVector *answers) {
  for (size_t i = 0; i < messages->count;) {
    PropertyAnswer row = {.property = messages->data[i].result->property, .findings = &messages->data[i]};
    for (; i < messages->count && messages->data[i].result->property == row.property; i++) {
      assert(!row.rest);
      bool contradicted = check_message_is_contradicted(&messages->data[i]);
      if (contradicted && !row.contradictions++) row.contradicted = &messages->data[i];
      if (contradicted) continue;
      if (messages->data[i].result->answer == ANSWER_UNSAFE)
        row.violations++;
      else
        row.rest = &messages->data[i];
    }
    assert(row.violations || row.contradictions || row.rest);
    row.answer = row.violations ? ANSWER_UNSAFE : row.contradictions ? ANSWER_UNKNOWN : row.rest->result->answer;
    count_goals(&row);
    PropertyAnswerVector_push(answers, row);
  }
}

Answer answers_worst(const PropertyAnswerVector *answers) {
  assert(answers->count > 0);
  Answer worst = ANSWER_SAFE;
  for (size_t i = 0; i < answers->count; i++) {
    Answer answer = answers->data[i].answer;
    if (answer == ANSWER_UNSAFE || (answer == ANSWER_UNKNOWN && worst == ANSWER_SAFE)) worst = answer;
  }
  return worst;
}

const CheckMessage *answer_told(const PropertyAnswer *answer) {
  if (answer->violations) return answer->findings;
  assert(answer->contradictions || answer->rest);
  return answer->contradictions ? answer->contradicted : answer->rest;
}

const Result *answer_unknown(const PropertyAnswer *answer) {
  if (answer->contradictions) return answer->contradicted->result;
  return answer->rest && answer->rest->result->answer == ANSWER_UNKNOWN ? answer->rest->result : NULL;
}

bool answers_are_several(const PropertyAnswerVector *answers) {
  return answers->count > 1 ||
         (answers->count == 1 && (answers->data[0].violations > 1 || answers->data[0].contradictions));
}
