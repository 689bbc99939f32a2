// Atoms look at a block that holds any value until it is written, by a pointer that comes to it later.
#include <pthread.h>
#include <stdlib.h>

struct node {
  int value;
} *published;

void *writer(void *argument) {
  struct node *node = malloc(sizeof *node);
  if (!node) return 0;
  node->value = 3;
  published = node;
  node->value = 7;
done:
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  pthread_join(thread, 0);
finish:
  return 0;
}
