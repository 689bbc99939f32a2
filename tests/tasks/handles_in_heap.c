// Handles inside a heap object, allocated at run time.
#include <pthread.h>
#include <stdlib.h>

void reach_error(void) {}

struct pool {
  int size;
  pthread_t threads[2];
  _Atomic int done;
};

void *work(void *arg) {
  struct pool *pool = arg;
  pool->done++;
  return 0;
}

int main(void) {
  struct pool *pool = malloc(sizeof *pool);
  pool->size = 2;
  pool->done = 0;
  for (int i = 0; i < pool->size; i++)
    pthread_create(&pool->threads[i], 0, work, pool);
  for (int i = 0; i < pool->size; i++)
    pthread_join(pool->threads[i], 0);
  if (pool->done != 2)
    reach_error();
  free(pool);
  return 0;
}
