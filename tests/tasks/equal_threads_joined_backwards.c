// Main joins three equal threads in another order than that of their creation, with work of its own between the joins.
// Which of them is the last to begin does not show, but how many have begun when the last one writes does.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int begun, last;
static int steps[3];

static void *work(void *unused) {
  int mine = begun++;
  last = mine;
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 2; i >= 0; i--) {
    pthread_join(threads[i], NULL);
    steps[i]++;
  }
  assert(begun == 3 && steps[0] + steps[1] + steps[2] == 3);
  assert(last != 0); // fails: the first to begin may write last
}
