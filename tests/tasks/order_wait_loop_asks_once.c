// Like order_wait_loop_asks_again, but main leaves when it finds its own request, however often it asked.
// Unsafe: it may leave before it is served twice.
#include <pthread.h>
#include <stdatomic.h>

extern void abort(void);
void reach_error(void) {}

atomic_int box; // 0: empty, 1: asked for, 2: done
int served;

void *server(void *arg) {
  for (int i = 0; i < 2; i++) {
    while (box != 1)
      ;
    served++;
    box = i == 0 ? 0 : 2;
  }
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, server, 0);
  while (atomic_exchange(&box, 1) == 0)
    ;
  if (served != 2)
    reach_error();
  pthread_join(t, 0);
  return 0;
}
