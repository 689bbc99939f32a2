// Vectors of the compiler: lane by lane, with conversions, shuffles, comparisons, indices, and small structs that
// travel as vectors.
#include <assert.h>

typedef int v4 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
typedef short s8 __attribute__((vector_size(16)));
struct point { float x, y; };

v4 global = {1, 2, 3, 4};

static v4 add(v4 a, v4 b) { return a + b; }
static struct point swap(struct point p) { return (struct point){p.y, p.x}; }

int main(void) {
  v4 a = {1, 2, 3, 4};
  volatile int k = 2;
  v4 b = a * global + k, less = a > b - 5;
  assert(b[0] == 3 && b[3] == 18 && less[0] == -1 && less[3] == 0);
  b[k] = 77;
  assert(add(a, b)[2] == 80);
  s8 parts = (s8)a;
  assert(parts[0] == 1 && parts[1] == 0 && parts[6] == 4);
  f4 floats = -__builtin_convertvector(a, f4) / 2;
  assert(floats[3] == -2.0f);
  v4 mixed = __builtin_shufflevector(a, b, 0, 7, 2, 5);
  assert(mixed[1] == b[3] && mixed[3] == b[1]);
  struct point p = swap((struct point){1, 2});
  assert(p.x == 2 && p.y == 1);
  return 0;
}
