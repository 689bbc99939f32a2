// Which functions a call may run, and which statements are executed at most once.
//
// Direction of the facts: the targets of a call are may-add; "at most once" is must.
#ifndef HEDDLE_SURVEY_THREADS_CALL_TARGETS_H
#define HEDDLE_SURVEY_THREADS_CALL_TARGETS_H

#include "survey/effects.h"
#include "survey/pointing.h"

typedef enum CallKind {
  CALL_BODY,    // a defined function gets the operands of the call
  CALL_LIBRARY, // an undefined function with an effect
  CALL_UNKNOWN, // an undefined function of which nothing is known; function NO_CODE_ID: code that is not the program's
  CALL_KEPT,    // whatever code of the program other libraries were given to keep; function NO_CODE_ID
  CALL_BACK,    // a defined function that a library function calls, any number of times, in this thread
  CALL_ONCE,    // the routine of pthread_once
  CALL_CREATE,  // the routine of a thread that is created
  CALL_HANDLER, // the routine of a signal handler that is installed
  CALL_AT_THE_END // a routine that runs when the process or a thread ends
} CallKind;

typedef struct CallTarget {
  CallKind kind;
  uint32_t function;
} CallTarget;

typedef struct CallTargets {
  const CallTarget *data;
  uint32_t count;
} CallTargets;

typedef struct Calls Calls;
// `entries` are functions that any number of threads call.
Calls *calls_new(const Code *code, const Pointing *pointing, const uint32_t *entries, size_t entry_count,
                 Account *account);
void calls_free(Calls *calls);

CallTargets calls_of(const Calls *calls, uint32_t statement);
const Effect *calls_effect(const Calls *calls, uint32_t function);      // of an undefined one; or NULL
uint8_t calls_argument_effect(const Effect *effect, uint32_t argument); // ArgumentEffect bits of what is passed there
// In all executions of the process, the statement is executed at most once, by one thread.
bool calls_once(Calls *calls, uint32_t statement);
bool calls_function_once(Calls *calls, uint32_t function); // the same of a function
// Of the areas, one instance at most: the statement that makes it is executed at most once.
bool calls_single_area(Calls *calls, uint32_t area);
// Control may come back to the statement from elsewhere: a call of setjmp, or something that is not understood.
bool calls_is_return_twice(const Calls *calls, uint32_t statement);

// Of a call that creates a thread: the operand that is the argument of its routine.
uint32_t calls_argument_operand(SynchronisationKind kind);

#endif
