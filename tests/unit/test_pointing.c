// What pointers may hold, on small sources. A probe is a call of a function whose name begins with "p" and a digit:
// each test says exactly which places its argument may hold, so that both a missing place (unsound) and one too many
// are found. A place is written as its area, then its offset, and "/stride" or "/stride..extent".
#include "survey/effects.h"
#include "survey/pointing.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct Analysed {
  Account account;
  FrontUnit *unit;
  Code *code;
  Pointing *pointing;
} Analysed;

static void write_source(char *path, const char *source) {
  int descriptor = mkstemps(path, 2);
  assert_true(descriptor >= 0);
  static const char start[] =
      "#define _GNU_SOURCE\n#include <stdlib.h>\n#include <string.h>\n#include <pthread.h>\n#include "
      "<stdint.h>\n#include <stddef.h>\n"
      "#include <stdarg.h>\n#include <stdio.h>\n#include <signal.h>\n"
      "void p0(const void *p) {} void p1(const void *p) {} void p2(const void *p) {} void p3(const void *p) {}\n";
  assert_int_equal(write(descriptor, start, strlen(start)), (ssize_t)strlen(start));
  assert_int_equal(write(descriptor, source, strlen(source)), (ssize_t)strlen(source));
  close(descriptor);
}

static void analyse(Analysed *t, const char *source) {
  *t = (Analysed){.account = {.room = "test"}};
  char path[] = "/tmp/heddle-pointing-XXXXXX.c";
  write_source(path, source);
  Text error;
  text_init(&error, NULL);
  FrontOptions options = {.files = (const char *const[]){path}, .file_count = 1, .pointer_width = 64};
  t->unit = front_open(&options, &error, &t->account);
  unlink(path);
  if (!t->unit) fail_msg("%s", error.data);
  text_free(&error);
  t->code = code_read(t->unit, &t->account);
  t->pointing = pointing_new(t->code, NULL, 0, false, 0, &t->account);
  assert_non_null(t->pointing);
}

static void finish(Analysed *t) {
  pointing_free(t->pointing);
  code_free(t->code);
  front_close(t->unit);
  assert_int_equal(t->account.bytes, 0);
}

static void write_area(const Analysed *t, uint32_t area, Text *out) {
  Text name;
  text_init(&name, NULL);
  pointing_area_name(t->pointing, area, &name);
  const char *open = strstr(name.data, " ("), *comma = open ? strchr(open, ',') : NULL;
  if (comma) // "struct node (malloc in main, a.c:3)"
    text_add_bytes(out, open + 2, (size_t)(comma - open) - 2);
  else
    text_add_bytes(out, name.data, open ? (size_t)(open - name.data) : name.length);
  text_free(&name);
}

static void write_places(const Analysed *t, PlaceRange range, Text *out) {
  for (uint32_t i = 0; i < range.count; i++) {
    AreaPlace place = range.data[i];
    if (i > 0) text_add(out, ", ");
    write_area(t, place.area, out);
    if (place.offset != 0) text_format(out, "%+" PRId64, place.offset);
    if (place.stride != 0) text_format(out, "/%" PRIu32, place.stride);
    if (place.extent != 0) text_format(out, "..%" PRIu64, place.extent);
  }
}

static uint32_t find_call(const Analysed *t, const char *function) {
  uint32_t id = code_find_function(t->code, function);
  for (uint32_t i = 0; i < t->code->statement_count; i++) {
    const CodeStatement *s = &t->code->statements[i];
    if (s->kind != CODE_CALL) continue;
    CodeOperand callee = code_operand(t->code, s, 0);
    if (callee.kind == CODE_FUNCTION && callee.id == id) return i;
  }
  fail_msg("%s is not called", function);
  return NO_CODE_ID;
}

static void expect(const Analysed *t, const char *probe, const char *places) {
  const CodeStatement *call = &t->code->statements[find_call(t, probe)];
  Text text;
  text_init(&text, NULL);
  write_places(t, pointing_of(t->pointing, code_operand(t->code, call, 1)), &text);
  if (strcmp(text.data, places) != 0) fail_msg("%s holds %s; expected is %s", probe, text.data, places);
  text_free(&text);
}

// A source, and what its probes hold.
static void check(const char *source, const char *const *expected) {
  Analysed t;
  analyse(&t, source);
  for (unsigned i = 0; expected[i]; i++) expect(&t, (const char *const[]){"p0", "p1", "p2", "p3"}[i], expected[i]);
  finish(&t);
}
#define CHECK(source, ...) check(source, (const char *const[]){__VA_ARGS__, NULL})

// --- fields and arrays ---

static void test_fields(void **state) {
  (void)state;
  CHECK("struct s { int *x, *y; } v; int a, b; int main(void) { v.x = &a; v.y = &b; p0(v.x); p1(v.y); p2(&v.y); }", "a",
        "b", "v+8");
  CHECK("struct s { int n; struct { int *x; int *y; } in; } *h; int a, b;\n"
        "int main(void) { h = malloc(sizeof *h); h->in.x = &a; h->in.y = &b; p0(h->in.x); p1(h->in.y); p2(&h->in.y); }",
        "a", "b", "malloc in main+16");
}

static void test_arrays_of_structs(void **state) {
  (void)state;
  CHECK("struct s { int *x, *y; } t[4]; int a, b; int main(int n, char **v) { t[n].x = &a; t[n].y = &b;\n"
        "p0(t[n - 1].x); p1(t[2].y); p2(&t[n].y); }",
        "a", "b", "t+8/16..65");
  CHECK("struct s { int *x, *y; } *t; int a, b; int main(int n, char **v) { t = calloc(n, sizeof *t); t[n].x = &a;\n"
        "t[n + 1].y = &b; p0(t[n - 1].x); p1(t[2].y); }",
        "a", "b");
  CHECK("int *t[3]; int a, b; int main(void) { t[0] = &a; t[1] = &b; p0(t[0]); p1(t[1]); p2(t[2]); }", "a", "b", "");
}

static void test_growing_offsets(void **state) {
  (void)state;
  CHECK("int t[100]; int main(int n, char **v) { int *p = t; while (n--) p += 2; p0(p); }", "t/8");
  CHECK("struct s { long x; int y[50]; } g; int main(int n, char **v) { int *p = g.y; while (n--) p++; p0(p); }",
        "g/4");
  CHECK("char t[100]; char *next(char *p, int n) { return n ? next(p + 4, n - 1) : p; }\n"
        "int main(int n, char **v) { p0(next(t + 2, n)); }",
        "t+2/4");
}

// --- lists ---

static void test_linked_list(void **state) {
  (void)state;
  CHECK("struct n { struct n *next; int *data; } *head; int a; int main(int n, char **v) {\n"
        "while (n--) { struct n *e = malloc(sizeof *e); e->next = head; e->data = &a; head = e; }\n"
        "for (struct n *e = head; e; e = e->next) p0(e); p1(head->next->next->data); p2(&head->next->data); }",
        "malloc in main", "a", "malloc in main+8");
}

static void test_container_of(void **state) {
  (void)state;
  CHECK("struct l { struct l *next; }; struct s { int *x; long y; struct l link; } v; int a; struct l *head;\n"
        "int main(void) { v.x = &a; head = &v.link; struct s *s = (struct s *)((char *)head - offsetof(struct s, "
        "link));\n"
        "p0(s); p1(s->x); p2(head); }",
        "v", "a", "v+16");
}

// --- functions ---

static void test_tables_of_functions(void **state) {
  (void)state;
  CHECK("int a, b; int *f(int *p) { return p; } int *g(int *p) { return &b; } int *h(int *p) { p3(p); return p; }\n"
        "const struct { const char *name; int *(*run)(int *); } t[] = {{\"f\", f}, {\"g\", g}};\n"
        "int main(int n, char **v) { int *(*r)(int *) = t[n].run; p0((void *)r); p1(r(&a)); h(0); }",
        "f, g", "b, a");
}

static void test_callees(void **state) {
  (void)state;
  Analysed t;
  analyse(&t, "void f(void) {} void g(void) {} void h(void) {} void (*one)(void) = f, (*two)(void) = g;\n"
              "int main(int n, char **v) { if (n) two = h; one(); two(); }");
  uint32_t found = 0;
  for (uint32_t i = 0; i < t.code->statement_count; i++) {
    if (t.code->statements[i].kind != CODE_CALL || t.code->statements[i].function != t.code->main) continue;
    CalleeRange callees = pointing_callees(t.pointing, i);
    assert_int_equal(callees.count, 1 + found);
    if (found > 0) assert_true(callees.data[0] == code_find_function(t.code, "g"));
    if (found > 0) assert_true(callees.data[1] == code_find_function(t.code, "h"));
    found++;
  }
  assert_int_equal(found, 2);
  finish(&t);
}

static void test_callbacks(void **state) {
  (void)state;
  CHECK("int a; void on(void (*f)(void *), void *p) { f(p); } void f(void *p) { p0(p); } int b; void g(void *p) { "
        "p1(p); }\n"
        "int main(void) { on(f, &a); on(g, &b); }",
        "a, b", "a, b");
  CHECK(
      "int t[8]; int less(const void *a, const void *b) { p0(a); return 0; } int main(void) { qsort(t, 8, 4, less); }",
      "t/1, memory of the library/1");
}

static void test_recursion(void **state) {
  (void)state;
  CHECK("int a, b; int *f(int n, int *p) { return n ? f(n - 1, p) : p; } int main(int n, char **v) {\n"
        "p0(f(n, &a)); }",
        "a");
  CHECK("struct t { struct t *l, *r; int *x; } *root; int a; struct t *make(int n) { if (!n) return 0;\n"
        "struct t *t = malloc(sizeof *t); t->l = make(n - 1); t->r = make(n - 2); t->x = &a; return t; }\n"
        "int main(int n, char **v) { root = make(n); p0(root->l->r->x); p1(root->l->l); }",
        "a", "make in make");
}

static void test_variable_arguments(void **state) {
  (void)state;
  CHECK("int a, b; int *pick(int n, ...) { va_list l; va_start(l, n); int *p = 0; while (n--) p = va_arg(l, int *); "
        "va_end(l);\n"
        "return p; } int main(void) { p0(pick(2, &a, &b)); }",
        "a, b");
}

// --- structs and unions ---

static void test_struct_copies(void **state) {
  (void)state;
  CHECK("struct s { int *x, *y; int z[9]; } v, w; int a, b; int main(void) { v.x = &a; w = v; v.y = &b; p0(w.x); "
        "p1(w.y); }",
        "a", "b");
  CHECK("struct s { int *x, *y; long z[9]; }; int a, b; struct s make(void) { struct s s = {&a, &b}; return s; }\n"
        "int *second(struct s s) { return s.y; } int main(void) { struct s s = make(); p0(s.x); p1(second(s)); }",
        "a", "b");
  CHECK("struct s { int *x, *y; }; int a, b; struct s make(void) { struct s s = {&a, &b}; return s; }\n"
        "int main(void) { struct s s = make(); p0(s.x); }",
        "a, b"); // returned in two registers as one value
  CHECK("struct s { int *x, *y; } t[5], v; int a, b; int main(int n, char **c) { v.x = &a; v.y = &b; t[n] = v; "
        "p0(t[1].x);\n"
        "p1(t[n].y); struct s *h = malloc(sizeof *h); memcpy(h, &t[n], sizeof *h); p2(h->y); }",
        "a", "b", "b");
}

static void test_bytes(void **state) {
  (void)state;
  CHECK("int a; int *p, *q; int main(void) { p = &a; char *from = (char *)&p, *to = (char *)&q;\n"
        "for (unsigned i = 0; i < sizeof p; i++) *to++ = *from++; p0(q); }",
        "a");
  CHECK("int a; int *p, *q; int main(void) { p = &a; for (unsigned i = 0; i < sizeof p; i++) ((char *)&q)[i] = "
        "((char *)&p)[i]; p0(q); }",
        "a");
  CHECK("int a; union { int *p; unsigned half[2]; } u, w; int main(void) { u.p = &a; w.half[0] = u.half[0];\n"
        "w.half[1] = u.half[1]; p0(w.p); unsigned low = u.half[0]; uint64_t high = u.half[1];\n"
        "p1((void *)(high << 32 | low)); p2((void *)(uintptr_t)low); }",
        "a", "a/1", "a/1");
}

static void test_unions(void **state) {
  (void)state;
  CHECK("union u { int *p; long n; char c[8]; } u; int a; int main(void) { u.p = &a; p0((void *)u.n); }", "a");
}

static void test_integers(void **state) {
  (void)state;
  CHECK("int a; uintptr_t n; int main(void) { n = (uintptr_t)&a; p0((void *)n); p1((void *)(n & ~(uintptr_t)7));\n"
        "p2((void *)(uintptr_t)77); }",
        "a", "a/1", "");
}

// A number that is read beside addresses does not become one.
static void test_numbers_beside_addresses(void **state) {
  (void)state;
  CHECK("extern struct s { int *p; int n; } *out; int a; int main(void) { int n = out->n; int m = n + 1; int k = -m * "
        "n;\n"
        "p0((void *)out); static int t[4]; p1(&t[k]); }",
        "out/1, memory outside of the program/1", "main.t/4..17");
}

// --- the library ---

static void test_heap(void **state) {
  (void)state;
  CHECK("int a; int **f(void) { return malloc(8); } int main(int n, char **v) { int **p = f(), **q = f(); *p = &a; "
        "p0(p); p1(q);\n"
        "p2(*q); p3(*p); }",
        "f in main", "f in main", "", "a");
  CHECK("int a; int main(int n, char **v) { int **p = malloc(8); *p = &a; p = realloc(p, 8 * n); p0(p); p1(*p); }",
        "malloc in main, realloc in main", "a");
  CHECK("void *xmalloc(size_t n) { void *p = malloc(n); if (!p) abort(); return p; } struct q { int *x; };\n"
        "struct q *make(int *x) { struct q *q = xmalloc(sizeof *q); q->x = x; return q; } int a, b;\n"
        "int main(void) { struct q *q = make(&a), *r = make(&b); p0(q); p1(q->x); p2(r); }",
        "make in main", "a, b", "make in main");
  CHECK("void *grow(void *p, size_t n) { void *q = realloc(p, n); if (!q) abort(); return q; } int a, b;\n"
        "int main(void) { int **p = malloc(8), **q = malloc(8); *p = &a; *q = &b; p = grow(p, 16); q = grow(q, 16);\n"
        "p0(p); p1(*p); p2(*q); }",
        "malloc in main, grow in main", "a", "b");
}

static void test_library(void **state) {
  (void)state;
  CHECK(
      "char s[] = \"x\"; int main(void) { char *end; strtol(s, &end, 10); p0(end); p1(strchr(s, 'x')); p2(getenv(s));\n"
      "char *line = 0; asprintf(&line, \"x\"); p3(line); }",
      "s/1", "s/1", "memory of the library/1", "asprintf in main");
  CHECK("int a; struct s { int *x, *y; } v, w; int main(void) { v.y = &a; void *(*copy)(void *, const void *, size_t) "
        "= memcpy;\n"
        "copy(&w, &v, sizeof v); p0(w.x); p1(w.y); }",
        "", "a");
}

static void test_threads(void **state) {
  (void)state;
  CHECK("int a, b; void *run(void *p) { p0(p); return &b; } int main(void) { pthread_t t; void *r; pthread_create(&t, "
        "0, run, &a);\n"
        "pthread_join(t, &r); p1(r); }",
        "a", "b");
  CHECK("pthread_key_t k; int a; void end(void *p) { p0(p); } int main(void) { pthread_key_create(&k, end);\n"
        "pthread_setspecific(k, &a); p1(pthread_getspecific(k)); }",
        "a", "a");
}

static void test_handlers(void **state) {
  (void)state;
  Analysed t;
  analyse(&t, "void on(int n) {} int main(void) { struct sigaction s = {.sa_handler = on}; sigaction(2, &s, 0); }");
  const CodeStatement *call = &t.code->statements[find_call(&t, "sigaction")];
  CalleeRange routines = pointing_functions(t.pointing, code_operand(t.code, call, 2));
  assert_int_equal(routines.count, 1);
  assert_int_equal(routines.data[0], code_find_function(t.code, "on"));
  assert_false(pointing_called_from_outside(t.pointing, routines.data[0]));
  finish(&t);
}

// --- undefined functions ---

static void test_undefined_functions(void **state) {
  (void)state;
  CHECK("void out(void *); int a, b, c; int *p = &a, *q = &b; struct s { int **in; } v = {&p}; int main(void) { "
        "out(&v);\n"
        "p0(q); p1(p); }",
        "b", "a/1, p/1, v/1, memory outside of the program/1");
  CHECK("void *in(void); int a; int *p = &a; int main(void) { p0(in()); *(int **)in() = p; p1(in()); }",
        "a/1, memory outside of the program/1", "a/1, memory outside of the program/1");
}

static void test_called_from_outside(void **state) {
  (void)state;
  Analysed t;
  analyse(&t, "void out(void (*)(int *), int *); int a, b; void f(int *p) { p0(p); } void g(int *p) { p1(p); }\n"
              "int main(void) { out(f, &a); g(&b); }");
  assert_true(pointing_called_from_outside(t.pointing, code_find_function(t.code, "f")));
  assert_false(pointing_called_from_outside(t.pointing, code_find_function(t.code, "g")));
  expect(&t, "p1", "b");
  finish(&t);
}

// --- places ---

static bool overlap_by_bytes(AreaPlace a, unsigned a_bytes, AreaPlace b, unsigned b_bytes) {
  for (int k = -40; k < 40; k++)
    for (int n = -40; n < 40; n++) {
      bool in_a = a.stride == 0 ? k == 0 : a.extent == 0 || (k >= 0 && (uint64_t)k * a.stride < a.extent);
      bool in_b = b.stride == 0 ? n == 0 : b.extent == 0 || (n >= 0 && (uint64_t)n * b.stride < b.extent);
      int64_t at_a = a.offset + k * (int64_t)a.stride, at_b = b.offset + n * (int64_t)b.stride;
      if (in_a && in_b && at_a < at_b + b_bytes && at_b < at_a + a_bytes) return true;
    }
  return false;
}

static AreaPlace random_place(void) {
  static const uint32_t strides[] = {0, 0, 1, 2, 3, 4, 8, 12};
  AreaPlace place = {.offset = rand() % 24 - 4, .stride = strides[rand() % 8]};
  if (place.stride && rand() % 2) place.extent = (uint64_t)(rand() % 5 + 1) * place.stride;
  return place;
}

// A common byte is never missed, and seldom seen where there is none.
static void test_overlaps(void **state) {
  (void)state;
  unsigned wrong = 0;
  srand(1);
  for (unsigned i = 0; i < 3000; i++) {
    AreaPlace a = random_place(), b = random_place();
    unsigned a_bytes = (unsigned)rand() % 8 + 1, b_bytes = (unsigned)rand() % 8 + 1;
    bool expected = overlap_by_bytes(a, a_bytes, b, b_bytes), got = pointing_overlap(a, a_bytes, b, b_bytes);
    if (expected && !got) fail_msg("round %u: a common byte was missed", i);
    assert_true(got == pointing_overlap(b, b_bytes, a, a_bytes));
    wrong += got && !expected;
  }
  assert_true(wrong < 150);
}

static void test_effects(void **state) {
  (void)state;
  assert_null(effect_of("no_such_function"));
  assert_null(effect_of(""));
  assert_int_equal(effect_of("memcpy")->arguments[0], ARGUMENT_WRITTEN);
  assert_int_equal(effect_of("pthread_create")->synchronisation, SYNC_CREATE_POSIX);
  assert_int_equal(effect_of("zzz_none") == NULL, true);
  assert_int_equal(effect_of("__xstat")->arguments[2], ARGUMENT_WRITTEN);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fields),
      cmocka_unit_test(test_arrays_of_structs),
      cmocka_unit_test(test_growing_offsets),
      cmocka_unit_test(test_linked_list),
      cmocka_unit_test(test_container_of),
      cmocka_unit_test(test_tables_of_functions),
      cmocka_unit_test(test_callees),
      cmocka_unit_test(test_callbacks),
      cmocka_unit_test(test_recursion),
      cmocka_unit_test(test_variable_arguments),
      cmocka_unit_test(test_struct_copies),
      cmocka_unit_test(test_bytes),
      cmocka_unit_test(test_unions),
      cmocka_unit_test(test_integers),
      cmocka_unit_test(test_numbers_beside_addresses),
      cmocka_unit_test(test_heap),
      cmocka_unit_test(test_library),
      cmocka_unit_test(test_threads),
      cmocka_unit_test(test_handlers),
      cmocka_unit_test(test_undefined_functions),
      cmocka_unit_test(test_called_from_outside),
      cmocka_unit_test(test_overlaps),
      cmocka_unit_test(test_effects),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
