#define _GNU_SOURCE // pipe2
#include "fuzz/workers.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_JOBS = 64, PROGRESS_MILLISECONDS = 250 };

// Shared by parent and workers.
typedef struct Shared {
  _Atomic unsigned next; // index of the seed that no worker has begun
  _Atomic bool stop;
} Shared;

static void remove_directory(const char *directory) {
  static const char *const names[] = {"program.c", "program.bc", "result.json", "errors"};
  Text path;
  text_init(&path, NULL);
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
    text_clear(&path);
    text_format(&path, "%s/%s", directory, names[i]);
    unlink(path.data);
  }
  text_free(&path);
  rmdir(directory);
}

static _Noreturn void work_until_done(const Comparison *given, const Work *work, Shared *shared, unsigned number,
                                      int out) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  Comparison comparison = *given;
  Text directory;
  text_init(&directory, NULL);
  text_format(&directory, "%s/%u", given->checker.directory, number);
  if (mkdir(directory.data, 0777) != 0) _exit(1);
  comparison.checker.directory = directory.data;
  for (;;) {
    unsigned index = atomic_fetch_add(&shared->next, 1);
    if (index >= work->programs || atomic_load(&shared->stop)) break;
    Record record;
    compare_seed(&comparison, work->first_seed + index, &record);
    // One write of less than PIPE_BUF: records of different workers do not mix.
    if (write(out, &record, sizeof record) != (ssize_t)sizeof record) _exit(1);
  }
  remove_directory(directory.data);
  text_free(&directory);
  _exit(0);
}

static unsigned start_workers(const Comparison *comparison, const Work *work, Shared *shared, const int ends[2]) {
  unsigned started = 0;
  for (unsigned i = 0; i < work->jobs && i < MOST_JOBS; i++) {
    pid_t child = fork();
    if (child == 0) {
      close(ends[0]);
      work_until_done(comparison, work, shared, i, ends[1]);
    }
    started += child > 0;
  }
  return started;
}

// Reads records until all workers have closed their end.
static void collect(int from, const Work *work, Shared *shared, Tally *tally) {
  Record record;
  size_t filled = 0;
  for (;;) {
    struct pollfd poll_for = {.fd = from, .events = POLLIN};
    int ready = poll(&poll_for, 1, PROGRESS_MILLISECONDS);
    tally_progress(tally);
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    ssize_t got = read(from, (char *)&record + filled, sizeof record - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return;
    filled += (size_t)got;
    if (filled < sizeof record) continue;
    filled = 0;
    tally_add(tally, &record);
    if (tally->disagreements + tally->crashes >= work->most_failures) atomic_store(&shared->stop, true);
  }
}

// Whether all of them ended well.
static bool reap(unsigned count) {
  bool well = true;
  while (count > 0) {
    int status = 0;
    if (wait(&status) < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    well &= WIFEXITED(status) && WEXITSTATUS(status) == 0;
    count--;
  }
  return well;
}

bool workers_run(const Comparison *comparison, const Work *work, Tally *tally) {
  Shared *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  int ends[2];
  if (shared == MAP_FAILED || pipe2(ends, O_CLOEXEC) != 0) {
    fprintf(stderr, "heddle-fuzz: %s\n", strerror(errno));
    return false;
  }
  fflush(NULL); // or the children would print it again
  unsigned started = start_workers(comparison, work, shared, ends);
  close(ends[1]);
  collect(ends[0], work, shared, tally);
  close(ends[0]);
  bool well = reap(started) && started > 0;
  munmap(shared, sizeof *shared);
  rmdir(comparison->checker.directory);
  if (!well) fprintf(stderr, "heddle-fuzz: a worker failed\n");
  return well;
}
