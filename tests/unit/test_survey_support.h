// Surveys of programs in strings, and of mutants of them.
#ifndef HEDDLE_TESTS_SURVEY_SUPPORT_H
#define HEDDLE_TESTS_SURVEY_SUPPORT_H

#include "surveyed_source.h"

#define HEAD                                                                                                           \
  "#include <pthread.h>\n#include <stdlib.h>\n#include <stdatomic.h>\n#include <string.h>\n"                           \
  "int x, y; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;\n"                          \
  "pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;\n"
#define LOCK "pthread_mutex_lock(&m);"
#define UNLOCK "pthread_mutex_unlock(&m);"
#define TWO                                                                                                            \
  "int main(void) { pthread_t t, u; pthread_create(&t, 0, worker, 0); pthread_create(&u, 0, worker, 0);"               \
  " pthread_join(t, 0); pthread_join(u, 0); return x; }"

typedef struct Case {
  const char *name, *source, *object;
  const char *mutations[8]; // in pairs: what is replaced once, and by what
} Case;

// "malloc in main" begins "malloc in main (a.c:3)", and what stands behind the type in "struct node (malloc in main,
// a.c:3)".
static bool is_called(const char *name, const char *object) {
  const char *block = strstr(name, " (");
  return starts_with(name, object) || (block && starts_with(block + 2, object));
}

// Is every object proved whose name begins so? There must be one.
static bool is_proved(const Survey *survey, const char *object) {
  bool proved = true, found = false;
  for (uint32_t i = 0; i < survey->object_count; i++) {
    if (!is_called(survey->objects[i].name, object)) continue;
    found = true;
    proved &= survey->objects[i].status == SURVEY_PROVED;
  }
  return found && proved;
}

static void survey_source(const char *source, Surveyed *s) {
  SurveyOptions options = {.volatile_reading = VOLATILE_RACY};
  survey_with(&options, source, s);
}

static bool prove(const char *source, const char *object) {
  Surveyed s;
  survey_source(source, &s);
  bool proved = is_proved(s.survey, object);
  end_survey(&s);
  return proved;
}

static void replace(Text *out, const char *source, const char *from, const char *to) {
  const char *at = strstr(source, from);
  if (!at) fail_msg("the program has no \"%s\"", from);
  text_add_bytes(out, source, (size_t)(at - source));
  text_add(out, to);
  text_add(out, at + strlen(from));
}

static void check_cases(const Case *cases, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const Case *c = &cases[i];
    if (!prove(c->source, c->object)) fail_msg("%s: not proved", c->name);
    for (size_t k = 0; k < 8 && c->mutations[k]; k += 2) {
      Text mutant;
      text_init(&mutant, NULL);
      replace(&mutant, c->source, c->mutations[k], c->mutations[k + 1]);
      if (prove(mutant.data, c->object)) fail_msg("%s: proved with \"%s\"", c->name, c->mutations[k + 1]);
      text_free(&mutant);
    }
  }
}

#endif
