// Where everything lives in the state vector of the search.
//
// The vector is cut into components. Component 0 holds what several threads touch: cells and states of heap blocks.
// Component 1+t holds the location of thread t, its variables and the cells that only it touches. The cells that never
// change follow the last component: they are in the vector so that every cell has an offset, but not part of a state.
// Values are stored little end first in 1, 2, 4, 8 or 16 bytes, whose unused high bits are zero.
//
// Variables of one thread that are never live together share their place, and a place that no live variable occupies
// is zero, so that states that differ in dead values only are equal. Variables that are never live have no place.
//
// What may hold an indeterminate value has a flag byte: 1 while the value is still to be chosen (the value bytes are
// zero then).
//
// A read is *idle* if no step uses what it loads, and a cell is *silent* if all reads of it are idle. Reads and writes
// of silent cells are accesses like all others, but no step uses the content, so it is not part of the state. An
// idle read chooses no value for an indeterminate cell. The pass "values" leaves idle reads behind.
//
// The program must have been prepared and must outlive the layout, which owns its arrays.
#ifndef HEDDLE_EXPLICIT_MACHINE_STATE_LAYOUT_H
#define HEDDLE_EXPLICIT_MACHINE_STATE_LAYOUT_H

#include "explicit/machine/indeterminate.h"
#include "program/facts/facts.h"

typedef struct Place {
  uint32_t offset; // NO_ID: none
  uint32_t flag;   // offset of the indeterminate flag, or NO_ID
  uint8_t bytes;
} Place;

enum { NO_THREAD = UINT32_MAX, SEVERAL = UINT32_MAX - 1 }; // besides thread numbers, for `cell_toucher`

typedef struct StateLayout {
  const Program *program;
  size_t component_count; // threads + 1
  uint32_t *base, *size;  // per component; multiples of 8
  uint32_t state_bytes, vector_bytes;
  uint32_t *location; // per thread: offset of its location (4 bytes)
  Place *variables;
  Place *cells;     // NO_ID offset: never accessed
  uint32_t *heap;   // per object: offset of its state byte (HeapState), NO_ID if not dynamic
  uint32_t *extent; // per object: offset of its number of bytes (4 bytes), NO_ID if that is not decided at run time
  ThreadId *cell_toucher; // which thread accesses a cell: one, NO_THREAD or SEVERAL
  bool *cell_written;
  bool *cell_silent;
  Bitset idle; // steps with an idle read
  Indeterminate indeterminate;
  ThreadId *heap_toucher; // which thread accesses, allocates or may free an object
  LiveVariables live;
  Account *account;
} StateLayout;

typedef enum LayoutMode {
  LAYOUT_PLAIN,   // every read counts as used
  LAYOUT_EXACT,   // idle reads and silent cells
  LAYOUT_CARRYING // and carriers (indeterminate.h)
} LayoutMode;
void state_layout_init(StateLayout *layout, const Program *program, LayoutMode mode, Account *account);
void state_layout_free(StateLayout *layout);
void state_layout_initial(const StateLayout *layout, uint8_t *vector); // writes the initial state and the constant part

// The heap blocks that a FREE step may free: calls `visit` for each.
void state_layout_each_freed(const Program *program, const Step *step, void (*visit)(void *context, ObjectId object),
                             void *context);

static inline uint64_t vector_read(const uint8_t *at, unsigned bytes) {
  switch (bytes) {
  case 1: return *at;
  case 2: {
    uint16_t value;
    memcpy(&value, at, 2);
    return value;
  }
  case 4: {
    uint32_t value;
    memcpy(&value, at, 4);
    return value;
  }
  default: {
    uint64_t value;
    memcpy(&value, at, 8);
    return value;
  }
  }
}

static inline void vector_write(uint8_t *at, unsigned bytes, uint64_t value) {
  switch (bytes) {
  case 1: *at = (uint8_t)value; break;
  case 2: memcpy(at, &(uint16_t){(uint16_t)value}, 2); break;
  case 4: memcpy(at, &(uint32_t){(uint32_t)value}, 4); break;
  default: memcpy(at, &value, 8); break;
  }
}

static inline Bits vector_read_wide(const uint8_t *at, unsigned bytes) {
  Bits value = 0;
  memcpy(&value, at, bytes);
  return value;
}

static inline void vector_write_wide(uint8_t *at, unsigned bytes, Bits value) { memcpy(at, &value, bytes); }

static inline LocationId vector_location(const StateLayout *layout, const uint8_t *vector, ThreadId thread) {
  assert(thread + 1 < layout->component_count);
  return (LocationId)vector_read(vector + layout->location[thread], 4);
}

#endif
