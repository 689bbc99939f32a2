// Macros of the C library expand to calls of functions that the program never names: CPU_COUNT, CPU_ALLOC, SIGRTMIN,
// CMSG_NXTHDR, major, minor, makedev. Each has one result.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>

static void *count_processors(void *argument) {
  assert(CPU_COUNT((cpu_set_t *)argument) == 2);
  return NULL;
}

static void walk_messages(void) {
  union {
    char bytes[CMSG_SPACE(sizeof(int)) + CMSG_SPACE(1)];
    struct cmsghdr first;
  } room;
  memset(&room, 0, sizeof room);
  struct msghdr message = {.msg_control = room.bytes, .msg_controllen = sizeof room.bytes};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  assert(header == &room.first);
  header->cmsg_len = CMSG_LEN(sizeof(int));
  header = CMSG_NXTHDR(&message, header);
  assert((char *)header == room.bytes + CMSG_SPACE(sizeof(int)));
  header->cmsg_len = CMSG_LEN(1);
  assert(!CMSG_NXTHDR(&message, header));
}

int main(void) {
  cpu_set_t *processors = CPU_ALLOC(64);
  memset(processors, 0, CPU_ALLOC_SIZE(64));
  assert(CPU_COUNT_S(CPU_ALLOC_SIZE(64), processors) == 0);
  CPU_FREE(processors);
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(0, &set);
  CPU_SET(70, &set);
  pthread_t thread;
  pthread_create(&thread, NULL, count_processors, &set);
  pthread_join(thread, NULL);
  assert(SIGRTMIN == 34 && SIGRTMAX == 64);
  dev_t device = makedev(0x12345, 0x6789ab);
  assert(major(device) == 0x12345 && minor(device) == 0x6789ab);
  walk_messages();
}
