// The word at the beginning of a thread's segment is another one in each thread, and never null.
#include <pthread.h>

void reach_error(void) {}

static void *own(void) {
  void *pointer;
  __asm__("movq %%fs:0, %0" : "=r"(pointer));
  return pointer;
}

void *worker(void *arg) {
  if (own() == arg || own() != own())
    reach_error();
  return 0;
}

int main(void) {
  pthread_t t;
  if (!own())
    reach_error();
  pthread_create(&t, 0, worker, own());
  pthread_join(t, 0);
  return 0;
}
