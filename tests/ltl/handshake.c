// A handshake of four phases, for ever: request up, acknowledge up, request down, acknowledge down.
#include <pthread.h>
#include <stdatomic.h>

atomic_bool request, acknowledge;
unsigned char data, latched;

static void *asks(void *argument) {
  (void)argument;
  for (;;) {
    data ^= 1;
    request = 1;
    while (!acknowledge) {
    }
    request = 0;
    while (acknowledge) {
    }
  }
}

static void *answers(void *argument) {
  (void)argument;
  for (;;) {
    while (!request) {
    }
    latched = data;
    acknowledge = 1;
    while (request) {
    }
    acknowledge = 0;
  }
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, asks, 0);
  pthread_create(&threads[1], 0, answers, 0);
  pthread_join(threads[0], 0);
}
