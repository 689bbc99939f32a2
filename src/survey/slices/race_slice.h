// Which functions a slice of the program keeps, to execute a race between given statements.
//
// Kept in any case are
//   - the functions that contain the statements, and all that lie on a way to them from main (or from a constructor):
//     by calls, and by creations of threads
//   - of the functions that these call, those that synchronise, allocate or start something, or call such ones; in a
//     narrow slice, small ones of these only
//   - routines of threads, handlers, and what the library calls
// Other functions are kept as long as the slice is within its budget of statements: those that write memory first,
// then the small ones. The rest is replaced (front/front_slice.h); those that surely write nothing are marked pure.
//
// In a bare slice, functions of the library that only return a number, and synchronise nothing, are replaced as well:
// strings, files and sockets have large models. What such a function writes is left out, too; those that copy or fill
// blocks stay.
//
// The choice decides what an execution may rest on, never whether it is one: any choice is right.
#ifndef HEDDLE_SURVEY_SLICES_RACE_SLICE_H
#define HEDDLE_SURVEY_SLICES_RACE_SLICE_H

#include "front/front_slice.h"
#include "survey/slices/call_summary.h"

typedef struct RaceSlice {
  FrontSlice front;    // its rows are in the arena
  uint32_t kept, all;  // functions that main may run: how many are kept, and how many there are
  uint64_t statements; // of the kept functions, each as often as it is inlined, about
} RaceSlice;

enum { RACE_SLICE_ALL = 0, RACE_SLICE_NARROW = 1 };
// `statements` are those of the accesses. The budget is one of the above (all functions of the program; only what is
// kept in any case) or a number of statements.
RaceSlice race_slice_make(const Code *code, const CallSummary *calls, const uint32_t *statements, size_t count,
                          uint64_t budget, bool bare, Arena *arena);

#endif
