// Layout: cuts objects into cells from the access patterns that points-to found.
//
// A cell is an interval that is only ever accessed as a unit. Intervals that overlap but differ make their connected
// region fall back to single bytes. Both sides of a copy are cut alike, window by window. Block operations become
// chains of single accesses. Bytes that only block operations touch have a cell if races count
// (Program.every_access): one for each region that all block operations touch as a whole. Otherwise these bytes have no
// cell, and block operations skip them. A block that is never accessed has a cell if races count, because its
// deallocations may race.
//
// Limits: an access pattern that would need more than LAYOUT_PLACES places in one object, or a block operation of more
// than LAYOUT_CHUNKS accesses, becomes a CUT of kind SIZE. There are at most LAYOUT_ALL_PLACES places, and
// windows; a block operation that would make more than LAYOUT_ALL_EDGES edges in all is a CUT, too.
#ifndef HEDDLE_PROGRAM_LAYOUT_LAYOUT_H
#define HEDDLE_PROGRAM_LAYOUT_LAYOUT_H

#include "program/passes/rewrite.h"
#include "program/points_to/points_to.h"

enum {
  LAYOUT_PLACES = 65536,
  LAYOUT_CHUNKS = 16384,
  LAYOUT_ALL_PLACES = 1 << 20,
  LAYOUT_ALL_EDGES = 400000,
  LAYOUT_TIMES = 64
};

typedef struct Interval {
  uint64_t start;
  uint64_t size;
} Interval;
VECTOR(IntervalVector, Interval);

// A set of intervals; once normal, they are ordered and disjoint.
typedef struct Cutting {
  IntervalVector intervals;
  bool normal;
  uint64_t changed;    // when aligning a plan last changed it, on the layout's clock
  size_t count_before; // how many intervals it had before the plan at hand was aligned
} Cutting;
void cutting_add(Cutting *cutting, uint64_t start, uint64_t size);
void cutting_normalise(Cutting *cutting);
// First interval that ends after `at`, of a normal cutting.
size_t cutting_find(const Cutting *cutting, uint64_t at);

// A place that a block operation may start at; `bytes` is cut off at the object's end.
typedef struct BlockWindow {
  ObjectId object;
  uint64_t start, bytes;
} BlockWindow;
VECTOR(BlockWindowVector, BlockWindow);

// A COPY, FILL or READ: its windows on all sides, and the chunks into which each is cut, relative to the window's
// start. Aligning a plan cuts all its windows alike.
typedef struct BlockPlan {
  EdgeId edge;
  BlockWindowVector windows;
  Cutting chunks;
  uint64_t aligned; // when its windows were last aligned, on the layout's clock; 0: never
  uint32_t times;   // how often they were aligned
  bool too_large;
  bool must_access;  // some address is not certain: at least one access has to test it
  bool out_of_range; // some window ends beyond its object
} BlockPlan;
VECTOR(BlockPlanVector, BlockPlan);

typedef struct Layout {
  Program *program;
  PointsTo points;
  Cutting *cuttings; // per object
  size_t object_count;
  BlockPlanVector plans;
  Map patterns;     // patterns and sets that have been cut already; after the cutting, the cell sets of targets
  uint64_t places;  // in all
  uint64_t windows; // of block operations at more than one place of an object, in all
  uint64_t clock;   // counts alignments and changes of cuttings
  CellSetBuilder sets;
  Account *account;
} Layout;

// --- layout_cut.c ---
void layout_cut_objects(Layout *layout); // fills the cuttings and plans; oversized steps become cuts
void layout_make_cut(Program *p, StepId step, CutKind kind, const char *what);
// --- layout_regions.c ---
// Adds cells for what only block operations touch; plans that would need too many parts become too large.
void layout_add_regions(Layout *layout);
// --- layout_beyond.c ---
void layout_cut_beyond(Layout *layout); // cuts before accesses that may touch what is not known of an object
// --- layout_outside.c ---
void layout_cut_outside(Layout *layout); // cuts at dereferences of pointers that the model has no object for
// --- layout_expand.c ---
// What a HAVOC of `length` bytes (0: to the end) touches when its pointer is at `item`; false: nothing.
bool layout_havoc_window(const Program *p, const PointsToItem *item, uint64_t length, Interval *window);
void layout_expand_blocks(Layout *layout);
// --- layout.c ---
// The key in `patterns` of a set of targets and what is done there. Equal sets share their items.
uint64_t layout_set_key(const PointsToSet *set, uint64_t shift, uint32_t bytes, bool writes);
// The cells that an access of `bytes` at `set` shifted by `shift` may touch.
CellSet layout_cell_set(Layout *layout, const PointsToSet *set, uint64_t shift, uint32_t bytes, bool writes);

// --- uninitialised.c: after all accesses are expanded ---
void layout_mark_uninitialised(Program *p);

#endif
