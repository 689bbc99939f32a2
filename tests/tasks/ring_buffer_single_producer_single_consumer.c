// A lock-free ring of one slot: the producer owns `tail`, the consumer `head`; two items.
// Safe: items arrive in order.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { SLOTS = 1 };
int slots[SLOTS];
atomic_uint head, tail;

void *producer(void *arg) {
  for (int item = 1; item <= 2; item++) {
    while (tail - head == SLOTS)
      ;
    slots[tail % SLOTS] = item;
    tail++;
  }
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, producer, 0);
  for (int expected = 1; expected <= 2; expected++) {
    while (tail == head)
      ;
    assert(slots[head % SLOTS] == expected);
    head++;
  }
  pthread_join(t, 0);
  return 0;
}
