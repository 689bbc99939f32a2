// The data of an event is what was registered with its descriptor.
#include <assert.h>
#include <sys/epoll.h>

int main(void) {
  static int object = 1;
  struct epoll_event event = {.events = EPOLLIN, .data = {.ptr = &object}}, events[2];
  int set = epoll_create(1);
  if (set < 0 || epoll_ctl(set, EPOLL_CTL_ADD, 0, &event) < 0) return 1;
  int count = epoll_wait(set, events, 2, -1);
  assert(count <= 1);
  if (count == 1) assert(*(int *)events[0].data.ptr == 1);
  return 0;
}
