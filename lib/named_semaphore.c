// Named semaphores: the same name gives the same semaphore.
//
// Exact for the threads of this process, up to MOST_NAMES names in use at a time; the next one ends with UNKNOWN.
// Assumed: no semaphore of these names exists when the program starts, and no other process uses them; opening does not
// fail for lack of memory or rights. sem_close has no effect, sem_unlink makes a name free: an unlinked
// semaphore stays usable.
#define _GNU_SOURCE
#include "errors.h"
#include "heddle.h"
#include "user_data.h"

#include <fcntl.h>
#include <limits.h>

typedef union { // as <semaphore.h> has it, which declares sem_open with variable arguments
  char size[4 * sizeof(void *)];
  long align;
} sem_t;
#define SEM_FAILED ((sem_t *)0)

enum { MOST_NAMES = 4, LONGEST_NAME = 32 };

struct named {
  sem_t *semaphore; // NULL: this entry is free
  char name[LONGEST_NAME];
};
static struct named table[MOST_NAMES] = {0};
static int table_lock = 0;

static sem_t *fail(int code) {
  errno = code;
  return SEM_FAILED;
}

static char HEDDLE_PLAIN(character)(const char *text, int i) { return text[i]; }

static int is_name(const struct named *entry, const char *name) {
  for (int i = 0; i < LONGEST_NAME; i++) {
    char wanted = HEDDLE_PLAIN(character)(name, i);
    if (entry->name[i] != wanted) return 0;
    if (wanted == 0) return 1;
  }
  __heddle_unmodelled("a long name of a semaphore");
}

// The entry of that name, or NULL. The table is locked.
static struct named *find(const char *name) {
  for (int i = 0; i < MOST_NAMES; i++)
    if (table[i].semaphore && is_name(&table[i], name)) return &table[i];
  return NULL;
}

static sem_t *create(const char *name, unsigned value) {
  int i = 0;
  while (i < MOST_NAMES && table[i].semaphore) i++;
  if (i == MOST_NAMES) __heddle_unmodelled("more than 4 named semaphores");
  int length = 0;
  do {
    if (length == LONGEST_NAME) __heddle_unmodelled("a long name of a semaphore");
    table[i].name[length] = HEDDLE_PLAIN(character)(name, length);
  } while (table[i].name[length++] != 0);
  sem_t *semaphore = __heddle_allocate_own(sizeof(sem_t));
  *(unsigned *)semaphore = value;
  table[i].semaphore = semaphore;
  return semaphore;
}

static sem_t *open_locked(const char *name, int flags, unsigned value) {
  struct named *entry = find(name);
  if (entry) return (flags & O_CREAT) && (flags & O_EXCL) ? fail(EEXIST) : entry->semaphore;
  if (!(flags & O_CREAT)) return fail(ENOENT);
  if (value > INT_MAX) return fail(EINVAL);
  return create(name, value);
}

sem_t *sem_open(const char *name, int flags, unsigned mode, unsigned value) {
  __heddle_leaves_out("another process uses the semaphore");
  __heddle_read_string(name, LONGEST_NAME);
  __heddle_lock(&table_lock);
  sem_t *semaphore = open_locked(name, flags, value);
  __heddle_unlock(&table_lock);
  return semaphore;
}

int sem_close(sem_t *semaphore) { return 0; }

int sem_unlink(const char *name) {
  __heddle_read_string(name, LONGEST_NAME);
  __heddle_lock(&table_lock);
  struct named *entry = find(name);
  if (entry) entry->semaphore = NULL;
  __heddle_unlock(&table_lock);
  if (entry) return 0;
  errno = ENOENT;
  return -1;
}
