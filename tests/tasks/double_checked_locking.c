// Double-checked locking with an atomic pointer that is stored after the object is complete.
// Safe: one object, always initialised.
#include <pthread.h>
#include <stdatomic.h>

extern void abort(void);
void reach_error(void) {}

struct config {
  int value;
} storage;
struct config *_Atomic instance;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int created;

static struct config *get(void) {
  if (!instance) {
    pthread_mutex_lock(&lock);
    if (!instance) {
      created++;
      storage.value = 42;
      instance = &storage;
    }
    pthread_mutex_unlock(&lock);
  }
  return instance;
}

void *user(void *arg) {
  if (get()->value != 42)
    reach_error();
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, user, 0);
  user(0);
  pthread_join(t, 0);
  if (created != 1)
    reach_error();
  return 0;
}
