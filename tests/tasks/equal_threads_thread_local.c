// Equal threads with a variable of their own each: its address is used by its thread alone. Then it is given away, and
// addresses tell the threads apart.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Thread_local int mine;
static atomic_int begun;
static int *seen[2];

static void *work(void *unused) {
  mine = begun++;
  seen[mine] = &mine;
  return NULL;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, NULL, work, NULL);
  pthread_create(&other, NULL, work, NULL);
  pthread_join(one, NULL);
  pthread_join(other, NULL);
  int *first = seen[0];
  assert(begun == 2 && first != seen[1]);
  static int *again[2];
  again[0] = seen[0] < seen[1] ? seen[0] : seen[1];
  assert(again[0] == first); // fails: either may be the first to begin
}
