// epoll. What was registered is kept, since the program gets its pointers back. An event may arrive for any registered
// descriptor at any time.
//
// At most MOST_REGISTERED registrations in a program at a time; beyond, the answer is UNKNOWN.
#define _GNU_SOURCE
#include "descriptors.h"
#include "results.h"
#include "timing.h"

#include <sys/epoll.h>

enum { MOST_REGISTERED = 8 };

static struct registration {
  int set, descriptor; // set: the descriptor of the epoll, plus 1; 0: free
  unsigned long long data;
} registered[MOST_REGISTERED];

int epoll_create(int size) { return __heddle_descriptor_open(); }
int epoll_create1(int flags) { return __heddle_descriptor_open(); }

static int find(int set, int descriptor) {
  for (int i = 0; i < MOST_REGISTERED; i++)
    if (registered[i].set == set && (set == 0 || registered[i].descriptor == descriptor)) return i;
  return MOST_REGISTERED;
}

static unsigned long long HEDDLE_PLAIN(load_data)(const struct epoll_event *event) { return event->data.u64; }

static void enter(int set, int descriptor, unsigned long long data) {
  int place = find(set, descriptor);
  if (place == MOST_REGISTERED) place = find(0, 0);
  if (place == MOST_REGISTERED) __heddle_unmodelled("more than 8 descriptors registered with epoll");
  registered[place].descriptor = descriptor;
  registered[place].data = data;
  registered[place].set = set;
}

int epoll_ctl(int set, int operation, int descriptor, struct epoll_event *event) {
  if (__heddle_fresh_bool()) {
    note_failure(1);
    return -1;
  }
  unsigned long long data = 0;
  if (operation != EPOLL_CTL_DEL) {
    __heddle_read_bytes(&event->events, sizeof event->events);
    data = HEDDLE_PLAIN(load_data)(event);
  }
  __heddle_atomic_begin();
  int place = find(set + 1, descriptor);
  if (operation != EPOLL_CTL_DEL)
    enter(set + 1, descriptor, data);
  else if (place < MOST_REGISTERED)
    registered[place].set = 0;
  __heddle_atomic_end();
  return 0;
}

// Any registration of `set` that is not in `done`, or MOST_REGISTERED.
static int pick(int set, unsigned done) {
  for (int i = 0; i < MOST_REGISTERED; i++)
    if (registered[i].set == set && (done >> i & 1) == 0 && __heddle_fresh_bool()) return i;
  return MOST_REGISTERED;
}

static void HEDDLE_PLAIN(store_event)(struct epoll_event *to, unsigned long long data) {
  __heddle_any_bytes(&to->events, sizeof to->events);
  to->data.u64 = data;
}

int epoll_wait(int set, struct epoll_event *events, int most, int timeout) {
  __heddle_read_data(1);
  if (__heddle_fresh_bool()) {
    note_failure(1);
    return -1;
  }
  int count = 0;
  for (unsigned done = 0; count < most; count++) {
    unsigned long long data = 0;
    __heddle_atomic_begin();
    int picked = pick(set + 1, done);
    if (picked < MOST_REGISTERED) data = registered[picked].data;
    __heddle_atomic_end();
    if (picked == MOST_REGISTERED) break;
    done |= 1u << picked;
    HEDDLE_PLAIN(store_event)(events + count, data);
  }
  if (__heddle_clocks_matter && count == 0 && timeout > 0)
    __heddle_waited_for(timeout / 1000, (long)(timeout % 1000) * 1000000);
  return count;
}

int epoll_pwait(int set, struct epoll_event *events, int most, int timeout, const sigset_t *mask) {
  return epoll_wait(set, events, most, timeout);
}
