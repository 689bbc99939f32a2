// The set of visited states, with collapse compression.
//
// A state is a tuple of component ids; each distinct content of a component is stored once. Both levels are exact:
// contents and tuples are compared in full, so that a state is never taken for another. Component 0 is shared by all
// threads, component 1+t is thread t's (state_layout.h). Records live in chunks that never move.
//
// A large component is cut into pages. Each distinct page is stored once, and a content is a tuple of page numbers. A
// transition changes few pages, so a new content costs these pages and the tuple, not the whole component.
//
// Limits: 2^32-2 states and as many contents and pages per component.
#ifndef HEDDLE_EXPLICIT_STORE_H
#define HEDDLE_EXPLICIT_STORE_H

#include "base/memory.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

typedef uint32_t StateId;

// A set of records of one size, numbered in the order of their first insertion.
typedef struct RecordEntry {
  uint32_t hash; // the part of the hash that does not select the slot
  uint32_t id;   // id + 1; 0: free
} RecordEntry;

typedef struct RecordTable {
  size_t record_bytes; // stride: a multiple of 4
  size_t key_bytes;    // the first bytes of a record are its key; the rest is the caller's
  uint8_t **chunks;
  size_t chunk_count, chunk_capacity;
  unsigned chunk_shift; // a chunk has 2^chunk_shift records
  RecordEntry *entries; // power of two
  size_t capacity, count;
  Account *account;
} RecordTable;

void records_init(RecordTable *table, size_t key_bytes, size_t extra_bytes, Account *account);
void records_free(RecordTable *table);
// The id of the record with this key, which is added (rest zeroed) if new.
uint32_t records_insert(RecordTable *table, const void *key, bool *is_new);
static inline uint8_t *records_at(const RecordTable *table, uint32_t id) {
  assert(id < table->count);
  size_t place = id & ((UINT32_C(1) << table->chunk_shift) - 1);
  return table->chunks[id >> table->chunk_shift] + place * table->record_bytes;
}

// The contents of one component.
typedef struct ComponentTable {
  size_t bytes, page_bytes, page_count; // page_bytes 0: contents are stored whole
  RecordTable contents;                 // whole, or tuples of page numbers
  RecordTable pages;
  uint32_t *numbers; // scratch: a tuple
  uint8_t *last;     // scratch: the last page, with zeros behind its end
} ComponentTable;

enum { NO_CONTENT = UINT32_MAX };

// The id of a content, which is added if new. `like`: the id of a content that differs in few places, or NO_CONTENT.
uint32_t component_insert(ComponentTable *table, const uint8_t *content, uint32_t like);
// Writes the content; `from`: the id of what is there now, or NO_CONTENT: anything.
void component_load(const ComponentTable *table, uint32_t id, uint32_t from, uint8_t *content);

// What is remembered of a visited state besides its components.
typedef struct StateNote {
  uint32_t on_stack : 1; // it is on the search's stack
  uint32_t slept : 31;   // threads that were to be explored from it and slept each time
} StateNote;

typedef struct StateStore {
  size_t component_count;
  ComponentTable *components;
  RecordTable states;
  size_t tuple_bytes;
  Account *account;
} StateStore;

void store_init(StateStore *store, const uint32_t *component_sizes, size_t component_count, Account *account);
void store_free(StateStore *store);
size_t store_memory(const StateStore *store);

static inline uint32_t *store_tuple(const StateStore *store, StateId state) {
  return (uint32_t *)(void *)records_at(&store->states, state);
}
static inline StateNote *store_note(const StateStore *store, StateId state) {
  return (StateNote *)(void *)(records_at(&store->states, state) + store->tuple_bytes);
}

#endif
