#include "replay/store.h"

#include "base/map.h"

#include <string.h>

static inline size_t round_up(size_t bytes, size_t to) { return (bytes + to - 1) / to * to; }

void records_init(RecordTable *table, size_t key_bytes, size_t extra_bytes, Account *account) {
  *table = (RecordTable){.key_bytes = key_bytes, .account = account};
  table->record_bytes = round_up(key_bytes + extra_bytes, 4);
  if (table->record_bytes == 0) table->record_bytes = 4;
  table->capacity = 64;
  table->entries = memory_allocate_zeroed(account, table->capacity * sizeof(RecordEntry));
}

void records_free(RecordTable *table) {
  for (size_t i = 0; i < table->chunk_count; i++)
    memory_free(table->account, table->chunks[i], CHUNK_RECORDS * table->record_bytes);
  memory_free(table->account, table->chunks, table->chunk_capacity * sizeof(uint8_t *));
  memory_free(table->account, table->entries, table->capacity * sizeof(RecordEntry));
}

size_t records_memory(const RecordTable *table) {
  return table->chunk_count * CHUNK_RECORDS * table->record_bytes + table->capacity * sizeof(RecordEntry);
}

// Keys are multiples of 4 bytes, mostly short.
static inline uint64_t hash_key(const uint8_t *key, size_t bytes) {
  uint64_t h = bytes * UINT64_C(0x9e3779b97f4a7c15);
  while (bytes >= 8) {
    uint64_t word;
    memcpy(&word, key, 8);
    h = (h ^ word) * UINT64_C(0xff51afd7ed558ccd);
    h ^= h >> 32;
    key += 8;
    bytes -= 8;
  }
  uint64_t word = 0;
  memcpy(&word, key, bytes);
  h = (h ^ word) * UINT64_C(0xc4ceb9fe1a85ec53);
  return h ^ h >> 29;
}

static void grow_entries(RecordTable *table) {
  size_t capacity = table->capacity * 2;
  RecordEntry *entries = memory_allocate_zeroed(table->account, capacity * sizeof(RecordEntry));
  for (size_t i = 0; i < table->capacity; i++) {
    RecordEntry entry = table->entries[i];
    if (entry.id == 0) continue;
    size_t slot = hash_key(records_at(table, entry.id - 1), table->key_bytes) & (capacity - 1);
    while (entries[slot].id != 0) slot = (slot + 1) & (capacity - 1);
    entries[slot] = entry;
  }
  memory_free(table->account, table->entries, table->capacity * sizeof(RecordEntry));
  table->entries = entries;
  table->capacity = capacity;
}

static uint8_t *append(RecordTable *table) {
  size_t id = table->count;
  if (id == UINT32_MAX - 1) memory_exhausted(table->account, table->record_bytes);
  if (id / CHUNK_RECORDS == table->chunk_count) {
    if (table->chunk_count == table->chunk_capacity) {
      size_t capacity = table->chunk_capacity * 2 + 8;
      table->chunks = memory_resize(table->account, table->chunks, table->chunk_capacity * sizeof(uint8_t *),
                                    capacity * sizeof(uint8_t *));
      table->chunk_capacity = capacity;
    }
    table->chunks[table->chunk_count++] = memory_allocate(table->account, CHUNK_RECORDS * table->record_bytes);
  }
  table->count++;
  return records_at(table, (uint32_t)id);
}

uint32_t records_insert(RecordTable *table, const void *key, bool *is_new) {
  uint64_t hash = hash_key(key, table->key_bytes);
  uint32_t tag = (uint32_t)(hash >> 32);
  size_t mask = table->capacity - 1;
  size_t slot = hash & mask;
  for (; table->entries[slot].id != 0; slot = (slot + 1) & mask) {
    const RecordEntry *entry = &table->entries[slot];
    if (entry->hash != tag || memcmp(records_at(table, entry->id - 1), key, table->key_bytes) != 0) continue;
    *is_new = false;
    return entry->id - 1;
  }
  *is_new = true;
  uint32_t id = (uint32_t)table->count;
  uint8_t *record = append(table);
  memcpy(record, key, table->key_bytes);
  memset(record + table->key_bytes, 0, table->record_bytes - table->key_bytes);
  table->entries[slot] = (RecordEntry){.hash = tag, .id = id + 1};
  if (table->count * 3 > table->capacity * 2) grow_entries(table);
  return id;
}

void store_init(StateStore *store, const uint32_t *component_sizes, size_t component_count, Account *account) {
  *store = (StateStore){.component_count = component_count, .account = account};
  store->components = memory_allocate(account, component_count * sizeof(RecordTable));
  for (size_t c = 0; c < component_count; c++) records_init(&store->components[c], component_sizes[c], 0, account);
  store->tuple_bytes = component_count * sizeof(uint32_t);
  records_init(&store->states, store->tuple_bytes, sizeof(StateNote), account);
}

void store_free(StateStore *store) {
  for (size_t c = 0; c < store->component_count; c++) records_free(&store->components[c]);
  memory_free(store->account, store->components, store->component_count * sizeof(RecordTable));
  records_free(&store->states);
}

size_t store_memory(const StateStore *store) {
  size_t bytes = records_memory(&store->states);
  for (size_t c = 0; c < store->component_count; c++) bytes += records_memory(&store->components[c]);
  return bytes;
}
