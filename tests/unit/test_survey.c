// Surveys of small programs: each mechanism with a program that is proved, and with mutants that must not be.
#include "test_survey_support.h"

static const Case cases[] = {
    {"lock",
     HEAD "void *worker(void *a) { " LOCK " x++; " UNLOCK " return a; }" TWO,
     "x",
     {LOCK " x", "x", "x++; " UNLOCK, UNLOCK " x++;"}},
    {"other lock",
     HEAD
     "void *worker(void *a) { " LOCK " x++; " UNLOCK " return a; }\n"
     "void *other(void *a) { pthread_mutex_lock(&m); x--; pthread_mutex_unlock(&m) ; return a; }\n"
     "int main(void) { pthread_t t, u; pthread_create(&t, 0, worker, 0); pthread_create(&u, 0, other, 0); return 0; }",
     "x",
     {"lock(&m); x--", "lock(&n); x--", "x--; pthread_mutex_unlock(&m) ;", "pthread_mutex_unlock(&m) ; x--;"}},
    {"lock in callers",
     HEAD "static void bump(void) { x++; }\n"
          "void *worker(void *a) { " LOCK " bump(); " UNLOCK " return a; }" TWO,
     "x",
     {UNLOCK " return", UNLOCK " bump(); return"}},
    {"lock in callees",
     HEAD "static void enter(void) { " LOCK " }\nstatic void leave(void) { " UNLOCK " }\n"
          "void *worker(void *a) { enter(); x++; leave(); return a; }" TWO,
     "x",
     {"enter(); x++", "enter(); leave(); x++", "{ " LOCK " }", "{ if (y) " LOCK " }"}},
    {"attempt",
     HEAD "void *worker(void *a) { int r = pthread_mutex_trylock(&m); if (r == 0) { x++; " UNLOCK " } return a; }" TWO,
     "x",
     {"if (r == 0)", "if (r >= 0)", "if (r == 0)", "if (r != 0)"}},
    {"readers",
     HEAD
     "void *worker(void *a) { pthread_rwlock_wrlock(&rw); x++; pthread_rwlock_unlock(&rw); return a; }\n"
     "void *reader(void *a) { pthread_rwlock_rdlock(&rw); y = x; pthread_rwlock_unlock(&rw); return a; }\n"
     "int main(void) { pthread_t t, u; pthread_create(&t, 0, worker, 0); pthread_create(&u, 0, reader, 0); return 0; }",
     "x",
     {"wrlock", "rdlock", "pthread_rwlock_rdlock(&rw); y = x;", "y = x;"}},
    {"one family of functions",
     HEAD "union { pthread_mutex_t mutex; pthread_spinlock_t spin; } u;\n"
          "void *worker(void *a) { pthread_mutex_lock(&u.mutex); x++; return a; }\n"
          "void *other(void *a) { pthread_mutex_lock(&u.mutex); x++; return a; }\n"
          "int main(void) { pthread_t t, u; pthread_create(&t, 0, worker, 0); pthread_create(&u, 0, other, 0);"
          " return 0; }",
     "x",
     {"mutex_lock(&u.mutex)", "spin_lock(&u.spin)", "int main(void) {",
      "int main(void) { pthread_spin_init(&u.spin, 0);"}},
    {"wait",
     HEAD "pthread_cond_t c; void *worker(void *a) { " LOCK " while (!y) pthread_cond_wait(&c, &m); x++; " UNLOCK
          " return a; }" TWO,
     "x",
     {"cond_wait(&c, &m); x++; " UNLOCK, "cond_wait(&c, &m); " UNLOCK " x++;"}},
    {"before threads",
     HEAD "void *worker(void *a) { y = x; return a; }\n"
          "int main(void) { pthread_t t; x = 1; pthread_create(&t, 0, worker, 0); return 0; }",
     "x",
     {"x = 1; pthread_create(&t, 0, worker, 0);", "pthread_create(&t, 0, worker, 0); x = 1;"}},
    {"joined",
     HEAD "void *worker(void *a) { x++; return a; }\n"
          "int main(void) { pthread_t t, u; pthread_create(&t, 0, worker, 0); pthread_join(t, 0); x++; return 0; }",
     "x",
     {"pthread_join(t, 0);", "", "pthread_join(t, 0); x++", "x++; pthread_join(t, 0)", "pthread_join(t, 0);",
      "pthread_tryjoin_np(t, 0);", "pthread_create(&t, 0, worker, 0);",
      "pthread_create(&t, 0, worker, 0); pthread_create(&t, 0, worker, 0);"}},
    {"joined, not detached",
     HEAD "void *other(void *a) { return a; } void *worker(void *a) { x++; return a; }\n"
          "int main(void) { pthread_t t, u; pthread_create(&t, 0, worker, 0); pthread_create(&u, 0, other, 0);"
          " pthread_detach(u); pthread_join(t, 0); x++; return 0; }",
     "x",
     {"detach(u)", "detach(t)", "x++; return a", "pthread_detach(pthread_self()); x++; return a"}},
    {"one after the other",
     HEAD "void *worker(void *a) { x++; return a; } void *next(void *a) { x++; return a; }\n"
          "int main(void) { pthread_t t, u; pthread_create(&t, 0, worker, 0); pthread_join(t, 0);"
          " pthread_create(&u, 0, next, 0); return 0; }",
     "x",
     {"pthread_join(t, 0);", ""}},
    {"one thread",
     HEAD "void *worker(void *a) { x++; return a; }\n"
          "int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); return 0; }",
     "x",
     {"pthread_create(&t, 0, worker, 0);", "for (int i = 0; i < 2; i++) pthread_create(&t, 0, worker, 0);"}},
    {"atomic",
     HEAD "_Atomic int z; void *worker(void *a) { z++; return a; }" TWO,
     "z",
     {"_Atomic int z", "int z", "z++;", "z++; *(int *)&z = 1;"}},
    {"lock of the object",
     HEAD "struct cell { pthread_mutex_t lock; int value; struct cell *next; } *cells;\n"
          "static void fill(struct cell *c, struct cell *d) {"
          " pthread_mutex_lock(&c->lock); c->value++; pthread_mutex_unlock(&c->lock); }\n"
          "void *worker(void *a) { fill(cells, cells->next); return a; }\n"
          "int main(void) { pthread_t t, u; for (int i = 0; i < 3; i++) { struct cell *c = malloc(sizeof *c);"
          " c->value = i; c->next = cells; cells = c; }"
          " pthread_create(&t, 0, worker, 0); pthread_create(&u, 0, worker, 0); return 0; }",
     "malloc in main",
     {"c->value++", "d->value++", "lock(&c->lock);", "lock(&d->lock);", "pthread_mutex_lock(&c->lock); c->value++;",
      "c->value++; pthread_mutex_lock(&c->lock);"}},
    {"fresh until published",
     HEAD "struct node { int value; struct node *next; } *list;\n"
          "void *worker(void *a) { struct node *c = malloc(sizeof *c); c->value = 1; " LOCK
          " c->next = list; list = c; y += list->value; " UNLOCK " return a; }" TWO,
     "malloc in worker",
     {"list = c; y += list->value; " UNLOCK, "list = c; y += list->value; " UNLOCK " c->value = 2;"}},
    {"published by a callee that gets other things, too",
     HEAD "struct node { int value; } first, *kept;\n"
          "static void put(struct node *p) { " LOCK " kept = p; " UNLOCK " }\n"
          "void *worker(void *a) { put(&first); struct node *c = malloc(sizeof *c); c->value = 1; put(c); " LOCK
          " kept->value++; " UNLOCK " return a; }" TWO,
     "malloc in worker",
     {"put(c);", "put(c); c->value = 2;"}},
    {"the routine of a thread has a body",
     HEAD "char b[8]; int puts(const char *text);\n"
          "void *worker(void *a) { " LOCK " *(char *)a = 1; " UNLOCK " return a; }\n"
          "int main(void) { pthread_t t; pthread_create(&t, 0, worker, b); " LOCK " b[0] = 2; " UNLOCK " return 0; }",
     "b",
     {"0, worker,", "0, (void *(*)(void *))puts,", "0, worker,", "0, (void *(*)(void *))free,"}},
    {"published in parts",
     HEAD "struct node { int value; }; unsigned low, high;\n"
          "void *worker(void *a) { struct node *c = malloc(sizeof *c); c->value = 1; " LOCK
          " low = (unsigned)(unsigned long)c; high = (unsigned)((unsigned long)c >> 32);"
          " struct node *k = (struct node *)((unsigned long)high << 32 | low); k->value++; " UNLOCK " return a; }" TWO,
     "malloc in worker",
     {"return a;", "c->value = 2; return a;"}},
    {"stored in what was given",
     HEAD "struct node { int value; struct node *next; };\n"
          "void *worker(void *a) { struct node *p = a, *c = malloc(sizeof *c); c->value = 1; " LOCK
          " p->next = c; " UNLOCK " return 0; }\n"
          "int main(void) { pthread_t t; struct node *p = calloc(1, sizeof *p); pthread_create(&t, 0, worker, p); " LOCK
          " if (p->next) p->next->value = 3; " UNLOCK " return 0; }",
     "malloc in worker",
     {"return 0; }\nint", "c->value = 2; return 0; }\nint", "p->next = c; " UNLOCK,
      "struct node n = {0, c}; *p = n; " UNLOCK " c->value = 2;"}},
    {"given to a thread",
     HEAD "int *kept; void *worker(void *a) { int *p = a; (*p)++; free(p); return 0; }\n"
          "void *other(void *a) { " LOCK " int *p = a ? a : kept; " UNLOCK " if (p) *p = 3; return 0; }\n"
          "int main(void) { pthread_t t; pthread_create(&t, 0, other, 0); for (int i = 0; i < 3; i++) { int *p = "
          "malloc(sizeof *p); *p = i;"
          " pthread_create(&t, 0, worker, p); } return 0; }",
     "malloc in main",
     {"worker, p);", "worker, p); *p = 2;", "int *p = malloc(sizeof *p); *p = i;",
      "static int *p; if (!p) p = malloc(sizeof *p);", "worker, p);", "worker, p); pthread_create(&t, 0, other, p);",
      "worker, p);", "worker, p); " LOCK " kept = p; " UNLOCK}},
    {"library functions",
     HEAD "char text[8]; void *worker(void *a) { " LOCK " strcpy(text, \"one\"); " UNLOCK " return a; }" TWO,
     "text",
     {LOCK " strcpy", "strcpy"}},
    {"back from the end",
     HEAD "struct { int t[10], z; } s; int count = 10;\n"
          "void *worker(void *a) { int *p = &s.t[count]; p[-1] = 1; return a; }\n"
          "void *other(void *a) { s.z = 2; return a; }\n"
          "int main(void) { pthread_t t, u; pthread_create(&t, 0, worker, 0); pthread_create(&u, 0, other, 0);"
          " return 0; }",
     "s",
     {"s.z = 2;", "s.z = 2; s.t[9] = 3;", "int *p = &s.t[count]; p[-1] = 1;",
      "pthread_t r; if (a) ((int *)a)[-1] = 1; else pthread_create(&r, 0, worker, &s.t[count]);"}},
    {"assembly",
     HEAD "void *worker(void *a) { __asm__ volatile(\"nop; nop\" ::: \"memory\"); return a; }\n"
          "void *other(void *a) { x++; return a; }\n"
          "int main(void) { pthread_t t, u; pthread_create(&t, 0, worker, 0); pthread_create(&u, 0, other, 0);"
          " return 0; }",
     "x",
     {"nop; nop\" ::", "incl x(%%rip)\" ::", "nop; nop\" ::", "incl %c0\" :: \"i\"(&x)"}},
    {"undefined functions",
     HEAD "void look(int *p); void *worker(void *a) { " LOCK " x++; " UNLOCK " return a; }" TWO,
     "x",
     {"x++;", "x++; look(&x);"}},
    {"loops of creations and joins",
     HEAD "void *worker(void *a) { y = x; return a; }\n"
          "int main(void) { pthread_t t[4]; for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, worker, 0);"
          " for (int i = 0; i < 4; i++) { pthread_join(t[i], 0); } x++; return 0; }",
     "x",
     {"i < 4; i++) {", "i < 3; i++) {", "int i = 0; i < 4; i++) {", "int i = 1; i < 4; i++) {", "i < 4; i++) {",
      "i < 4; i += 2) {", "pthread_join(t[i], 0); } x++;", "x++; pthread_join(t[i], 0); }"}},
    {"loops, what is joined",
     HEAD "void *worker(void *a) { y = x; return a; }\n"
          "int main(int n, char **v) { pthread_t t[64], u[64]; for (int i = 0; i < n; i++)"
          " if (pthread_create(&t[i], 0, worker, 0)) exit(1);"
          " for (int i = 0; i < n; i++) { pthread_join(t[i], 0); } x++; return 0; }",
     "x",
     {"pthread_join(t[i], 0);", "pthread_join(t[n - i - 1], 0);", "pthread_join(t[i], 0);", "pthread_join(t[0], 0);",
      "pthread_join(t[i], 0);", "if (i != 2) pthread_join(t[i], 0);", "pthread_join(t[i], 0);",
      "if (i == 2) break; pthread_join(t[i], 0);"}},
    {"loops, what is created",
     HEAD "void *worker(void *a) { y = x; return a; }\n"
          "int main(int n, char **v) { pthread_t t[64], u[64]; for (int i = 0; i < n; i++) {"
          " pthread_create(&t[i], 0, worker, 0); }"
          " for (int i = 0; i < n; i++) { pthread_join(t[i], 0); } x++; return 0; }",
     "x",
     {"pthread_create(&t[i], 0, worker, 0);", "for (int k = 0; k < 2; k++) pthread_create(&t[i], 0, worker, 0);",
      "for (int i = 0; i < n; i++) { pthread_join", "n--; for (int i = 0; i < n; i++) { pthread_join",
      "for (int i = 0; i < n; i++) { pthread_join", "t[0] = t[1]; for (int i = 0; i < n; i++) { pthread_join", "&t[i]",
      "&t[i / 2]"}},
    {"loops in loops",
     HEAD "struct job { int number; pthread_t thread; }; void *worker(void *a) { y = x; return a; }\n"
          "int main(int n, char **v) { struct job *t = malloc(n * sizeof *t); {"
          " for (int i = 0; i < n; i++) pthread_create(&t[i].thread, 0, worker, 0);"
          " for (int i = 0; i < n; i++) { pthread_join(t[i].thread, 0); } x++; } free(t); return 0; }",
     "x",
     {"*t); {", "*t); for (;;) {", "x++;", "pthread_create(&t[0].thread, 0, worker, 0); x++;", "t[i].thread, 0); }",
      "t[i].thread, 0); i++; }"}},
    {"semaphores as locks",
     HEAD "#include <semaphore.h>\nsem_t s; static void leave(void) { sem_post(&s); }\n"
          "void *worker(void *a) { sem_wait(&s); x++; leave(); return a; }\n"
          "int main(void) { pthread_t t, u; sem_init(&s, 0, 1); pthread_create(&t, 0, worker, 0);"
          " pthread_create(&u, 0, worker, 0); return 0; }",
     "x",
     {"&s, 0, 1)", "&s, 0, 2)", "return 0; }", "sem_post(&s); return 0; }", "x++; leave();", "x++; leave(); leave();",
      "x++; leave();", "leave(); x++;"}},
    {"semaphores as locks, addresses",
     HEAD "#include <semaphore.h>\nsem_t s, o; void look(sem_t *p); void call(int (*f)(sem_t *));\n"
          "void *worker(void *a) { sem_wait(&s); x++; sem_post(&s); return a; }\n"
          "int main(void) { pthread_t t, u; sem_init(&o, 0, 0); sem_init(&s, 0, 1); sem_t *p = &o;"
          " pthread_create(&t, 0, worker, 0); pthread_create(&u, 0, worker, 0); sem_post(p); return 0; }",
     "x",
     {"sem_t *p = &o;", "sem_t *p = y ? &o : &s;", "sem_post(p);", "look(&s);", "sem_init(&s, 0, 1);", "",
      "sem_init(&s, 0, 1);", "sem_init(&s, 0, 1 + y);"}},
    {"semaphores as locks, attempts",
     HEAD "#include <semaphore.h>\nsem_t s;\n"
          "void *worker(void *a) { if (sem_trywait(&s) == 0) { x++; sem_post(&s); } return a; }\n"
          "int main(void) { pthread_t t, u; sem_init(&s, 0, 1); pthread_create(&t, 0, worker, 0);"
          " pthread_create(&u, 0, worker, 0); return 0; }",
     "x",
     {"== 0", "!= 0", "sem_post(&s); }", "} sem_post(&s);"}},
    {"threads that threads joined",
     HEAD "void *inner(void *a) { y = x; return a; }\n"
          "static void pool(int n) { pthread_t t[4]; for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, inner, 0);"
          " for (int i = 0; i < 4; i++) { pthread_join(t[i], 0); } }\n"
          "void *worker(void *a) { pool(1); return a; }\n"
          "int main(int c, char **v) { pthread_t t[4]; pool(c);"
          " for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, worker, 0);"
          " for (int i = 0; i < 4; i++) { pthread_join(t[i], 0) ; } x++; return 0; }",
     "x",
     {"for (int i = 0; i < 4; i++) { pthread_join(t[i], 0);",
      "for (int i = 0; i < 4 && n; i++) { pthread_join(t[i], 0);",
      "for (int i = 0; i < 4; i++) { pthread_join(t[i], 0); }",
      "if (n > 2) return; for (int i = 0; i < 4; i++) { pthread_join(t[i], 0); }", "{ pthread_join(t[i], 0); } }",
      "{ if (n > 2) return; pthread_join(t[i], 0); } }", "{ pthread_join(t[i], 0) ; } x++;", "{ } x++;"}},
    {"pools that are used again",
     HEAD "void *inner(void *a) { y = x; return a; }\n"
          "static void pool(int n) { pthread_t *t = malloc(n * sizeof *t);"
          " for (int i = 0; i < n; i++) { pthread_create(&t[i], 0, inner, 0); }"
          " for (int i = 0; i < n; i++) { pthread_join(t[i], 0); } free(t); }\n"
          "int main(int c, char **v) { pool(c); pool(2); x++; return 0; }",
     "x",
     {"pthread_t *t = malloc(n * sizeof *t);", "static pthread_t *t; t = malloc(n * sizeof *t);",
      "pthread_create(&t[i], 0, inner, 0); }", "pthread_create(&t[i], 0, inner, 0); } if (n > 3) pool(n - 1);",
      "pthread_join(t[i], 0); } free", "if (i > 2) break; pthread_join(t[i], 0); } free", "inner, 0); }",
      "inner, 0); } if (n > 3) return;"}},
    {"pools in an array of all",
     HEAD
     "pthread_t other[4]; void *inner(void *a) { y = x; return a; }\n"
     "static void pool(int n) { pthread_t own[4]; for (int i = 0; i < 4; i++) pthread_create(&own[i], 0, inner, 0);"
     " for (int i = 0; i < 4; i++) { pthread_join(own[i], 0); } }\n"
     "int main(int c, char **v) { pool(c); pool(2); x++; return 0; }",
     "x",
     {"pthread_t own[4];", "pthread_t *own = other;", "pool(2); x++;", "pthread_create(other, 0, inner, 0); x++;"}},
    {"threads that are left by threads",
     HEAD "void *leaf(void *a) { y = x; return a; }\n"
          "void *inner(void *a) { pthread_t t; pthread_create(&t, 0, leaf, 0); pthread_join(t, 0) ; return a; }\n"
          "void *worker(void *a) { pthread_t t; pthread_create(&t, 0, inner, 0); pthread_join(t, 0); return a; }\n"
          "int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); pthread_join(t, 0); x++; return 0; }",
     "x",
     {"pthread_join(t, 0) ; return", "return", "0); pthread_join(t, 0); return", "0); return",
      "pthread_join(t, 0); x++;", "x++;"}},
};

static void test_mechanisms(void **state) {
  (void)state;
  check_cases(cases, sizeof cases / sizeof *cases);
}

static const SurveyObject *find_object(const Survey *survey, const char *name) {
  for (uint32_t i = 0; i < survey->object_count; i++)
    if (is_called(survey->objects[i].name, name)) return &survey->objects[i];
  fail_msg("there is no object %s", name);
  return NULL;
}

// Parts with one name and one answer are one row; what the library has for itself is behind the rest.
static void test_rows(void **state) {
  (void)state;
  Surveyed s;
  survey_source(HEAD "#include <unistd.h>\n#include <time.h>\nchar *word, *other; struct pair { int a, b; } *pairs;\n"
                     "void use(struct pair *p);\n"
                     "void *worker(void *a) { x++; pairs->b++; use(pairs); return a; }\n"
                     "int main(int argc, char **argv) { pthread_t t; word = argc > 1 ? tzname[0] : argv[0];"
                     " other = tzname[1]; pairs = malloc(sizeof *pairs);"
                     " pthread_create(&t, 0, worker, 0); pthread_create(&t, 0, worker, 0); return 0; }",
                &s);
  const SurveyObject *all = s.survey->objects;
  uint32_t count = s.survey->object_count;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < i; k++)
      if (strcmp(all[i].name, all[k].name) == 0 && all[i].status == all[k].status && all[i].doubt == all[k].doubt)
        fail_msg("%s is told twice", all[i].name);
  assert_string_equal(all[0].name, "x");
  assert_int_equal(find_object(s.survey, "tzname")->doubt, SURVEY_DOUBT_LIBRARY);
  const SurveyObject *block = find_object(s.survey, "malloc in main");
  assert_true(starts_with(block->name, "struct pair (malloc in main, heddle-survey-"));
  assert_int_equal(block->doubt, SURVEY_DOUBT_OUTSIDE);
  assert_string_equal(block->doubt_detail, "use");
  end_survey(&s);
}

// A lock that only some accesses hold is a likelier bug than none at all, unless it is that of the callers of one
// function; blocks are behind static objects; what a pointer may mean among many things is last.
static void test_ranks(void **state) {
  (void)state;
  Surveyed s;
  survey_source(HEAD "int never, sometimes, callers, *block; static void count(void) { callers++; }\n"
                     "void *worker(void *a) { (*block)++; never++; " LOCK " sometimes++; count(); " UNLOCK
                     " count(); return a; }\n"
                     "void *other(void *a) { sometimes--; return a; }\n"
                     "int main(void) { pthread_t t, u; block = malloc(4); pthread_create(&t, 0, worker, 0);"
                     " pthread_create(&t, 0, worker, 0); pthread_create(&u, 0, other, 0); return 0; }",
                &s);
  assert_int_equal(s.survey->totals.warned, 4);
  assert_string_equal(s.survey->objects[0].name, "sometimes");
  assert_string_equal(s.survey->objects[1].name, "callers");
  assert_string_equal(s.survey->objects[2].name, "never");
  assert_true(starts_with(s.survey->objects[3].name, "malloc in main"));
  assert_true(s.survey->objects[3].pairs[0].rank >= SURVEY_RANK_SURE);
  end_survey(&s);
}

static void test_nothing_shared(void **state) {
  (void)state;
  Surveyed s;
  survey_source("int main(void) { return 0; }", &s);
  assert_int_equal(s.survey->object_count, 0);
  end_survey(&s);
}

// --- locks ---

#define TAKE(lock) "pthread_mutex_lock(&" lock ");"
#define LEAVE(lock) "pthread_mutex_unlock(&" lock ");"
#define AND_OTHER                                                                                                      \
  "int main(void) { pthread_t t, u; pthread_create(&t, 0, worker, 0); pthread_create(&u, 0, other, 0);"                \
  " pthread_join(t, 0); pthread_join(u, 0); return 0; }"

// A program whose lock orders are all proved, and mutants with a finding of the kind.
typedef struct LockCase {
  const char *name, *source;
  SurveyLockKind kind;
  const char *mutations[8];
} LockCase;

static const LockCase lock_cases[] = {
    {"same order",
     HEAD "void *worker(void *a) { " TAKE("m") TAKE("n") LEAVE("n") LEAVE(
         "m") " return a; }\n"
              "void *other(void *a) { " TAKE("m") " " TAKE("n") " " LEAVE("n") LEAVE("m") " return a; }" AND_OTHER,
     SURVEY_CYCLE,
     {TAKE("m") " " TAKE("n"), TAKE("n") " " TAKE("m"), TAKE("m") " " TAKE("n"),
      TAKE("n") " while (pthread_mutex_trylock(&m) && x) " TAKE("m"), TAKE("m") " " TAKE("n"),
      TAKE("n") " if (x) " LEAVE("n") TAKE("m"), "pthread_mutex_lock(&m); pthread_mutex_lock(&n);",
      "pthread_rwlock_rdlock(&rw); pthread_mutex_lock(&n);" TAKE("m") LEAVE("m") "pthread_rwlock_unlock(&rw);"}},
    {"three locks",
     HEAD "pthread_mutex_t o = PTHREAD_MUTEX_INITIALIZER;\n"
          "void *worker(void *a) { " TAKE("m") TAKE("n") LEAVE("n")
              LEAVE("m") " return a; }\n"
                         "void *other(void *a) { " TAKE("n") TAKE("o") LEAVE("o")
                             LEAVE("n") " return a; }\n"
                                        "void *third(void *a) { " TAKE("m") " " TAKE("o") LEAVE("o")
                                            LEAVE("m") " return a; }\n"
                                                       "int main(void) { pthread_t t, u, v; pthread_create(&t, 0, "
                                                       "worker, 0); pthread_create(&u, 0, other, 0);"
                                                       " pthread_create(&v, 0, third, 0); return 0; }",
     SURVEY_CYCLE,
     {TAKE("m") " " TAKE("o"), TAKE("o") " " TAKE("m")}},
    {"gate",
     HEAD "pthread_mutex_t g = PTHREAD_MUTEX_INITIALIZER;\n"
          "void *worker(void *a) { " TAKE("g") TAKE("m") TAKE("n") LEAVE("n") LEAVE("m")
              LEAVE("g") " return a; }\n"
                         "void *other(void *a) { " TAKE("g") " " TAKE("n") " " TAKE("m") LEAVE("m")
                             LEAVE("n") " " LEAVE("g") " return a; }" AND_OTHER,
     SURVEY_CYCLE,
     {TAKE("g") " ", "", TAKE("g") " " TAKE("n") " ", TAKE("g") TAKE("n") LEAVE("g"), TAKE("g") " ",
      "if (x) " TAKE("g")}},
    {"one thread",
     HEAD "void *worker(void *a) { " TAKE("m") TAKE("n") LEAVE("n") LEAVE("m") TAKE("n") TAKE("m") LEAVE("m")
         LEAVE("n") " return a; }\n"
                    "int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); return 0; }",
     SURVEY_CYCLE,
     {"pthread_create(&t, 0, worker, 0);", "for (int i = 0; i < 2; i++) pthread_create(&t, 0, worker, 0);"}},
    {"phases",
     HEAD "void *worker(void *a) { " TAKE("m") TAKE("n") LEAVE("n")
         LEAVE("m") " return a; }\n"
                    "void *other(void *a) { " TAKE("n") TAKE("m") LEAVE("m") LEAVE(
                        "n") " return a; }\n"
                             "int main(void) { pthread_t t, u; pthread_create(&t, 0, worker, 0); pthread_join(t, 0);"
                             " pthread_create(&u, 0, other, 0); return 0; }",
     SURVEY_CYCLE,
     {"pthread_join(t, 0);", ""}},
    {"wrappers",
     HEAD "static void take(pthread_mutex_t *l) { pthread_mutex_lock(l); }\n"
          "static void leave(pthread_mutex_t *l) { pthread_mutex_unlock(l); }\n"
          "void *worker(void *a) { take(&m); take(&n); leave(&n); leave(&m); return a; }\n"
          "void *other(void *a) { take(&m); leave(&m); take(&n); leave(&n); return a; }" AND_OTHER,
     SURVEY_CYCLE,
     {"take(&m); leave(&m); take(&n); leave(&n);", "take(&n); take(&m); leave(&m); leave(&n);",
      "leave(&m); take(&n); leave(&n);", "leave(&m); take(&n); take(&m); leave(&n);"}},
    {"locks of a table",
     HEAD "pthread_mutex_t all[4]; int at(void);\n"
          "void *worker(void *a) { int i = x; pthread_mutex_lock(&all[i]); pthread_mutex_unlock(&all[i]);"
          " pthread_mutex_lock(&all[y]); pthread_mutex_unlock(&all[y]); return a; }" TWO,
     SURVEY_CYCLE,
     {"pthread_mutex_unlock(&all[i]); pthread_mutex_lock(&all[y]);",
      "pthread_mutex_lock(&all[y]); pthread_mutex_unlock(&all[i]);"}},
    {"blocks with locks",
     HEAD "struct cell { pthread_mutex_t lock; struct cell *next; } *cells;\n"
          "void *worker(void *a) { for (struct cell *c = cells; c; c = c->next) {"
          " pthread_mutex_lock(&c->lock); pthread_mutex_unlock(&c->lock); } return a; }\n"
          "int main(void) { pthread_t t, u; for (int i = 0; i < 3; i++) { struct cell *c = malloc(sizeof *c);"
          " pthread_mutex_init(&c->lock, 0); c->next = cells; cells = c; }"
          " pthread_create(&t, 0, worker, 0); pthread_create(&u, 0, worker, 0); return 0; }",
     SURVEY_CYCLE,
     {"pthread_mutex_unlock(&c->lock); }",
      "} for (struct cell *c = cells; c; c = c->next)"
      " pthread_mutex_unlock(&c->lock);",
      "pthread_mutex_lock(&c->lock); pthread",
      "pthread_mutex_lock(&c->lock); if (c->next) { pthread_mutex_lock(&c->next->lock);"
      " pthread_mutex_unlock(&c->next->lock); } pthread"}},
    {"twice",
     HEAD "void *worker(void *a) { int r = pthread_mutex_trylock(&m); if (r != 0) " TAKE("m") " x++; " LEAVE(
         "m") " " TAKE("m") LEAVE("m") " return a; }" TWO,
     SURVEY_TWICE,
     {LEAVE("m") " ", "", LEAVE("m") " ", "if (x) " LEAVE("m"), "if (r != 0)", "if (r != 16)"}},
    {"handlers of signals",
     HEAD "#include <signal.h>\nvoid handler(int s) { " TAKE("n")
         LEAVE("n") " }\n"
                    "int main(void) { signal(SIGALRM, handler); " TAKE("m") LEAVE("m") " return 0; }",
     SURVEY_TWICE,
     {TAKE("n") LEAVE("n"), TAKE("m") LEAVE("m")}},
    {"wait with a lock held",
     HEAD "pthread_cond_t c;\n"
          "void *worker(void *a) { " TAKE("n") " x++; " LEAVE("n") " " TAKE(
              "m") " while (!y) pthread_cond_wait(&c, &m);" LEAVE("m") " return a; }\n"
                                                                       "void *other(void *a) { " TAKE(
                                                                           "n") " x--; " LEAVE("n")
                                                                           TAKE("m") " y = 1; "
                                                                                     "pthread_cond_signal(&c); " LEAVE(
                                                                                         "m") " return a; }" AND_OTHER,
     SURVEY_WAIT_HELD,
     {LEAVE("n") " " TAKE("m") " while (!y) pthread_cond_wait(&c, &m);",
      TAKE("m") " while (!y) pthread_cond_wait(&c, &m);" LEAVE("n")}},
    {"post",
     HEAD "#include <semaphore.h>\nsem_t s;\n"
          "void *worker(void *a) { " TAKE("n")
              LEAVE("n") " sem_wait(&s); return a; }\n"
                         "void *other(void *a) { " TAKE("n") " x--; " LEAVE("n") " sem_post(&s); return a; }" AND_OTHER,
     SURVEY_WAIT_HELD,
     {LEAVE("n") " sem_wait(&s);", "sem_wait(&s);" LEAVE("n")}},
    {"barrier",
     HEAD "pthread_barrier_t b;\n"
          "void *worker(void *a) { " TAKE("n") LEAVE("n") " pthread_barrier_wait(&b); return a; }" TWO,
     SURVEY_WAIT_HELD,
     {LEAVE("n") " pthread_barrier_wait(&b);", "pthread_barrier_wait(&b);" LEAVE("n")}},
    {"join",
     HEAD "void *worker(void *a) { " TAKE("m")
         LEAVE("m") " return a; }\n"
                    "int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); " TAKE("m")
                        LEAVE("m") " pthread_join(t, 0);"
                                   " return 0; }",
     SURVEY_JOIN_HELD,
     {LEAVE("m") " pthread_join(t, 0);", "pthread_join(t, 0); " LEAVE("m")}},
    {"join, and a third thread",
     HEAD "void *worker(void *a) { " TAKE("m")
         LEAVE("m") " return a; }\n"
                    "void *other(void *a) { " TAKE("m") " x--; " LEAVE("m") TAKE("n") " x++; " LEAVE(
                        "n") " return a; }\n"
                             "int main(void) { pthread_t t, u; pthread_create(&t, 0, worker, 0); pthread_create(&u, 0, "
                             "other, 0);" TAKE("n") "pthread_join(t, 0);" LEAVE("n") " return 0; }",
     SURVEY_JOIN_HELD,
     {LEAVE("m") TAKE("n") " x++; " LEAVE("n"), TAKE("n") " x++; " LEAVE("n") LEAVE("m")}},
    {"end",
     HEAD "void *worker(void *a) { " TAKE("m") " x++; " LEAVE("m") " return a; }" TWO,
     SURVEY_END_HELD,
     {LEAVE("m"), "", LEAVE("m"), "if (x) " LEAVE("m"), LEAVE("m"), "if (x) pthread_exit(0);" LEAVE("m")}},
    {"once",
     HEAD "pthread_once_t o = PTHREAD_ONCE_INIT; static void first(void) { " TAKE("n")
         LEAVE("n") " }\n"
                    "void *worker(void *a) { " TAKE("m") "pthread_once(&o, first);" LEAVE("m") " return a; }" TWO,
     SURVEY_CYCLE,
     {TAKE("n") LEAVE("n"), TAKE("m") LEAVE("m")}},
};

// Which kinds of findings about locks are not proved, as bits.
static unsigned lock_kinds_of(const char *source) {
  Surveyed s;
  survey_source(source, &s);
  unsigned kinds = 0;
  for (uint32_t i = 0; i < s.survey->lock_count; i++) {
    if (s.survey->locks[i].status != SURVEY_PROVED) kinds |= 1u << s.survey->locks[i].kind;
    assert_true(s.survey->locks[i].step_count > 0);
  }
  end_survey(&s);
  return kinds;
}

static void test_locks(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof lock_cases / sizeof *lock_cases; i++) {
    const LockCase *c = &lock_cases[i];
    unsigned kinds = lock_kinds_of(c->source);
    if (kinds != 0) fail_msg("%s: not proved, kinds %x", c->name, kinds);
    for (size_t k = 0; k < 8 && c->mutations[k]; k += 2) {
      Text mutant;
      text_init(&mutant, NULL);
      replace(&mutant, c->source, c->mutations[k], c->mutations[k + 1]);
      kinds = lock_kinds_of(mutant.data);
      if (!(kinds >> c->kind & 1)) fail_msg("%s: kinds %x with \"%s\"", c->name, kinds, c->mutations[k + 1]);
      text_free(&mutant);
    }
  }
}

// The locks that are held where one is taken have names, also if a parameter refers to them.
static void test_names_of_held_locks(void **state) {
  (void)state;
  const char *source = HEAD
      "struct pair { int x; pthread_mutex_t own; } *shared; pthread_mutex_t n;\n"
      "void both(struct pair *p, struct pair *q) { int busy = pthread_mutex_trylock(&p->own);"
      " pthread_mutex_lock(&q->own); pthread_mutex_lock(&n); pthread_mutex_unlock(&n); pthread_mutex_unlock(&q->own);"
      " if (!busy) pthread_mutex_unlock(&p->own); }\n"
      "struct pair *make(void) { struct pair *p = malloc(sizeof *p); pthread_mutex_init(&p->own, 0); return p; }\n"
      "void *worker(void *a) { both(shared, a); return a; }\n"
      "void *other(void *a) { pthread_mutex_lock(&n); pthread_mutex_lock(&shared->own);"
      " pthread_mutex_unlock(&shared->own); pthread_mutex_unlock(&n); return a; }\n"
      "int main(void) { pthread_t t, u; for (int i = 0; i < 3; i++) { struct pair *p = make(); p->x = shared != 0;"
      " shared = p; } pthread_create(&t, 0, worker, shared); pthread_create(&u, 0, other, 0); return 0; }";
  Surveyed s;
  survey_source(source, &s);
  assert_true(s.survey->lock_count > 0);
  const SurveyLockFinding *cycle = &s.survey->locks[0];
  assert_int_equal(cycle->kind, SURVEY_CYCLE);
  assert_int_equal(cycle->step_count, 2);
  for (uint32_t i = 0; i < 2; i++) assert_string_equal(cycle->steps[i].at.locks, cycle->steps[i].held);
  bool warned = true; // warned findings come first
  for (uint32_t i = 0; i < s.survey->lock_count; i++) {
    assert_true(warned || s.survey->locks[i].status != SURVEY_WARNED);
    warned = s.survey->locks[i].status == SURVEY_WARNED;
  }
  end_survey(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_mechanisms), cmocka_unit_test(test_rows),
                                     cmocka_unit_test(test_ranks),      cmocka_unit_test(test_nothing_shared),
                                     cmocka_unit_test(test_locks),      cmocka_unit_test(test_names_of_held_locks)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
