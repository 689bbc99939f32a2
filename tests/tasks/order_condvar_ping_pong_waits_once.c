// Like order_condvar_ping_pong, but a thread that was woken does not look whose turn it is: wake-ups may be spurious.
// Unsafe.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
int turn; // whose turn it is
int hits;

static void hit(int me) {
  pthread_mutex_lock(&lock);
  if (turn != me)
    pthread_cond_wait(&turned, &lock);
  if (hits % 2 != me)
    reach_error();
  hits++;
  turn = 1 - me;
  pthread_cond_signal(&turned);
  pthread_mutex_unlock(&lock);
}

void *pong(void *arg) {
  hit(1);
  hit(1);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, pong, 0);
  hit(0);
  hit(0);
  pthread_join(t, 0);
  if (hits != 4)
    reach_error();
  return 0;
}
