// A block is known to another thread only by its address, which a pipe hands over; then both write it.
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

struct job {
  int count;
};

static int ends[2];

static void *work(void *unused) {
  struct job *job;
  if (read(ends[0], &job, sizeof job) == sizeof job) job->count++;
  return NULL;
}

int main(void) {
  pthread_t thread;
  if (pipe(ends) != 0) return 1;
  pthread_create(&thread, NULL, work, NULL);
  struct job *job = malloc(sizeof *job);
  if (!job) return 1;
  job->count = 0;
  if (write(ends[1], &job, sizeof job) != sizeof job) return 1;
  job->count = 2; // races
  pthread_join(thread, NULL);
  return 0;
}
