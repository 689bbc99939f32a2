// The inside of the analysis of pointers. Only the files of this folder include this header.
//
// A *node* stands for a value that may be an address: a register, what a function returns, what is in a cell of
// memory, a constant, or an intermediate result. It has a set of places. An *edge* says that the places of one node,
// moved, are in the set of another one. A *constraint* hangs on a node and does something for each place that comes
// into its set: it adds edges (a load or store through it, a call of it), so that edges and the call graph grow while
// the sets do.
//
// Nodes on a cycle of edges that move nothing hold the same, and are merged. A node that was merged forwards to
// another one (solver_find). New elements of a set are `fresh` until they went along the node's edges and constraints,
// once each. So constraints must stand being applied twice: a merge makes all elements fresh again.
//
// Every value has two nodes. `whole` is what it may hold as an address. `part` is what it may hold if it has fewer
// bytes than a pointer: a part of an address, which is none. It is followed so that a copy byte by byte is a copy, and
// becomes whole where it is computed with or is loaded again together with other parts.
//
// The memory of an area is a set of cells (place and bytes), each with what is stored there and what is seen there by
// loads. Every load sees the stores of all cells that overlap. An area with too many cells is *flat*: one node for
// all. The flat node of what outside code reaches is `outside`, which is also what outside code knows.
//
// Direction: may-add. All orders are those of numbers, so the result is the same on every run.
#ifndef HEDDLE_SURVEY_POINTING_CONSTRAINTS_H
#define HEDDLE_SURVEY_POINTING_CONSTRAINTS_H

#include "base/bitset.h"
#include "base/map.h"
#include "survey/effects.h"
#include "survey/pointing/area_places.h"

typedef uint32_t NodeId;
enum { NO_NODE = UINT32_MAX, NO_LINK = UINT32_MAX };

typedef struct Value {
  NodeId whole, part;
} Value;
#define NO_VALUE ((Value){NO_NODE, NO_NODE})

typedef struct PointerNode {
  NodeId forward; // itself, or the node that it was merged with
  PlaceSet set, fresh;
  uint32_t first_edge, last_edge, first_constraint, last_constraint; // lists in `edges` and `constraints`
  uint32_t position;                                                 // in the order of processing
  uint32_t counted; // size of the set when places per area were last counted
} PointerNode;
VECTOR(PointerNodeVector, PointerNode);

enum { COPY_MOVE, ANY_MOVE_ID, FIRST_MOVE }; // the first of `moves`: nothing is moved; anything is
typedef struct PlaceEdge {
  NodeId to;
  uint32_t move; // in `moves`
  uint32_t next;
} PlaceEdge;
VECTOR(PlaceEdgeVector, PlaceEdge);
VECTOR(MoveVector, PlaceMove);

typedef enum ConstraintKind {
  ON_LOAD,    // what is at the place goes to `node`
  ON_STORE,   // what is in `node` goes to the place
  ON_COPY_TO, // the place is the destination (ON_COPY_FROM: the source) of copy `index`
  ON_COPY_FROM,
  ON_CALL,   // the place is called by statement `index`
  ON_ROUTINE // the place is called as routines[index] says
} ConstraintKind;

typedef struct Constraint {
  ConstraintKind kind;
  uint32_t next;
  NodeId node;
  uint32_t index;
  uint64_t size;
} Constraint;
VECTOR(ConstraintVector, Constraint);

// COPY_BLOCK. With few places, each pair is copied with relative offsets; with many, all goes through one node.
typedef struct Copy {
  NodeId to, from;
  uint64_t size;
  NodeId through; // NO_NODE: pair by pair
} Copy;
VECTOR(CopyVector, Copy);

// Library code calls a function that it was given.
typedef struct Routine {
  NodeId argument; // what the parameters get
  bool first_only; // only the first one gets it
  NodeId result;   // what gets the result
  bool kept;       // outside code may call it at any time
} Routine;
VECTOR(RoutineVector, Routine);

typedef struct MemoryCell {
  AreaPlace place;
  uint64_t bytes;
  NodeId stored, seen; // NO_NODE: nothing is stored, or loaded
} MemoryCell;
VECTOR(MemoryCellVector, MemoryCell);

// What is stored in the area at `from`, `size` bytes, is copied to `to`, which may be another area's.
typedef struct BlockCopy {
  AreaPlace from, to;
  uint64_t size;
} BlockCopy;
VECTOR(BlockCopyVector, BlockCopy);

typedef struct AreaMemory {
  Area area;
  MemoryCellVector cells;
  BlockCopyVector blocks;
  NodeId flat; // or NO_NODE
} AreaMemory;
VECTOR(AreaVector, AreaMemory);

typedef struct Solver {
  const Code *code;
  Account *account;
  double deadline;
  bool late;   // the deadline has passed
  bool strict; // see pointing_new
  PointerNodeVector nodes;
  PlaceEdgeVector edges;
  MoveVector moves;
  ConstraintVector constraints;
  CopyVector copies;
  RoutineVector routines;
  AreaVector areas; // objects, functions, OUTSIDE, then blocks
  PlaceTable places;
  PlaceSet scratch;
  Map edge_keys;        // from and to -> copies and "anything" moves that are there
  Map block_keys;       // from and to -> size of the block copy between these places
  Map linked_calls;     // statement and function
  Map constants;        // object and offset -> node
  Map heap_areas;       // statement -> area
  U32Vector origins;    // per function: the allocating call whose result it returns; NO_CODE_ID: it is no wrapper
  U32Vector order;      // position -> node
  U64Vector pending;    // bits by position: the node has fresh elements
  size_t ordered_edges; // edges that there were when the order was made
  bool foreign;         // functions of libraries other than C's and POSIX's are called
  bool started;         // all constraints of the program are there
  NodeId outside;       // what outside code knows
  NodeId joined;        // what threads return
  NodeId key_values;    // pthread_setspecific
  NodeId destructors, handlers;
  NodeId given;   // epoll_ctl
  NodeId library; // a constant: an address in the library's own memory
  uint32_t outside_area, library_area;
  uint32_t literals;          // the first object that is a constant without a name and without addresses; or NO_CODE_ID
  Bitset is_literal;          // objects
  Bitset called_from_outside; // functions
  U32Vector tally;            // per area, all 0 between uses
} Solver;

// --- nodes.c ---
NodeId solver_node(Solver *s);
NodeId solver_find(Solver *s, NodeId node);
void solver_edge(Solver *s, NodeId from, NodeId to, uint32_t move);
uint32_t solver_move(Solver *s, PlaceMove move);
void solver_flow(Solver *s, Value from, Value to); // both nodes
void solver_constrain(Solver *s, NodeId node, Constraint constraint);
void solver_add(Solver *s, NodeId node, AreaPlace place);
void solver_merge(Solver *s, NodeId node, NodeId into);
void solver_send_along(Solver *s, NodeId node, const PlaceSet *set); // over all edges of the node
AreaPlace solver_moved(const Solver *s, AreaPlace place, PlaceMove move);
static inline const Area *solver_area(const Solver *s, uint32_t area) { return &AreaVector_at(&s->areas, area)->area; }
static inline Value register_value(uint32_t id) { return (Value){2 * id, 2 * id + 1}; }
static inline Value result_value(const Solver *s, uint32_t function) {
  return register_value(s->code->register_count + function);
}
// The next position from `from` on whose node has fresh elements; the number of positions if there is none.
size_t solver_next_pending(const Solver *s, size_t from);

// --- order.c: merges cycles, marks moves in cycles, and puts the nodes in an order along the edges ---
void solver_reorder(Solver *s);

// --- cells.c ---
NodeId cell_loaded(Solver *s, AreaPlace place, uint64_t bytes); // NO_NODE: nothing that could be loaded
NodeId cell_stored(Solver *s, AreaPlace place, uint64_t bytes); // NO_NODE: it cannot be stored to
void area_expose(Solver *s, uint32_t area);
void apply_copy(Solver *s, uint32_t copy, const PlaceSet *fresh, bool to);

// --- build.c ---
void solver_build(Solver *s, const uint32_t *entries, uint32_t entry_count);
Value operand_value(Solver *s, CodeOperand operand);
NodeId constant_node(Solver *s, AreaPlace place);
void solver_copy(Solver *s, NodeId to, NodeId from, uint64_t size);
void solver_load(Solver *s, NodeId pointer, NodeId to, uint64_t size);
void solver_store(Solver *s, NodeId pointer, NodeId from, uint64_t size);
AreaPlace object_place(const Solver *s, uint32_t object, int64_t offset);
static inline AreaPlace function_place(const Solver *s, uint32_t function) {
  return (AreaPlace){.area = s->code->object_count + function};
}

// --- linking.c, library_calls.c ---
void link_place(Solver *s, uint32_t statement, AreaPlace place);
void link_function(Solver *s, uint32_t statement, uint32_t function);
void link_library(Solver *s, uint32_t statement, const Effect *effect);
void link_routine(Solver *s, uint32_t routine, AreaPlace place);
void library_start(Solver *s);
void outside_learns(Solver *s, const PlaceSet *fresh);

// --- solve.c ---
void solver_run(Solver *s);

// --- heap.c ---
void heap_find_wrappers(Solver *s, const uint32_t *entries, uint32_t entry_count);
// The address of the block that the library makes for the call: its result, or stored by it. NO_NODE: others say what
// it is.
NodeId heap_new_block(Solver *s, uint32_t statement, bool result);
void heap_call_result(Solver *s, uint32_t statement, uint32_t function); // of a function with a body

#endif
