// Tries: persistent maps from 32-bit keys to 32-bit values other than 0.
//
// A map is a number into a table; maps are never changed, and share what they have in common: one more entry costs a
// few nodes of 16 bytes. Equal maps have equal numbers, so two maps are compared in the time that their difference
// takes. (Patricia trees, most significant bit first, whose nodes are interned.) What is in a table stays until it is
// freed.
#ifndef HEDDLE_BASE_TRIE_H
#define HEDDLE_BASE_TRIE_H

#include "base/vector.h"

typedef uint32_t Trie;
enum { TRIE_EMPTY = 0 };

typedef struct TrieNode {
  uint32_t key;         // of a leaf; of a branch: what its keys have in common above `bit`
  uint32_t bit;         // the one in which the two sides differ; 0: a leaf
  uint32_t left, right; // keys without and with that bit; of a leaf: its value, and 0
} TrieNode;
VECTOR(TrieNodeVector, TrieNode);

typedef struct TrieEntry {
  uint32_t key, value;
} TrieEntry;
VECTOR(TrieEntryVector, TrieEntry);

typedef struct TrieTable {
  TrieNodeVector nodes; // the first stands for the empty map
  U32Vector slots;      // of the hash table: nodes; 0: free
} TrieTable;

void trie_table_init(TrieTable *table, Account *account);
void trie_table_free(TrieTable *table);
static inline size_t trie_count(const TrieTable *table) { return table->nodes.count; }

uint32_t trie_get(const TrieTable *table, Trie trie, uint32_t key);       // 0: it has none
Trie trie_put(TrieTable *table, Trie trie, uint32_t key, uint32_t value); // 0: takes the key out
// The same for many keys at once, which are in ascending order, each once.
Trie trie_put_all(TrieTable *table, Trie trie, const TrieEntry *entries, size_t count);
typedef void (*TrieVisit)(void *context, uint32_t key, uint32_t a, uint32_t b); // may add to the table
// Calls `visit` for every key whose value is not the same in both, with its values, in the order of keys.
void trie_compare(const TrieTable *table, Trie a, Trie b, TrieVisit visit, void *context);

#endif
