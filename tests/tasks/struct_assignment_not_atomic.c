// A struct is assigned while another thread reads its two members.
// Unsafe: each cell is its own access; the reader can see the new first and the old second member.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

struct pair {
  int first, second;
} shared, fresh = {1, 1};

void *assigning(void *arg) {
  shared = fresh;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, assigning, 0);
  struct pair seen = shared;
  if (seen.first != seen.second)
    reach_error();
  pthread_join(t, 0);
  return 0;
}
