// Files by descriptor, and the tree of files. Every call may fail, with any error. Contents, sizes and names are any;
// the bytes of a block behind the count that is returned are indeterminate, as in stdio.c. Paths are read by ordinary
// accesses.
//
// The models do not keep what another process, or the program itself, writes to a file.
#define _GNU_SOURCE
#define _LARGEFILE64_SOURCE
#include "descriptors.h"
#include "results.h"
#include "standard_input.h"
#include "text.h"

#include <fcntl.h>
#include <stdint.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <utime.h>

static int with_path(const char *path) {
  __heddle_read_string(path, SIZE_MAX);
  return zero_or_failure();
}

static int with_paths(const char *one, const char *other) {
  __heddle_read_string(one, SIZE_MAX);
  __heddle_read_string(other, SIZE_MAX);
  return zero_or_failure();
}

// A path that is made or taken away: of two threads with the same path, one succeeds.
static int one_succeeds(int result) {
  if (result == 0) __heddle_file_excludes();
  return result;
}

// --- opening and closing ---

static int open_path(const char *path, int flags) {
  __heddle_read_string(path, SIZE_MAX);
  if ((flags & O_ACCMODE) != O_RDONLY) __heddle_note_data(OWN_DATA);
  int descriptor = __heddle_descriptor_open();
  if ((flags & O_EXCL) && descriptor >= 0) __heddle_file_excludes();
  return descriptor;
}

int open(const char *path, int flags, ...) { return open_path(path, flags); }
int open64(const char *path, int flags, ...) { return open_path(path, flags); }
int __open_2(const char *path, int flags) { return open_path(path, flags); }
int __open64_2(const char *path, int flags) { return open_path(path, flags); }
int openat(int directory, const char *path, int flags, ...) { return open_path(path, flags); }
int openat64(int directory, const char *path, int flags, ...) { return open_path(path, flags); }
int creat(const char *path, mode_t mode) { return open_path(path, O_WRONLY); }
int creat64(const char *path, mode_t mode) { return open_path(path, O_WRONLY); }
int close(int descriptor) { return __heddle_descriptor_close(descriptor); }
int dup(int descriptor) { return __heddle_descriptor_open(); }

int dup2(int from, int to) {
  if (__heddle_fresh_bool()) {
    note_failure(1);
    return -1;
  }
  return __heddle_descriptor_take(to);
}

int dup3(int from, int to, int flags) { return dup2(from, to); }

static void HEDDLE_PLAIN(store_pair)(int *pair, int one, int other) {
  pair[0] = one;
  pair[1] = other;
}

static int open_pair(int *pair) {
  __heddle_note_data(OWN_DATA);
  int one = __heddle_descriptor_open();
  if (one < 0) return -1;
  int other = __heddle_descriptor_open();
  if (other < 0) {
    __heddle_descriptor_close(one);
    return -1;
  }
  HEDDLE_PLAIN(store_pair)(pair, one, other);
  return 0;
}

int pipe(int *pair) { return open_pair(pair); }
int pipe2(int *pair, int flags) { return open_pair(pair); }
int socketpair(int domain, int type, int protocol, int *pair) { return open_pair(pair); }
int eventfd(unsigned value, int flags) {
  __heddle_note_data(OWN_DATA);
  return __heddle_descriptor_open();
}

int timerfd_create(int clock, int flags) { return __heddle_descriptor_open(); }
int inotify_init(void) { return __heddle_descriptor_open(); }
int inotify_init1(int flags) { return __heddle_descriptor_open(); }
int shm_open(const char *name, int flags, mode_t mode) { return open_path(name, O_RDWR | (flags & O_EXCL)); }
int shm_unlink(const char *name) { return with_path(name); }
int memfd_create(const char *name, unsigned flags) { return open_path(name, O_RDWR); }

// --- reading and writing ---

static ssize_t receive(int descriptor, void *to, size_t bytes) {
  __heddle_read_data(descriptor != 0);
  ssize_t count = count_or_failure(bytes);
  if (count > 0) __heddle_any_bytes(to, bytes);
  return count;
}

static ssize_t send_out(const void *from, size_t bytes) {
  __heddle_read_bytes(from, bytes);
  return count_or_failure(bytes);
}

// Is it standard input, and is that given?
// No `&&`, so that it is a constant where nothing is given.
static int is_given(int descriptor) { return __heddle_stdin_given & (descriptor == 0); }

static void refuse_given(int descriptor) {
  if (is_given(descriptor)) __heddle_unmodelled("this use of the standard input that is given");
}

static ssize_t HEDDLE_PLAIN(receive_given)(char *to, size_t bytes) {
  struct heddle_taken taken = __heddle_stdin_take(bytes);
  for (size_t i = 0; i < taken.count; i++) to[i] = taken.from[i];
  return (ssize_t)taken.count;
}

ssize_t read(int descriptor, void *to, size_t bytes) {
  return is_given(descriptor) ? HEDDLE_PLAIN(receive_given)(to, bytes) : receive(descriptor, to, bytes);
}

ssize_t __read_chk(int descriptor, void *to, size_t bytes, size_t size) { return read(descriptor, to, bytes); }

ssize_t pread(int descriptor, void *to, size_t bytes, off_t offset) {
  refuse_given(descriptor);
  return receive(descriptor, to, bytes);
}

ssize_t pread64(int descriptor, void *to, size_t bytes, off64_t offset) { return pread(descriptor, to, bytes, 0); }
ssize_t write(int descriptor, const void *from, size_t bytes) { return send_out(from, bytes); }
ssize_t pwrite(int descriptor, const void *from, size_t bytes, off_t offset) { return send_out(from, bytes); }
ssize_t pwrite64(int descriptor, const void *from, size_t bytes, off64_t offset) { return send_out(from, bytes); }

static size_t HEDDLE_PLAIN(write_vector)(const struct iovec *vector, int count) {
  size_t total = 0;
  for (int i = 0; i < count; i++) {
    __heddle_read_bytes(vector[i].iov_base, vector[i].iov_len);
    total += vector[i].iov_len;
  }
  return total;
}

static size_t HEDDLE_PLAIN(read_vector)(const struct iovec *vector, int count) {
  size_t total = 0;
  for (int i = 0; i < count; i++) {
    __heddle_any_bytes(vector[i].iov_base, vector[i].iov_len);
    total += vector[i].iov_len;
  }
  return total;
}

ssize_t writev(int descriptor, const struct iovec *vector, int count) {
  return count_or_failure(HEDDLE_PLAIN(write_vector)(vector, count));
}

ssize_t readv(int descriptor, const struct iovec *vector, int count) {
  refuse_given(descriptor);
  __heddle_read_data(descriptor != 0);
  if (__heddle_fresh_bool()) return or_failure(0);
  return count_or_failure(HEDDLE_PLAIN(read_vector)(vector, count));
}

int eventfd_read(int descriptor, unsigned long long *value) {
  return read(descriptor, value, sizeof *value) == sizeof *value ? 0 : -1;
}

int eventfd_write(int descriptor, unsigned long long value) { return zero_or_failure(); }

static long any_offset(void) { return count_or_failure(LONG_MAX); }

off_t lseek(int descriptor, off_t offset, int whence) {
  refuse_given(descriptor);
  return any_offset();
}

off64_t lseek64(int descriptor, off64_t offset, int whence) {
  refuse_given(descriptor);
  return any_offset();
}

int fsync(int descriptor) { return zero_or_failure(); }
int fdatasync(int descriptor) { return zero_or_failure(); }
void sync(void) {}
int ftruncate(int descriptor, off_t length) { return zero_or_failure(); }
int ftruncate64(int descriptor, off64_t length) { return zero_or_failure(); }
int truncate(const char *path, off_t length) { return with_path(path); }
// The lock of an open file: two threads that have opened it each exclude each other. The other locks of files are the
// process's.
int flock(int descriptor, int operation) {
  int result = zero_or_failure();
  if (result != 0) return result;
  if (operation & LOCK_UN)
    __heddle_file_released();
  else
    __heddle_file_excludes();
  return result;
}
int lockf(int descriptor, int operation, off_t length) { return zero_or_failure(); }
int posix_fadvise(int descriptor, off_t offset, off_t length, int advice) { return 0; }
int posix_fallocate(int descriptor, off_t offset, off_t length) { return any_in(0, LARGEST_ERROR); }
int fallocate(int descriptor, int mode, off_t offset, off_t length) { return zero_or_failure(); }

ssize_t sendfile(int to, int from, off_t *offset, size_t bytes) {
  if (offset) __heddle_any_bytes(offset, sizeof *offset);
  return count_or_failure(bytes);
}

int fcntl(int descriptor, int command, ...) {
  if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) return __heddle_descriptor_open();
  if (command == F_GETLK || command == F_SETLK || command == F_SETLKW) {
    struct flock *lock = __heddle_argument_pointer(0);
    __heddle_read_bytes(lock, sizeof *lock);
    if (command == F_GETLK) __heddle_any_bytes(lock, sizeof *lock);
    return zero_or_failure();
  }
  if (command == F_OFD_SETLK || command == F_OFD_SETLKW) {
    struct flock *lock = __heddle_argument_pointer(0);
    __heddle_read_bytes(lock, sizeof *lock);
    return one_succeeds(zero_or_failure());
  }
  int result = __heddle_fresh_int();
  result = __heddle_select_int(result < -1, -1, result);
  note_failure(result < 0);
  return result;
}

// --- the state of files ---

static int filled(void *to, size_t bytes) {
  if (__heddle_fresh_bool()) {
    note_failure(1);
    return -1;
  }
  __heddle_any_bytes(to, bytes);
  return 0;
}

static int filled_by_path(const char *path, void *to, size_t bytes) {
  __heddle_read_string(path, SIZE_MAX);
  return filled(to, bytes);
}

// Numbers in it that are sizes are not negative, and nanoseconds are fewer than a second has.
#define CONFINE(type)                                                                                                  \
  static int HEDDLE_PLAIN(confine_##type)(int result, struct type *to) {                                               \
    if (result != 0) return result;                                                                                    \
    NOT_NEGATIVE(to->st_size);                                                                                         \
    NOT_NEGATIVE(to->st_blocks);                                                                                       \
    to->st_blksize = any_in(512, INT_MAX);                                                                             \
    to->st_atim.tv_nsec = any_in(0, 999999999);                                                                        \
    to->st_mtim.tv_nsec = any_in(0, 999999999);                                                                        \
    to->st_ctim.tv_nsec = any_in(0, 999999999);                                                                        \
    return 0;                                                                                                          \
  }
CONFINE(stat)
CONFINE(stat64)

static int of_path(const char *path, struct stat *to) {
  return HEDDLE_PLAIN(confine_stat)(filled_by_path(path, to, sizeof *to), to);
}

static int of_path_64(const char *path, struct stat64 *to) {
  return HEDDLE_PLAIN(confine_stat64)(filled_by_path(path, to, sizeof *to), to);
}

static int of_file(struct stat *to) { return HEDDLE_PLAIN(confine_stat)(filled(to, sizeof *to), to); }
static int of_file_64(struct stat64 *to) { return HEDDLE_PLAIN(confine_stat64)(filled(to, sizeof *to), to); }

int stat(const char *path, struct stat *to) { return of_path(path, to); }
int lstat(const char *path, struct stat *to) { return of_path(path, to); }
int fstat(int descriptor, struct stat *to) { return of_file(to); }
int fstatat(int directory, const char *path, struct stat *to, int flags) { return of_path(path, to); }
int stat64(const char *path, struct stat64 *to) { return of_path_64(path, to); }
int lstat64(const char *path, struct stat64 *to) { return of_path_64(path, to); }
int fstat64(int descriptor, struct stat64 *to) { return of_file_64(to); }
int __xstat(int version, const char *path, struct stat *to) { return of_path(path, to); }
int __lxstat(int version, const char *path, struct stat *to) { return of_path(path, to); }
int __fxstat(int version, int descriptor, struct stat *to) { return of_file(to); }
int __xstat64(int version, const char *path, struct stat64 *to) { return of_path_64(path, to); }
int __lxstat64(int version, const char *path, struct stat64 *to) { return of_path_64(path, to); }
int __fxstat64(int version, int descriptor, struct stat64 *to) { return of_file_64(to); }
int statfs(const char *path, struct statfs *to) { return filled_by_path(path, to, sizeof *to); }
int fstatfs(int descriptor, struct statfs *to) { return filled(to, sizeof *to); }
int statvfs(const char *path, struct statvfs *to) { return filled_by_path(path, to, sizeof *to); }
int fstatvfs(int descriptor, struct statvfs *to) { return filled(to, sizeof *to); }

// --- the tree ---

int access(const char *path, int mode) { return with_path(path); }
int faccessat(int directory, const char *path, int mode, int flags) { return with_path(path); }
int unlink(const char *path) { return one_succeeds(with_path(path)); }
int unlinkat(int directory, const char *path, int flags) { return one_succeeds(with_path(path)); }
int rmdir(const char *path) { return one_succeeds(with_path(path)); }
int mkdir(const char *path, mode_t mode) { return one_succeeds(with_path(path)); }
int mkdirat(int directory, const char *path, mode_t mode) { return one_succeeds(with_path(path)); }
int mkfifo(const char *path, mode_t mode) { return one_succeeds(with_path(path)); }
int mknod(const char *path, mode_t mode, dev_t device) { return one_succeeds(with_path(path)); }
int chmod(const char *path, mode_t mode) { return with_path(path); }
int fchmod(int descriptor, mode_t mode) { return zero_or_failure(); }
int chown(const char *path, uid_t owner, gid_t group) { return with_path(path); }
int lchown(const char *path, uid_t owner, gid_t group) { return with_path(path); }
int fchown(int descriptor, uid_t owner, gid_t group) { return zero_or_failure(); }
int chdir(const char *path) { return with_path(path); }
int fchdir(int descriptor) { return zero_or_failure(); }
int chroot(const char *path) { return with_path(path); }
int link(const char *from, const char *to) { return one_succeeds(with_paths(from, to)); }
int symlink(const char *from, const char *to) { return one_succeeds(with_paths(from, to)); }
int renameat(int one, const char *from, int other, const char *to) { return one_succeeds(with_paths(from, to)); }
mode_t umask(mode_t mode) { return (mode_t)any_in(0, 0777); }

int utime(const char *path, const struct utimbuf *times) {
  if (times) __heddle_read_bytes(times, sizeof *times);
  return with_path(path);
}

int utimes(const char *path, const struct timeval *times) {
  if (times) __heddle_read_bytes(times, 2 * sizeof *times);
  return with_path(path);
}

int futimes(int descriptor, const struct timeval *times) {
  if (times) __heddle_read_bytes(times, 2 * sizeof *times);
  return zero_or_failure();
}

int futimens(int descriptor, const struct timespec *times) {
  if (times) __heddle_read_bytes(times, 2 * sizeof *times);
  return zero_or_failure();
}

ssize_t readlink(const char *path, char *to, size_t room) {
  __heddle_read_string(path, SIZE_MAX);
  ssize_t count = count_or_failure(room);
  if (count > 0) __heddle_any_bytes(to, room);
  return count;
}

enum { PATH_ROOM = 4096 };

char *getcwd(char *to, size_t room) {
  if (__heddle_fresh_bool()) return or_null(NULL);
  if (!to) {
    room = room > 0 ? room : PATH_ROOM;
    to = __heddle_allocate(room);
  }
  return room > 0 ? any_text(to, room) : NULL;
}

char *get_current_dir_name(void) { return getcwd(NULL, 0); }

char *realpath(const char *path, char *to) {
  __heddle_read_string(path, SIZE_MAX);
  if (__heddle_fresh_bool()) return or_null(NULL);
  return any_text(to ? to : __heddle_allocate(PATH_ROOM), PATH_ROOM);
}

// The last six letters of the template are changed.
static void HEDDLE_PLAIN(complete)(char *name, size_t suffix) {
  size_t length = 0;
  while (name[length] != 0) length++;
  if (length < 6 + suffix) return;
  __heddle_any_bytes(name + (length - 6 - suffix), 6);
}

static int temporary(char *name, size_t suffix) {
  __heddle_note_data(OWN_DATA);
  int descriptor = __heddle_descriptor_open();
  if (descriptor >= 0) HEDDLE_PLAIN(complete)(name, suffix);
  return descriptor;
}

int mkstemp(char *name) { return temporary(name, 0); }
int mkstemp64(char *name) { return temporary(name, 0); }
int mkostemp(char *name, int flags) { return temporary(name, 0); }
int mkstemps(char *name, int suffix) { return temporary(name, (size_t)suffix); }

char *mkdtemp(char *name) {
  if (__heddle_fresh_bool()) return or_null(NULL);
  HEDDLE_PLAIN(complete)(name, 0);
  return name;
}

char *mktemp(char *name) {
  HEDDLE_PLAIN(complete)(name, 0);
  return name;
}
