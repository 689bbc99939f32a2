#include "cli/answers/answers.h"

#include <assert.h>

// The goals that the findings decide, each once, and their number among `goals`.
static void collect_violated(const PropertyAnswer *answer, Goals *violated) {
  for (size_t i = 0; i < answer->violations; i++) {
    const StringVector *names = &answer->findings[i].finding.goals;
    for (size_t k = 0; k < names->count; k++) goals_add(violated, names->data[k], false);
  }
}

// The goals of the property as the last round saw them that came so far: it had the largest limits.
static const Goals *goals_of(const PropertyAnswer *answer) {
  if (answer->rest && answer->rest->goals.rows.count) return &answer->rest->goals;
  return answer->violations ? &answer->findings[answer->violations - 1].goals : NULL;
}

static void count_goals(PropertyAnswer *answer) {
  Goals violated;
  goals_init(&violated);
  collect_violated(answer, &violated);
  const Goals *goals = goals_of(answer);
  bool proved = answer->rest && answer->rest->result->answer == ANSWER_SAFE;
  answer->violated = answer->goals = violated.rows.count;
  for (size_t i = 0; goals && i < goals->rows.count; i++) {
    const PropertyGoal *goal = &goals->rows.data[i];
    if (goals_have(&violated, goal->name)) continue;
    answer->goals++;
    answer->proved += goal->safe || proved;
  }
  assert(answer->violated + answer->proved <= answer->goals);
  answer->open = answer->goals - answer->violated - answer->proved;
  goals_free(&violated);
}

void answers_summarise(const CheckMessageVector *messages, PropertyAnswerVector *answers) {
  for (size_t i = 0; i < messages->count;) {
    PropertyAnswer row = {.property = messages->data[i].result->property, .findings = &messages->data[i]};
    for (; i < messages->count && messages->data[i].result->property == row.property; i++) {
      assert(!row.rest);
      if (messages->data[i].result->answer == ANSWER_UNSAFE)
        row.violations++;
      else
        row.rest = &messages->data[i];
    }
    assert(row.violations || row.rest);
    row.answer = row.violations ? ANSWER_UNSAFE : row.rest->result->answer;
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
  assert(answer->violations || answer->rest);
  return answer->violations ? answer->findings : answer->rest;
}

bool answers_are_several(const PropertyAnswerVector *answers) {
  return answers->count > 1 || (answers->count == 1 && answers->data[0].violations > 1);
}
