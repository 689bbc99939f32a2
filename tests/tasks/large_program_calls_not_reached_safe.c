// A program far too large to inline all calls. No execution reaches the tree of calls, so that what was left out does
// not matter, and the rest is safe: `mode` is 1 or 2, which only the values of an execution tell.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int mode = 1, total;

static void step0(unsigned way) { total += (int)way; }

static unsigned ways[2]; // stored to, so that no call of a step has a constant argument

// With all calls inlined, one call of step16 is 2^16 copies of step0.
#define STEP(n, below)                                                                                                 \
  static void step##n(unsigned way) {                                                                                  \
    if (way >> n & 1)                                                                                                  \
      below(way);                                                                                                      \
    else                                                                                                               \
      below(way + 1);                                                                                                  \
  }
STEP(1, step0)
STEP(2, step1)
STEP(3, step2)
STEP(4, step3)
STEP(5, step4)
STEP(6, step5)
STEP(7, step6)
STEP(8, step7)
STEP(9, step8)
STEP(10, step9)
STEP(11, step10)
STEP(12, step11)
STEP(13, step12)
STEP(14, step13)
STEP(15, step14)
STEP(16, step15)

static void *work(void *argument) {
  pthread_mutex_lock(&lock);
  if (mode == 7) step16(ways[0]);
  mode = 2;
  pthread_mutex_unlock(&lock);
  return argument;
}

int main(void) {
  pthread_t thread;
  ways[0] = 0x5a5a;
  ways[1] = 0xa5a5;
  pthread_create(&thread, 0, work, 0);
  pthread_mutex_lock(&lock);
  if (mode == 7) step16(ways[1]);
  mode = 2;
  pthread_mutex_unlock(&lock);
  pthread_join(thread, 0);
  return 0;
}
