// Cancellation points: calls at which a thread acts on a request to end.
//
// Models that wait check for a request while they wait. A request that is pending when the user's code calls such a
// function is handled here, before the call, for library functions with a model and without.
#include "front/calls/calls.h"
#include "front/threads/threads.h"

#include <string.h>

// The list of POSIX and the additions of glibc: names between spaces.
static const char *const points =
    " accept accept4 clock_nanosleep close cnd_timedwait cnd_wait connect creat epoll_pwait epoll_wait "
    "fdatasync fsync lockf mq_receive mq_send mq_timedreceive mq_timedsend msgrcv msgsnd msync nanosleep "
    "open open64 openat pause poll ppoll pread pread64 preadv pselect pthread_clockjoin_np "
    "pthread_cond_clockwait pthread_cond_timedwait pthread_cond_wait pthread_join pthread_testcancel "
    "pthread_timedjoin_np pwrite pwrite64 pwritev read readv recv recvfrom recvmmsg recvmsg select "
    "sem_clockwait sem_timedwait sem_wait send sendmmsg sendmsg sendto sigpause sigsuspend sigtimedwait "
    "sigwait sigwaitinfo sleep system tcdrain thrd_join thrd_sleep usleep wait wait3 wait4 waitid waitpid "
    "write writev ";

// Functions that may be cancellation points.
static const char *const possible =
    " closedir dprintf fclose fcntl fflush fgetc fgets fopen fprintf fputc fputs fread freopen fscanf "
    "fseek ftell fwrite getaddrinfo getc getchar getdelim gethostbyname getline getnameinfo gets ioctl "
    "opendir pclose perror popen printf pthread_rwlock_rdlock pthread_rwlock_timedrdlock "
    "pthread_rwlock_timedwrlock pthread_rwlock_wrlock putc putchar puts readdir remove rename rewind "
    "scanf stat syslog tmpfile unlink vdprintf vfprintf vprintf ";

// `names`: each between spaces.
static bool is_listed(const char *name, const char *names) {
  assert(names[0] == ' ');
  size_t length = strlen(name);
  for (const char *at = strstr(names, name); at; at = strstr(at + 1, name))
    if (at[-1] == ' ' && at[length] == ' ') return true;
  return false;
}

void cancel_before_call(Lowering *l, const char *name) {
  if (!l->top || l->top->info->library || l->current == NO_ID || !uses_feature(l->unit, "cancelling")) return;
  const char *model = NULL;
  if (is_listed(name, points)) model = "__heddle_cancellation_point";
  if (is_listed(name, possible)) model = "__heddle_possible_cancellation_point";
  if (!model) return;
  builder_flush(l);
  uint32_t count;
  call_function(l, unit_model(l->unit, model), NULL, 0, &count);
}
