// The primitives that the front end knows. Library models are plain C over these (and over ordinary loads and stores).
//
// Everything a model does outside an atomic section is open to interleaving, as user code is. Accesses made inside
// library models count as synchronisation for data-race checking (each orders with the others on the same cell), so a
// model must read and write user data (buffers of memcpy, say) only through HEDDLE_PLAIN functions (see below).
//
// An atomic section is a transaction: it is entered only when it can be finished from the present state. A
// `__heddle_await` inside one therefore makes the whole section wait, without effect, until some other thread has
// made its condition true.
#ifndef HEDDLE_LIB_HEDDLE_H
#define HEDDLE_LIB_HEDDLE_H

#include <stddef.h>

// A thread's control block. The front end lays one out for each thread slot; a pthread_t is its address.
// Each field is 8-aligned, so that the layout is the same for both data models.
enum { HEDDLE_UNBORN = 0, HEDDLE_RUNNING = 1, HEDDLE_FINISHED = 2 };
struct heddle_thread {
  _Alignas(8) int status;     // offset 0: HEDDLE_UNBORN ..; written by create and exit
  _Alignas(8) void *argument; // offset 8: written by create, read when the thread starts
  _Alignas(8) void *result;   // offset 16: what join hands out
  _Alignas(8) int detached;   // offset 24
  _Alignas(8) int joined;     // offset 32
};

// Starts the next free slot for this call site; its address is the handle. The new thread runs fn(argument), then ends
// as by __heddle_thread_exit with the result (through __heddle_thread_end of the models, if they define it).
// The handle is stored at `handle` (may be NULL) before the thread can run, by an ordinary access of the user's.
struct heddle_thread *__heddle_create(void *(*fn)(void *), void *argument, unsigned long *handle);
struct heddle_thread *__heddle_self(void);
int __heddle_self_number(void);                    // 1 for main, 2, 3, ... : small, unique, never 0
_Noreturn void __heddle_thread_exit(void *result); // stores result, sets HEDDLE_FINISHED, ends this thread

void __heddle_atomic_begin(void);
void __heddle_atomic_end(void);
void __heddle_await(int condition);  // blocks while 0; tested once per attempt: use inside a section
void __heddle_assume(int condition); // a failed assumption ends the execution here
_Noreturn void __heddle_block(void); // blocks for ever (a deadlock if nobody can run)

// One indivisible step on an int cell that holds 0 or the owner's number.
void __heddle_lock(int *cell);   // waits for 0, then stores __heddle_self_number()
void __heddle_unlock(int *cell); // stores 0
int __heddle_trylock(int *cell); // like lock, but returns 0 instead of waiting; 1: taken

// A fresh value of any kind: declare a function of the needed type whose name begins with __heddle_fresh_.
// __heddle_fresh_bits_N gives N bits of any value, zero-extended: the fewer bits, the fewer cases.
unsigned __heddle_fresh_bits_5(void);
_Bool __heddle_fresh_bool(void);
char __heddle_fresh_char(void);
int __heddle_fresh_int(void);
unsigned __heddle_fresh_unsigned(void);
size_t __heddle_fresh_size(void);
long long __heddle_fresh_longlong(void);
double __heddle_fresh_double(void);

// A place to come back to, stored in the first int of `buffer`; valid while the calling function is active.
int __heddle_setjmp(int *buffer) __attribute__((returns_twice));
_Noreturn void __heddle_longjmp(int *buffer, int value);

// A new block at a multiple of 16, or of `alignment`, a power of two. NULL, with errno set, only where no execution could
// have room for it.
void *__heddle_allocate(size_t bytes);                           // contents indeterminate
void *__heddle_allocate_zeroed(size_t bytes);                    // zero
void *__heddle_allocate_aligned(size_t bytes, size_t alignment); // contents indeterminate
void *__heddle_out_of_memory(void);                              // (a model) sets errno and returns NULL
size_t __heddle_allocated_size(const void *block);               // what was asked for when `block` was allocated
void __heddle_free(void *block);                                 // checks for a valid live block under memory safety

// Set by the front end before constants are propagated. 1: condition variables keep real queues and have no spurious
// wake-ups (deadlock, LTL); 0: a wait is an unlock and a lock, and a signal does nothing (all other properties).
extern const int __heddle_exact_conditions;

_Noreturn void __heddle_error(void);                  // the property "unreach-call" is violated here
_Noreturn void __heddle_halt(void);                   // the process ends: all threads stop
_Noreturn void __heddle_unmodelled(const char *what); // reaching this makes the verdict UNKNOWN, naming `what`

// Functions whose name begins with HEDDLE_PLAIN's prefix access user data: their loads and stores are ordinary ones.
#define HEDDLE_PLAIN(name) __heddle_plain_##name

#endif
