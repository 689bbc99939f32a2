// One post for two waits, depending on an input.
// Deadlock on one of the two inputs.
#include <pthread.h>
#include <semaphore.h>

extern _Bool __VERIFIER_nondet_bool(void);

sem_t s;

void *posting(void *arg) {
  sem_post(&s);
  if (__VERIFIER_nondet_bool())
    sem_post(&s);
  return 0;
}

int main(void) {
  pthread_t t;
  sem_init(&s, 0, 0);
  pthread_create(&t, 0, posting, 0);
  sem_wait(&s);
  sem_wait(&s);
  pthread_join(t, 0);
  return 0;
}
