// Functions that programs call without naming them: macros of the headers expand to them. Exact, as glibc has them.
//
// Limit: a control message that says it is longer than the rest of its buffer is UNKNOWN; versions of glibc differ
// there.
#define _GNU_SOURCE
#include "heddle.h"

#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>

// --- sets of processors (CPU_COUNT, CPU_ALLOC, CPU_FREE) ---

static __cpu_mask HEDDLE_PLAIN(mask)(const cpu_set_t *set, size_t word) { return set->__bits[word]; }

int __sched_cpucount(size_t bytes, const cpu_set_t *set) {
  int count = 0;
  for (size_t word = 0; word < bytes / sizeof(__cpu_mask); word++)
    count += __builtin_popcountl(HEDDLE_PLAIN(mask)(set, word));
  return count;
}

cpu_set_t *__sched_cpualloc(size_t count) { return malloc(CPU_ALLOC_SIZE(count)); }
void __sched_cpufree(cpu_set_t *set) { free(set); }

// --- signals that the threads library leaves over (SIGRTMIN, SIGRTMAX) ---

int __libc_current_sigrtmin(void) { return __SIGRTMIN + 2; }
int __libc_current_sigrtmax(void) { return __SIGRTMAX; }

// --- numbers of devices (major, minor, makedev) ---

unsigned gnu_dev_major(dev_t device) { return (unsigned)((device >> 8 & 0xfff) | (device >> 32 & 0xfffff000)); }

unsigned gnu_dev_minor(dev_t device) { return (unsigned)((device & 0xff) | (device >> 12 & 0xffffff00)); }

dev_t gnu_dev_makedev(unsigned major, unsigned minor) {
  return ((dev_t)(major & 0xfff) << 8) | ((dev_t)(major & 0xfffff000) << 32) | (minor & 0xff) |
         ((dev_t)(minor & 0xffffff00) << 12);
}

// --- control messages (CMSG_NXTHDR) ---

static size_t HEDDLE_PLAIN(length)(const struct cmsghdr *header) { return header->cmsg_len; }
static unsigned char *HEDDLE_PLAIN(end)(const struct msghdr *message) {
  return (unsigned char *)message->msg_control + message->msg_controllen;
}

struct cmsghdr *__cmsg_nxthdr(struct msghdr *message, struct cmsghdr *header) {
  size_t length = HEDDLE_PLAIN(length)(header);
  if (length < sizeof *header) return NULL;
  size_t room = (size_t)(HEDDLE_PLAIN(end)(message) - (unsigned char *)header);
  size_t step = CMSG_ALIGN(length);
  if (step < length || step > room || room - step < sizeof *header) return NULL;
  struct cmsghdr *next = (struct cmsghdr *)((unsigned char *)header + step);
  size_t next_length = HEDDLE_PLAIN(length)(next);
  if (CMSG_ALIGN(next_length) < next_length || CMSG_ALIGN(next_length) > room - step)
    __heddle_unmodelled("a control message longer than its buffer");
  return next;
}
