// Two threads run the same function; its locals and parameters are separate, even when their address is taken.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

static void bump(int *p) {
  *p += 1;
}

void *work(void *arg) {
  int local = 0;
  bump(&local);
  bump(&local);
  if (local != 2)
    reach_error();
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
