// Two threads assign a struct whose members no statement names: the copies themselves are unordered writes.
#include <pthread.h>

struct point {
  int x, y;
};

static struct point where;

static void *place(void *unused) {
  struct point there = {1, 2};
  where = there;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, place, NULL);
  struct point here = {3, 4};
  where = here;
  pthread_join(thread, NULL);
  return 0;
}
