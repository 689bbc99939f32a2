// Each thread is given a structure that says which counter is its own; the structures are set up in a loop.
#include <assert.h>
#include <pthread.h>

enum { THREADS = 4 };
struct task {
  pthread_mutex_t lock;
  int *counter;
  int rounds;
};
static struct task tasks[THREADS];
static int counters[THREADS];

static void *work(void *argument) {
  struct task *task = argument;
  for (int round = 0; round < task->rounds; round++) {
    pthread_mutex_lock(&task->lock);
    *task->counter += 1;
    pthread_mutex_unlock(&task->lock);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    pthread_mutex_init(&tasks[i].lock, NULL);
    tasks[i].counter = &counters[i];
    tasks[i].rounds = i % 2 + 1;
    pthread_create(&threads[i], NULL, work, &tasks[i]);
  }
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < THREADS; i++) assert(counters[i] == i % 2 + 1);
}
