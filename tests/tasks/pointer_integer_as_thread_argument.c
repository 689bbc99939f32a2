// Small integers travel through the void pointers of a thread's argument and result.
#include <pthread.h>
#include <stdint.h>

extern void abort(void);
void reach_error(void) {}

void *twice(void *arg) {
  return (void *)(2 * (intptr_t)arg);
}

int main(void) {
  pthread_t a, b;
  void *first, *second;
  pthread_create(&a, 0, twice, (void *)21);
  pthread_create(&b, 0, twice, (void *)-3);
  pthread_join(a, &first);
  pthread_join(b, &second);
  if ((intptr_t)first != 42 || (intptr_t)second != -6)
    reach_error();
  return 0;
}
