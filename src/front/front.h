// The front end: from C files to a program.
//
// Runs clang-19 as a subprocess on each file, reads the bitcode through the LLVM C API, and lowers it (unoptimised) to
// the program model, one automaton per thread slot with all calls inlined. Functions without a body are taken from the
// library models (lib/), or are primitives, or are undefined (an assumption).
#ifndef HEDDLE_FRONT_FRONT_H
#define HEDDLE_FRONT_FRONT_H

#include "base/log.h"
#include "program/program.h"

// How far loops of creation, allocation and recursion are unrolled. Reaching a limit is a CUT step.
typedef struct FrontLimits {
  unsigned threads_per_site; // slots for a create inside a loop (one for a create outside any loop)
  unsigned threads_total;    // slots in all
  unsigned heap_per_site;    // objects for an allocation inside a loop
  unsigned recursion;        // nested activations of one function
  unsigned object_bytes;     // room of an object whose size is not constant
  uint64_t edges;            // edges in all; beyond it what is left becomes cuts
  // Inlining on demand: calls of at most `whole` edges (extent.h) are inlined; of the larger ones those that are in
  // `opened` (names of calls, Cut.calls, in order), and behind these, as behind main, `ahead` nested ones. The others
  // are cuts of the kind CALLS. `whole` 0: all calls are inlined.
  uint64_t whole;
  unsigned ahead;
  const uint64_t *opened;
  size_t opened_count;
} FrontLimits;
FrontLimits front_default_limits(void);

// The file of this name is standard input, which must be a file that can be opened again.
#define FRONT_STANDARD_INPUT "/dev/stdin"

// An expression that a formula asks about, in C, over what the first file declares.
typedef struct FrontAtom {
  const char *expression;
  const char *position; // in the formula, for messages: "--ltl, column 7"
} FrontAtom;

typedef struct FrontOptions {
  const char *const *files; // C sources, preprocessed sources (.i) or bitcode (.bc); NULL: no program (library.h)
  size_t file_count;
  const StringVector *const *file_options; // per file, options for clang of its own; it, or an element, may be NULL
  const char *const *clang_options;        // after `--`; they come last
  size_t clang_option_count;
  unsigned pointer_width; // 32 (ILP32) or 64 (LP64)
  size_t memory; // bytes that clang may use; 0: no limit. If that is not enough, the process ends as by memory.h
  const FrontAtom *atoms;
  size_t atom_count;
  // Files that may be added where they define what the files call (complete.h), with their own options for clang.
  const char *const *candidates;
  const StringVector *const *candidate_options;
  size_t candidate_count;
  double deadline;      // on clock_now's clock, when no more candidates are looked at; 0: none
  bool look_at_asserts; // note which files compile assert() out (Assumption ASSERTIONS)
} FrontOptions;

// Bitcode in memory, linked, with the models beside it. Lowering does not change it, so it can be lowered again with
// larger limits.
typedef struct FrontUnit FrontUnit;

// The names of the files that clang reads to compile the file of that index: the file itself and headers, a line each;
// of a preprocessed file those that its line markers name, as they are written there, often the same one many times.
// Nothing if the file is bitcode or cannot be preprocessed.
void front_files_read(const FrontOptions *options, size_t index, Text *names);

// Returns NULL with the message for standard error in `error` (clang's own diagnostics, or one line).
FrontUnit *front_open(const FrontOptions *options, Text *error, Account *account);
void front_close(FrontUnit *unit);
// The candidates that were added, whose texts are the caller's, and lines that tell why.
const StringVector *front_added(const FrontUnit *unit);
const char *front_notes(const FrontUnit *unit);
// How many edges the program has if all calls are inlined, and where: "about 5200000 edges, most in parse (a.c:12)".
void front_describe_size(FrontUnit *unit, unsigned recursion, Text *out);

// What the process gets when it starts. A pointer that is NULL: it may be anything, up to the limits of launch.c.
typedef struct FrontLaunch {
  const char *name;                // argv[0]; NULL: some name
  const StringVector *arguments;   // those after argv[0]
  const StringVector *environment; // of the form NAME=VALUE, each NAME once
  const ByteVector *input;         // all of standard input, at most FRONT_MOST_INPUT bytes
} FrontLaunch;
enum { FRONT_MOST_INPUT = 65535 };

// What accesses to volatile objects are, for races.
typedef enum VolatileReading {
  VOLATILE_RACY,   // ordinary accesses
  VOLATILE_ATOMIC, // as atomic ones: they synchronise
  VOLATILE_IGNORE  // they do not race; that what they order does not race, either, is an assumption
} VolatileReading;

// What the property at hand wants to see, and what is said of the process.
typedef struct FrontView {
  bool exact_conditions; // condition variables with queues (for deadlocks), not as unlock-lock
  bool lifetimes;        // the ends of automatic variables' lifetimes (for memory safety)
  bool failures;         // attempts to synchronise that are supposed to fail (for races)
  bool every_access;     // accesses whose value is not used (for races and memory safety)
  VolatileReading volatile_reading;
  const FrontLaunch *launch; // NULL: nothing is said
} FrontView;

// The lowered program, not prepared yet (see program/passes/passes.h), or NULL with one line in `error` (no main, say).
// Its last threads are observers, one for each atom in their order (transition/observers.h).
Program *front_lower(FrontUnit *unit, const FrontLimits *limits, FrontView view, Text *error, Account *account);

#endif
