// The front end: from C files to a program.
//
// front_open runs clang-19 as a subprocess on each file, reads the bitcode through the LLVM C API, and links the files
// to one module (a FrontUnit). front_lower translates the unit, unoptimised, to the program model: one automaton per
// thread slot with all calls inlined. A function without a body is a library model (lib/), a primitive, or undefined,
// which is an assumption of the answer.
//
// Invariants: a lowering does not change its unit, so that a unit can be lowered again with other limits. What is not
// modelled, and what is beyond a limit, is a CUT step; no execution is lost without one.
//
// Ownership: front_open and front_lower return objects that the caller frees (front_close, program_free). Strings and
// vectors in FrontOptions and FrontLaunch stay the caller's and must outlive the unit.
#ifndef HEDDLE_FRONT_FRONT_H
#define HEDDLE_FRONT_FRONT_H

#include "base/log.h"
#include "front/front_slice.h"
#include "program/program.h"

// How far loops that create threads or allocate, and recursion, are unrolled. Reaching a limit is a CUT step.
typedef struct FrontLimits {
  unsigned threads_per_site; // slots for a create inside a loop (one for a create outside any loop)
  unsigned threads_total;    // slots in all
  unsigned heap_per_site;    // objects for an allocation inside a loop
  unsigned recursion;        // nested activations of one function
  unsigned object_bytes;     // size of an object whose size is not constant
  uint64_t edges;            // edges in all; calls and instructions beyond it become cuts
  // Inlining on demand, if small_call_edges is not 0. A call is small if it comes to at most small_call_edges edges
  // (module/extent.h). These calls are inlined: small ones; those in requested_calls (names as in Cut.calls,
  // ascending); and inside main and inside each requested call, larger ones up to calls_ahead levels deep. Any other
  // call is a cut of the kind CALLS.
  uint64_t small_call_edges;
  unsigned calls_ahead;
  const uint64_t *requested_calls;
  size_t requested_call_count;
} FrontLimits;
FrontLimits front_default_limits(void);

// A file of this name is standard input. It must be a file that can be opened again.
#define FRONT_STANDARD_INPUT "/dev/stdin"

// An atom of a formula: an expression in C over the declarations of the first file.
typedef struct FrontAtom {
  const char *expression;
  const char *position; // in the formula, for messages: "--ltl, column 7"
} FrontAtom;

typedef struct FrontOptions {
  const char *const *files; // C sources, preprocessed sources (.i) or bitcode (.bc); NULL: no program (library.h)
  size_t file_count;
  const StringVector *const *file_options; // per file, its own options for clang; the array or an element may be NULL
  const char *const *clang_options;        // after `--`; they come last
  size_t clang_option_count;
  unsigned pointer_width; // 32 (ILP32) or 64 (LP64)
  size_t memory;          // bytes that clang may use; 0: no limit. If clang needs more, the process ends as by memory.h
  const FrontAtom *atoms;
  size_t atom_count;
  // Files that are added if they define functions that the program calls (module/complete.h), with their own options
  // for clang.
  const char *const *candidates;
  const StringVector *const *candidate_options;
  size_t candidate_count;
  double deadline;      // on clock_now's clock: after it no further candidate is tried; 0: none
  bool leaks;           // the end of the last thread is noticed: for FrontView.leaks
  bool overflows;       // check signed arithmetic: see module/overflow_checks.h
  bool look_at_asserts; // note which files compile assert() out (Assumption ASSERTIONS)
} FrontOptions;

// The linked bitcode of a program, with the library models beside it.
typedef struct FrontUnit FrontUnit;

// The names of the files that clang reads to compile the file of that index: the file itself and headers, a line each;
// of a preprocessed file those that its line markers name, as they are written there, often the same one many times.
// Nothing if the file is bitcode or cannot be preprocessed.
void front_files_read(const FrontOptions *options, size_t index, Text *names);

// Returns NULL with the message for standard error in `error` (clang's own diagnostics, or one line).
FrontUnit *front_open(const FrontOptions *options, Text *error, Account *account);
void front_close(FrontUnit *unit);
// The candidates that were added (their names are the caller's strings), and lines that say why.
const StringVector *front_added(const FrontUnit *unit);
const char *front_notes(const FrontUnit *unit);
// Appends how many edges the program has with all calls inlined, and in which functions most of them are:
// "about 5200000 edges, most in parse (a.c:12)".
void front_describe_size(FrontUnit *unit, unsigned recursion, Text *out);

// What the process gets when it starts. NULL: it may be anything, up to the limits of lower/process_start.c.
typedef struct FrontLaunch {
  const char *name;                // argv[0]; NULL: some name
  const StringVector *arguments;   // those after argv[0]
  const StringVector *environment; // of the form NAME=VALUE, each NAME once
  const ByteVector *input;         // all of standard input, at most FRONT_MOST_INPUT bytes
} FrontLaunch;
enum { FRONT_MOST_INPUT = 65535 };

// How accesses to volatile objects count, for races.
typedef enum VolatileReading {
  VOLATILE_RACY,   // ordinary accesses
  VOLATILE_ATOMIC, // as atomic ones: they synchronise
  VOLATILE_IGNORE  // they do not race; it is an assumption that accesses which they order do not race, either
} VolatileReading;

// What the property needs the program to contain, and what is known of the process.
typedef struct FrontView {
  bool exact_conditions; // condition variables have queues (for deadlocks); else a wait is an unlock and a lock
  bool lifetimes;        // automatic variables have ends of lifetimes (for memory safety)
  bool failures;         // attempts to synchronise may fail without need (for races)
  bool every_access;     // accesses whose value is not used are kept (for races and memory safety)
  bool leaks;            // blocks that live are counted (for valid-memcleanup)
  bool overflows;        // checks of signed arithmetic are steps (for no-overflow)
  VolatileReading volatile_reading;
  const FrontLaunch *launch; // NULL: nothing is known
  const FrontSlice *slice;   // NULL: no function is replaced
} FrontView;

// The lowered program, before the passes of program/passes/passes.h; or NULL with one line in `error` (for example: no
// main function). Its last threads are observers, one for each atom in the atoms' order.
Program *front_lower(FrontUnit *unit, const FrontLimits *limits, FrontView view, Text *error, Account *account);

#endif
