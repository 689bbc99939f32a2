// The code of whole programs, on small sources. Expectations are parts of lines as code_print writes them, in which
// each register is written `r`.
#include "front/code/code.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct Read {
  Account account;
  FrontUnit *unit;
  Code *code;
  Text text;  // as it is printed
  Text plain; // with `r` for each register
} Read;

static void write_source(char *path, const char *source) {
  int descriptor = mkstemps(path, 2);
  assert_true(descriptor >= 0);
  assert_int_equal(write(descriptor, source, strlen(source)), (ssize_t)strlen(source));
  close(descriptor);
}

static void open_files(Read *t, const char *const *files, size_t count, unsigned pointer_width) {
  Text error;
  text_init(&error, NULL);
  FrontOptions options = {.files = files, .file_count = count, .pointer_width = pointer_width};
  t->unit = front_open(&options, &error, &t->account);
  if (!t->unit) fail_msg("%s", error.data);
  text_free(&error);
}

static void make_plain(Read *t) {
  for (const char *c = t->text.data; *c; c++) {
    text_add_char(&t->plain, *c);
    bool begins = *c == 'r' && c > t->text.data && !isalnum((unsigned char)c[-1]) && c[-1] != '_';
    while (begins && isdigit((unsigned char)c[1])) c++;
  }
}

static void print(Read *t) {
  t->code = code_read(t->unit, &t->account);
  text_init(&t->text, &t->account);
  text_init(&t->plain, &t->account);
  code_print(t->code, &t->text);
  make_plain(t);
}

static void read_wide(Read *t, const char *source, unsigned pointer_width) {
  *t = (Read){.account = {.room = "test"}};
  char path[] = "/tmp/heddle-code-XXXXXX.c";
  write_source(path, source);
  open_files(t, (const char *const[]){path}, 1, pointer_width);
  unlink(path);
  print(t);
}

static void read_source(Read *t, const char *source) { read_wide(t, source, 64); }

static void finish(Read *t) {
  text_free(&t->text);
  text_free(&t->plain);
  code_free(t->code);
  front_close(t->unit);
  assert_int_equal(t->account.bytes, 0);
}

static void expect(const Read *t, const char *part) {
  if (!strstr(t->plain.data, part)) fail_msg("'%s' is missing in:\n%s", part, t->text.data);
}

static void expect_not(const Read *t, const char *part) {
  if (strstr(t->plain.data, part)) fail_msg("'%s' is in:\n%s", part, t->text.data);
}

static size_t count_kind(const Read *t, CodeStatementKind kind) {
  size_t count = 0;
  for (uint32_t i = 0; i < t->code->statement_count; i++) count += t->code->statements[i].kind == kind;
  return count;
}

// A source and what its text must contain; the list ends with NULL. Parts that begin with '!' must not be there.
static void check(const char *source, const char *const *parts) {
  Read t;
  read_source(&t, source);
  for (; *parts; parts++) {
    if ((*parts)[0] == '!')
      expect_not(&t, *parts + 1);
    else
      expect(&t, *parts);
  }
  finish(&t);
}
#define CHECK(source, ...) check(source, (const char *const[]){__VA_ARGS__, NULL})

// --- accesses ---

static void loads_and_stores(void **state) {
  (void)state;
  CHECK("int a; volatile long b; _Atomic short c;\n"
        "void f(void) { int x = a; a = x + 1; b = 2; c = 3; }",
        "r = load 4 &a", "r = compute r, 1", "store 4 &a, r", "volatile store 8 &b, 2", "atomic store 2 &c, 3");
}

static void registers_are_no_accesses(void **state) {
  (void)state;
  CHECK("int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }", "!load", "!store", "!local",
        "r = choice 0, r", "in a cycle", "r = compare r <, r");
}

static void exchanges(void **state) {
  (void)state;
  CHECK("int a, *p, *q;\n"
        "void f(void) { __atomic_fetch_add(&a, 3, 5); int e = 1; __atomic_compare_exchange_n(&a, &e, 2, 0, 5, 5);\n"
        "  __sync_lock_test_and_set(&p, q); __sync_synchronize(); }",
        "r = atomic exchange 4 &a, 3", "r = atomic exchange 4 &a, 2, 1", "atomic exchange 8 &p, r", "fence");
}

static void blocks(void **state) {
  (void)state;
  CHECK("#include <string.h>\n"
        "struct s { int a[10]; } x, y; char *d, *e;\n"
        "void f(unsigned long n) { x = y; memset(&x, 0, sizeof x); memcpy(d, e, n); memmove(d, e, 7);\n"
        "  memcpy(d, e, 0); }",
        "copy 40 &x, &y", "fill 40 &x", "copy 0 r, r", "copy 7 r, r");
}

static void aggregates(void **state) {
  (void)state;
  CHECK("struct two { int *a, *b; }; int x, y; struct two all;\n"
        "struct two make(void) { struct two t = {&x, &y}; return t; }\n"
        "void f(void) { all = make(); }",
        "r = call make", "r = choice r", "r = load 16 r", "return r");
}

// --- addresses ---

static void moves(void **state) {
  (void)state;
  CHECK("struct s { int a; struct { int b, c; } in; int t[8]; struct s *next; int end[]; };\n"
        "typedef struct { long x, y; } pair; pair pairs[3]; int m[4][5];\n"
        "void f(struct s *p, long i, int *q) { p->in.c = 1; p->t[i] = 2; q[i] = 3; q[2] = 4; pairs[i].y = 5;\n"
        "  m[i][i] = 6; p->end[i] = 7; p[1].next = 0; p[i].a = 8; }",
        "r = move r by 4 in struct s.in.b", "r = move r by 4 in (unnamed).c", "r = move r by 12 in struct s.t[]",
        "r = move r by 0 + k*4 < 32", "r = move &pairs by 0 + k*16 < 48", "r = move r by 8 in pair.y",
        "r = move r by 48 in struct s.next", "r = move r by 0 + k*56 in struct s.a", "r = move r by 8 ");
}

static void bounds_of_arrays(void **state) {
  (void)state;
  CHECK("int m[4][5], one[1];\n"
        "void f(long i, int (*p)[5]) { m[i][i] = 6; one[i] = 1; p[i][2] = 3; }",
        "r = move &m by 0 + k*20 < 80", "r = move r by 0 + k*4 < 20", "r = move &one by 0 + k*4 ",
        "r = move r by 0 + k*20 ", "!&one by 0 + k*4 <", "r = move r by 8");
}

static void constants_fold(void **state) {
  (void)state;
  CHECK("int a[10]; struct { int x; int *p; } s; long n = (long)&a[3] + 8; int *far = &a[2] + 5;\n"
        "void f(void) { a[3] = 1; s.p = &a[4]; *(int *)((char *)&a + 8) = 2; }",
        "store 4 &a+12, 1", "store 8 &s+8, &a+16", "store 4 &a+8, 2", "initially n (+0) = &a+20",
        "initially far (+0) = &a+28");
}

static void computed_addresses_are_kept(void **state) {
  (void)state;
  CHECK("int a[10], b; int x; long *out;\n"
        "void f(long i) { *out = (long)a & -16; *out = ((long)&b >> 3) ^ i; *out = (long)&a + i;\n"
        "  int *p = i ? a : &b; *p = 1; *(int *)((long)p | 1) = 2; }",
        "r = compute &a, -16", "r = compute &b, 3", "r = choice &a, &b", "r = compute r, 1");
}

static void initial_values(void **state) {
  (void)state;
  CHECK("int a, f(int); int (*table[2][2])(int) = {{0, f}, {f, 0}}; int f(int x) { return x; }\n"
        "struct in { int *p; const char *s; }; struct out { int n; struct in t[2]; } o = {1, {{0, 0}, {&a, \"x\"}}};\n"
        "long packed[2] = {0, (long)&a}; int *self[] = {(int *)self}; union { int i; int *p; } u = {.p = &a};",
        "initially table[0][1] (+8) = f", "initially table[1][0] (+16) = f", "initially o.t[1].p (+24) = &a",
        "initially o.t[1].s (+32) = &#", "initially packed[1] (+8) = &a", "initially self[0] (+0) = &self", "(+0) = &a",
        "function f(r), address taken");
}

// --- objects ---

static void objects(void **state) {
  (void)state;
  CHECK("extern int far; extern int unknown[]; const int c = 3; _Thread_local long t; struct q { int x; } q;\n"
        "int *f(void) { static short n; n++; t++; int local[3]; extern void g(int *); g(local);\n"
        "  return far ? unknown : &q.x; }",
        "object far: static, 4 bytes, external", "object unknown: static, 0 bytes, external",
        "object c: static, 4 bytes, int, constant", "object t: thread-local, 8 bytes, long",
        "object q: static, 4 bytes, struct q", "object f.n: static, 2 bytes, short",
        "object local: automatic, 12 bytes, of f", "r = local local", "store 8 r, r");
}

static void bounds_of_sections(void **state) {
  (void)state;
  CHECK("#define IN __attribute__((section(\"all\"), used))\n"
        "static IN int a, b; int c; extern int __start_all[], __stop_all[];\n"
        "void f(void) { for (int *p = __start_all; p < __stop_all; p++) *p = 1; }",
        "r = compute &a, &b, &__start_all", "store 4 r, 1");
}

static void names_of_several_files(void **state) {
  (void)state;
  Read t = {.account = {.room = "test"}};
  char one[] = "/tmp/heddle-code-XXXXXX.c", two[] = "/tmp/heddle-code-XXXXXX.c";
  write_source(one, "static int n; static void add(void) { n++; } void f(void) { add(); }");
  write_source(two, "static int n; static void add(void) { n++; } void g(void) { add(); }");
  open_files(&t, (const char *const[]){one, two}, 2, 64);
  unlink(one);
  unlink(two);
  print(&t);
  Text name;
  text_init(&name, NULL);
  text_format(&name, "%s:add", strrchr(one, '/') + 1);
  assert_int_not_equal(code_find_function(t.code, name.data), NO_CODE_ID);
  assert_int_equal(code_find_function(t.code, "add"), NO_CODE_ID);
  assert_int_equal(t.code->main, NO_CODE_ID);
  assert_int_equal(t.code->lines, 2);
  text_free(&name);
  finish(&t);
}

static void names_of_parts(void **state) {
  (void)state;
  CHECK("int *p[9];\n"
        "struct s { union { int *a; struct { int *b, *c; }; }; unsigned x : 3, y : 4; struct { int *d; } in[2]; } s\n"
        "  = {.b = (int *)p, .c = (int *)p, .in = {{0}, {(int *)p}}};",
        "initially s.a (+0) = &p", "initially s.c (+8) = &p", "initially s.in[1].d (+32) = &p");
}

// --- calls ---

static void calls(void **state) {
  (void)state;
  CHECK("#include <pthread.h>\n"
        "extern int g(int, int *); int a; void *run(void *x) { return x; } int (*p)(int);\n"
        "extern void h(void) __attribute__((alias(\"real\"))); void real(void) {}\n"
        "int main(void) { pthread_t id; pthread_create(&id, 0, run, &a); h(); return g(1, &a) + p(3); }",
        "r = call pthread_create, r, 0, run, &a", "call real", "r = call g, 1, &a", "r = call r, 3",
        "function run(r), address taken", "function g, undefined", "; with main");
}

static void values_in_memory_are_copied(void **state) {
  (void)state;
  CHECK("struct big { long a[9]; int *p; } b; void take(struct big x) { *x.p = 1; } int *keep;\n"
        "void out(const char *, ...); struct big make(void);\n"
        "void f(void) { take(b); out(\"\", b); b = make(); }",
        "copy 80 r, &b", "call take, r", "r = load 80 r", "call out, &#1, r", "call make, r");
}

static void variable_arguments(void **state) {
  (void)state;
  const char *source = "#include <stdarg.h>\n"
                       "int x; void f(int n, ...) { va_list a; va_start(a, n); *va_arg(a, int *) = 1; va_end(a); }\n"
                       "void plain(int n, ...) { x = n; }\n"
                       "void g(void) { f(1, &x, &x); plain(2, &x); }";
  Read t;
  read_source(&t, source);
  uint32_t f = code_find_function(t.code, "f"), plain = code_find_function(t.code, "plain");
  assert_int_equal(t.code->functions[f].parameter_count, 3);
  assert_int_equal(t.code->functions[plain].parameter_count, 1);
  assert_true(t.code->functions[f].variadic && t.code->functions[plain].variadic);
  expect(&t, "r = local ...");
  expect(&t, "r = move r by 0 + k*1 ");
  expect(&t, "r = move r by 16 ");
  assert_int_equal(count_kind(&t, CODE_OPAQUE), 0);
  finish(&t);
  read_wide(&t, source, 32);
  expect(&t, "r = local ...");
  assert_int_equal(count_kind(&t, CODE_OPAQUE), 0);
  finish(&t);
}

static void things_not_understood(void **state) {
  (void)state;
  CHECK(
      "#include <setjmp.h>\n"
      "jmp_buf b; int a; long n;\n"
      "int f(int *p) { __asm__ volatile(\"outb %0, %1\" : : \"a\"(1), \"d\"(2));\n"
      "  __asm__ volatile(\"xsave (%0)\" : : \"r\"(p) : \"memory\");\n"
      "  __asm__ volatile(\"\" : : : \"memory\"); __asm__ volatile(\"pause\"); __asm__ volatile(\"mfence\" ::: "
      "\"memory\");\n"
      "  __asm__(\"\" : \"=r\"(p) : \"0\"(p)); __builtin_prefetch(p); *p = __builtin_expect(a, 1); return setjmp(b); }",
      "opaque r assembly that may touch any memory: xsave", "fence", "r = opaque &b setjmp", "!pause", "!prefetch",
      "r = choice r");
}

static void understood_assembly(void **state) {
  (void)state;
  CHECK("int a, b[4]; long s[16];\n"
        "int f(int n) { int r = 1, lo, hi; char c;\n"
        "  __asm__ volatile(\"lock; incl %0\" : \"+m\"(a) : : \"memory\");\n"
        "  __asm__ volatile(\"lock xaddl %0, %1\" : \"+r\"(r), \"+m\"(b[1]) : : \"memory\");\n"
        "  __asm__ volatile(\"movl %1, %0\" : \"=m\"(b[2]) : \"r\"(n)); __asm__ volatile(\"rdtsc\" : \"=a\"(lo), "
        "\"=d\"(hi));\n"
        "  __asm__ volatile(\"btl %1,%2\\n\\tsetcb %b0\" : \"=q\"(c) : \"r\"(n), \"m\"(b[3]) : \"cc\");\n"
        "  int d0, d1; __asm__ volatile(\"cld; rep; stosq\" : \"=c\"(d0), \"=D\"(d1) : \"a\"(0), \"0\"(16), \"1\"(s) : "
        "\"memory\");\n"
        "  return r + lo + hi + c; }",
        "atomic exchange 4 &a, r", "atomic exchange 4 &b+4, r", "store 4 &b+8, r", "r = move &b+12 by 0 + k*1 ",
        "r = load 4 r", "fill 128 &s", "!opaque");
  CHECK("void f(void) { __asm__(\".p2align 5\"); __asm__ volatile(\".balign 16, 144\"); }", "!opaque");
  CHECK("void f(void) { __asm__(\".p2align 5\\n\\thlt\"); }", "opaque assembly: .p2align 5");
  CHECK("int *p; void f(int *q) { __asm__(\"movl (%0), %%eax\" : : \"r\"(q)); __asm__(\"movsb\" : : \"S\"(q), "
        "\"D\"(p)); }",
        "opaque r assembly: movl", "opaque r, r assembly: movsb");
}

static void locked_and_plain_assembly(void **state) {
  (void)state;
  CHECK("int a; void f(void) { __asm__ volatile(\"lock; incl %0; incl %0\" : \"+m\"(a)); }", "r = load 4 &a",
        "store 4 &a, r", "!exchange");
  CHECK("int a; void f(int x) { char c; __asm__ volatile(\"lock; addl %2, %0; setz %1\" : \"+m\"(a), \"=r\"(c) : "
        "\"r\"(x)); }",
        "atomic exchange 4 &a", "!store 4");
}

static void indirect_functions(void **state) {
  (void)state;
  CHECK("static int real(int x) { return x; } static void *choose(void) { return (void *)real; }\n"
        "int f(int) __attribute__((ifunc(\"choose\"))); int g(void) { return f(1); }",
        "r = call choose", "r = call r, r", "r = call f, 1", "function real(r), address taken");
}

// --- control flow ---

static void edges(void **state) {
  (void)state;
  CHECK("void a(void), b(void), c(void), d(void); _Noreturn void stop(void);\n"
        "void f(int n) { if (n == 3) a(); else b(); switch (n) { case -1: c(); break; case 5: d(); }\n"
        "  if (n) stop(); while (1) a(); }\n"
        "int g(int i) { static void *const to[] = {&&x, &&y}; goto *to[i]; x: return 1; y: return 2; }",
        "if r != 0", "if r == 0", "if r == -1", "if r == 5", "otherwise, after r", "otherwise, after _",
        "r = compare r ==, 3");
}

static void dead_code_is_left_out(void **state) {
  (void)state;
  CHECK("int a; void f(void) { if (0) a = 1; while (1) {} a = 2; }", "!store", "in a cycle");
}

static void cycles(void **state) {
  (void)state;
  Read t;
  read_source(&t, "void a(void), b(void), c(void);\n"
                  "void f(int n) { a(); for (;;) { if (n++ == 3) { b(); break; } if (n == 9) continue; n++; } c(); }");
  for (uint32_t i = 0; i < t.code->statement_count; i++) {
    const CodeStatement *s = &t.code->statements[i];
    if (s->kind == CODE_CALL) assert_false(t.code->blocks[s->block].in_cycle);
    if (s->kind == CODE_COMPARE) assert_true(t.code->blocks[s->block].in_cycle);
  }
  finish(&t);
}

static void constructors(void **state) {
  (void)state;
  CHECK(
      "int a; __attribute__((constructor)) static void in(void) { a = 1; }\n"
      "__attribute__((destructor)) static void out(void) { a = 2; }\n"
      "static void early(void) { a = 3; } __attribute__((section(\".init_array\"), used)) void (*t[])(void) = {early};",
      "function in, runs before main", "function out, runs at exit", "function early, address taken, runs before main");
}

// --- invariants ---

static void numbers_are_consistent(void **state) {
  (void)state;
  Read t;
  read_source(
      &t, "#include <stdarg.h>\n"
          "struct s { int *p[4]; } s, *q; int x; int *f(int n, ...) { va_list a; va_start(a, n); int *p = n ? &x : 0;\n"
          "  while (n-- && p) { if (n > 3) p = va_arg(a, int *); else q->p[n] = p; } return p; }\n"
          "int main(void) { return *f(2, &x, s); }");
  const Code *c = t.code;
  uint32_t next_statement = 0, next_register = 0, next_block = 0;
  for (uint32_t i = 0; i < c->function_count; i++) {
    const CodeFunction *f = &c->functions[i];
    if (!f->defined) continue;
    assert_int_equal(f->first_statement, next_statement);
    assert_int_equal(f->first_register, next_register);
    assert_int_equal(f->first_block, next_block);
    next_statement += f->statement_count;
    next_register += f->register_count;
    next_block += f->block_count;
  }
  assert_int_equal(next_statement, c->statement_count);
  assert_int_equal(next_register, c->register_count);
  assert_int_equal(next_block, c->block_count);
  for (uint32_t i = 0; i < c->register_count; i++) {
    uint32_t s = c->register_statements[i];
    if (s != NO_CODE_ID) assert_int_equal(c->statements[s].result, i);
  }
  for (uint32_t b = 0; b < c->block_count; b++)
    for (uint32_t i = 0; i < c->blocks[b].statement_count; i++)
      assert_int_equal(c->statements[c->blocks[b].first_statement + i].block, b);
  finish(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loads_and_stores),
      cmocka_unit_test(registers_are_no_accesses),
      cmocka_unit_test(exchanges),
      cmocka_unit_test(blocks),
      cmocka_unit_test(aggregates),
      cmocka_unit_test(moves),
      cmocka_unit_test(bounds_of_arrays),
      cmocka_unit_test(constants_fold),
      cmocka_unit_test(computed_addresses_are_kept),
      cmocka_unit_test(initial_values),
      cmocka_unit_test(objects),
      cmocka_unit_test(bounds_of_sections),
      cmocka_unit_test(names_of_several_files),
      cmocka_unit_test(names_of_parts),
      cmocka_unit_test(calls),
      cmocka_unit_test(values_in_memory_are_copied),
      cmocka_unit_test(variable_arguments),
      cmocka_unit_test(things_not_understood),
      cmocka_unit_test(understood_assembly),
      cmocka_unit_test(locked_and_plain_assembly),
      cmocka_unit_test(indirect_functions),
      cmocka_unit_test(edges),
      cmocka_unit_test(dead_code_is_left_out),
      cmocka_unit_test(cycles),
      cmocka_unit_test(constructors),
      cmocka_unit_test(numbers_are_consistent),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
