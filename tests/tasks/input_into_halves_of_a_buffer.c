// Two threads receive into different halves of a buffer.
#include <pthread.h>
#include <sys/socket.h>

static char buffer[64];

static void *receive(void *half) {
  recv(3, half, 32, 0);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, receive, buffer + 32 * i);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
