// A loop that retries a compare-exchange of an _Atomic struct of twelve bytes. It ends: a failing exchange stores what
// the struct holds into what is expected next. Clang 19 forgets that, so its loop would not end; the error is reached.
#include <pthread.h>
#include <stdatomic.h>

void reach_error(void) {}

struct place {
  int row, column, level;
};

_Atomic struct place place;

void *move(void *arg) {
  struct place start = {1, 2, 3};
  atomic_store(&place, start);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, move, 0);
  pthread_join(t, 0);
  struct place old = {0, 0, 0}, next;
  do {
    next = old;
    next.level++;
  } while (!atomic_compare_exchange_strong(&place, &old, next));
  if (old.level == 3) reach_error();
  return 0;
}
