// A word written whole by one thread and in parts of different sizes by another, which then reads it whole.
// Safe: the lower half cannot be new while the upper half is that of the whole word only.
#include <pthread.h>

void reach_error(void) {}

union {
  unsigned w;
  unsigned char c[4];
  unsigned short s[2];
} v;

void *u(void *a) {
  v.w = 0x11223344;
  return 0;
}

int main(void) {
  pthread_t p;
  pthread_create(&p, 0, u, 0);
  v.c[0] = 1;
  v.s[1] = 0xaabb;
  unsigned r = v.w;
  if (r == 0x11223301)
    reach_error();
  return 0;
}
