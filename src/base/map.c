#include "base/map.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_CAPACITY = 16, FORMAT_BUFFER = 256 };

uint64_t hash_mix(uint64_t x) {
  // Xor-shifts by more than half the width and odd multiplications are bijections, so their composition is one.
  x ^= x >> 32;
  x *= UINT64_C(0xd6e8feb86659fd93);
  x ^= x >> 32;
  x *= UINT64_C(0xd6e8feb86659fd93);
  x ^= x >> 32;
  return x;
}

uint64_t hash_bytes(const void *bytes, size_t count) {
  const unsigned char *at = bytes;
  uint64_t hash = UINT64_C(0x9e3779b97f4a7c15) ^ count;
  for (; count >= 8; at += 8, count -= 8) {
    uint64_t word;
    memcpy(&word, at, 8);
    hash = hash_mix(hash ^ word) + UINT64_C(0x9e3779b97f4a7c15);
  }
  uint64_t tail = 0;
  if (count) memcpy(&tail, at, count);
  return hash_mix(hash ^ tail);
}

void map_init(Map *map, Account *account) { *map = (Map){.account = account}; }

void map_free(Map *map) {
  memory_free(map->account, map->entries, map->capacity * sizeof(MapEntry));
  *map = (Map){.account = map->account};
}

void map_clear(Map *map) {
  if (map->count) memset(map->entries, 0, map->capacity * sizeof(MapEntry));
  map->count = 0;
}

// The entry that holds `key`, or the free one where it belongs. The map must have entries, one of them free.
static MapEntry *find(const Map *map, uint64_t key) {
  size_t mask = map->capacity - 1;
  for (size_t slot = hash_mix(key) & mask;; slot = (slot + 1) & mask) {
    MapEntry *entry = &map->entries[slot];
    if (!entry->used || entry->key == key) return entry;
  }
}

static void grow(Map *map) {
  MapEntry *old = map->entries;
  size_t old_capacity = map->capacity;
  map->capacity = old_capacity ? old_capacity * 2 : FIRST_CAPACITY;
  map->entries = memory_allocate_zeroed(map->account, map->capacity * sizeof(MapEntry));
  for (size_t i = 0; i < old_capacity; i++)
    if (old[i].used) *find(map, old[i].key) = old[i];
  memory_free(map->account, old, old_capacity * sizeof(MapEntry));
}

bool map_get(const Map *map, uint64_t key, uint64_t *value) {
  if (map->count == 0) return false;
  const MapEntry *entry = find(map, key);
  if (!entry->used) return false;
  *value = entry->value;
  return true;
}

uint64_t map_get_or(const Map *map, uint64_t key, uint64_t fallback) {
  uint64_t value = fallback;
  map_get(map, key, &value);
  return value;
}

void map_put(Map *map, uint64_t key, uint64_t value) {
  if ((map->count + 1) * 3 > map->capacity * 2) grow(map);
  MapEntry *entry = find(map, key);
  if (!entry->used) map->count++;
  *entry = (MapEntry){.key = key, .value = value, .used = true};
}

bool map_contains(const Map *map, uint64_t key) {
  uint64_t value;
  return map_get(map, key, &value);
}

void interner_init(Interner *interner, Account *account) {
  *interner = (Interner){0};
  arena_init(&interner->arena, account);
}

void interner_free(Interner *interner) {
  Account *account = interner->arena.account;
  memory_free(account, (void *)interner->slots, interner->capacity * sizeof *interner->slots);
  arena_free(&interner->arena);
  interner_init(interner, account);
}

static const char **find_string(const Interner *interner, const char *text) {
  size_t mask = interner->capacity - 1;
  size_t slot = hash_bytes(text, strlen(text)) & mask;
  while (interner->slots[slot] && strcmp(interner->slots[slot], text) != 0) slot = (slot + 1) & mask;
  return &interner->slots[slot];
}

static void grow_interner(Interner *interner) {
  Account *account = interner->arena.account;
  const char **old = interner->slots;
  size_t old_capacity = interner->capacity;
  interner->capacity = old_capacity ? old_capacity * 2 : FIRST_CAPACITY;
  interner->slots = memory_allocate_zeroed(account, interner->capacity * sizeof *old);
  for (size_t i = 0; i < old_capacity; i++)
    if (old[i]) *find_string(interner, old[i]) = old[i];
  memory_free(account, (void *)old, old_capacity * sizeof *old);
}

const char *intern(Interner *interner, const char *text) {
  if ((interner->count + 1) * 3 > interner->capacity * 2) grow_interner(interner);
  const char **slot = find_string(interner, text);
  if (!*slot) {
    *slot = arena_string(&interner->arena, text);
    interner->count++;
  }
  return *slot;
}

const char *intern_format(Interner *interner, const char *format, ...) {
  char buffer[FORMAT_BUFFER];
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  int length = vsnprintf(buffer, sizeof buffer, format, arguments);
  va_end(arguments);
  assert(length >= 0);
  const char *result;
  if ((size_t)length < sizeof buffer) {
    result = intern(interner, buffer);
  } else {
    Account *account = interner->arena.account;
    char *long_text = memory_allocate(account, (size_t)length + 1);
    vsnprintf(long_text, (size_t)length + 1, format, again);
    result = intern(interner, long_text);
    memory_free(account, long_text, (size_t)length + 1);
  }
  va_end(again);
  return result;
}
