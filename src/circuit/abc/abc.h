// ABC, the model checker for circuits (Debian package berkeley-abc), as a separate process.
//
// Model, trace, invariant and output are files without names, held by open descriptors: nothing is left behind,
// whatever happens. ABC is killed when its time is over, and by the kernel when this process ends. It inherits the
// memory limits. It reads no configuration file of the user.
//
// No answer of ABC is trusted: see methods/circuit_invariant.h and model/circuit_trace.h.
#ifndef HEDDLE_CIRCUIT_ABC_ABC_H
#define HEDDLE_CIRCUIT_ABC_ABC_H

#include "base/budget.h"
#include "base/text.h"

#include <stdbool.h>

typedef enum AbcFile { ABC_MODEL, ABC_TRACE, ABC_INVARIANT, ABC_OUTPUT, ABC_FILE_COUNT } AbcFile;

// The names that scripts use for the files.
#define ABC_MODEL_NAME "/proc/self/fd/100"
#define ABC_TRACE_NAME "/proc/self/fd/101"
#define ABC_INVARIANT_NAME "/proc/self/fd/102"

typedef struct Abc {
  int files[ABC_FILE_COUNT];
  double seconds; // that all runs so far took
} Abc;

typedef enum AbcEnd {
  ABC_DONE,
  ABC_OVERTIME, // the time of this run is over
  ABC_STOPPED,  // the budget is exhausted
  ABC_FAILED    // it could not be started, or crashed
} AbcEnd;

// The model is an AIGER file in the binary form. False: the system refuses a file. The caller frees it in either case.
bool abc_init(Abc *abc, const Text *model);
void abc_free(Abc *abc);
// Runs a script for at most `seconds`. Clears the files of earlier runs. Adds the reason if the run ends early.
AbcEnd abc_run(Abc *abc, const char *script, double seconds, Budget *budget, Text *reason);
// Appends the contents of a file.
void abc_read(const Abc *abc, AbcFile file, Text *into);

#endif
