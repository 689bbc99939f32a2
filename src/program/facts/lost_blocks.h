// Heap blocks that no pointer leads to when the process ends (valid-memtrack).
//
// A block is *lost* if it lives when the process ends in an orderly way, and no pointer to it, into it or just behind
// it is in a global or thread-local object, in an automatic variable of a function that is active, or in a block that
// is not lost. Memory that was never written holds no pointer.
//
// What automatic variables hold is not known exactly, because the program has lost assignments whose value is not used.
// So the answer is exact only where no function is active: main has returned, or the last thread ends, and no other
// thread is between its begin and its end. It may also not be known what memory holds that was copied as a whole, or
// that an undefined function may have written (Program.untracked).
#ifndef HEDDLE_PROGRAM_FACTS_LOST_BLOCKS_H
#define HEDDLE_PROGRAM_FACTS_LOST_BLOCKS_H

#include "base/bitset.h"
#include "program/program.h"

typedef enum Loss {
  LOSS_NONE,   // each block that lives is led to
  LOSS_SURE,   // a block is lost
  LOSS_UNKNOWN // a block may be lost
} Loss;

// A state. The functions are called with `context`.
typedef struct MemoryState {
  const void *context;
  bool (*value)(const void *context, CellId cell, Bits *value); // false: the cell holds no value that is known
  bool (*lives)(const void *context, ObjectId block);
  LocationId (*location)(const void *context, ThreadId thread);
} MemoryState;

// What holds a pointer: an object at an offset, or a variable.
typedef struct PointerHolder {
  ObjectId object; // NO_ID: the variable
  uint64_t offset;
  VariableId variable;
} PointerHolder;

// Where pointers are looked for first. The functions are called with the context of the state.
typedef struct PointerRoots {
  bool (*object)(const void *context, ObjectId object);
  bool (*variable)(const void *context, VariableId variable, uint64_t *value); // false: it counts for nothing
} PointerRoots;

// Finds the blocks that pointers lead to: adds them to `led_to`, and puts what holds such a pointer into `holders`, an
// array with a row per object.
void led_blocks_find(const Program *p, const MemoryState *state, const PointerRoots *roots, Bitset *led_to,
                     PointerHolder *holders);

// Is the object a block of the place that a check of the cleanup or of tracking asks for?
bool check_asks_for(const Program *p, const PropertyCheck *check, ObjectId object);
// What the CHECK step finds at which `thread` stands. `lost` may be NULL; it becomes a block of the check that is lost.
Loss lost_blocks_find(const Program *p, const MemoryState *state, ThreadId thread, const PropertyCheck *check,
                      ObjectId *lost);

#endif
