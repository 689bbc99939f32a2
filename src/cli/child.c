#define _GNU_SOURCE // pipe2, wait4
#include "cli/child.h"

#include "base/budget.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
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
    ssize_t written = write(interrupt->wake, &one, sizeof one); // nobody reads it: it stays readable for all
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

static void write_output(int file, const Text *output) {
  for (size_t done = 0; done < output->length;) {
    ssize_t count = write(file, output->data + done, output->length - done);
    if (count < 0 && errno != EINTR) _exit(1);
    if (count > 0) done += (size_t)count;
  }
}

static _Noreturn void be_child(Interrupt *interrupt, const ChildLimits *limits, ChildWork work, void *context, int pipe,
                               pid_t parent) {
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
  limit_memory(limits->memory);
  Text output;
  text_init(&output, NULL);
  work(context, &output);
  fflush(stderr);
  write_output(pipe, &output);
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

// Reads until the child's end of the pipe closes, which it does at the latest when the child was killed.
static ChildEnd collect(Interrupt *interrupt, const ChildLimits *limits, pid_t pid, int pipe, Text *output) {
  ChildEnd end = CHILD_DONE;
  double kill_at = limits->deadline;
  bool stopping = false, killed = false;
  for (;;) {
    if (!stopping && interrupted(interrupt)) {
      stopping = true;
      double limit = clock_now() + limits->grace;
      if (kill_at <= 0 || limit < kill_at) kill_at = limit;
    }
    if (!killed && kill_at > 0 && clock_now() >= kill_at) {
      kill_child(pid, limits);
      killed = true;
      end = stopping ? CHILD_INTERRUPTED : CHILD_OUT_OF_TIME;
    }
    struct pollfd files[] = {{.fd = pipe, .events = POLLIN},
                             {.fd = stopping ? -1 : interrupt->wake, .events = POLLIN},
                             {.fd = stopping ? -1 : interrupt->signals, .events = POLLIN}};
    poll(files, 3, killed ? -1 : milliseconds_until(kill_at));
    if (!files[0].revents) continue;
    char block[65536];
    ssize_t count = read(pipe, block, sizeof block);
    if (count > 0) text_add_bytes(output, block, (size_t)count);
    if (count == 0 || (count < 0 && errno != EINTR)) return end;
  }
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

static void cannot_start(ChildReport *report) {
  report->end = CHILD_CRASHED;
  text_format(&report->reason, "could not be started: %s", strerror(errno));
}

void child_run(Interrupt *interrupt, const ChildLimits *limits, ChildWork work, void *context, ChildReport *report) {
  *report = (ChildReport){.end = CHILD_DONE};
  text_init(&report->output, NULL);
  text_init(&report->reason, NULL);
  fflush(NULL); // else what is buffered would be written twice
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    cannot_start(report);
    return;
  }
  pid_t parent = getpid(), pid = fork();
  if (pid == 0) {
    close(ends[0]);
    be_child(interrupt, limits, work, context, ends[1], parent);
  }
  close(ends[1]);
  if (pid < 0) {
    cannot_start(report);
  } else {
    if (limits->leads_group) setpgid(pid, pid); // both sides do it: whoever is first
    report->end = collect(interrupt, limits, pid, ends[0], &report->output);
    int status = 0;
    struct rusage usage = {0};
    while (wait4(pid, &status, 0, &usage) < 0 && errno == EINTR) continue;
    if (report->end == CHILD_OUT_OF_TIME)
      text_add(&report->reason, stop_reason_text(STOP_TIME));
    else if (report->end == CHILD_INTERRUPTED)
      text_add(&report->reason, stop_reason_text(STOP_SIGNAL));
    else
      judge_status(status, &usage, limits->memory, report);
  }
  close(ends[0]);
}

void child_report_free(ChildReport *report) {
  text_free(&report->output);
  text_free(&report->reason);
}
