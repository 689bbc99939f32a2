// Sockets, and waiting for descriptors. Every call may fail with any error, may transfer any part, and may return at
// any time. Buffers, addresses and options are read and written by ordinary accesses. What arrives is any data from
// any address; sent data is not kept.
#define _GNU_SOURCE
#include "descriptors.h"
#include "results.h"
#include "timing.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdint.h>
#include <sys/select.h>
#include <sys/socket.h>

int socket(int domain, int type, int protocol) { return __heddle_descriptor_open(); }

int bind(int descriptor, const struct sockaddr *address, socklen_t length) {
  __heddle_read_bytes(address, length);
  int result = zero_or_failure();
  if (result == 0) __heddle_file_excludes(); // of two threads that bind one address, one succeeds
  return result;
}

int connect(int descriptor, const struct sockaddr *address, socklen_t length) {
  __heddle_note_data(CONNECTS);
  __heddle_read_bytes(address, length);
  return zero_or_failure();
}

int listen(int descriptor, int waiting) {
  __heddle_note_data(LISTENS);
  return zero_or_failure();
}

int shutdown(int descriptor, int how) { return zero_or_failure(); }
int sockatmark(int descriptor) { return or_failure(__heddle_fresh_bool()); }

// Blocks of the usual sizes are one step each.
static void any_address(struct sockaddr *address, size_t room) {
  if (room == sizeof(struct sockaddr_in))
    __heddle_any_bytes(address, sizeof(struct sockaddr_in));
  else if (room == sizeof(struct sockaddr_in6))
    __heddle_any_bytes(address, sizeof(struct sockaddr_in6));
  else if (room >= sizeof(struct sockaddr_storage))
    __heddle_any_bytes(address, sizeof(struct sockaddr_storage));
  else
    __heddle_any_bytes(address, room);
}

static socklen_t HEDDLE_PLAIN(load_length)(const socklen_t *length) { return *length; }
static void HEDDLE_PLAIN(store_length)(socklen_t *length, socklen_t value) { *length = value; }

// The address of the other side, if it is asked for.
static void tell_address(struct sockaddr *address, socklen_t *length) {
  if (!address || !length) return;
  any_address(address, HEDDLE_PLAIN(load_length)(length));
  HEDDLE_PLAIN(store_length)(length, (socklen_t)any_in(0, sizeof(struct sockaddr_storage)));
}

int accept(int descriptor, struct sockaddr *address, socklen_t *length) {
  __heddle_read_data(1);
  int accepted = __heddle_descriptor_open();
  if (accepted >= 0) tell_address(address, length);
  return accepted;
}

int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags) {
  return accept(descriptor, address, length);
}

int getsockname(int descriptor, struct sockaddr *address, socklen_t *length) {
  if (__heddle_fresh_bool()) return or_failure(0) | -1;
  tell_address(address, length);
  return 0;
}

int getpeername(int descriptor, struct sockaddr *address, socklen_t *length) {
  return getsockname(descriptor, address, length);
}

int setsockopt(int descriptor, int level, int name, const void *value, socklen_t length) {
  __heddle_read_bytes(value, length);
  return zero_or_failure();
}

int getsockopt(int descriptor, int level, int name, void *value, socklen_t *length) {
  if (__heddle_fresh_bool()) {
    note_failure(1);
    return -1;
  }
  socklen_t room = HEDDLE_PLAIN(load_length)(length);
  if (room == sizeof(int)) { // what nearly all options have
    __heddle_any_bytes(value, sizeof(int));
    HEDDLE_PLAIN(store_length)(length, sizeof(int));
    return 0;
  }
  __heddle_any_bytes(value, room);
  HEDDLE_PLAIN(store_length)(length, (socklen_t)at_most(room));
  return 0;
}

// --- data ---

ssize_t send(int descriptor, const void *from, size_t bytes, int flags) {
  __heddle_read_bytes(from, bytes);
  return count_or_failure(bytes);
}

ssize_t sendto(int descriptor, const void *from, size_t bytes, int flags, const struct sockaddr *address,
               socklen_t length) {
  __heddle_read_bytes(from, bytes);
  if (address) __heddle_read_bytes(address, length);
  return count_or_failure(bytes);
}

ssize_t recv(int descriptor, void *to, size_t bytes, int flags) {
  __heddle_read_data(1);
  ssize_t count = count_or_failure(bytes);
  if (count > 0) __heddle_any_bytes(to, bytes);
  return count;
}

ssize_t __recv_chk(int descriptor, void *to, size_t bytes, size_t size, int flags) {
  return recv(descriptor, to, bytes, flags);
}

ssize_t recvfrom(int descriptor, void *to, size_t bytes, int flags, struct sockaddr *address, socklen_t *length) {
  ssize_t count = recv(descriptor, to, bytes, flags);
  if (count >= 0) tell_address(address, length);
  return count;
}

static size_t HEDDLE_PLAIN(send_message)(const struct msghdr *message) {
  size_t total = 0;
  if (message->msg_name) __heddle_read_bytes(message->msg_name, message->msg_namelen);
  if (message->msg_control) __heddle_read_bytes(message->msg_control, message->msg_controllen);
  for (size_t i = 0; i < message->msg_iovlen; i++) {
    __heddle_read_bytes(message->msg_iov[i].iov_base, message->msg_iov[i].iov_len);
    total += message->msg_iov[i].iov_len;
  }
  return total;
}

static size_t HEDDLE_PLAIN(receive_message)(struct msghdr *message) {
  size_t total = 0;
  if (message->msg_name) {
    any_address(message->msg_name, message->msg_namelen);
    message->msg_namelen = (socklen_t)any_in(0, sizeof(struct sockaddr_storage));
  }
  if (message->msg_control) {
    __heddle_any_bytes(message->msg_control, message->msg_controllen);
    message->msg_controllen = at_most(message->msg_controllen);
  }
  for (size_t i = 0; i < message->msg_iovlen; i++) {
    __heddle_any_bytes(message->msg_iov[i].iov_base, message->msg_iov[i].iov_len);
    total += message->msg_iov[i].iov_len;
  }
  message->msg_flags = __heddle_fresh_int();
  return total;
}

ssize_t sendmsg(int descriptor, const struct msghdr *message, int flags) {
  return count_or_failure(HEDDLE_PLAIN(send_message)(message));
}

ssize_t recvmsg(int descriptor, struct msghdr *message, int flags) {
  __heddle_read_data(1);
  if (__heddle_fresh_bool()) {
    note_failure(1);
    return -1;
  }
  return (ssize_t)at_most(HEDDLE_PLAIN(receive_message)(message));
}

// --- waiting ---

// Descriptors that were asked for stay in the set or not: none if `ready` is 0, all if it is negative.
static void HEDDLE_PLAIN(keep_some)(fd_set *set, ssize_t ready) {
  if (!set) return;
  for (size_t i = 0; i < sizeof set->fds_bits / sizeof *set->fds_bits; i++) {
    long some = __heddle_select_long(ready > 0, __heddle_fresh_long(), -(long)(ready < 0));
    set->fds_bits[i] &= some;
  }
}

static int any_ready(fd_set *reading, fd_set *writing, fd_set *odd) {
  __heddle_read_data(1);
  ssize_t ready = count_or_failure(3 * FD_SETSIZE);
  HEDDLE_PLAIN(keep_some)(reading, ready);
  HEDDLE_PLAIN(keep_some)(writing, ready);
  HEDDLE_PLAIN(keep_some)(odd, ready);
  return (int)ready;
}

// A wait that ends without a ready descriptor has lasted its full time.
static int lasted(int ready, struct timespec length) {
  if (__heddle_clocks_matter && ready == 0) __heddle_waited_for(length.tv_sec, length.tv_nsec);
  return ready;
}

static struct timespec HEDDLE_PLAIN(load_timeval)(const struct timeval *from) {
  struct timespec time = {0, 0};
  if (__heddle_clocks_matter) time = (struct timespec){from->tv_sec, from->tv_usec * 1000};
  return time;
}

// Linux leaves the time that is left.
int select(int count, fd_set *reading, fd_set *writing, fd_set *odd, struct timeval *timeout) {
  struct timespec length = {0, 0};
  if (timeout) {
    __heddle_read_bytes(timeout, sizeof *timeout);
    length = HEDDLE_PLAIN(load_timeval)(timeout);
    __heddle_any_bytes(timeout, sizeof *timeout);
  }
  return lasted(any_ready(reading, writing, odd), length);
}

static struct timespec length_of(const struct timespec *timeout) {
  if (!timeout) return (struct timespec){0, 0};
  __heddle_read_bytes(timeout, sizeof *timeout);
  return HEDDLE_PLAIN(load_time)(timeout);
}

int pselect(int count, fd_set *reading, fd_set *writing, fd_set *odd, const struct timespec *timeout,
            const sigset_t *mask) {
  struct timespec length = length_of(timeout);
  return lasted(any_ready(reading, writing, odd), length);
}

// The events that may be reported for a descriptor: those asked for and those always reported; none if no descriptor is
// ready, or it is none.
static void HEDDLE_PLAIN(tell)(struct pollfd *one, int ready) {
  int told = __heddle_fresh_int() & (one->events | POLLERR | POLLHUP | POLLNVAL);
  one->revents = (short)(told & -((ready > 0) & (one->fd >= 0)));
}

static int wait_for(struct pollfd *descriptors, nfds_t count) {
  __heddle_read_data(1);
  int ready = (int)count_or_failure(count);
  for (nfds_t i = 0; i < count; i++) HEDDLE_PLAIN(tell)(descriptors + i, ready);
  return ready;
}

int poll(struct pollfd *descriptors, nfds_t count, int timeout) {
  long length = __heddle_select_int(timeout > 0, timeout, 0);
  return lasted(wait_for(descriptors, count), (struct timespec){length / 1000, length % 1000 * 1000000});
}

int ppoll(struct pollfd *descriptors, nfds_t count, const struct timespec *timeout, const sigset_t *mask) {
  struct timespec length = length_of(timeout);
  return lasted(wait_for(descriptors, count), length);
}

int __poll_chk(struct pollfd *descriptors, nfds_t count, int timeout, size_t size) {
  return poll(descriptors, count, timeout);
}

long __fdelt_chk(long descriptor) { return descriptor / (8 * (long)sizeof(fd_mask)); }
long __fdelt_warn(long descriptor) { return descriptor / (8 * (long)sizeof(fd_mask)); }

// --- the order of bytes ---

#undef htons
#undef htonl
#undef ntohs
#undef ntohl
uint16_t htons(uint16_t value) { return __builtin_bswap16(value); }
uint32_t htonl(uint32_t value) { return __builtin_bswap32(value); }
uint16_t ntohs(uint16_t value) { return __builtin_bswap16(value); }
uint32_t ntohl(uint32_t value) { return __builtin_bswap32(value); }
