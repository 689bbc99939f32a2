// What the answers of the exact engines say about the pairs of a survey.
//
// A race that was executed confirms the pairs with the same two lines on an object of the same name, or the object, if
// its pairs have one of the lines. If the execution called functions of a slice without their code, it confirms them in
// a slice, and what these functions did is told with it. A race on no such object is told as another race, if no such
// function was called.
#ifndef HEDDLE_CLI_SURVEY_CONFIRM_MARKS_H
#define HEDDLE_CLI_SURVEY_CONFIRM_MARKS_H

#include "base/log.h"
#include "cli/run/message.h"
#include "report/surveys/survey_report.h"

// `message` is UNSAFE. Texts are made in the arena.
void confirm_mark_finding(const CheckMessage *message, const Code *code, SurveyReport *report, Arena *arena, Log *log);
// `result` is SAFE, of the whole program.
void confirm_exclude_all(const Result *result, SurveyReport *report, Arena *arena);

#endif
