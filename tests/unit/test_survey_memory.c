// Dereferences that a survey excludes: each rule with a function f of whose dereferences a known number is left, and
// with mutants of which more are.
#include "surveyed_source.h"

#define HEAD                                                                                                           \
  "#include <pthread.h>\n#include <stdlib.h>\n#include <string.h>\n#include <stdio.h>\n"                               \
  "struct s { int a, b; int *p; struct s *next; }; int x, n, t[4], *gp; const int fixed = 1; struct s gs;\n"           \
  "_Thread_local int own; void look(int *p); static void use(int *p) { x += p != 0; }\n"

typedef struct Case {
  const char *name, *source;
  uint64_t left; // dereferences in f that are not excluded
  const char *mutations[12];
} Case;

static const Case cases[] = {
    {"names",
     HEAD "void f(void) { x = 1; t[3] = 2; gs.b = 3; } int main(void) { f(); return 0; }",
     0,
     {"t[3]", "t[4]", "t[3]", "t[-1]", "t[3]", "t[n]", "x = 1", "*(int *)&fixed = 1", "x = 1", "*(long *)&x = 1"}},
    {"comparison",
     HEAD "static void f(int *p) { if (p) *p = 1; } int main(void) { f(&x); f(0); return 0; }",
     0,
     {"if (p)", "if (!p)", "if (p)", "if (x)", "if (p)", "if (!x || p)", "*p = 1", "p[1] = 1", "f(&x)", "f(gp)",
      "f(&x)", "f((int *)4096L)"}},
    {"comparison before a return",
     HEAD "static void f(int *p) { if (p == NULL) return; *p = 1; } int main(void) { f(&x); f(0); return 0; }",
     0,
     {"return;", "x = 2;"}},
    {"comparison of a member's address",
     HEAD "static void f(struct s *p) { int *q = &p->b; if (p) *q = 1; } int main(void) { f(&gs); return 0; }",
     0,
     {"if (p) *q = 1; } int main(void) {", "if (q) *q = 1; } int main(void) { f(0);",
      "if (p) *q = 1; } int main(void) {", "for (; q; q = 0) *q = 1; } int main(void) { f(0);"}},
    {"parameter",
     HEAD "static void f(int *p) { *p = 1; } int main(void) { f(&x); f(t); return 0; }",
     0,
     {"f(t)", "f(0)", "f(t)", "f(t + 4)", "f(t)", "look((int *)f)", "f(t)", "f(&gs.next->b)", "f(t)", "f(gs.p)"}},
    {"parameter of a parameter",
     HEAD "static void f(int *p) { *p = 1; } static void g(int *p) { f(p); }"
          " int main(void) { g(&x); g(t); return 0; }",
     0,
     {"g(t)", "g(0)"}},
    {"argument of a thread",
     HEAD "void *f(void *a) { struct s *p = a; p->b = 1; return 0; }"
          " int main(void) { pthread_t h; pthread_create(&h, 0, f, &gs); return 0; }",
     0,
     {"f, &gs)", "f, 0)", "f, &gs)", "f, &x)", "pthread_t h;", "pthread_t h; struct s gs;", "f, &gs)", "f, &own)",
      "&gs);", "&gs); pthread_once_t o = 0; pthread_once(&o, (void (*)(void))f);"}},
    {"accessed before",
     HEAD "static void f(struct s *p) { p->a = 1; p->b = 2; } int main(void) { f(n ? &gs : 0); return 0; }",
     1,
     {"p->a = 1;", "if (n) p->a = 1;"}},
    {"result",
     HEAD "static int *make(void) { int *p = malloc(8); if (!p) abort(); return p; }"
          " void f(void) { make()[1] = 1; } int main(void) { f(); return 0; }",
     0,
     {"if (!p) abort();", "", "malloc(8)", "malloc(4)", "malloc(8)", "malloc(n)", "return p",
      "if (n) return 0; return p", "if (!p)", "if (n) free(p); if (!p)"}},
    {"freed elsewhere",
     HEAD "int *kept; char *text; size_t size; void f(void) { int *p = calloc(1, 4); if (!p) return; kept = p; use(p);"
          " *p = 1; } int main(void) { f(); return 0; }",
     0,
     {"return 0", "free(kept); return 0", "return 0", "kept = realloc(kept, 2); return 0", "kept = p", "look(p)",
      "return 0", "getline((char **)&kept, &size, stdin); return 0", "return 0",
      "pthread_key_t k; pthread_key_create(&k, free); pthread_setspecific(k, kept); return 0"}},
    {"masked index",
     HEAD "void f(void) { t[n & 3] = 1; } int main(void) { f(); return 0; }",
     0,
     {"n & 3", "n & 7", "n & 3", "n % 4", "n & 3", "n & -4", "n & 3", "(n & 3) + 1", "n & 3", "(n & 3) - 1", "n & 3",
      "(n & 1) * 4"}},
    {"remainder",
     HEAD "void f(void) { t[(unsigned)n % 4] = 1; } int main(void) { f(); return 0; }",
     0,
     {"% 4", "% 5", "(unsigned)n", "n"}},
    {"narrow index",
     HEAD "char all[256]; void f(void) { all[(unsigned char)n] = 1; } int main(void) { f(); return 0; }",
     0,
     {"unsigned char", "signed char", "[256]", "[255]", "unsigned char", "unsigned short"}},
    {"loop that counts",
     HEAD "void f(void) { for (int i = 0; i < 4; i++) t[i] = 1; } int main(void) { f(); return 0; }",
     0,
     {"i < 4", "i < 5", "i < 4", "i <= 4", "i = 0", "i = -1", "i < 4", "i < n", "i++", "i--", "t[i]", "t[i + 1]"}},
    {"index without a value",
     HEAD "void f(void) { int i = 2; if (n) i = 1; t[i & 3] = 1; } int main(void) { f(); return 0; }",
     0,
     {"int i = 2; if (n) i = 1; t[i & 3]", "int i; if (n) i = 1; t[i]", "int i = 2; if (n) i = 1; t[i & 3]",
      "for (int k = 0; k < 3; k++) { int i; if (k == 0) i = 1; x = 2; t[i] = 2; } t[1]", "= 1; }",
      "= 1; int *r, **s = &r; if (n) *s = &x; *r = 1; }"}},
    {"loop that counts without sign",
     HEAD "void f(void) { for (size_t i = 1; i <= 3; i++) t[i] = 1; } int main(void) { f(); return 0; }",
     0,
     {"i <= 3", "i <= 4", "t[i]", "t[-i]"}},
    {"compared index",
     HEAD "static void f(int i) { if (i >= 0 && i < 4) t[i] = 1; } int main(void) { f(n); return 0; }",
     0,
     {"i >= 0 &&", "", "i >= 0", "i >= -1", "i < 4", "i < 5", "&&", "||", "t[i]", "t[i - 1]"}},
    {"object of a caller",
     HEAD "static void f(int *p) { *p = 1; } int main(void) { int y[2] = {0}; f(y + 1); use(y); return 0; }",
     0,
     {"f(y + 1)", "gp = y; f(gp)", "f(y + 1)", "f(y + 2)", "f(y + 1)",
      "pthread_t h; pthread_create(&h, 0, (void *(*)(void *))f, y)"}},
    {"object of a scope",
     HEAD
     "void f(void) { int *p = 0; { int y = 0; p = &y; use(p); if (p) *p = 1; } } int main(void) { f(); return 0; }",
     0,
     {"if (p) *p = 1; }", "} if (p) *p = 1;", "use(p); if (p) *p = 1; }", "use(p); } use(p); p[0] = 1;"}},
    {"object of a round",
     HEAD "void f(void) { int *p = 0; for (int i = 0; i < n; i++) { int y = 0; use(&y); p = &y; *p = 1; } }"
          " int main(void) { f(); return 0; }",
     0,
     {"p = &y; *p = 1;", "if (p) *p = 1; p = &y;"}},
    {"compound literal",
     HEAD "void f(void) { int *p; { int y = 0; p = &y; use(p); } int z = 0; p = &z; use(p); *p = 1; }"
          " int main(void) { f(); return 0; }",
     0,
     {"int z = 0; p = &z;", "{ p = &(int){0}; }"}},
    {"returned object",
     HEAD "static int *which(int *p) { int y = 0; use(&y); return p; }"
          " void f(void) { *which(&x) = 1; } int main(void) { f(); return 0; }",
     0,
     {"return p", "p = &y; return p", "which(&x)", "which(0)"}},
    {"contents of memory",
     HEAD "static void f(int *p) { if (p) *p = 1; } int main(void) { struct s *q = malloc(sizeof *q); if (!q) abort();"
          " if (n) q->p = &x; f(n ? &x : 0); return 0; }",
     0,
     {"f(n ? &x : 0)", "f(q->p)"}},
    {"numbers",
     HEAD "static void f(int *p) { if (p) *p = 1; } int main(void) { int *q = n ? &x : 0; f(q); return 0; }",
     0,
     {"&x : 0", "&x : (int *)1L", "f(q)", "f((int *)((long)q + 4))", "f(q)", "int *r; if (n) r = &x; f(r)"}},
    {"parts of what is returned",
     HEAD "struct pair { int *p; int *q; }; static struct pair pair(void) { return (struct pair){&x, n ? &x : 0}; }"
          " void f(void) { struct pair r = pair(); use(r.p); int *p = &x; if (p) *p = 1; } int main(void) { f(); "
          "return 0; }",
     0,
     {"int *p = &x", "int *p = r.q"}},
    {"whole structs",
     HEAD "struct s other; static void f(struct s *p, struct s *q) { *p = *q; }"
          " int main(void) { f(&gs, &other); return 0; }",
     0,
     {"f(&gs, &other)", "f((struct s *)&x, &other)", "f(&gs, &other)", "f(&gs, (struct s *)t)", "f(&gs, &other)",
      "f(&gs, 0)"}},
};

static void survey_source(Surveyed *s, const char *source, bool strict) {
  SurveyOptions options = {.volatile_reading = VOLATILE_RACY, .strict = strict};
  survey_with(&options, source, s);
}

static SurveyDereferences counts_of(const Survey *survey, const char *name) {
  for (uint32_t i = 0; i < survey->function_count; i++)
    if (strcmp(survey->functions[i].name, name) == 0) return survey->functions[i].dereferences;
  fail_msg("nothing is told of %s", name);
  return (SurveyDereferences){0};
}

// How many dereferences of f are not excluded.
static uint64_t left(const char *source) {
  Surveyed s;
  survey_source(&s, source, false);
  SurveyDereferences counts = counts_of(s.survey, "f");
  end_survey(&s);
  assert_true(counts.by_name + counts.by_pointers > 0);
  return counts.by_pointers - counts.all;
}

static void mutate(Text *out, const char *source, const char *from, const char *to) {
  const char *at = strstr(source + strlen(HEAD), from);
  if (!at) fail_msg("the program has no \"%s\"", from);
  text_add_bytes(out, source, (size_t)(at - source));
  text_add(out, to);
  text_add(out, at + strlen(from));
}

static void test_rules(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const Case *c = &cases[i];
    uint64_t now = left(c->source);
    if (now != c->left) fail_msg("%s: %u are left", c->name, (unsigned)now);
    for (size_t k = 0; k < 12 && c->mutations[k]; k += 2) {
      Text mutant;
      text_init(&mutant, NULL);
      mutate(&mutant, c->source, c->mutations[k], c->mutations[k + 1]);
      if (left(mutant.data) <= c->left) fail_msg("%s: excluded with \"%s\"", c->name, c->mutations[k + 1]);
      text_free(&mutant);
    }
  }
}

static void test_counts(void **state) {
  (void)state;
  Surveyed s;
  survey_source(&s,
                HEAD "static void never(void) { *gp = 1; }\n"
                     "static void f(int *p, int *q) { x = 1; *p = 2;\n if (q) *q = 3;\n p[n] = 4; }\n"
                     "int main(void) { f(&x, gp); return 0; }",
                false);
  SurveyDereferences f = counts_of(s.survey, "f");
  assert_int_equal(f.by_name, 2); // x, and n as an index
  assert_int_equal(f.by_pointers, 3);
  assert_int_equal(f.not_null, 2);
  assert_int_equal(f.in_range, 1);
  assert_int_equal(f.all, 1);
  for (uint32_t i = 0; i < s.survey->function_count; i++) {
    const SurveyFunction *function = &s.survey->functions[i];
    assert_string_not_equal(function->name, "never");
    if (strcmp(function->name, "f") != 0) continue;
    assert_int_equal(function->excluded_count, 1);
    assert_int_equal(function->left_count, 2);
  }
  end_survey(&s);
}

// The other engines of `check` look for themselves.
static void test_strict(void **state) {
  (void)state;
  Surveyed s;
  survey_source(&s, HEAD "int main(void) { *gp = 1; return 0; }", true);
  assert_int_equal(s.survey->function_count, 0);
  assert_int_equal(s.survey->totals.dereferences.by_pointers, 0);
  end_survey(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rules), cmocka_unit_test(test_counts),
                                     cmocka_unit_test(test_strict)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
