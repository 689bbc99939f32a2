// A slice of a program: functions whose bodies are left out.
//
// A call of a replaced function is lowered as the call of an undefined one: it returns any value, and may write any
// values to the objects that its pointer arguments refer to, up to their ends; with `pure` it writes nothing. It does
// nothing else: it calls nothing that it is handed, starts no thread, takes and releases no lock, and returns.
// Functions of the library may be replaced, too: where the program calls them, not where their models do. Those that
// have no model are replaced in any case, instead of ending the execution (fork returns in the parent).
//
// Direction of the fact: neither. An execution of the slice is one of the program if every call of a replaced function
// does there what the execution shows; the answer names the functions (ASSUME_UNDEFINED_FUNCTION), and the steps of
// their calls have their names (Position.model; one step of each has Step.replaced). Such an execution in which no
// replaced function was called is one of the whole program. That a slice has no violation says nothing about the
// program: what a replaced function writes to globals, and the locks and threads in it, are left out.
//
// Names are those of the Code (front/code/code.h): a static function that several files have is "queue.c:count".
#ifndef HEDDLE_FRONT_FRONT_SLICE_H
#define HEDDLE_FRONT_FRONT_SLICE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct FrontReplaced {
  const char *name;
  bool pure; // it writes nothing that its callers can see
} FrontReplaced;

typedef struct FrontSlice {
  const FrontReplaced *replaced; // by name, each once
  size_t count;
} FrontSlice;

// The row of that name; NULL: the function is not replaced. The slice may be NULL.
const FrontReplaced *front_slice_find(const FrontSlice *slice, const char *name);

#endif
