// A cleanup handler that was popped without executing it does not run; one that is popped with 1 runs once.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

int calls;

static void counted(void *arg) {
  calls++;
}

static void forbidden(void *arg) {
  reach_error();
}

int main(void) {
  pthread_cleanup_push(forbidden, 0);
  pthread_cleanup_pop(0);
  pthread_cleanup_push(counted, 0);
  pthread_cleanup_pop(1);
  if (calls != 1)
    reach_error();
  return 0;
}
