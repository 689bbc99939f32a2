// A producer and a consumer with a ring of two slots, for ever. The items are 1, 2, 1, 2, ...; -DDROPPING: the producer
// does not wait for room and overwrites.
#include <pthread.h>
#include <stdatomic.h>

_Atomic unsigned char head, tail; // modulo 4: how many were taken out, and put in
unsigned char slots[2], made, got;

static void *producer(void *argument) {
  (void)argument;
  for (unsigned char item = 1;; item = 3 - item) {
#ifndef DROPPING
  full:
    while ((unsigned char)(tail - head) % 4 == 2) {
    }
#endif
    slots[tail % 2] = item;
    made = item;
    tail = (tail + 1) % 4;
  }
}

static void *consumer(void *argument) {
  (void)argument;
  for (;;) {
  empty:
    while (tail == head) {
    }
    got = slots[head % 2];
    head = (head + 1) % 4;
  }
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, producer, 0);
  pthread_create(&threads[1], 0, consumer, 0);
  pthread_join(threads[0], 0);
}
