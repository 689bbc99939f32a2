#define _GNU_SOURCE // wait4
#include "cli/run/child.h"

#include "base/budget.h"
#include "base/memory_new.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

// Sanitizers reserve address space without end, so it cannot be limited there; accounts still are.
#ifdef HEDDLE_SANITIZE
enum { LIMIT_ADDRESS_SPACE = 0 };
#else
enum { LIMIT_ADDRESS_SPACE = 1 };
#endif

// --- interrupts ---

bool interrupt_init(Interrupt *interrupt) {
  *interrupt = (Interrupt){.signals = -1, .wake = -1};
  void *page = mmap(NULL, sizeof *interrupt->flag, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return false;
  interrupt->flag = page;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  sigprocmask(SIG_BLOCK, &set, NULL);
  interrupt->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  interrupt->wake = eventfd(0, EFD_CLOEXEC);
  if (interrupt->signals >= 0 && interrupt->wake >= 0) return true;
  interrupt_free(interrupt);
  return false;
}

void interrupt_free(Interrupt *interrupt) {
  if (interrupt->flag) munmap((void *)interrupt->flag, sizeof *interrupt->flag);
  if (interrupt->signals >= 0) close(interrupt->signals);
  if (interrupt->wake >= 0) close(interrupt->wake);
  *interrupt = (Interrupt){.signals = -1, .wake = -1};
}

// The head reads its signals; the others see the flag.
static bool interrupted(Interrupt *interrupt) {
  struct signalfd_siginfo information;
  if (interrupt->signals >= 0 && !*interrupt->flag &&
      read(interrupt->signals, &information, sizeof information) == (ssize_t)sizeof information) {
    *interrupt->flag = 1;
    uint64_t one = 1;
    ssize_t written = write(interrupt->wake, &one, sizeof one); // no process reads it, so it stays readable for all
    (void)written;
  }
  return *interrupt->flag != 0;
}

// --- the child's side ---

// Limits the address space such that resident memory stays below `memory`. What is mapped but not resident now (the
// libraries, mostly) does not count.
static void limit_memory(size_t memory) {
  struct rlimit limit = {.rlim_cur = 0, .rlim_max = 0};
  setrlimit(RLIMIT_CORE, &limit);
  if (!memory || !LIMIT_ADDRESS_SPACE) return;
  size_t mapped = 0, resident = 0;
  FILE *file = fopen("/proc/self/statm", "re");
  if (!file) return;
  int fields = fscanf(file, "%zu %zu", &mapped, &resident);
  fclose(file);
  if (fields != 2 || getrlimit(RLIMIT_AS, &limit) != 0) return;
  rlim_t wanted = memory + (mapped - resident) * (size_t)sysconf(_SC_PAGESIZE);
  if (limit.rlim_max != RLIM_INFINITY && wanted > limit.rlim_max) wanted = limit.rlim_max;
  limit.rlim_cur = wanted; // the hard limit stays, so that a child of this child can set its own
  setrlimit(RLIMIT_AS, &limit);
}

// False if the other end is closed. (No signal is raised then.)
static bool send_all(int socket, const char *bytes, size_t length) {
  for (size_t done = 0; done < length;) {
    ssize_t count = send(socket, bytes + done, length - done, MSG_NOSIGNAL);
    if (count < 0 && errno != EINTR) return false;
    if (count > 0) done += (size_t)count;
  }
  return true;
}

#define RECORD_END '\x1e' // the record separator of ASCII

static bool send_record(int socket, const Text *record) {
  assert(!memchr(record->data, RECORD_END, record->length));
  static const char end = RECORD_END;
  return send_all(socket, record->data, record->length) && send_all(socket, &end, 1);
}

void child_send(const ChildLine *line, const Text *record) {
  if (!send_record(line->socket, record)) _exit(1);
}

bool child_receive(const ChildLine *line, Text *answer) {
  for (;;) {
    char byte; // answers are short and rare
    ssize_t count = recv(line->socket, &byte, 1, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    if (byte == RECORD_END) return true;
    text_add_char(answer, byte);
  }
}

static _Noreturn void be_child(Interrupt *interrupt, const ChildLimits *limits, ChildWork work, void *context,
                               int socket, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1); // it died before the line above
  if (limits->leads_group) {
    setpgid(0, 0);
    signal(SIGTTOU, SIG_IGN); // progress is written from a group in the background
  }
  if (interrupt->signals >= 0) {
    close(interrupt->signals);
    interrupt->signals = -1;
  }
  if (limits->nice > 0 && nice(limits->nice) < 0) errno = 0; // it can do without
  limit_memory(limits->memory);
  memory_guard_new();
  if (limits->line) limits->line->socket = socket;
  Text output;
  text_init(&output, NULL);
  work(context, &output);
  fflush(stderr);
  if (!send_all(socket, output.data, output.length)) _exit(1);
  _exit(0); // exit handlers belong to the head of the family
}

// --- the parent's side ---

static void kill_child(pid_t pid, const ChildLimits *limits) { kill(limits->leads_group ? -pid : pid, SIGKILL); }

// Milliseconds to sleep until `when`, or without an end.
static int milliseconds_until(double when) {
  if (when <= 0) return -1;
  double left = (when - clock_now()) * 1000;
  return left <= 0 ? 0 : left > 1e6 ? 1000000 : (int)left + 1;
}

static void judge_status(int status, const struct rusage *usage, size_t memory, ChildReport *report) {
  report->peak_memory = (double)usage->ru_maxrss * 1024;
  if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_OUT_OF_MEMORY) {
    report->end = CHILD_OUT_OF_MEMORY;
  } else if (WIFEXITED(status) && WEXITSTATUS(status) != 0) {
    report->end = CHILD_CRASHED;
    text_format(&report->reason, "ended with status %d", WEXITSTATUS(status));
  } else if (WIFSIGNALED(status)) {
    // C++ libraries abort, and others crash, when memory is refused.
    bool full = memory && report->peak_memory > 0.8 * (double)memory;
    report->end = full ? CHILD_OUT_OF_MEMORY : CHILD_CRASHED;
    if (!full) text_format(&report->reason, "crashed (signal %d)", WTERMSIG(status));
    if (WTERMSIG(status) == SIGKILL && !full) {
      text_clear(&report->reason);
      text_add(&report->reason, "was killed (signal 9), perhaps for lack of memory");
    }
  }
  if (report->end == CHILD_OUT_OF_MEMORY) text_add(&report->reason, stop_reason_text(STOP_MEMORY));
}

ReasonKind child_end_reason(ChildEnd end) {
  switch (end) {
  case CHILD_OUT_OF_MEMORY: return REASON_MEMORY;
  case CHILD_OUT_OF_TIME: return REASON_TIME;
  case CHILD_INTERRUPTED: return REASON_INTERRUPTED;
  case CHILD_DONE:
  case CHILD_CRASHED: return REASON_INTERNAL;
  case CHILD_DISMISSED: break;
  }
  return REASON_GAVE_UP;
}

static void cannot_start(Child *child) {
  child->running = false;
  child->report.end = CHILD_CRASHED;
  text_format(&child->report.reason, "could not be started: %s", strerror(errno));
}

void child_start(Child *child, Interrupt *interrupt, const ChildLimits *limits, ChildWork work, void *context) {
  *child = (Child){.running = true, .socket = -1, .limits = *limits, .kill_at = limits->deadline};
  text_init(&child->report.output, NULL);
  text_init(&child->report.reason, NULL);
  fflush(NULL); // else what is buffered would be written twice
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    cannot_start(child);
    return;
  }
  pid_t parent = getpid();
  child->pid = fork();
  if (child->pid == 0) {
    close(ends[0]);
    be_child(interrupt, limits, work, context, ends[1], parent);
  }
  close(ends[1]);
  if (child->pid < 0) {
    close(ends[0]);
    cannot_start(child);
    return;
  }
  if (limits->leads_group)
    setpgid(child->pid, child->pid); // parent and child both do it; which one is first does not matter
  child->socket = ends[0];
}

void child_answer(Child *child, const Text *answer) {
  if (child->running) send_record(child->socket, answer); // if it is gone, that is seen when it is waited for
}

// The child's end of the connection is closed, which it is at the latest when the child was killed.
static void finish(Child *child) {
  assert(child->running && child->pid > 0);
  ChildReport *report = &child->report;
  int status = 0;
  struct rusage usage = {0};
  while (wait4(child->pid, &status, 0, &usage) < 0 && errno == EINTR) continue;
  close(child->socket);
  child->running = false;
  report->end = child->fate;
  if (child->fate == CHILD_OUT_OF_TIME)
    text_add(&report->reason, stop_reason_text(STOP_TIME));
  else if (child->fate == CHILD_INTERRUPTED)
    text_add(&report->reason, stop_reason_text(STOP_SIGNAL));
  else if (child->fate == CHILD_DISMISSED)
    text_add(&report->reason, "not wanted any more");
  else
    judge_status(status, &usage, child->limits.memory, report);
  report->peak_memory = (double)usage.ru_maxrss * 1024;
}

void child_dismiss(Child *child) {
  if (!child->running) return;
  child->fate = CHILD_DISMISSED;
  kill_child(child->pid, &child->limits);
  finish(child);
}

// Kills whose time has come. Returns when the next one's does; 0: never.
static double kill_late(Child *children, size_t count, bool stopping) {
  double next = 0, now = clock_now();
  for (size_t i = 0; i < count; i++) {
    Child *child = &children[i];
    if (!child->running || child->fate != CHILD_DONE || child->kill_at <= 0) continue;
    if (now >= child->kill_at) {
      kill_child(child->pid, &child->limits);
      child->fate = stopping ? CHILD_INTERRUPTED : CHILD_OUT_OF_TIME;
    } else if (next <= 0 || child->kill_at < next) {
      next = child->kill_at;
    }
  }
  return next;
}

// After an interrupt each has its grace.
static void shorten_lives(Child *children, size_t count) {
  for (size_t i = 0; i < count; i++) {
    double limit = clock_now() + children[i].limits.grace;
    if (children[i].kill_at <= 0 || limit < children[i].kill_at) children[i].kill_at = limit;
  }
}

// False if there will be nothing more to read.
static bool read_some(Child *child) {
  char block[65536];
  ssize_t count = read(child->socket, block, sizeof block);
  if (count > 0) text_add_bytes(&child->report.output, block, (size_t)count);
  return count > 0 || (count < 0 && errno == EINTR);
}

static const char *next_record_end(const ChildReport *report) {
  assert(report->taken <= report->output.length);
  return memchr(report->output.data + report->taken, RECORD_END, report->output.length - report->taken);
}

bool child_take_record(ChildReport *report, Text *record) {
  const char *end = next_record_end(report), *begin = report->output.data + report->taken;
  if (!end) return false;
  text_add_bytes(record, begin, (size_t)(end - begin));
  report->taken += (size_t)(end - begin) + 1;
  return true;
}

const char *child_output(const ChildReport *report) { return report->output.data + report->taken; }

enum { MOST_CHILDREN = 32 };

size_t children_wait(Child *children, size_t count, Interrupt *interrupt, double until) {
  assert(count <= MOST_CHILDREN);
  bool stopping = false;
  for (;;) {
    if (!stopping && interrupted(interrupt)) {
      stopping = true;
      shorten_lives(children, count);
    }
    double next = kill_late(children, count, stopping);
    if (until > 0 && (next <= 0 || until < next)) next = until;
    struct pollfd files[MOST_CHILDREN + 2];
    size_t running = 0;
    for (size_t i = 0; i < count; i++) {
      files[i] = (struct pollfd){.fd = children[i].running ? children[i].socket : -1, .events = POLLIN};
      running += children[i].running;
    }
    if (!running) return NO_CHILD;
    files[count] = (struct pollfd){.fd = stopping ? -1 : interrupt->wake, .events = POLLIN};
    files[count + 1] = (struct pollfd){.fd = stopping ? -1 : interrupt->signals, .events = POLLIN};
    if (poll(files, count + 2, milliseconds_until(next)) < 0) continue;
    for (size_t i = 0; i < count; i++) {
      if (files[i].fd < 0 || !files[i].revents) continue;
      bool more = read_some(&children[i]);
      if (!more) finish(&children[i]);
      if (!more || (children[i].limits.line && next_record_end(&children[i].report))) return i;
    }
    if (until > 0 && clock_now() >= until) return NO_CHILD;
  }
}

void child_run(Interrupt *interrupt, const ChildLimits *limits, ChildWork work, void *context, ChildReport *report) {
  Child child;
  child_start(&child, interrupt, limits, work, context);
  while (child.running) children_wait(&child, 1, interrupt, 0);
  *report = child.report;
}

void child_report_free(ChildReport *report) {
  text_free(&report->output);
  text_free(&report->reason);
}
