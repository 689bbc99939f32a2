// The looker has more ways to its access than are told apart, each with a lock of its own. All of them take the guard.
#include <pthread.h>

void reach_error(void) {}

extern unsigned char __VERIFIER_nondet_uchar(void);

pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER, side[8];
int x;

void choose(int way) {
  switch (way) {
  case 0: pthread_mutex_lock(&side[0]); break;
  case 1: pthread_mutex_lock(&side[1]); break;
  case 2: pthread_mutex_lock(&side[2]); break;
  case 3: pthread_mutex_lock(&side[3]); break;
  case 4: pthread_mutex_lock(&side[4]); break;
  case 5: pthread_mutex_lock(&side[5]); break;
  case 6: pthread_mutex_lock(&side[6]); break;
  case 7: pthread_mutex_lock(&side[7]); break;
  }
}

void *worker(void *arg) {
  pthread_mutex_lock(&guard);
  x = 1;
  x = 0;
  pthread_mutex_unlock(&guard);
  return 0;
}

void *looker(void *arg) {
  int way = __VERIFIER_nondet_uchar();
  if (way > 7)
    return 0;
  choose(way);
  pthread_mutex_lock(&guard);
  if (x)
    reach_error();
  pthread_mutex_unlock(&guard);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, looker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
