// Numbers of the process, its users and the machine: any that they can be, and the same at each call.
//
// A number that nothing ever sets holds any value from the beginning. Users and groups may be changed by setuid and the
// like, after which they are any again.
#define _GNU_SOURCE
#include "results.h"
#include "text.h"

#include <grp.h>
#include <pwd.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <unistd.h>

// Declared only, so that they hold any value.
extern const int __heddle_process, __heddle_parent, __heddle_group, __heddle_session, __heddle_processors;

static int positive(int value) { return __heddle_select_int(value > 0, value, 1); }

pid_t getpid(void) { return positive(__heddle_process); }
pid_t getppid(void) { return positive(__heddle_parent); }
pid_t __getpid(void) { return positive(__heddle_process); }
pid_t gettid(void) { return positive(__heddle_process) + __heddle_self_number() - 1; } // main's is the process's
pid_t getpgrp(void) { return positive(__heddle_group); }
pid_t getpgid(pid_t process) { return positive(__heddle_group); }
pid_t getsid(pid_t process) { return positive(__heddle_session); }
pid_t setsid(void) { return or_failure(positive(__heddle_process)); }
int setpgid(pid_t process, pid_t group) { return zero_or_failure(); }
pid_t setpgrp(void) { return zero_or_failure(); }

static uid_t users[4]; // real and effective user, real and effective group
static int users_known = 0;

static uid_t user_number(int which) {
  __heddle_atomic_begin();
  if (!users_known) {
    for (int i = 0; i < 4; i++) __heddle_any_bytes(&users[i], sizeof users[i]);
    users_known = 1;
  }
  uid_t number = users[which];
  __heddle_atomic_end();
  return number;
}

uid_t getuid(void) { return user_number(0); }
uid_t geteuid(void) { return user_number(1); }
gid_t getgid(void) { return user_number(2); }
gid_t getegid(void) { return user_number(3); }

static int change_users(void) {
  int failed = __heddle_fresh_bool();
  note_failure(failed);
  __heddle_atomic_begin();
  if (!failed) users_known = 0;
  __heddle_atomic_end();
  return -failed;
}

int setuid(uid_t user) { return change_users(); }
int seteuid(uid_t user) { return change_users(); }
int setreuid(uid_t real, uid_t effective) { return change_users(); }
int setresuid(uid_t real, uid_t effective, uid_t saved) { return change_users(); }
int setgid(gid_t group) { return change_users(); }
int setegid(gid_t group) { return change_users(); }
int setregid(gid_t real, gid_t effective) { return change_users(); }
int setresgid(gid_t real, gid_t effective, gid_t saved) { return change_users(); }

int setgroups(size_t count, const gid_t *groups) {
  __heddle_read_bytes(groups, count * sizeof *groups);
  return zero_or_failure();
}

int initgroups(const char *user, gid_t group) {
  __heddle_read_string(user, SIZE_MAX);
  return zero_or_failure();
}

// --- the tables of users and groups: all threads share one result, by ordinary accesses ---

enum { NAME_ROOM = 64 };

static char user_text[5][NAME_ROOM];
static struct passwd user;

static void HEDDLE_PLAIN(fill_user)(void) {
  for (int i = 0; i < 5; i++) any_text(user_text[i], NAME_ROOM);
  user.pw_name = user_text[0];
  user.pw_passwd = user_text[1];
  user.pw_gecos = user_text[2];
  user.pw_dir = user_text[3];
  user.pw_shell = user_text[4];
  user.pw_uid = __heddle_fresh_unsigned();
  user.pw_gid = __heddle_fresh_unsigned();
}

static struct passwd *any_user(void) {
  if (__heddle_fresh_bool()) return or_null(NULL);
  HEDDLE_PLAIN(fill_user)();
  return &user;
}

struct passwd *getpwnam(const char *name) {
  __heddle_read_string(name, SIZE_MAX);
  return any_user();
}

struct passwd *getpwuid(uid_t number) { return any_user(); }

static char group_text[2][NAME_ROOM];
static char *group_members[1] = {NULL};
static struct group group;

static void HEDDLE_PLAIN(fill_group)(void) {
  any_text(group_text[0], NAME_ROOM);
  any_text(group_text[1], NAME_ROOM);
  group.gr_name = group_text[0];
  group.gr_passwd = group_text[1];
  group.gr_gid = __heddle_fresh_unsigned();
  group.gr_mem = group_members;
}

static struct group *any_group(void) {
  if (__heddle_fresh_bool()) return or_null(NULL);
  HEDDLE_PLAIN(fill_group)();
  return &group;
}

struct group *getgrnam(const char *name) {
  __heddle_read_string(name, SIZE_MAX);
  return any_group();
}

struct group *getgrgid(gid_t number) { return any_group(); }

// --- the machine ---

long sysconf(int name) {
  switch (name) {
  case _SC_PAGESIZE: return 4096;
  case _SC_NPROCESSORS_CONF:
  case _SC_NPROCESSORS_ONLN: return positive(__heddle_processors);
  case _SC_CLK_TCK: return 100;
  case _SC_OPEN_MAX: return 1024;
  default: return at_least(-1);
  }
}

int getpagesize(void) { return 4096; }
int getdtablesize(void) { return 1024; }
int get_nprocs(void) { return positive(__heddle_processors); }
int get_nprocs_conf(void) { return positive(__heddle_processors); }
long gethostid(void) { return __heddle_fresh_int(); }

static int filled(void *to, size_t bytes) {
  if (__heddle_fresh_bool()) {
    note_failure(1);
    return -1;
  }
  __heddle_any_bytes(to, bytes);
  return 0;
}

static void HEDDLE_PLAIN(confine_limits)(struct rlimit *to) {
  rlim_t hard = (rlim_t)__heddle_fresh_longlong(), soft = (rlim_t)__heddle_fresh_longlong();
  to->rlim_max = hard;
  to->rlim_cur = (rlim_t)__heddle_select_long(soft > hard, (long)hard, (long)soft);
}

int getrlimit(__rlimit_resource_t what, struct rlimit *to) {
  int result = filled(to, sizeof *to);
  if (result == 0) HEDDLE_PLAIN(confine_limits)(to);
  return result;
}

static void HEDDLE_PLAIN(confine_usage)(struct rusage *to) {
  NOT_NEGATIVE(to->ru_utime.tv_sec);
  NOT_NEGATIVE(to->ru_stime.tv_sec);
  to->ru_utime.tv_usec = any_in(0, 999999);
  to->ru_stime.tv_usec = any_in(0, 999999);
  NOT_NEGATIVE(to->ru_maxrss);
}

int getrusage(__rusage_who_t who, struct rusage *to) {
  int result = filled(to, sizeof *to);
  if (result == 0) HEDDLE_PLAIN(confine_usage)(to);
  return result;
}

int sysinfo(struct sysinfo *to) { return filled(to, sizeof *to); }
int getloadavg(double *to, int count) {
  __heddle_any_bytes(to, (size_t)count * sizeof *to);
  return count;
}

int setrlimit(__rlimit_resource_t what, const struct rlimit *from) {
  __heddle_read_bytes(from, sizeof *from);
  return zero_or_failure();
}

clock_t times(struct tms *to) {
  if (to) __heddle_any_bytes(to, sizeof *to);
  return at_least(0);
}

int uname(struct utsname *to) {
  char *fields[] = {to->sysname, to->nodename, to->release, to->version, to->machine};
  any_text(to->sysname, sizeof to->sysname);
  any_text(to->nodename, sizeof to->nodename);
  any_text(to->release, sizeof to->release);
  any_text(to->version, sizeof to->version);
  any_text(to->machine, sizeof to->machine);
  return 0;
}

int getpriority(__priority_which_t which, id_t who) { return any_in(-20, 19); }
int setpriority(__priority_which_t which, id_t who, int priority) { return zero_or_failure(); }
int nice(int change) { return any_in(-20, 19); }

int prctl(int option, ...) {
  if (option == PR_SET_NAME || option == PR_GET_NAME) {
    char *name = __heddle_argument_pointer(0);
    if (option == PR_SET_NAME)
      __heddle_read_string(name, 16);
    else
      any_text(name, 16);
    return 0;
  }
  return or_failure(any_in(0, INT_MAX));
}

// --- terminals ---

int isatty(int descriptor) { return __heddle_fresh_bool(); }

static char terminal_name[NAME_ROOM];
char *ttyname(int descriptor) { return __heddle_fresh_bool() ? any_text(terminal_name, NAME_ROOM) : or_null(NULL); }

static char login_name[NAME_ROOM];
char *getlogin(void) { return __heddle_fresh_bool() ? any_text(login_name, NAME_ROOM) : or_null(NULL); }
