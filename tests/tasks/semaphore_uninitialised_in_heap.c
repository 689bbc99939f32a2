// A semaphore in memory from malloc that was never initialised.
#include <semaphore.h>
#include <stdlib.h>

int main(void) {
  sem_t *semaphore = malloc(sizeof *semaphore);
  if (semaphore) sem_post(semaphore);
  return 0;
}
