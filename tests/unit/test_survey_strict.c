// Surveys of the strict mode, which `check` asks: what a survey takes for granted otherwise is open there.
#include "surveyed_source.h"

#define HEAD                                                                                                           \
  "#include <pthread.h>\n#include <stdlib.h>\n#include <string.h>\n"                                                   \
  "int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, *h;\n"
#define LOCK "pthread_mutex_lock(&m);"
#define UNLOCK "pthread_mutex_unlock(&m);"
#define ADD LOCK " x++; " UNLOCK
#define WORKER(body) "void *worker(void *a) { " body " return a; }\n"
#define MAIN(first)                                                                                                    \
  "int main(void) { pthread_t t, u; " first " pthread_create(&t, 0, worker, 0); pthread_create(&u, 0, worker, 0);"     \
  " pthread_join(t, 0); pthread_join(u, 0); return x; }"
#define ADD_H "pthread_mutex_lock(h); x++; pthread_mutex_unlock(h);"
#define STRUCT HEAD "struct { int a[2], y; } s; int i = 2;\n"

typedef struct StrictCase {
  const char *name, *source;
  bool strict; // is all proved in the strict mode? Otherwise it always is
} StrictCase;

static const StrictCase cases[] = {
    {"lock", HEAD WORKER(ADD) MAIN(""), true},
    {"unlocked by a thread that does not hold it", HEAD WORKER(UNLOCK ADD) MAIN(""), false},
    {"unlocked twice", HEAD WORKER(ADD UNLOCK ADD) MAIN(""), false},
    {"unlocked if the attempt succeeded",
     HEAD WORKER("if (pthread_mutex_trylock(&m) == 0) { x++; " UNLOCK " }") MAIN(""), true},
    {"unlocked, whichever it is", HEAD WORKER(LOCK " x++; pthread_mutex_t *r; pthread_mutex_unlock(r);") MAIN(""),
     false},
    {"initialised again", HEAD WORKER("pthread_mutex_init(&m, 0); " ADD) MAIN(""), false},
    {"initialised before", HEAD WORKER(ADD) MAIN("pthread_mutex_init(&m, 0);"), true},
    {"destroyed while it may be in use", HEAD WORKER(ADD "pthread_mutex_destroy(&m);") MAIN(""), false},
    {"given to outside code", HEAD "void use(void *p);\n" WORKER("use(&m); " ADD) MAIN(""), false},
    {"never initialised", HEAD WORKER(ADD_H) MAIN("h = malloc(sizeof *h);"), false},
    {"initialised in a block", HEAD WORKER(ADD_H) MAIN("h = malloc(sizeof *h); pthread_mutex_init(h, 0);"), true},
    {"in a block of zeros", HEAD WORKER(ADD_H) MAIN("h = calloc(1, sizeof *h);"), true},
    {"filled with zeros", HEAD WORKER(ADD_H) MAIN("h = malloc(sizeof *h); memset(h, 0, sizeof *h);"), true},
    {"automatic, never initialised", HEAD WORKER(ADD_H) MAIN("pthread_mutex_t l; h = &l;"), false},
    {"waits with another lock",
     HEAD "pthread_mutex_t n; pthread_cond_t c;\n" WORKER(LOCK " x++; pthread_cond_wait(&c, &m); x++; " UNLOCK)
         MAIN(""),
     true},
    {"waits without the lock", HEAD "pthread_cond_t c;\n" WORKER("pthread_cond_wait(&c, &m); " UNLOCK ADD) MAIN(""),
     false},
    {"a value of a key, freed when the thread ends",
     HEAD "pthread_key_t k;\n" WORKER("pthread_setspecific(k, a);") "int main(void) { pthread_t t; int *v = malloc(4);"
                                                                    " pthread_key_create(&k, free); pthread_create(&t, "
                                                                    "0, worker, v); *v = 1; return 0; }",
     false},
    {"an index that may leave its array",
     STRUCT WORKER(LOCK " s.a[i] = 1; " UNLOCK) "int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0);"
                                                " s.y = 1; return 0; }",
     false},
    {"a pointer that is stored behind its array",
     HEAD "struct { int *a[2], *p; } s; int i = 2;\n" WORKER(
         "*s.p = 1;") "int main(void) { pthread_t t; s.a[i] = &x; pthread_create(&t, 0, worker, 0); x = 1; return 0; }",
     false},
    {"an index under the lock of the rest",
     STRUCT WORKER(LOCK " s.a[i] = 1; " UNLOCK) "int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0);"
                                                " " LOCK " s.y = 1; " UNLOCK " return 0; }",
     true},
};

static bool proves_all(const char *source, bool strict) {
  Surveyed s;
  SurveyOptions options = {.volatile_reading = VOLATILE_RACY, .strict = strict};
  survey_with(&options, source, &s);
  bool all = s.survey->totals.proved > 0 && s.survey->totals.warned + s.survey->totals.open == 0;
  end_survey(&s);
  return all;
}

static void test_strict(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (proves_all(cases[i].source, true) != cases[i].strict)
      fail_msg("%s: %s", cases[i].name, cases[i].strict ? "not proved" : "proved");
}

// What is open in the strict mode is so for the strict mode only: the cases are about what it adds.
static void test_difference(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    bool waits = strstr(cases[i].source, "pthread_cond_wait") != NULL,
         outside = strstr(cases[i].source, "use(") != NULL;
    if (!cases[i].strict && !waits && !outside && !proves_all(cases[i].source, false))
      fail_msg("%s: not proved without it", cases[i].name);
  }
}

static void test_file_assembly(void **state) {
  (void)state;
  static const char *const sources[] = {"int main(void) { __asm__(\"nop\"); return 0; }",
                                        "__asm__(\"nop\"); int main(void) { return 0; }"};
  for (int i = 0; i < 2; i++) {
    Account account = {.room = "test"};
    FrontUnit *unit = open_source(sources[i], &account);
    Code *code = code_read(unit, &account);
    assert_int_equal(code->file_assembly, i);
    code_free(code);
    front_close(unit);
  }
}

static void test_counting_format(void **state) {
  (void)state;
  static const struct {
    const char *format;
    bool counts;
  } formats[] = {{"%d %s", false}, {"%n", true},  {"%%n", false},      {"a%5.2hhnb", true}, {"100% new", true},
                 {"%", false},     {"%ms", true}, {"%16m[a-z]", true}, {"%m", false},       {"%m: %s", false}};
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    Account account = {.room = "test"};
    Text source;
    text_init(&source, &account);
    text_format(&source, "int printf(const char *, ...); int main(void) { return printf(\"%s\"); }", formats[i].format);
    FrontUnit *unit = open_source(source.data, &account);
    Code *code = code_read(unit, &account);
    if (code->counting_format != formats[i].counts) fail_msg("\"%s\"", formats[i].format);
    code_free(code);
    front_close(unit);
    text_free(&source);
    assert_int_equal(account.bytes, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_strict),
      cmocka_unit_test(test_difference),
      cmocka_unit_test(test_file_assembly),
      cmocka_unit_test(test_counting_format),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
