// What functions without a body do with the memory that their arguments point to, and which of them synchronise.
//
// The table (effects.c) is written from the C and POSIX standards, Linux's manual pages, and the documentation of other
// libraries. A function that is not in it may do anything with what it can reach: read, write and keep it, hand it to
// another thread, and call functions in it. Functions of other libraries may also call, before they return, what such
// a function or they themselves were given to keep.
//
// Darwin's names for variants of a function ("_read$UNIX2003") mean the function.
#ifndef HEDDLE_SURVEY_EFFECTS_H
#define HEDDLE_SURVEY_EFFECTS_H

#include <stdbool.h>
#include <stdint.h>

// What happens to the bytes behind one argument.
typedef enum ArgumentEffect {
  ARGUMENT_UNTOUCHED = 0,
  ARGUMENT_READ = 1,
  ARGUMENT_WRITTEN = 2,
  ARGUMENT_TOUCHED = 3,       // read and written
  ARGUMENT_FREED = 4,         // the whole block is written
  ARGUMENT_CALLED = 8,        // it is called during the call, with anything
  ARGUMENT_DEEP_READ = 16,    // everything that pointers in these bytes reach is read, too (va_list, iovec)
  ARGUMENT_DEEP_WRITTEN = 32, // the same for writing (getline, readv)
  // Functions whose addresses are in these bytes are called during the call, with anything; what they return may come
  // to be there (the allocator in a z_stream).
  ARGUMENT_CALLED_BEHIND = 64
} ArgumentEffect;

typedef enum ResultEffect {
  RESULT_NUMBER,
  RESULT_NEW_BLOCK,           // a new block, not shared with anything
  RESULT_ARGUMENT,            // the address in the argument `result_argument`, plus any offset
  RESULT_ARGUMENT_OR_LIBRARY, // one of the two (dirname)
  RESULT_LIBRARY, // an address of the library's own memory (stdout, a static buffer, a FILE); or one that it was given
                  // to keep, if `keeps` is not 0
  RESULT_POINTED, // an address found in the memory behind the argument `result_argument`, plus any offset
  RESULT_RESIZED  // the block at the argument `result_argument`, or a new one with its contents
} ResultEffect;

typedef enum SynchronisationKind {
  SYNC_NONE,
  SYNC_LOCK,       // argument 0; waits
  SYNC_TRY_LOCK,   // locked if the result is 0
  SYNC_TIMED_LOCK, // the same
  SYNC_UNLOCK,     // of either side
  SYNC_READ_LOCK,  // the shared side of a read-write lock
  SYNC_TRY_READ_LOCK,
  SYNC_INITIALISE, // of a lock: argument 0, attributes in argument 1
  SYNC_DESTROY,
  SYNC_WAIT,           // condition variable in argument 0; the lock in argument 1 is released and taken again
  SYNC_SIGNAL,         // or broadcast
  SYNC_SEMAPHORE_WAIT, // argument 0
  SYNC_SEMAPHORE_TRY,
  SYNC_SEMAPHORE_POST,
  SYNC_SEMAPHORE_INITIALISE,
  SYNC_BARRIER_WAIT,
  SYNC_CREATE_POSIX, // pthread_create: handle 0, routine 2, its argument 3
  SYNC_CREATE_C11,   // thrd_create: handle 0, routine 1, its argument 2
  SYNC_JOIN,         // handle (a number) in argument 0
  SYNC_DETACH,
  SYNC_ONCE, // control in argument 0, routine in argument 1
  SYNC_EXIT_THREAD,
  SYNC_EXIT_PROCESS, // does not return
  SYNC_AT_EXIT,      // routine in argument 0
  SYNC_HANDLER,      // signal, sigaction: a handler is installed
  SYNC_KEY,          // pthread_key_create: destructor in argument 1
  SYNC_KEY_SET,      // pthread_setspecific: the value of the calling thread is argument 1
  SYNC_KEY_GET,      // pthread_getspecific: the result is that value
  SYNC_FORK,
  SYNC_ATOMIC_BEGIN, // __VERIFIER_atomic_begin
  SYNC_ATOMIC_END,
  SYNC_ASSUME // __VERIFIER_assume and relatives: no effect on memory
} SynchronisationKind;

enum { EFFECT_ARGUMENTS = 8 };

typedef struct Effect {
  const char *name;
  uint8_t arguments[EFFECT_ARGUMENTS]; // ArgumentEffect bits; for later ones: `rest`
  uint8_t rest;
  ResultEffect result;
  uint8_t result_argument;
  SynchronisationKind synchronisation;
  // Addresses found in memory behind argument `copies_from` come to be behind argument `copies_to` (0 is none: number
  // + 1), as in memcpy or qsort. Each bit of `keeps` is an argument (bit 0: the first) that the library keeps for
  // later calls.
  uint8_t copies_from, copies_to, keeps;
  // Addresses found in memory behind argument `gives` are kept, and come to be behind an argument that `takes` says (0
  // is none: number + 1): the data of epoll_ctl, which epoll_wait delivers. The arguments of getopt are given, too:
  // the variable optarg takes them.
  uint8_t gives, takes;
  // An address is written to the memory behind argument `stores_to` (0 is none: number + 1). Which one: `stored`, with
  // `stored_argument` for RESULT_ARGUMENT. (strtol, asprintf, getline)
  uint8_t stores_to;
  ResultEffect stored;
  uint8_t stored_argument;
  bool stores_anywhere; // anywhere behind the argument `stores_to`
  // The address in the argument `filled_with`, plus any offset, comes to be anywhere behind the argument `fills` (0 is
  // none: number + 1): the strings of getpwnam_r, which are in a buffer.
  uint8_t fills, filled_with;
} Effect;

// NULL: nothing is known of a function of that name.
const Effect *effect_of(const char *name);
bool effect_is_foreign(const Effect *effect); // of a library that is neither C's nor POSIX's

#endif
