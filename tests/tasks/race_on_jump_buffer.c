// Two threads save where they are in one jump buffer: setjmp writes it.
#include <pthread.h>
#include <setjmp.h>

jmp_buf shared;

void *save(void *arg) {
  return setjmp(shared) ? arg : 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, save, 0);
  pthread_create(&b, 0, save, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
