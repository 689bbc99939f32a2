// Hash maps with open addressing: 64-bit keys to 64-bit values, and an interner for strings.
//
// No key is reserved. Deletion is not offered: nothing here needs it. Iteration order is unspecified, so nothing that
// a user sees may depend on it.
#ifndef HEDDLE_BASE_MAP_H
#define HEDDLE_BASE_MAP_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct MapEntry {
  uint64_t key, value;
  bool used;
} MapEntry;

typedef struct Map {
  MapEntry *entries; // power of two, at most 2/3 full
  size_t capacity, count;
  Account *account;
} Map;

void map_init(Map *map, Account *account);
void map_free(Map *map);
void map_clear(Map *map);
bool map_get(const Map *map, uint64_t key, uint64_t *value); // `value` untouched when absent
uint64_t map_get_or(const Map *map, uint64_t key, uint64_t fallback);
void map_put(Map *map, uint64_t key, uint64_t value);
bool map_contains(const Map *map, uint64_t key);

uint64_t hash_mix(uint64_t x);                        // a bijection with good avalanche
uint64_t hash_bytes(const void *bytes, size_t count); // fast, for hash tables and program fingerprints

// Equal strings get the same pointer, which lives as long as the interner.
typedef struct Interner {
  Arena arena;
  const char **slots;
  size_t capacity, count;
} Interner;

void interner_init(Interner *interner, Account *account);
void interner_free(Interner *interner);
const char *intern(Interner *interner, const char *text);
const char *intern_format(Interner *interner, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
