// As linked_list_shared_unprotected, with a mutex.
#include <pthread.h>
#include <stdlib.h>

void reach_error(void) {}

struct node {
  struct node *next;
} *head;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *push(void *arg) {
  struct node *node = malloc(sizeof *node);
  pthread_mutex_lock(&m);
  node->next = head;
  head = node;
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, push, 0);
  push(0);
  pthread_join(t, 0);
  int length = 0;
  for (struct node *n = head; n; n = n->next)
    length++;
  if (length != 2)
    reach_error();
  return 0;
}
