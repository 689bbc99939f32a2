// A job counter with several bugs at once: one run of `heddle check` lists all of them.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t jobs_lock = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;

int jobs = 2;     // under jobs_lock
int lines;        // under log_lock
int started;      // a race: two threads add to it without a lock
int last_job;     // a race: one thread writes it, the other reads it
int stopping;     // a race: main sets it while the threads look at it
int *result;      // NULL until a thread has made it

void *fetch(void *argument) {
  started++;
  pthread_mutex_lock(&jobs_lock);
  assert(jobs > 0);
  jobs--;
  last_job = jobs;
  pthread_mutex_lock(&log_lock); // jobs_lock, then log_lock
  lines++;
  assert(lines <= 2);
  pthread_mutex_unlock(&log_lock);
  pthread_mutex_unlock(&jobs_lock);
  return argument;
}

void *report(void *argument) {
  started++;
  pthread_mutex_lock(&log_lock);
  lines++;
  assert(lines == 1); // fails if fetch was here before
  pthread_mutex_lock(&jobs_lock); // log_lock, then jobs_lock
  assert(jobs <= 2);
  pthread_mutex_unlock(&jobs_lock);
  pthread_mutex_unlock(&log_lock);
  if (!stopping) assert(last_job == 0); // fails if fetch has set it to 1
  return argument;
}

int main(void) {
  pthread_t fetcher, reporter;
  pthread_create(&fetcher, NULL, fetch, NULL);
  pthread_create(&reporter, NULL, report, NULL);
  stopping = 1;
  pthread_join(fetcher, NULL);
  pthread_join(reporter, NULL);
  if (started == 1) *result = jobs; // an increment was lost, and the result was never made
  void *summary = malloc(16);
  summary = NULL; // the block is lost: --property valid-memtrack
  return summary != NULL;
}
