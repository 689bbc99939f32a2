#define _GNU_SOURCE // memfd_create
#include "circuit/abc/abc.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
  FIRST_NUMBER = 100, // of the descriptors that the process sees
  STATUS_MISSING = 127,
  STATUS_ORPHAN = 126
};

// --- files ---

static bool write_all(int file, const char *data, size_t length) {
  for (size_t done = 0; done < length;) {
    ssize_t count = write(file, data + done, length - done);
    if (count < 0 && errno != EINTR) return false;
    if (count > 0) done += (size_t)count;
  }
  return true;
}

// A file whose descriptor is beyond the numbers that ABC sees, so that dup2 to these numbers overwrites none of the
// files.
static int unnamed_file(void) {
  int low = memfd_create("heddle-abc", MFD_CLOEXEC);
  if (low < 0) return -1;
  int file = fcntl(low, F_DUPFD_CLOEXEC, FIRST_NUMBER + ABC_FILE_COUNT);
  close(low);
  return file;
}

bool abc_init(Abc *abc, const Text *model) {
  *abc = (Abc){0};
  bool good = true;
  for (int i = 0; i < ABC_FILE_COUNT; i++) {
    abc->files[i] = unnamed_file();
    good &= abc->files[i] >= 0;
  }
  return good && write_all(abc->files[ABC_MODEL], model->data, model->length);
}

void abc_free(Abc *abc) {
  for (int i = 0; i < ABC_FILE_COUNT; i++)
    if (abc->files[i] >= 0) close(abc->files[i]);
}

void abc_read(const Abc *abc, AbcFile file, Text *into) {
  assert(file < ABC_FILE_COUNT);
  char block[65536];
  off_t at = 0;
  for (ssize_t count; (count = pread(abc->files[file], block, sizeof block, at)) > 0; at += count)
    text_add_bytes(into, block, (size_t)count);
}

// --- the process ---

// The child process becomes ABC.
static _Noreturn void become_abc(const Abc *abc, const char *script, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(STATUS_ORPHAN); // the parent died before the line above
  setpgid(0, 0);
  int nothing = open("/dev/null", O_RDONLY);
  if (nothing >= 0) dup2(nothing, STDIN_FILENO);
  for (int i = 0; i < ABC_FILE_COUNT; i++) dup2(abc->files[i], FIRST_NUMBER + i);
  dup2(abc->files[ABC_OUTPUT], STDOUT_FILENO);
  dup2(abc->files[ABC_OUTPUT], STDERR_FILENO);
  execlp("berkeley-abc", "berkeley-abc", "-s", "-q", script, (char *)NULL);
  _exit(STATUS_MISSING);
}

static void sleep_for(double seconds) {
  struct timespec pause = {.tv_sec = 0, .tv_nsec = (long)(seconds * 1e9)};
  nanosleep(&pause, NULL);
}

// A budget reads the clock only at every so many calls, because most callers call often. This caller sleeps between
// calls, so it repeats the call if the time is over.
static bool exhausted_now(Budget *budget) {
  if (budget_exhausted(budget, "circuit-abc")) return true;
  while (budget_left(budget) <= 0)
    if (budget_exhausted(budget, "circuit-abc")) return true;
  return false;
}

// Waits until ABC has ended by itself, or kills it. The first sleeps are short, because most circuits are small.
static AbcEnd wait_for(pid_t pid, double until, Budget *budget, int *status) {
  static const double shortest = 0.0005, longest = 0.02;
  AbcEnd end = ABC_DONE;
  for (double pause = shortest;;) {
    pid_t ended = waitpid(pid, status, end == ABC_DONE ? WNOHANG : 0);
    if (ended == pid || (ended < 0 && errno != EINTR)) return end;
    if (end != ABC_DONE) continue;
    if (exhausted_now(budget))
      end = ABC_STOPPED;
    else if (clock_now() >= until)
      end = ABC_OVERTIME;
    if (end != ABC_DONE && kill(-pid, SIGKILL) != 0) kill(pid, SIGKILL); // it may not be a group leader yet
    if (end == ABC_DONE) sleep_for(pause);
    if (pause < longest) pause *= 1.5;
  }
}

// How the run ended, with a reason if not well.
static AbcEnd classify_end(AbcEnd end, int status, const Budget *budget, Text *reason) {
  if (end == ABC_STOPPED) text_add(reason, stop_reason_text(budget->reason));
  if (end != ABC_DONE) return end;
  if (WIFEXITED(status) && WEXITSTATUS(status) == STATUS_MISSING)
    text_add(reason, "berkeley-abc is not installed");
  else if (WIFSIGNALED(status))
    text_format(reason, "ABC crashed (signal %d), perhaps for lack of memory", WTERMSIG(status));
  else
    return ABC_DONE; // any other status says little
  return ABC_FAILED;
}

AbcEnd abc_run(Abc *abc, const char *script, double seconds, Budget *budget, Text *reason) {
  assert(script && seconds >= 0);
  double begin = clock_now();
  for (int i = ABC_TRACE; i < ABC_FILE_COUNT; i++) {
    if (ftruncate(abc->files[i], 0) != 0) break;
    lseek(abc->files[i], 0, SEEK_SET);
  }
  pid_t parent = getpid(), pid = fork();
  if (pid == 0) become_abc(abc, script, parent);
  if (pid < 0) {
    text_format(reason, "berkeley-abc could not be started: %s", strerror(errno));
    return ABC_FAILED;
  }
  int status = 0;
  AbcEnd end = wait_for(pid, begin + seconds, budget, &status);
  abc->seconds += clock_now() - begin;
  return classify_end(end, status, budget, reason);
}
