#include "explicit/store.h"

#include "base/map.h"

#include <string.h>

static inline size_t round_up(size_t bytes, size_t to) { return (bytes + to - 1) / to * to; }

// Chunks of about a megabyte, and of few enough records to be worth it.
enum { MOST_CHUNK_SHIFT = 12, CHUNK_BYTES = 1 << 20 };

void records_init(RecordTable *table, size_t key_bytes, size_t extra_bytes, Account *account) {
  *table = (RecordTable){.key_bytes = key_bytes, .account = account};
  table->record_bytes = round_up(key_bytes + extra_bytes, 4);
  if (table->record_bytes == 0) table->record_bytes = 4;
  assert(table->record_bytes >= key_bytes + extra_bytes);
  table->chunk_shift = MOST_CHUNK_SHIFT;
  while (table->chunk_shift > 0 && table->record_bytes << table->chunk_shift > CHUNK_BYTES) table->chunk_shift--;
  table->capacity = 64;
  table->entries = memory_allocate_zeroed(account, table->capacity * sizeof(RecordEntry));
}

static size_t chunk_bytes(const RecordTable *table) { return table->record_bytes << table->chunk_shift; }

void records_free(RecordTable *table) {
  for (size_t i = 0; i < table->chunk_count; i++) memory_free(table->account, table->chunks[i], chunk_bytes(table));
  memory_free(table->account, table->chunks, table->chunk_capacity * sizeof(uint8_t *));
  memory_free(table->account, table->entries, table->capacity * sizeof(RecordEntry));
}

static size_t records_memory(const RecordTable *table) {
  return table->chunk_count * chunk_bytes(table) + table->capacity * sizeof(RecordEntry);
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
  assert((capacity & (capacity - 1)) == 0 && table->count < capacity);
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
  assert(id <= table->chunk_count << table->chunk_shift);
  if (id == UINT32_MAX - 1) memory_exhausted(table->account, table->record_bytes);
  if (id >> table->chunk_shift == table->chunk_count) {
    if (table->chunk_count == table->chunk_capacity) {
      size_t capacity = table->chunk_capacity * 2 + 8;
      table->chunks = memory_resize(table->account, table->chunks, table->chunk_capacity * sizeof(uint8_t *),
                                    capacity * sizeof(uint8_t *));
      table->chunk_capacity = capacity;
    }
    table->chunks[table->chunk_count++] = memory_allocate(table->account, chunk_bytes(table));
  }
  table->count++;
  return records_at(table, (uint32_t)id);
}

uint32_t records_insert(RecordTable *table, const void *key, bool *is_new) {
  uint64_t hash = hash_key(key, table->key_bytes);
  uint32_t tag = (uint32_t)(hash >> 32);
  size_t mask = table->capacity - 1;
  assert(table->count < table->capacity); // the search for a slot ends
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

// --- components ---

// A content of pages costs a tuple, and the pages that changed: the sum is smallest where both are about as large.
enum { LARGEST_WHOLE = 1024, SMALLEST_PAGE = 64 };

static void component_init(ComponentTable *table, size_t bytes, Account *account) {
  *table = (ComponentTable){.bytes = bytes};
  if (bytes > LARGEST_WHOLE) {
    table->page_bytes = SMALLEST_PAGE;
    while (table->page_bytes * table->page_bytes < bytes * sizeof(uint32_t)) table->page_bytes *= 2;
    table->page_count = (bytes + table->page_bytes - 1) / table->page_bytes;
    table->numbers = memory_allocate_zeroed(account, table->page_count * sizeof(uint32_t));
    table->last = memory_allocate_zeroed(account, table->page_bytes);
  }
  records_init(&table->contents, table->page_bytes ? table->page_count * sizeof(uint32_t) : bytes, 0, account);
  records_init(&table->pages, table->page_bytes, 0, account);
}

static void component_free(ComponentTable *table) {
  Account *account = table->contents.account;
  memory_free(account, table->numbers, table->page_count * sizeof(uint32_t));
  memory_free(account, table->last, table->page_bytes);
  records_free(&table->contents);
  records_free(&table->pages);
}

static const uint32_t *page_numbers(const ComponentTable *table, uint32_t id) {
  return (const uint32_t *)(const void *)records_at(&table->contents, id);
}

// The bytes of a page that belong to the content.
static size_t bytes_of_page(const ComponentTable *table, size_t page) {
  assert(page < table->page_count);
  size_t start = page * table->page_bytes;
  return table->bytes - start < table->page_bytes ? table->bytes - start : table->page_bytes;
}

static uint32_t insert_page(ComponentTable *table, const uint8_t *content, size_t page) {
  bool is_new;
  size_t bytes = bytes_of_page(table, page);
  if (bytes == table->page_bytes) return records_insert(&table->pages, content + page * table->page_bytes, &is_new);
  memcpy(table->last, content + page * table->page_bytes, bytes);
  return records_insert(&table->pages, table->last, &is_new);
}

uint32_t component_insert(ComponentTable *table, const uint8_t *content, uint32_t like) {
  assert(like == NO_CONTENT || like < table->contents.count);
  bool is_new;
  if (!table->page_bytes) {
    bool same = like != NO_CONTENT && memcmp(records_at(&table->contents, like), content, table->bytes) == 0;
    return same ? like : records_insert(&table->contents, content, &is_new);
  }
  const uint32_t *known = like == NO_CONTENT ? NULL : page_numbers(table, like);
  bool same = known != NULL;
  for (size_t page = 0; page < table->page_count; page++) {
    const uint8_t *here = content + page * table->page_bytes;
    if (known && memcmp(records_at(&table->pages, known[page]), here, bytes_of_page(table, page)) == 0) {
      table->numbers[page] = known[page];
      continue;
    }
    table->numbers[page] = insert_page(table, content, page);
    same = false;
  }
  return same ? like : records_insert(&table->contents, table->numbers, &is_new);
}

void component_load(const ComponentTable *table, uint32_t id, uint32_t from, uint8_t *content) {
  assert(id < table->contents.count && (from == NO_CONTENT || from < table->contents.count));
  if (id == from) return;
  if (!table->page_bytes) {
    memcpy(content, records_at(&table->contents, id), table->bytes);
    return;
  }
  const uint32_t *wanted = page_numbers(table, id), *there = from == NO_CONTENT ? NULL : page_numbers(table, from);
  for (size_t page = 0; page < table->page_count; page++)
    if (!there || there[page] != wanted[page])
      memcpy(content + page * table->page_bytes, records_at(&table->pages, wanted[page]), bytes_of_page(table, page));
}

// --- states ---

void store_init(StateStore *store, const uint32_t *component_sizes, size_t component_count, Account *account) {
  assert(component_count > 0);
  *store = (StateStore){.component_count = component_count, .account = account};
  store->components = memory_allocate(account, component_count * sizeof(ComponentTable));
  for (size_t c = 0; c < component_count; c++) component_init(&store->components[c], component_sizes[c], account);
  store->tuple_bytes = component_count * sizeof(uint32_t);
  records_init(&store->states, store->tuple_bytes, sizeof(StateNote), account);
}

void store_free(StateStore *store) {
  for (size_t c = 0; c < store->component_count; c++) component_free(&store->components[c]);
  memory_free(store->account, store->components, store->component_count * sizeof(ComponentTable));
  records_free(&store->states);
}

size_t store_memory(const StateStore *store) {
  size_t bytes = records_memory(&store->states);
  for (size_t c = 0; c < store->component_count; c++)
    bytes += records_memory(&store->components[c].contents) + records_memory(&store->components[c].pages);
  return bytes;
}
