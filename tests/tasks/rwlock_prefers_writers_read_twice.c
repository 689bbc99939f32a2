// The lock prefers writers: a writer that waits between two read locks of main keeps the second one out for ever.
#define _GNU_SOURCE
#include <pthread.h>

static pthread_rwlock_t lock;

static void *change(void *unused) {
  pthread_rwlock_wrlock(&lock);
  pthread_rwlock_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_rwlockattr_t kind;
  pthread_rwlockattr_init(&kind);
  pthread_rwlockattr_setkind_np(&kind, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
  pthread_rwlock_init(&lock, &kind);
  pthread_create(&thread, NULL, change, NULL);
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_unlock(&lock);
  pthread_join(thread, NULL);
  return 0;
}
