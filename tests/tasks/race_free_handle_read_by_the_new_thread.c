// The handle is stored before the new thread starts, so that the thread may read it.
#include <pthread.h>
void reach_error(void) {}

pthread_t handle;

void *worker(void *unused) {
  if (!pthread_equal(handle, pthread_self()))
    reach_error();
  return NULL;
}

int main(void) {
  pthread_create(&handle, NULL, worker, NULL);
  pthread_join(handle, NULL);
  return 0;
}
