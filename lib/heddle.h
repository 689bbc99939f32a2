// The primitives that the front end knows. Library models are plain C over these (and over ordinary loads and stores).
//
// Other threads may interleave with the steps of a model outside atomic sections, as with user code. Accesses inside
// library models count as synchronisation for data-race checking: accesses to one cell order the threads that make
// them. So a model must access user data (the buffers of memcpy, for example) only through HEDDLE_PLAIN functions (see
// below).
//
// A thread enters an atomic section only in a state in which it can finish the section. A `__heddle_await` inside a
// section therefore blocks the thread before the section until another thread has made the condition true.
#ifndef HEDDLE_LIB_HEDDLE_H
#define HEDDLE_LIB_HEDDLE_H

#include <stddef.h>

// A thread's control block. The front end makes one for each thread slot; a pthread_t is its address.
// Each field is 8-aligned, so that the layout is the same for both data models.
enum { HEDDLE_UNBORN = 0, HEDDLE_RUNNING = 1, HEDDLE_FINISHED = 2 };
struct heddle_thread {
  _Alignas(8) int status;     // offset 0: HEDDLE_UNBORN ..; written by create and exit
  _Alignas(8) void *argument; // offset 8: written by create, read when the thread starts
  _Alignas(8) void *result;   // offset 16: what join returns
  _Alignas(8) int detached;   // offset 24
  _Alignas(8) int joined;     // offset 32; written by join where slots are used again
  _Alignas(8) int ended;      // offset 40; the routine has ended, for a thread whose slot may be used again
  _Alignas(8) unsigned long long accepted; // offset 48: the signals that it does not block; bit n-1 for signal n
  _Alignas(8) unsigned long long pending;  // offset 56: those sent to it and not delivered yet
  _Alignas(8) int cancel;                  // offset 64: it was asked to end
};

// Starts the next free slot for this call site; its address is the handle. The new thread runs fn(argument), then ends
// as by __heddle_thread_exit with the result (through __heddle_thread_end of the models, if they define it).
// The handle is stored at `handle` (may be NULL) before the thread can run, by an ordinary access.
struct heddle_thread *__heddle_create(void *(*fn)(void *), void *argument, unsigned long *handle);
struct heddle_thread *__heddle_self(void);
int __heddle_self_number(void);                    // 1 for main, 2, 3, ... : small, unique, never 0
_Noreturn void __heddle_thread_exit(void *result); // stores result, sets HEDDLE_FINISHED, ends this thread

void __heddle_atomic_begin(void);
void __heddle_atomic_end(void);
void __heddle_await(int condition);   // blocks while 0; tested once per attempt: use inside a section
void __heddle_assume(int condition);  // a failed assumption ends the execution here
_Noreturn void __heddle_block(void);  // blocks for ever (a deadlock if no other thread can run)
void __heddle_only_if(int condition); // this way is taken only if the condition holds; a thread does not wait for it

// One indivisible step on an int cell that holds 0 or the owner's number.
void __heddle_lock(int *cell);   // waits for 0, then stores __heddle_self_number()
void __heddle_unlock(int *cell); // stores 0
int __heddle_trylock(int *cell); // like lock, but returns 0 instead of waiting; 1: taken
// The same for a cell that is known to have been written (see __heddle_read_known).
void __heddle_lock_mutex(int *cell);
int __heddle_trylock_mutex(int *cell);

// The value of a cell that must have been written since its object exists. Otherwise the execution ends: UNKNOWN, with
// the text `what`.
int __heddle_read_initialised(const int *cell, const char *what);
// UNINITIALISED_MARK of program.h: storing it makes such a cell uninitialised again.
#define HEDDLE_UNINITIALISED ((int)0xdeadbeef)
int __heddle_read_known(const int *cell); // for a cell that has been written if its neighbour has

// A fresh value: declare a function of the needed type whose name begins with __heddle_fresh_.
// __heddle_fresh_bits_N gives N bits of any value, zero-extended: the fewer bits, the fewer cases.
unsigned __heddle_fresh_bits_5(void);
// The same for a value that the real function determines and the model does not compute: if a violation depends on it,
// the answer is UNKNOWN. The name begins with __heddle_guess_.
double __heddle_guess_double(void);
float __heddle_guess_float(void);
int __heddle_guess_int(void);
_Bool __heddle_guess_course(void); // does the execution continue here? everything later depends on the guess
unsigned __heddle_fresh_bits_6(void);
_Bool __heddle_fresh_bool(void);
char __heddle_fresh_char(void);
int __heddle_fresh_int(void);
unsigned __heddle_fresh_unsigned(void);
size_t __heddle_fresh_size(void);
long long __heddle_fresh_longlong(void);
double __heddle_fresh_double(void);

// One of two values without a branch: declare a function of the needed type whose name begins with __heddle_select_.
int __heddle_select_int(int condition, int if_true, int if_false);
long __heddle_select_long(int condition, long if_true, long if_false);
size_t __heddle_select_size(int condition, size_t if_true, size_t if_false);
void *__heddle_select_pointer(int condition, void *if_true, void *if_false);

// A variable argument of the calling function, counted from 0: declare a function of the needed type whose name begins
// with __heddle_argument_. The number is a constant; a missing argument is a cut.
int __heddle_argument_int(int number);
long __heddle_argument_long(int number);
void *__heddle_argument_pointer(int number);

// Stores a place to jump back to in the first int of `buffer`; valid while the calling function is active.
int __heddle_setjmp(int *buffer) __attribute__((returns_twice));
_Noreturn void __heddle_longjmp(int *buffer, int value);

// A new block at a multiple of 16, or of `alignment`, a power of two. NULL, with errno set, only where no execution
// could have room for it.
void *__heddle_allocate(size_t bytes);                           // contents indeterminate
void *__heddle_allocate_zeroed(size_t bytes);                    // zero
void *__heddle_allocate_aligned(size_t bytes, size_t alignment); // contents indeterminate
void *__heddle_allocate_map(size_t bytes, size_t alignment);     // zero
void *__heddle_out_of_memory(void);                              // (a model) sets errno and returns NULL
size_t __heddle_allocated_size(const void *block);               // what was asked for when `block` was allocated
void *__heddle_allocate_own(size_t bytes);                       // for the library itself: no leak if it is not freed
void __heddle_free_own(void *block); // of such a block, and of one from __heddle_allocate_map
void __heddle_free(void *block);     // memory safety: must be a live block

// Ordinary accesses to the user's memory whose values do not matter.
void __heddle_read_bytes(const void *from, size_t bytes);
void __heddle_read_string(const char *from, size_t most); // up to the zero; at most `most` bytes
void __heddle_any_bytes(void *to, size_t bytes);          // writes; the bytes become indeterminate
// The reads are dropped unless __heddle_every_access, and where they are of constant objects.

// Formatted output (lib/format.c, front/format/format.c). The arguments are the variable arguments of the calling
// function, or those of `list`. The text goes to `to`, as far as `room` bytes hold it and a zero. The result is the
// length of the whole text.
size_t __heddle_format(char *to, size_t room, const char *format);
size_t __heddle_format_list(char *to, size_t room, const char *format, __builtin_va_list list);
// The same for text that leaves the program: arguments are read and %n is stored. The result is any length that the
// text can have.
size_t __heddle_print(const char *format);
size_t __heddle_print_list(const char *format, __builtin_va_list list);

// Formatted input with a constant format (lib/scan.c, front/format/scan.c), from a string or any input. The arguments
// are as above, the result is scanf's.
int __heddle_scan(const char *from, const char *format);
int __heddle_scan_list(const char *from, const char *format, __builtin_va_list list);
int __heddle_scan_input(const char *format);
int __heddle_scan_input_list(const char *format, __builtin_va_list list);
int __heddle_scan_any(const char *format); // from any other file
int __heddle_scan_any_list(const char *format, __builtin_va_list list);

// Constants that the front end sets before constants are propagated.
// 1: condition variables keep real queues and have no spurious wake-ups (deadlock, LTL); 0: a wait is an unlock and a
// lock, and a signal does nothing (all other properties).
extern const int __heddle_exact_conditions;
// 1: accesses are kept although their values do not matter (races, memory safety).
extern const int __heddle_every_access;
extern const int __heddle_errno_matters; // the program looks at errno
extern const int __heddle_clocks_matter; // the program reads a clock that never goes back

// Set by the front end: 1 if the program creates and joins threads in one loop, so that slots are used again.
extern const int __heddle_joins_in_loops;

// The end of the process. In a program without handlers of atexit or the like and without destructor functions no code
// runs then, and threads are not counted.
int __heddle_has_exit_handlers(void); // a constant
int __heddle_was_last_thread(void);   // takes the calling thread off the count: 1 if no other one is left
void __heddle_run_destructors(void);  // functions with the attribute `destructor`, by priority
// --- what the process was started with (src/front/lower/process_start.c; lib/environment.c) ---

// An environment variable. The front end makes one for each name that a call asks for.
struct heddle_variable {
  _Alignas(8) int chosen;  // offset 0: 0: not decided yet; 1: set at the start; 2: not set
  _Alignas(8) char *text;  // offset 8: its value at the start, if it is set
  _Alignas(8) int changed; // offset 16: by setenv and its like
  _Alignas(8) char *value; // offset 24: its value since the change; NULL: not set any more
};
struct heddle_variable *__heddle_variable(const char *name);        // NULL if `name` is not a constant string
struct heddle_variable *__heddle_variable_entry(const char *entry); // the same for the NAME of a constant NAME=VALUE

// Set by the front end, as the one above.
extern const int __heddle_environment_given;   // 1: the whole environment is known
extern const int __heddle_environment_changes; // 1: the program calls setenv or the like
extern const int __heddle_environment_seen;    // 1: the program mentions environ
extern char *__heddle_environment[];   // NAME=VALUE each, then NULL; must not be used without a known environment
extern const int __heddle_stdin_given; // 1: standard input is known:
extern const size_t __heddle_stdin_size;
extern const char __heddle_stdin[]; // so many bytes, and a zero; standard_input.h reads them

_Noreturn void __heddle_error(void);                  // the property "unreach-call" is violated here
void __heddle_process_ends(void);                     // the process is about to end in an orderly way
_Noreturn void __heddle_halt(void);                   // the process ends: all threads stop
void __heddle_leaves_out(const char *what);           // no effect; SAFE assumes that `what` does not happen
_Noreturn void __heddle_unmodelled(const char *what); // reaching this makes the verdict UNKNOWN, naming `what`
_Noreturn void __heddle_unmodelled_environment(const char *what); // the same; --env would help

// Constants: can the program, by the functions that it mentions, install signal handlers, send signals, block them or
// wait for them, cancel threads, end threads by a call or a request, lock files, look at clocks, make robust mutexes,
// destroy mutexes? (front/calls/uses.c)
int __heddle_uses_handlers(void);
int __heddle_uses_senders(void);
int __heddle_uses_masks(void);
int __heddle_uses_cancelling(void);
int __heddle_uses_thread_ends(void);
int __heddle_uses_file_locks(void);
int __heddle_uses_clocks(void);
int __heddle_uses_robust(void);
int __heddle_uses_destroying(void);
unsigned __heddle_key_limit(void); // a constant: room for so many thread-specific keys

// Signals (signals.c, front/threads/interrupt.c).
void __heddle_installs(int number, void *handler); // to be called before the handler of a signal is installed
void __heddle_run_handler(void *handler, int number, void *info, void *context);
void __heddle_leave_handler(void);                  // behind it, the section that undoes what accepting the signal did
int __heddle_others_accept(unsigned long long set); // does another thread accept a signal of the set? Inside a section

// An attempt to synchronise that fails need not order threads, according to C and POSIX. So it reads by HEDDLE_PEEK (a
// read that neither races nor orders). Under no-data-race it may also fail without need, as if it had been made at
// another time: then the result is 1. This way stands for no single execution; a race after it is one that some
// execution may have.
int __heddle_suppose_failure(void);
#define HEDDLE_PEEK(name) __heddle_peek_##name
static inline int HEDDLE_PEEK(int)(const int *place) { return *place; }

// Functions whose name begins with HEDDLE_PLAIN's prefix access user data: their loads and stores are ordinary ones.
#define HEDDLE_PLAIN(name) __heddle_plain_##name

#endif
