// The state of thread-specific keys, shared by keys.c (which owns it) and thread_end.c (which runs destructors).
//
// Keys are numbered in the order of their creation and never used again, so that a new key reads as NULL in every
// thread without clearing the other threads' values.
#ifndef HEDDLE_LIB_THREAD_STORAGE_H
#define HEDDLE_LIB_THREAD_STORAGE_H

enum { HEDDLE_KEYS = 32, HEDDLE_DESTRUCTOR_ROUNDS = 4 };

extern unsigned __heddle_key_count;
extern void (*__heddle_key_destructor[HEDDLE_KEYS])(void *); // NULL: none, or the key was deleted
extern _Thread_local void *__heddle_key_value[HEDDLE_KEYS];

// Runs the destructors, then ends the thread.
_Noreturn void __heddle_thread_end(void *result);

#endif
