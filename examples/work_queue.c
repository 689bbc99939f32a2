// A bounded work queue with a mutex and two condition variables.
//
//   heddle check examples/work_queue.c                          result: SAFE
//   heddle check --property no-data-race examples/work_queue.c  result: SAFE
//   heddle check --property no-deadlock examples/work_queue.c   result: SAFE
//
// One producer puts numbers into the queue, one worker adds them up. Every wait is a loop around pthread_cond_wait,
// because a wait may return without a signal. Replace a `while` by `if`, and Heddle finds the execution that fails.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

enum { CAPACITY = 1, JOBS = 2 };

struct queue {
  pthread_mutex_t lock;
  pthread_cond_t not_empty, not_full;
  int jobs[CAPACITY];
  int first, count;
};

static struct queue queue = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .not_empty = PTHREAD_COND_INITIALIZER,
    .not_full = PTHREAD_COND_INITIALIZER,
};

static void put(struct queue *q, int job) {
  pthread_mutex_lock(&q->lock);
  while (q->count == CAPACITY)
    pthread_cond_wait(&q->not_full, &q->lock);
  q->jobs[(q->first + q->count) % CAPACITY] = job;
  q->count++;
  pthread_cond_signal(&q->not_empty);
  pthread_mutex_unlock(&q->lock);
}

static int take(struct queue *q) {
  pthread_mutex_lock(&q->lock);
  while (q->count == 0)
    pthread_cond_wait(&q->not_empty, &q->lock);
  int job = q->jobs[q->first];
  q->first = (q->first + 1) % CAPACITY;
  q->count--;
  pthread_cond_signal(&q->not_full);
  pthread_mutex_unlock(&q->lock);
  return job;
}

static void *worker(void *result) {
  int sum = 0;
  for (int i = 0; i < JOBS; i++)
    sum += take(&queue);
  *(int *)result = sum;
  return NULL;
}

int main(void) {
  pthread_t thread;
  int sum = 0;
  pthread_create(&thread, NULL, worker, &sum);
  for (int job = 1; job <= JOBS; job++)
    put(&queue, job);
  pthread_join(thread, NULL);
  assert(sum == JOBS * (JOBS + 1) / 2);
  assert(queue.count == 0);
  return 0;
}
