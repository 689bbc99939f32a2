// What pointers may hold, and what calls through them may call: inclusion-based, field-sensitive, for the whole
// program.
//
// An *area* is an object of the program that pointers refer to: a static, thread-local or automatic object of the code
// (its area has the same number), a block by the statement that allocates it, a function, or the area OUTSIDE, which
// stands for all memory of which nothing is known. The memory that functions of the library have for themselves and
// hand out (a FILE, getenv's result, mmap's memory) is one more area of the kind AREA_OUTSIDE; errno is no area at
// all. A *place* is a set of addresses in one area: offset + k * stride with 0 <= k * stride < extent, or any k if
// extent is 0; one address if stride is 0.
//
// String literals (constants without a name that hold no address) are one area: that of the first of them.
//
// A function that only returns a block which it has allocated once (xmalloc, new_queue) has no area for the allocation
// in it: each call of it is the statement of an area, and makes at most one block.
//
// Direction of the fact: may-add. What a pointer can hold in some execution is in its set, on the assumptions that
// pointing_assumptions lists (no access leaves its object, undefined functions do what their description says or,
// without one, anything with what they can reach).
//
// Ownership: a Pointing refers to its Code, which must outlive it.
#ifndef HEDDLE_SURVEY_POINTING_H
#define HEDDLE_SURVEY_POINTING_H

#include "base/bitset.h"
#include "front/code/code.h"

typedef enum AreaKind {
  AREA_STATIC,
  AREA_THREAD_LOCAL,
  AREA_AUTOMATIC,
  AREA_HEAP,
  AREA_FUNCTION,
  AREA_OUTSIDE
} AreaKind;

typedef struct Area {
  AreaKind kind;
  uint32_t object;    // in Code.objects; or NO_CODE_ID
  uint32_t function;  // AREA_FUNCTION: which; AREA_AUTOMATIC and AREA_HEAP: the function that makes it
  uint32_t statement; // AREA_HEAP: the call that allocates
  uint64_t size;      // 0: unknown
  uint32_t type;      // in Code.types, or NO_CODE_ID; of a block guessed by how it is used (for names only)
  bool exposed;       // undefined functions or other outside code may reach it
} Area;

typedef struct AreaPlace {
  uint32_t area;
  uint32_t stride;
  int64_t offset;
  uint64_t extent;
} AreaPlace;

// Do accesses of so many bytes (0: any number) at these places possibly touch a common byte of one instance?
bool pointing_overlap(AreaPlace a, uint64_t a_bytes, AreaPlace b, uint64_t b_bytes);

typedef struct PlaceRange {
  const AreaPlace *data; // by area, offset, stride
  uint32_t count;
} PlaceRange;

typedef struct Pointing Pointing;

// Outside code may call the `entries` (ascending) with anything that it knows. NULL: the deadline (on clock_now's
// clock; 0: none) has passed. `strict`: an index may leave its array, within the object.
Pointing *pointing_new(const Code *code, const uint32_t *entries, uint32_t entry_count, bool strict, double deadline,
                       Account *account);
void pointing_free(Pointing *pointing);

uint32_t pointing_area_count(const Pointing *pointing);
const Area *pointing_area(const Pointing *pointing, uint32_t area);
uint32_t pointing_outside(const Pointing *pointing); // the area OUTSIDE
PlaceRange pointing_of(const Pointing *pointing, CodeOperand operand);
// The addresses that a value with fewer bytes than a pointer may be a part of. It is none itself; but where it goes,
// the address may come to be.
PlaceRange pointing_in_part(const Pointing *pointing, CodeOperand operand);

// Adds the areas whose addresses may be stored in the area, by the program or by the library. (Of an area that is
// exposed nothing is added: what is in it is exposed, too.) Did the set grow?
bool pointing_add_contents(const Pointing *pointing, uint32_t area, Bitset *areas);

// The functions, ascending, that the CODE_CALL may call, defined or not. Those with a body get the call's operands. A
// call may also go to outside code: then pointing_of its operand 0 has a place in OUTSIDE.
typedef struct CalleeRange {
  const uint32_t *data;
  uint32_t count;
} CalleeRange;
CalleeRange pointing_callees(const Pointing *pointing, uint32_t statement);
// The routines, ascending, that the call of a function which creates threads or installs handlers may give to
// `operand`, by their addresses or, as for sigaction, in the memory behind it. (Memory behind it that is OUTSIDE is
// not looked at: functions found there are called from outside.)
CalleeRange pointing_functions(const Pointing *pointing, CodeOperand operand);

// Functions that outside code may call at any time, because it was handed their address.
bool pointing_called_from_outside(const Pointing *pointing, uint32_t function);

// What an area's name is for people: "queue", "worker: buffer", "struct queue (malloc in new_queue, queue.c:12)",
// "malloc in copy (text.c:30)".
void pointing_area_name(const Pointing *pointing, uint32_t area, Text *out);
void pointing_place_name(const Pointing *pointing, AreaPlace place, Text *out); // with its part: "queue.head"

// One line each: what the sets rest on.
void pointing_assumptions(Text *out);

#endif
