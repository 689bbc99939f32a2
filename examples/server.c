// A server with a pool of workers: requests wait in a queue under a lock, answers are counted. One counter is not
// protected: `heddle survey examples/server.c` says which, and proves the rest for any number of workers.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { WORKERS = 8, REQUESTS = 100 };

struct request {
  int number;
  struct request *next;
};

struct queue {
  pthread_mutex_t lock;
  pthread_cond_t filled;
  struct request *head;
  int closed;
};

struct statistics {
  pthread_mutex_t lock;
  long answered;
  long bytes;
};

static struct queue queue = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, 0};
static struct statistics statistics = {PTHREAD_MUTEX_INITIALIZER, 0, 0};
static int verbose; // set before the workers start

static void put(int number) {
  struct request *request = malloc(sizeof *request);
  if (!request) exit(1);
  request->number = number;
  pthread_mutex_lock(&queue.lock);
  request->next = queue.head;
  queue.head = request;
  pthread_cond_signal(&queue.filled);
  pthread_mutex_unlock(&queue.lock);
}

static struct request *take(void) {
  pthread_mutex_lock(&queue.lock);
  while (!queue.head && !queue.closed) pthread_cond_wait(&queue.filled, &queue.lock);
  struct request *request = queue.head;
  if (request) queue.head = request->next;
  pthread_mutex_unlock(&queue.lock);
  return request;
}

static void close_queue(void) {
  pthread_mutex_lock(&queue.lock);
  queue.closed = 1;
  pthread_cond_broadcast(&queue.filled);
  pthread_mutex_unlock(&queue.lock);
}

static void answer(const struct request *request) {
  if (verbose) printf("request %d\n", request->number);
  pthread_mutex_lock(&statistics.lock);
  statistics.answered++;
  pthread_mutex_unlock(&statistics.lock);
  statistics.bytes += request->number; // the lock was released one line too early
}

static void *worker(void *argument) {
  struct request *request;
  while ((request = take())) {
    answer(request);
    free(request);
  }
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
  printf("%ld answers, %ld bytes\n", statistics.answered, statistics.bytes);
  return 0;
}
