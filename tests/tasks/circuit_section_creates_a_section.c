// A thread is created inside a section, and its routine is a section itself: it begins after the section of its creator
// has ended, and not inside both.
#include <pthread.h>

void reach_error(void) {}

pthread_t child;
int x, y;

void *__VERIFIER_atomic_child(void *arg) {
  for (int i = 0; i < 2; i++)
    x++;
  return 0;
}

void __VERIFIER_atomic_create(void) {
  for (int i = 0; i < 2; i++)
    y++;
  pthread_create(&child, 0, __VERIFIER_atomic_child, 0);
  for (int i = 0; i < 2; i++)
    y++;
}

int main(void) {
  __VERIFIER_atomic_create();
  if (x == 2 && y == 4)
    reach_error();
  return 0;
}
