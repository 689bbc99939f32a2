// Each thread writes text of its own and prints it.
#include <pthread.h>
#include <stdio.h>

static void *tell(void *number) {
  char text[16];
  snprintf(text, sizeof text, "thread %d", *(int *)number);
  puts(text);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  int numbers[] = {1, 20};
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, tell, &numbers[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
