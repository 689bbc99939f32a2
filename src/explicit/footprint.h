// What threads touch: which steps others can see, and what each thread may do next and later.
//
// A resource is something through which threads influence each other: a cell that several threads touch, one of them
// writing, or the state (unborn, live, freed) of a dynamic object that several threads touch. Silent cells
// (state_layout.h) are resources only where each access is looked at, because it may race. Resources are numbered
// densely; neighbouring cells of large arrays may have one number. A step is visible if it touches a resource; a
// location is a stop if one of the steps leaving it is visible,
// enters an atomic section, or ends the process. The search interleaves threads at stops only.
//
// Direction: may-add. `future` sets list at least what the thread may touch from a location on, `next` at least what
// its next step (or atomic section) may touch.
#ifndef HEDDLE_EXPLICIT_FOOTPRINT_H
#define HEDDLE_EXPLICIT_FOOTPRINT_H

#include "dependence/conflict.h"
#include "explicit/machine/compile.h"

// What the cells of a long list come to, each resource once; lists are shared by many steps.
typedef struct ListTouch {
  uint32_t resource;
  bool life;    // of an object: an access only looks at it
  bool chooses; // reading it may choose its value
} ListTouch;
VECTOR(ListTouchVector, ListTouch);

typedef struct StopInfo {
  bool stop;
  bool section;                    // a step leaving it enters an atomic section
  bool always;                     // a step (or section) from here can always be taken
  bool memory_guard;               // whether a step can be taken here may change when others act
  bool only_locks;                 // every step from here is a LOCK of a constant cell
  bool narrow;                     // the next access has a dynamic address that is worth evaluating
  bool cut;                        // reached through a CUT step: the thread stays here
  uint32_t first_next, next_count; // in Footprint.next
} StopInfo;

typedef struct Footprint {
  const Code *code;
  size_t resource_count;
  uint32_t *cell_resource; // per cell, or NO_ID
  uint32_t *heap_resource; // per object, or NO_ID
  StopInfo *locations;
  ResourceTouchVector next;
  Map lists;            // CellSets of many cells -> number of the list
  U32Vector list_start; // per list: start in `list_touches`; one more at the end
  ListTouchVector list_touches;
  MayTouch later; // rows LATER_*; without rows there is no reduction
  Account *account;
} Footprint;

// `silent`: silent cells are resources, too. The footprint must not move while it is used.
void footprint_init(Footprint *footprint, const Code *code, bool silent, Account *account);
void footprint_free(Footprint *footprint);

// Calls `visit` for each resource that the step may touch.
void footprint_each_touch(const Footprint *footprint, const Step *step,
                          void (*visit)(void *context, ResourceTouch touch), void *context);

#endif
