// What the writer touches depends on a pointer to a pointer, and two others redirect one each. As things stand the
// writer and the looker have nothing in common but what is on the way to the cell.
#include <pthread.h>

void reach_error(void) {}

int x, y, *p = &x, *q = &y, **way = &p;

void *writer(void *arg) {
  **way = 1;
  return 0;
}

void *redirector(void *arg) {
  way = &q;
  return 0;
}

void *looker(void *arg) {
  q = &x;
  if (y == 1 && x == 0)
    reach_error();
  return 0;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, writer, 0);
  pthread_create(&b, 0, redirector, 0);
  pthread_create(&c, 0, looker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  return 0;
}
