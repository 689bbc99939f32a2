#define _GNU_SOURCE // ppoll, realpath
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

// --- reading ---

static bool is_null_device(const struct stat *status) {
  return S_ISCHR(status->st_mode) && status->st_rdev == makedev(1, 3);
}

// What keeps an open file from being read, or NULL.
static const char *unreadable(const struct stat *status) {
  if (S_ISREG(status->st_mode) || is_null_device(status)) return NULL;
  if (S_ISDIR(status->st_mode)) return strerror(EISDIR);
  if (S_ISFIFO(status->st_mode)) return "a pipe, but only regular files are read";
  if (S_ISSOCK(status->st_mode)) return "a socket, but only regular files are read";
  return "a device, but only regular files are read";
}

static void complain(Text *fault, const char *what) {
  if (fault) text_add(fault, what);
}

static void complain_size(Text *fault, size_t most) {
  if (fault) text_format(fault, "more than %zu bytes", most);
}

int file_open(const char *path, size_t most, Text *fault) {
  // Without O_NONBLOCK a pipe would be waited for here.
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0) {
    int error = errno;
    struct stat status;
    bool socket = error == ENXIO && stat(path, &status) == 0 && S_ISSOCK(status.st_mode);
    complain(fault, socket ? unreadable(&status) : strerror(error));
    return -1;
  }
  struct stat status;
  const char *flaw = fstat(file, &status) == 0 ? unreadable(&status) : strerror(errno);
  if (flaw)
    complain(fault, flaw);
  else if (status.st_size > 0 && (size_t)status.st_size > most)
    complain_size(fault, most);
  else
    return file;
  close(file);
  return -1;
}

bool file_read(Text *into, const char *path, size_t most, Text *fault) {
  int file = file_open(path, most, fault);
  if (file < 0) return false;
  char block[64 * 1024];
  size_t before = into->length;
  bool good = true;
  // The file may grow while it is read, and some have no size.
  for (ssize_t count = 1; good && count != 0;) {
    count = read(file, block, sizeof block);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      complain(fault, strerror(errno));
      good = false;
    } else if (into->length - before + (size_t)count > most) {
      complain_size(fault, most);
      good = false;
    } else {
      text_add_bytes(into, block, (size_t)count);
    }
  }
  close(file);
  if (!good) {
    into->length = before;
    into->data[before] = '\0';
  }
  return good;
}

bool file_read_named(Text *into, const char *path, size_t most, Text *error) {
  Text fault;
  text_init(&fault, NULL);
  bool good = file_read(into, path, most, &fault);
  if (!good) text_format(error, "%s: %s", path, fault.data);
  text_free(&fault);
  return good;
}

// --- names ---

const char *file_base(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static char *copy_of(const char *text, size_t length) {
  char *copy = strndup(text, length);
  if (!copy) memory_exhausted(NULL, length);
  return copy;
}

char *file_folder(const char *path) {
  size_t length = (size_t)(file_base(path) - path);
  return length == 0 ? copy_of(".", 1) : copy_of(path, length > 1 ? length - 1 : 1);
}

// What the link says, seen from where the link is; NULL with errno set if it is none (EINVAL) or there is none.
static char *follow(const char *link) {
  char value[PATH_MAX];
  ssize_t length = readlink(link, value, sizeof value);
  if (length < 0) return NULL;
  if (value[0] == '/') return copy_of(value, (size_t)length);
  Text joined;
  text_init(&joined, NULL);
  text_add_bytes(&joined, link, (size_t)(file_base(link) - link));
  text_add_bytes(&joined, value, (size_t)length);
  char *next = copy_of(joined.data, joined.length);
  text_free(&joined);
  return next;
}

char *file_target(const char *path) {
  enum { MOST_LINKS = 40 };
  char *at = copy_of(path, strlen(path));
  for (int links = 0;; links++) {
    char *next = follow(at);
    if (!next && (errno == EINVAL || errno == ENOENT)) return at;
    free(at);
    if (!next) return NULL;
    at = next;
    if (links < MOST_LINKS) continue;
    free(at);
    errno = ELOOP;
    return NULL;
  }
}

bool file_is_system_path(const char *path) { return strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0; }

// --- writing ---

// The mask of the process without the signals that users end a command with.
static void mask_for_waiting(sigset_t *mask) {
  sigprocmask(SIG_BLOCK, NULL, mask);
  sigdelset(mask, SIGINT);
  sigdelset(mask, SIGTERM);
}

static void wait_until_writable(int descriptor) {
  struct pollfd file = {.fd = descriptor, .events = POLLOUT};
  if (poll(&file, 1, 0) != 0) return;
  sigset_t mask;
  mask_for_waiting(&mask);
  ppoll(&file, 1, NULL, &mask);
}

bool file_write(int descriptor, const char *data, size_t count) {
  struct stat status;
  bool waits = fstat(descriptor, &status) == 0 &&
               (S_ISFIFO(status.st_mode) || S_ISCHR(status.st_mode) || S_ISSOCK(status.st_mode));
  while (count > 0) {
    if (waits) wait_until_writable(descriptor);
    // A pipe that is ready takes so many bytes without waiting.
    ssize_t written = write(descriptor, data, waits && count > PIPE_BUF ? PIPE_BUF : count);
    if (written < 0 && errno != EINTR && errno != EAGAIN) return false;
    if (written <= 0) continue;
    data += written;
    count -= (size_t)written;
  }
  return true;
}

// Without a reader a pipe cannot be opened: tries again and again, and lets signals in meanwhile.
static int open_in_place(const char *path) {
  static const struct timespec pause = {.tv_nsec = 20 * 1000 * 1000};
  sigset_t mask;
  mask_for_waiting(&mask);
  for (;;) {
    int file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat status;
    if (file >= 0 || errno != ENXIO) return file;
    if (stat(path, &status) != 0 || !S_ISFIFO(status.st_mode)) {
      errno = ENXIO;
      return -1;
    }
    ppoll(NULL, 0, &pause, &mask);
  }
}

bool file_append_in_place(const char *path, const char *data, size_t count) {
  int file = open_in_place(path);
  if (file < 0) return false;
  bool good = file_write(file, data, count);
  int error = errno;
  if (close(file) != 0 && good) return false;
  errno = error;
  return good;
}
