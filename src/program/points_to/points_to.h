// Points-to: which objects, and where in them, the addresses of a raw program (before layout) may lie.
//
// Inclusion-based, flow-insensitive, field-sensitive, over variables and memory. Every object has a concrete address,
// so a pointer is born as a constant that lies in (or near) an object, or as a relocation in an object's initial bytes.
// An item (object, offset, stride) stands for one place (stride 0) or for all places offset + k * stride, any integer
// k. Offsets may lie outside the object: pointers may leave it and come back; layout looks only at places inside.
//
// Direction: may-add. A pointer keeps the object it was made from (provenance): arithmetic that runs from one object
// into another is an invalid dereference in this model. Fresh values are never pointers.
#ifndef HEDDLE_PROGRAM_POINTS_TO_POINTS_TO_H
#define HEDDLE_PROGRAM_POINTS_TO_POINTS_TO_H

#include "program/program.h"

typedef struct PointsToItem {
  ObjectId object;
  int64_t offset;  // 0 <= offset < stride if stride > 0
  uint64_t stride; // 0: exactly at offset
} PointsToItem;

// Sorted by object. Of one object at most a few items; no item covers another.
typedef struct PointsToSet {
  PointsToItem *items;
  uint32_t count, capacity;
} PointsToSet;

typedef struct PointsTo {
  // Equal sets share their items, so that items and count identify a set.
  PointsToSet *targets; // per step: of the access's address, or of a block operation's destination
  PointsToSet *sources; // per step: of a COPY's source
  PointsToSet *variables;
  bool *leads_to_function; // per object: it is a function, or pointers lead from it to one
  size_t step_count, variable_count, object_count;
  Arena arena;
  Account *account;
} PointsTo;

void points_to(const Program *p, PointsTo *result, Account *account);
void points_to_free(PointsTo *result);

// --- sets, for the solver and its tests ---
// Adds an item; true if the set grew. More than 8 exact places in an object become a stride.
bool points_to_insert(Arena *arena, PointsToSet *set, PointsToItem item);
bool points_to_union(Arena *arena, PointsToSet *into, const PointsToSet *other);
// May `bytes` at a place of (offset, stride) overlap `other_bytes` at a place of (other_offset, other_stride)?
bool places_overlap(int64_t offset, uint64_t stride, uint64_t bytes, int64_t other_offset, uint64_t other_stride,
                    uint64_t other_bytes);
uint64_t greatest_common_divisor(uint64_t a, uint64_t b); // of 0 and x: x

// --- hash-consed sets (points_to_table.c) ---
// Programs with long lists have thousands of variables with the same hundreds of targets: sets are numbered, and
// operations on them are remembered. A family is the heap objects of one origin and size, that is, of one place of the
// source. A set with more than FAMILY_LIMIT objects of one family gets the whole family, each with the same places:
// long lists reach it anyway, and sets that grow by one object at a time would all be different.
enum { FAMILY_LIMIT = 24 };
typedef uint32_t SetId;
#define SET_EMPTY ((SetId)0)
VECTOR(PointsToSetVector, PointsToSet);

typedef struct SetOperation {
  SetId a;
  uint32_t kind;
  uint64_t b, c; // operands, by kind
  SetId result;
} SetOperation;
VECTOR(SetOperationVector, SetOperation);

typedef struct SetTable {
  PointsToSetVector sets; // by SetId
  Map by_hash;            // hash of items -> SetId
  SetOperationVector operations;
  Map operation_index; // hash of an operation -> index
  Arena *arena;        // where the items live
  Arena scratch;
  uint32_t *family;       // per object; NO_ID: not on the heap
  U32Vector family_start; // per family: start in `members`; one more at the end
  U32Vector members;
  U32Vector family_count; // scratch: per family, all zero between uses
  size_t object_count;
  Account *account;
} SetTable;
void set_table_init(SetTable *table, const Program *p, Arena *arena, Account *account);
void set_table_free(SetTable *table);
static inline const PointsToSet *set_items(const SetTable *table, SetId set) {
  return PointsToSetVector_at(&table->sets, set);
}
SetId set_intern(SetTable *table, const PointsToSet *set); // copies the items if they are new
SetId set_single(SetTable *table, PointsToItem item);
SetId set_union(SetTable *table, SetId a, SetId b);
SetId set_shifted(SetTable *table, SetId set, int64_t by, uint64_t stride); // by + k * stride
SetId set_anywhere(SetTable *table, SetId set);                             // anywhere in its objects
SetId set_parts(SetTable *table, SetId set); // parts of these pointers: mixed, they may be anywhere

// --- abstract evaluation of terms (points_to_value.c) ---
typedef struct PointsToEvaluator {
  const Program *program;
  const SetId *variables; // by VariableId
  SetTable *table;
  unsigned visits; // of the present term
} PointsToEvaluator;
SetId points_to_evaluate(PointsToEvaluator *evaluator, Term t);

#endif
