// Values of a semaphore: posts count even when no thread waits; trywait fails with EAGAIN at zero.
#include <errno.h>
#include <semaphore.h>

extern void abort(void);
void reach_error(void) {}

int main(void) {
  sem_t s;
  int value = -1;
  sem_init(&s, 0, 0);
  if (sem_trywait(&s) != -1 || errno != EAGAIN)
    reach_error();
  sem_post(&s);
  sem_post(&s);
  sem_getvalue(&s, &value);
  if (value != 2)
    reach_error();
  sem_wait(&s);
  if (sem_trywait(&s) != 0)
    reach_error();
  sem_getvalue(&s, &value);
  if (value != 0)
    reach_error();
  return 0;
}
