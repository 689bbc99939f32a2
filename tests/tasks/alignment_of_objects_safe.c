// Globals, locals, thread-local variables and blocks lie at multiples of the alignment that was asked for.
// Safe: C promises it.
#include <stdint.h>
#include <stdlib.h>

void reach_error(void) {}

struct line {
  _Alignas(64) char bytes[64];
};
static char before;
static _Alignas(4096) char page;
static struct line lines[2];
static _Thread_local _Alignas(256) int own;

static void want(const void *place, uintptr_t alignment) {
  if ((uintptr_t)place % alignment != 0) reach_error();
}

static void by_value(struct line line) { want(&line, 64); }

int main(void) {
  char odd = 1;
  _Alignas(128) char even = 2;
  void *aligned = NULL;
  before = odd + even;
  want(&page, 4096);
  want(&lines[1], 64);
  want(&own, 256);
  want(&even, 128);
  by_value(lines[0]);
  want(aligned_alloc(512, 512), 512);
  if (posix_memalign(&aligned, 8192, 100) != 0) reach_error();
  want(aligned, 8192);
  return before;
}
