// A static local is one variable for all threads.
// Unsafe: both threads may draw the same ticket.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

int tickets[2];

static int draw(void) {
  static int next;
  return next++;
}

void *drawing(void *arg) {
  *(int *)arg = draw();
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, drawing, &tickets[0]);
  drawing(&tickets[1]);
  pthread_join(t, 0);
  if (tickets[0] == tickets[1])
    reach_error();
  return 0;
}
