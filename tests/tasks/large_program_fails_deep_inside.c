// A program far too large to inline all calls: the assertion fails at the end of one way through a tree of calls, in
// the second thread, and only if it is the first to come there.
#include <pthread.h>

extern void reach_error(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned first;

static void step0(unsigned way) {
  pthread_mutex_lock(&lock);
  if (first == 0) first = way;
  if (first == 0x1234 + 10) reach_error();
  pthread_mutex_unlock(&lock);
}

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
  step16(ways[0]);
  return argument;
}

int main(void) {
  pthread_t thread;
  ways[0] = 0x1234;
  ways[1] = 0x4321;
  pthread_create(&thread, 0, work, 0);
  step16(ways[1]);
  pthread_join(thread, 0);
  return 0;
}
