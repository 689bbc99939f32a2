// A server with a pool of workers: requests wait in a ring under a lock, answers are counted. One counter is not
// protected: `heddle survey examples/server.c` says which, and proves the rest for any number of workers.
#include <pthread.h>
#include <stdio.h>

enum { WORKERS = 8, REQUESTS = 100, ROOM = 16 };

struct queue {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  int ring[ROOM];
  unsigned first, count;
  int closed;
};

struct statistics {
  pthread_mutex_t lock;
  long answered;
  long bytes;
};

static struct queue queue = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
static struct statistics statistics = {PTHREAD_MUTEX_INITIALIZER, 0, 0};
static int verbose; // set before the workers start

static void put(int request) {
  pthread_mutex_lock(&queue.lock);
  while (queue.count == ROOM) pthread_cond_wait(&queue.changed, &queue.lock);
  queue.ring[(queue.first + queue.count++) % ROOM] = request;
  pthread_cond_broadcast(&queue.changed);
  pthread_mutex_unlock(&queue.lock);
}

static int take(int *request) {
  pthread_mutex_lock(&queue.lock);
  while (!queue.count && !queue.closed) pthread_cond_wait(&queue.changed, &queue.lock);
  int found = queue.count > 0;
  if (found) {
    *request = queue.ring[queue.first];
    queue.first = (queue.first + 1) % ROOM;
    queue.count--;
    pthread_cond_broadcast(&queue.changed);
  }
  pthread_mutex_unlock(&queue.lock);
  return found;
}

static void close_queue(void) {
  pthread_mutex_lock(&queue.lock);
  queue.closed = 1;
  pthread_cond_broadcast(&queue.changed);
  pthread_mutex_unlock(&queue.lock);
}

static void answer(int request) {
  if (verbose) printf("request %d\n", request);
  pthread_mutex_lock(&statistics.lock);
  statistics.answered++;
  pthread_mutex_unlock(&statistics.lock);
  statistics.bytes += request; // the lock was released one line too early
}

static void *worker(void *argument) {
  int request;
  while (take(&request)) answer(request);
  return argument;
}

int main(int argc, char **argv) {
  (void)argv;
  pthread_t workers[WORKERS];
  verbose = argc > 1;
  for (int i = 0; i < WORKERS; i++) pthread_create(&workers[i], NULL, worker, NULL);
  for (int i = 0; i < REQUESTS; i++) put(i);
  close_queue();
  for (int i = 0; i < WORKERS; i++) pthread_join(workers[i], NULL);
  pthread_mutex_lock(&statistics.lock);
  printf("%ld answers, %ld bytes\n", statistics.answered, statistics.bytes);
  pthread_mutex_unlock(&statistics.lock);
  return 0;
}
