// select and poll tell of no descriptor and no event that they were not asked for, and of none if none is ready.
#include <assert.h>
#include <poll.h>
#include <stddef.h>
#include <sys/select.h>

int main(void) {
  fd_set set;
  FD_ZERO(&set);
  FD_SET(0, &set);
  int ready = select(1, &set, NULL, NULL, NULL);
  assert(!FD_ISSET(3, &set));
  assert(ready != 0 || !FD_ISSET(0, &set));
  assert(ready >= 0 || FD_ISSET(0, &set));
  struct pollfd polled[2] = {{.fd = 0, .events = POLLIN}, {.fd = -1, .events = POLLIN}};
  ready = poll(polled, 2, 0);
  assert((polled[0].revents & POLLOUT) == 0 && polled[1].revents == 0);
  assert(ready != 0 || polled[0].revents == 0);
  return 0;
}
