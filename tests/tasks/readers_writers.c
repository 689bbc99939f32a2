// Readers-writers with a reader count: the first reader takes the room, the last one gives it back.
// Safe: a reader never sees the middle of a write.
#include <pthread.h>
#include <semaphore.h>

extern void abort(void);
void reach_error(void) {}

pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER;
sem_t room;
int readers, first, second;

void *reader(void *arg) {
  pthread_mutex_lock(&counting);
  if (++readers == 1)
    sem_wait(&room);
  pthread_mutex_unlock(&counting);
  if (first != second)
    reach_error();
  pthread_mutex_lock(&counting);
  if (--readers == 0)
    sem_post(&room);
  pthread_mutex_unlock(&counting);
  return 0;
}

int main(void) {
  pthread_t a, b;
  sem_init(&room, 0, 1);
  pthread_create(&a, 0, reader, 0);
  pthread_create(&b, 0, reader, 0);
  sem_wait(&room);
  first = 1;
  second = 1;
  sem_post(&room);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
