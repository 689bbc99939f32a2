// Runs the statements on this processor and prints a program that asserts what they did.
// One argument: which part of the statements (N of 4), so that each program stays small.
#include "statements.h"

#include <stdio.h>
#include <stdlib.h>

typedef void Statement(u64 a, u64 b, u64 *m, u64 *r);

static const struct {
  const char *name;
  Statement *run;
} statements[] = {
#define ROW(name) {#name, name}
#include "names.h"
};
enum { STATEMENTS = sizeof statements / sizeof *statements, VALUES = 8 };

static const u64 values[VALUES][4] = {
    {0, 0, 0, 0},
    {1, 2, 1, 3},
    {0x8000000080008080, 0x7fffffff7fff7f7f, 0x8000000080008080, 5},
    {0xffffffffffffffff, 1, 0xffffffffffffffff, 0xfffffffffffffffe},
    {0x0123456789abcdef, 0xfedcba9876543210, 0x0123456789abcdef, 0x1122334455667788},
    {0x00000000ffffffff, 0x41, 0xffffffff00000000, 0x00000000ffffffff},
    {0x10000, 31, 0x8000000000000000, 0x7f},
    {7, 100, 42, 0x5555aaaa5555aaaa},
};

static void print_call(size_t s, size_t v) {
  u64 m[2] __attribute__((aligned(16))) = {values[v][2], values[v][3]}, r[4] = {0};
  statements[s].run(values[v][0], values[v][1], m, r);
  printf("  {\n    u64 m[2] __attribute__((aligned(16))) = {%#llxu, %#llxu}, r[4] = {0};\n", values[v][2],
         values[v][3]);
  printf("    %s(%#llxu, %#llxu, m, r);\n", statements[s].name, values[v][0], values[v][1]);
  printf("    assert(m[0] == %#llxu && m[1] == %#llxu);\n", m[0], m[1]);
  printf("    assert(r[0] == %#llxu && r[1] == %#llxu && r[2] == %#llxu && r[3] == %#llxu);\n  }\n", r[0], r[1], r[2],
         r[3]);
}

int main(int count, char **words) {
  size_t part = count > 1 ? (size_t)atoi(words[1]) : 0, parts = 4;
  printf("#include \"statements.h\"\n#include <assert.h>\nint main(void) {\n");
  for (size_t s = part; s < STATEMENTS; s += parts)
    for (size_t v = 0; v < VALUES; v++) print_call(s, v);
  printf("  return 0;\n}\n");
  return 0;
}
