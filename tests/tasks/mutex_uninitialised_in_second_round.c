// A mutex that is born again in each round of the loop, and initialised in the first one only.
#include <pthread.h>

int main(void) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_t lock;
    if (i == 0) pthread_mutex_init(&lock, NULL);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
  }
  return 0;
}
