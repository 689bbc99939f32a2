// A robust mutex whose owner has ended goes to the next thread with EOWNERDEAD. Made consistent it is as before; if
// not, it cannot be recovered.
#include <errno.h>
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

static pthread_mutex_t lock;

static void *work(void *argument) {
  pthread_mutex_lock(&lock);
  return argument;
}

static void lock_and_end(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&lock, &attributes);
  lock_and_end();
  if (pthread_mutex_lock(&lock) != EOWNERDEAD) reach_error();
  if (pthread_mutex_consistent(&lock) != 0) reach_error();
  pthread_mutex_unlock(&lock);
  if (pthread_mutex_lock(&lock) != 0) reach_error();
  pthread_mutex_unlock(&lock);
  lock_and_end();
  if (pthread_mutex_lock(&lock) != EOWNERDEAD) reach_error();
  pthread_mutex_unlock(&lock);
  if (pthread_mutex_lock(&lock) != ENOTRECOVERABLE) reach_error();
  return 0;
}
