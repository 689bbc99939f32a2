// Footprints: what the steps of the compiled program touch, and at which locations the search interleaves threads.
//
// A resource is something through which threads influence each other: a cell that several threads touch and one of them
// writes, or the life (not allocated, live, freed) of a dynamic object that several threads touch. Silent cells
// (state_layout.h) are resources only if the property observes each access, because the access may race. Resources are
// numbered densely. Neighbouring cells of large arrays may have the same number.
//
// A step is visible if it touches a resource. A location is a stop if one of the steps that leave it is visible, enters
// an atomic section or ends the process. The search interleaves threads at stops only.
//
// Next touches are lists: they have one to three entries, and the search goes through them in each state. What threads
// may touch later is a matter of rows (dependence/may_touch.h).
//
// Direction: may-add. A list contains at least what the next step (or atomic section) of a thread may touch.
#ifndef HEDDLE_EXPLICIT_FOOTPRINT_H
#define HEDDLE_EXPLICIT_FOOTPRINT_H

#include "dependence/conflict.h"
#include "explicit/machine/compile.h"

// The resources of the cells of a long list, each once. Lists are shared by many steps.
typedef struct ListTouch {
  uint32_t resource;
  bool life;    // the resource is the life of an object, which an access only reads
  bool chooses; // reading it may choose its value
} ListTouch;
VECTOR(ListTouchVector, ListTouch);

typedef struct StopInfo {
  bool stop;
  bool section;                    // a step leaving it enters an atomic section
  bool never_blocks;               // in every state a step (or section) from here can be taken
  bool memory_guard;               // steps of other threads may enable or disable a step here
  bool only_locks;                 // every step from here is a LOCK of a constant cell
  bool narrow;                     // the next access has a dynamic address: evaluating it gives fewer touches
  bool cut;                        // reached through a CUT step: the thread stays here
  uint32_t first_next, next_count; // in Footprint.next
} StopInfo;

typedef struct Footprint {
  const MachineCode *code;
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
void footprint_init(Footprint *footprint, const MachineCode *code, bool silent, Account *account);
void footprint_free(Footprint *footprint);

#endif
