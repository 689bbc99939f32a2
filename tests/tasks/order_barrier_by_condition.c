// A barrier made of a mutex, a condition variable and a phase number, used twice by two threads.
// No thread passes it before both have arrived.
// Safe.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

enum { PARTIES = 2 };
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t complete = PTHREAD_COND_INITIALIZER;
int arrived, phase;
int entered[PARTIES]; // how many phases each thread has entered

static void await_all(void) {
  pthread_mutex_lock(&lock);
  int mine = phase;
  arrived++;
  if (arrived == PARTIES) {
    arrived = 0;
    phase++;
    pthread_cond_broadcast(&complete);
  }
  while (phase == mine)
    pthread_cond_wait(&complete, &lock);
  pthread_mutex_unlock(&lock);
}

static void work(int me) {
  for (int round = 1; round <= 2; round++) {
    pthread_mutex_lock(&lock);
    entered[me] = round;
    pthread_mutex_unlock(&lock);
    await_all();
    pthread_mutex_lock(&lock);
    if (entered[1 - me] < round)
      reach_error();
    pthread_mutex_unlock(&lock);
  }
}

void *other(void *arg) {
  work(1);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  work(0);
  pthread_join(t, 0);
  return 0;
}
