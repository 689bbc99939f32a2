// As ring_buffer_single_producer_single_consumer, but the index moves before the slot is filled.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { SLOTS = 1 };
int slots[SLOTS];
atomic_uint head, tail;

void *producer(void *arg) {
  while (tail - head == SLOTS)
    ;
  tail++;
  slots[0] = 1;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, producer, 0);
  while (tail == head)
    ;
  assert(slots[head % SLOTS] == 1);
  head++;
  pthread_join(t, 0);
  return 0;
}
