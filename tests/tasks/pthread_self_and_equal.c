// pthread_self in a thread is the handle that its creator got, and differs from main's.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

pthread_t main_thread, seen;

void *looking(void *arg) {
  seen = pthread_self();
  if (pthread_equal(seen, main_thread))
    reach_error();
  return 0;
}

int main(void) {
  pthread_t t;
  main_thread = pthread_self();
  pthread_create(&t, 0, looking, 0);
  pthread_join(t, 0);
  if (!pthread_equal(t, seen))
    reach_error();
  return 0;
}
