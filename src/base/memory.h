// Memory accounting.
//
// Every container of this program charges its bytes to an Account, one per room (or per engine part), so that
// statistics can say where memory went and tests can check that all of it was given back.
//
// Allocation never returns NULL. When the system or the account's limit refuses, `memory_exhausted` ends the process
// with EXIT_OUT_OF_MEMORY: engines run in a child process, and its parent turns that status into a clean UNKNOWN.
//
// An account may be NULL: the bytes are then not counted. Accounts are not thread-safe.
#ifndef HEDDLE_BASE_MEMORY_H
#define HEDDLE_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

enum { EXIT_OUT_OF_MEMORY = 77 };

typedef struct Account {
  const char *room; // name shown in statistics
  size_t bytes;     // in use now
  size_t peak;      // largest value `bytes` ever had
  size_t limit;     // 0: none
  bool silent;      // memory_exhausted prints nothing: the parent process reports the exit status
} Account;

_Noreturn void memory_exhausted(const Account *account, size_t wanted);
void memory_refused(void); // the same without a message, for handlers in libraries (memory_new.h); never returns

// Like realloc(3): `old_bytes` must be what was asked for before (0 with a NULL block); `new_bytes` 0 frees.
void *memory_resize(Account *account, void *block, size_t old_bytes, size_t new_bytes);
void *memory_allocate(Account *account, size_t bytes);        // uninitialised
void *memory_allocate_zeroed(Account *account, size_t bytes); // zeroed
void memory_free(Account *account, void *block, size_t bytes);

#endif
