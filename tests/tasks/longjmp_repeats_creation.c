// What follows a setjmp may run twice, so one call of pthread_create may start two threads.
#include <pthread.h>
#include <setjmp.h>
void reach_error(void) {}

jmp_buf place;
int rounds, started;

void *worker(void *unused) {
  started++;
  if (started == 2)
    reach_error();
  return NULL;
}

int main(void) {
  pthread_t t;
  setjmp(place);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  if (rounds++ == 0)
    longjmp(place, 1);
  return 0;
}
