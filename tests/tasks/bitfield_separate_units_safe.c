// A bit-field of width zero between two others puts them into different memory locations.
// Safe: the two threads write different locations.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

struct {
  unsigned a : 4;
  unsigned : 0;
  unsigned b : 4;
} bits;

void *write_a(void *arg) {
  bits.a = 1;
  return 0;
}

void *write_b(void *arg) {
  bits.b = 1;
  return 0;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, write_a, 0);
  pthread_create(&t, 0, write_b, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  if (bits.a != 1 || bits.b != 1)
    reach_error();
  return 0;
}
