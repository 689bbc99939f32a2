// sem_open gives the same semaphore for the same name, until the name is unlinked.
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>

extern void abort(void);
void reach_error(void) {}

int main(void) {
  int value;
  sem_t *first = sem_open("/gate", O_CREAT, 0600, 1), *same = sem_open("/gate", 0);
  sem_t *other = sem_open("/gates", O_CREAT | O_EXCL, 0600, 3);
  if (first != same || first == other) reach_error();
  sem_wait(same);
  sem_getvalue(first, &value);
  if (value != 0) reach_error();
  if (sem_open("/gate", O_CREAT | O_EXCL, 0600, 1) != SEM_FAILED || errno != EEXIST) reach_error();
  sem_unlink("/gate");
  if (sem_open("/gate", 0) != SEM_FAILED || errno != ENOENT) reach_error();
  return 0;
}
