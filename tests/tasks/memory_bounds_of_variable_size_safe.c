// A block whose size is an input, used up to its last element by one thread and behind that by none. Safe.
#include <pthread.h>
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {}

static int *numbers;
static unsigned count;

static void *fill(void *argument) {
  for (unsigned i = 0; i < count; i++)
    numbers[i] = (int)i;
  return argument;
}

int main(void) {
  pthread_t thread;
  count = __VERIFIER_nondet_uchar() % 4;
  numbers = malloc(count * sizeof *numbers);
  pthread_create(&thread, NULL, fill, NULL);
  pthread_join(thread, NULL);
  if (count > 0 && numbers[count - 1] != (int)count - 1)
    reach_error();
  free(numbers);
  return 0;
}
