// Words that the text, the explanation, SARIF and the page have in common. What comes from the program's source (names,
// paths) is made one printable line here.
#ifndef HEDDLE_REPORT_SURVEYS_SURVEY_WORDS_H
#define HEDDLE_REPORT_SURVEYS_SURVEY_WORDS_H

#include "report/surveys/survey_report.h"

void survey_word(const char *text, Text *out);                   // printable, in one line
void survey_words_place(const CodePosition *at, Text *out);      // "net.c:212"
void survey_words_kind(const SurveyAccess *access, Text *out);   // " (write, no lock)"
void survey_words_access(const SurveyAccess *access, Text *out); // "net.c:212 (write, no lock)"
void survey_words_pair(const SurveyPair *pair, Text *out);       // "net.c:212 (write, no lock) / main.c:88 (read, m)"
void survey_words_protection(const SurveyObject *object, Text *out); // of a proved object: "mutex queue.lock"
void survey_words_doubt(const SurveyObject *object, Text *out);      // of an open one
void survey_words_step(const SurveyLockStep *step, Text *out);       // "b is taken while a is held"
void survey_words_lock(const SurveyLockFinding *finding, Text *out); // "a, then b at x.c:3; b, then a at x.c:9"
const char *survey_words_lock_kind(SurveyLockKind kind);             // "deadlock", for a heading
const char *survey_lock_kind_name(SurveyLockKind kind);              // in JSON
const char *survey_protection_words(SurveyProtection protection);    // without the detail: "mutex"

// Open objects that only code outside of the program makes open: `survey_first_outside` is where those begin that are
// not told one by one; they are told by the functions that reach them.
uint32_t survey_first_outside(const SurveyReport *report);
void survey_words_outside(const SurveyReport *report, uint32_t first, Text *out);

#endif
