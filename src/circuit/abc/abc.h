// ABC, the model checker for circuits (Debian package berkeley-abc), as a process beside this one.
//
// What goes to it and comes back are files without names, held by open descriptors: nothing is left behind, whatever
// happens. The process is killed when its time is over, and by the kernel when this one ends. It inherits the limits of
// memory. It gets no configuration file of the user's.
//
// Nothing that ABC says is believed: see invariant.h and trace.h.
#ifndef HEDDLE_CIRCUIT_ABC_ABC_H
#define HEDDLE_CIRCUIT_ABC_ABC_H

#include "base/budget.h"
#include "base/text.h"

#include <stdbool.h>

typedef enum AbcFile { ABC_MODEL, ABC_TRACE, ABC_INVARIANT, ABC_OUTPUT, ABC_FILE_COUNT } AbcFile;

// The names of the files in scripts.
#define ABC_MODEL_NAME "/proc/self/fd/100"
#define ABC_TRACE_NAME "/proc/self/fd/101"
#define ABC_INVARIANT_NAME "/proc/self/fd/102"

typedef struct Abc {
  int files[ABC_FILE_COUNT];
  double seconds; // in all runs so far
} Abc;

typedef enum AbcEnd {
  ABC_DONE,
  ABC_OVERTIME, // its slice of the time is over
  ABC_STOPPED,  // the budget is exhausted
  ABC_FAILED    // it could not be started, or crashed
} AbcEnd;

// The model is an AIGER file in the binary form. False: the system refuses. To be freed in either case.
bool abc_init(Abc *abc, const Text *model);
void abc_free(Abc *abc);
// Runs a script for at most so many seconds. What an earlier run left in the files is gone. Says why if it ends early.
AbcEnd abc_run(Abc *abc, const char *script, double seconds, Budget *budget, Text *reason);
void abc_read(const Abc *abc, AbcFile file, Text *into);

#endif
