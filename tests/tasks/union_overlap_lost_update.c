// One thread increments the word of a union, another stores one of its bytes.
// Unsafe: the increment writes back all four bytes, and the byte store between its read and its write is lost.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

union {
  unsigned word;
  unsigned char bytes[4];
} u;

void *store_byte(void *arg) {
  u.bytes[2] = 1;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, store_byte, 0);
  u.word++;
  pthread_join(t, 0);
  if (u.bytes[2] != 1)
    reach_error();
  return 0;
}
