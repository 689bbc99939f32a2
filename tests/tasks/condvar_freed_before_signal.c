// A thread signals a condition variable in a block that main frees meanwhile: the signal touches freed memory, and its
// access is not ordered with the free.
#include <pthread.h>
#include <stdlib.h>

struct job {
  pthread_cond_t done;
  int result;
};
static struct job *job;

static void *finish(void *unused) {
  pthread_cond_signal(&job->done);
  return NULL;
}

int main(void) {
  pthread_t thread;
  job = malloc(sizeof *job);
  pthread_cond_init(&job->done, NULL);
  pthread_create(&thread, NULL, finish, NULL);
  free(job);
  pthread_join(thread, NULL);
  return 0;
}
