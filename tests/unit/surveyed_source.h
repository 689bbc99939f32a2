// Surveys of programs in strings.
#ifndef HEDDLE_TESTS_SURVEYED_SOURCE_H
#define HEDDLE_TESTS_SURVEYED_SOURCE_H

#include "survey/survey.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct Surveyed {
  Account account;
  FrontUnit *unit;
  Code *code;
  Survey *survey;
} Surveyed;

static FrontUnit *open_source(const char *source, Account *account) {
  char path[] = "/tmp/heddle-survey-XXXXXX.c";
  int descriptor = mkstemps(path, 2);
  assert_true(descriptor >= 0);
  assert_int_equal(write(descriptor, source, strlen(source)), (ssize_t)strlen(source));
  close(descriptor);
  Text error;
  text_init(&error, NULL);
  const char *const files[] = {path};
  static const char *const gnu[] = {"-D_GNU_SOURCE"};
  FrontOptions options = {
      .files = files, .file_count = 1, .pointer_width = 64, .clang_options = gnu, .clang_option_count = 1};
  FrontUnit *unit = front_open(&options, &error, account);
  if (!unit) fail_msg("%s", error.data);
  text_free(&error);
  unlink(path);
  return unit;
}

static void survey_with(const SurveyOptions *options, const char *source, Surveyed *s) {
  *s = (Surveyed){.account = {.room = "test"}};
  s->unit = open_source(source, &s->account);
  s->code = code_read(s->unit, &s->account);
  Text error;
  text_init(&error, NULL);
  s->survey = survey_run(s->code, options, &error, &s->account);
  assert_non_null(s->survey);
  assert_true(s->survey->complete);
  text_free(&error);
}

static void end_survey(Surveyed *s) {
  survey_free(s->survey);
  code_free(s->code);
  front_close(s->unit);
  assert_int_equal(s->account.bytes, 0);
}

#endif
