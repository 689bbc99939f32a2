#define _GNU_SOURCE // memfd_create
#include "bench/session.h"

#include "base/budget.h"

#include <assert.h>
#include <cjson/cJSON.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

// Seconds past the wall limit before the bench ends a child that should have stopped by itself.
static const double grace = 2;

// ---- starting

bool bench_child_init(BenchChild *child) {
  *child = (BenchChild){.streams = {-1, -1, -1}};
  for (int i = 0; i < BENCH_STREAM_COUNT; i++) {
    // Beyond the numbers that the child sees, so that handing one over closes none.
    int low = memfd_create("heddle-bench", MFD_CLOEXEC);
    if (low >= 0) child->streams[i] = fcntl(low, F_DUPFD_CLOEXEC, STDERR_FILENO + 2);
    if (low >= 0) close(low);
    if (child->streams[i] < 0) return false;
  }
  return true;
}

void bench_child_free(BenchChild *child) {
  assert(child->pid == 0 && "it has been reaped");
  for (int i = 0; i < BENCH_STREAM_COUNT; i++)
    if (child->streams[i] >= 0) close(child->streams[i]);
}

static _Noreturn void be_check(const BenchChild *child, char *const *arguments, const sigset_t *signals, pid_t parent) {
  static const int numbers[] = {STDOUT_FILENO, STDERR_FILENO, STDERR_FILENO + 1};
  setsid();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(126); // it died before the line above
  int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0) _exit(126);
  for (int i = 0; i < BENCH_STREAM_COUNT; i++)
    if (dup2(child->streams[i], numbers[i]) < 0) _exit(126);
  sigprocmask(SIG_SETMASK, signals, NULL);
  execv("/proc/self/exe", arguments);
  _exit(126);
}

bool bench_child_start(BenchChild *child, char *const *arguments, const sigset_t *signals) {
  assert(child->pid == 0 && arguments[0]);
  for (int i = 0; i < BENCH_STREAM_COUNT; i++) // no answer may be taken from an earlier task
    if (ftruncate(child->streams[i], 0) != 0 || lseek(child->streams[i], 0, SEEK_SET) != 0) return false;
  child->started = clock_now();
  pid_t parent = getpid(), pid = fork();
  if (pid == 0) be_check(child, arguments, signals, parent);
  child->pid = pid > 0 ? pid : 0;
  child->sampled_cpu = child->sampled_bytes = 0;
  child->killed_as = BENCH_ANSWER_NONE;
  child->killed_reason = "";
  return pid > 0;
}

// ---- measuring

typedef struct ProcessSample {
  pid_t pid, session;
  double cpu;   // seconds, with those of reaped children
  double bytes; // resident
} ProcessSample;

// Reads /proc/<pid>/stat; see proc(5) for its fields. False if the process is gone.
static bool read_process(const char *pid, ProcessSample *sample) {
  char path[300], line[2000];
  snprintf(path, sizeof path, "/proc/%s/stat", pid);
  FILE *file = fopen(path, "re");
  if (!file) return false;
  size_t length = fread(line, 1, sizeof line - 1, file);
  fclose(file);
  line[length] = 0;
  const char *rest = strrchr(line, ')'); // the command's name may hold anything
  if (!rest) return false;
  int session;
  unsigned long user, system;
  long children_user, children_system, pages;
  if (sscanf(rest + 1, " %*c %*d %*d %d %*d %*d %*u %*u %*u %*u %*u %lu %lu %ld %ld %*d %*d %*d %*d %*u %*u %ld",
             &session, &user, &system, &children_user, &children_system, &pages) != 6)
    return false;
  sample->pid = (pid_t)strtol(pid, NULL, 10);
  sample->session = session;
  sample->cpu = ((double)(user + system) + (double)(children_user + children_system)) / (double)sysconf(_SC_CLK_TCK);
  sample->bytes = (double)pages * (double)sysconf(_SC_PAGESIZE);
  return true;
}

// ---- ending

// Kills all processes of a session, whose leader has not been reaped yet. Going by the session also finds those that
// have moved to a group of their own.
static void kill_session(pid_t leader) {
  kill(-leader, SIGKILL);
  DIR *processes = opendir("/proc");
  if (!processes) return;
  for (struct dirent *entry; (entry = readdir(processes));) {
    ProcessSample process;
    if (entry->d_name[0] < '0' || entry->d_name[0] > '9' || !read_process(entry->d_name, &process)) continue;
    if (process.session == leader) kill(process.pid, SIGKILL);
  }
  closedir(processes);
}

void bench_child_end(BenchChild *child, BenchAnswer answer, const char *reason) {
  assert(child->pid > 0);
  kill(child->pid, SIGKILL); // it may not have called setsid yet
  kill_session(child->pid);
  if (child->killed_as != BENCH_ANSWER_NONE) return;
  child->killed_as = answer;
  child->killed_reason = reason;
}

// ---- limits

typedef struct SessionSample {
  double cpu, bytes;
} SessionSample;

// Adds up the processes of each child's session.
static void sample_sessions(const BenchChild *children, size_t count, SessionSample *samples) {
  DIR *processes = opendir("/proc");
  if (!processes) return;
  for (struct dirent *entry; (entry = readdir(processes));) {
    ProcessSample process;
    if (entry->d_name[0] < '0' || entry->d_name[0] > '9' || !read_process(entry->d_name, &process)) continue;
    for (size_t i = 0; i < count; i++) {
      if (children[i].pid == 0 || process.session != children[i].pid) continue;
      samples[i].cpu += process.cpu;
      samples[i].bytes += process.bytes;
    }
  }
  closedir(processes);
}

void bench_children_enforce(BenchChild *children, size_t count, const BenchLimits *limits) {
  assert(limits->wall > 0 && limits->bytes > 0);
  SessionSample *samples = memory_allocate_zeroed(NULL, count * sizeof *samples);
  sample_sessions(children, count, samples);
  double now = clock_now();
  for (size_t i = 0; i < count; i++) {
    BenchChild *child = &children[i];
    if (child->pid == 0) continue;
    if (samples[i].cpu > child->sampled_cpu) child->sampled_cpu = samples[i].cpu;
    if (samples[i].bytes > child->sampled_bytes) child->sampled_bytes = samples[i].bytes;
    // The child's own limit counts address space or its accounts; ours, with an eighth more, is the last resort.
    if (samples[i].bytes > (double)limits->bytes * 1.125)
      bench_child_end(child, BENCH_ANSWER_MEMORY, "ended by the bench: over the memory limit");
    else if (now > child->started + limits->wall + grace)
      bench_child_end(child, BENCH_ANSWER_TIMEOUT, "ended by the bench: over the time limit");
  }
  memory_free(NULL, samples, count * sizeof *samples);
}

static double seconds(struct timeval time) { return (double)time.tv_sec + (double)time.tv_usec * 1e-6; }

bool bench_child_reap(BenchChild *child, BenchRow *row, int *status) {
  assert(child->pid > 0);
  siginfo_t info = {0};
  if (waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0) return false;
  row->wall = clock_now() - child->started;
  // While the leader is a zombie, its number cannot be taken by another session.
  kill_session(child->pid);
  struct rusage usage;
  while (wait4(child->pid, status, 0, &usage) < 0 && errno == EINTR) continue;
  row->cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  // What a killed child's own children used was never added to it.
  if (child->killed_as != BENCH_ANSWER_NONE && child->sampled_cpu > row->cpu) row->cpu = child->sampled_cpu;
  double peak = (double)usage.ru_maxrss * 1024;
  if (child->sampled_bytes > peak) peak = child->sampled_bytes;
  row->memory_mb = peak * 1e-6;
  child->pid = 0;
  return true;
}

// ---- reading the answer

static void read_stream(const BenchChild *child, BenchStream stream, Text *into) {
  char block[65536];
  off_t at = 0;
  for (ssize_t count; (count = pread(child->streams[stream], block, sizeof block, at)) > 0; at += count)
    text_add_bytes(into, block, (size_t)count);
}

static const char *last_line(Arena *arena, const BenchChild *child, BenchStream stream) {
  Text text;
  text_init(&text, NULL);
  read_stream(child, stream, &text);
  size_t end = text.length;
  while (end > 0 && (text.data[end - 1] == '\n' || text.data[end - 1] == '\r')) end--;
  size_t start = end;
  while (start > 0 && text.data[start - 1] != '\n') start--;
  const char *line = arena_format(arena, "%.*s", (int)(end - start), text.data + start);
  text_free(&text);
  return line;
}

// The statistics of the result, and for an undecided one the kind of its reason.
static const char *read_json(Arena *arena, const BenchChild *child, ReasonKind *why) {
  Text json, list;
  text_init(&json, NULL);
  text_init(&list, NULL);
  read_stream(child, BENCH_STREAM_JSON, &json);
  cJSON *root = cJSON_ParseWithLength(json.data, json.length);
  const cJSON *item;
  cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(root, "statistics")) {
    if (!cJSON_IsNumber(item)) continue;
    if (list.length > 0) text_add_char(&list, ';');
    text_format(&list, "%s=%.15g", item->string, item->valuedouble);
  }
  const char *kind = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(root, "why"));
  if (!kind || !reason_kind_find(kind, why)) *why = REASON_GAVE_UP;
  cJSON_Delete(root);
  const char *statistics = arena_string(arena, list.data);
  text_free(&json);
  text_free(&list);
  return statistics;
}

// The answer of a closing line, and the exit status that goes with it; BENCH_ANSWER_ERROR if it is none.
static BenchAnswer parse_result(const char *line, Arena *arena, ReasonKind why, int *exit_status, const char **reason) {
  *reason = "";
  *exit_status = 0;
  if (strcmp(line, "result: SAFE") == 0) return BENCH_ANSWER_TRUE;
  *exit_status = 1;
  if (strcmp(line, "result: UNSAFE") == 0) return BENCH_ANSWER_FALSE;
  *exit_status = 3;
  static const char unknown[] = "result: UNKNOWN (";
  size_t length = strlen(line);
  if (!starts_with(line, unknown) || line[length - 1] != ')') return BENCH_ANSWER_ERROR;
  *reason = arena_format(arena, "%.*s", (int)(length - strlen(unknown) - 1), line + strlen(unknown));
  return why == REASON_TIME ? BENCH_ANSWER_TIMEOUT : why == REASON_MEMORY ? BENCH_ANSWER_MEMORY : BENCH_ANSWER_UNKNOWN;
}

void bench_child_read_answer(const BenchChild *child, BenchRow *row, Arena *arena, int status, double wall_limit) {
  assert(child->pid == 0 && !row->done);
  row->done = true;
  const char *line = last_line(arena, child, BENCH_STREAM_OUT);
  int wanted;
  row->statistics = read_json(arena, child, &row->why);
  BenchAnswer answer = parse_result(line, arena, row->why, &wanted, &row->reason);
  if (child->killed_as != BENCH_ANSWER_NONE) {
    row->answer = child->killed_as;
    row->reason = child->killed_reason;
    row->why = child->killed_as == BENCH_ANSWER_MEMORY ? REASON_MEMORY : REASON_TIME;
  } else if (WIFSIGNALED(status)) {
    row->answer = BENCH_ANSWER_ERROR;
    row->reason = arena_format(arena, "ended by signal %d", WTERMSIG(status));
  } else if (answer == BENCH_ANSWER_ERROR || WEXITSTATUS(status) != wanted) {
    const char *message = last_line(arena, child, BENCH_STREAM_ERR);
    row->answer = BENCH_ANSWER_ERROR;
    row->reason = arena_format(arena, "exit status %d%s%s", WEXITSTATUS(status), message[0] ? ": " : "", message);
  } else {
    row->answer = answer;
    // A right answer that came too late is none; a wrong one stays wrong.
    if ((answer == BENCH_ANSWER_TRUE || answer == BENCH_ANSWER_FALSE) && row->wall > wall_limit && !row_is_wrong(row)) {
      row->answer = BENCH_ANSWER_TIMEOUT;
      row->reason = "answered after the time limit";
      row->why = REASON_TIME;
    }
  }
}
