// Tries against plain arrays: what is in them, that equal maps are the same, and what comparing two of them shows.
#include "base/trie.h"

#include "base/map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { KEYS = 90, ROUNDS = 300 };

typedef struct Plain {
  uint32_t values[KEYS];
} Plain;

static uint32_t draw(uint64_t *seed, uint32_t limit) {
  *seed = hash_mix(*seed + 1);
  return (uint32_t)(*seed >> 33) % limit;
}

// Keys that are close together, far apart, and the largest one.
static uint32_t key_at(uint32_t i) { return i < KEYS / 3 ? i : i < KEYS - 1 ? i * UINT32_C(40503001) : UINT32_MAX; }

static Trie make(TrieTable *table, Plain *plain, uint64_t *seed) {
  Trie trie = TRIE_EMPTY;
  *plain = (Plain){0};
  for (unsigned i = 0, steps = draw(seed, 2 * KEYS); i < steps; i++) {
    uint32_t k = draw(seed, KEYS), value = draw(seed, 3);
    plain->values[k] = value;
    trie = trie_put(table, trie, key_at(k), value);
  }
  return trie;
}

static void expect_same(const TrieTable *table, Trie trie, const Plain *plain) {
  for (uint32_t k = 0; k < KEYS; k++) assert_int_equal(trie_get(table, trie, key_at(k)), plain->values[k]);
}

static void test_against_arrays(void **state) {
  (void)state;
  Account account = {0};
  TrieTable table;
  trie_table_init(&table, &account);
  uint64_t seed = 7;
  for (unsigned round = 0; round < ROUNDS; round++) {
    Plain plain, again;
    Trie trie = make(&table, &plain, &seed), other = make(&table, &again, &seed);
    expect_same(&table, trie, &plain);
    // The same entries in another order are the same map; those of `other` leave.
    for (uint32_t k = KEYS; k-- > 0;) other = trie_put(&table, other, key_at(k), plain.values[k]);
    assert_int_equal(other, trie);
    for (uint32_t k = 0; k < KEYS; k++) other = trie_put(&table, other, key_at(k), 0);
    assert_int_equal(other, TRIE_EMPTY);
  }
  trie_table_free(&table);
  assert_int_equal(account.bytes, 0);
}

static int compare_entries(const void *a, const void *b) {
  uint32_t x = ((const TrieEntry *)a)->key, y = ((const TrieEntry *)b)->key;
  return x < y ? -1 : x > y;
}

static void test_many_at_once(void **state) {
  (void)state;
  Account account = {0};
  TrieTable table;
  trie_table_init(&table, &account);
  uint64_t seed = 11;
  for (unsigned round = 0; round < ROUNDS; round++) {
    Plain plain;
    Trie trie = make(&table, &plain, &seed), one_by_one = trie;
    TrieEntry entries[KEYS];
    size_t count = 0;
    for (uint32_t k = 0; k < KEYS; k++) {
      if (draw(&seed, 3) == 0) continue;
      entries[count++] = (TrieEntry){.key = key_at(k), .value = draw(&seed, 3)};
      one_by_one = trie_put(&table, one_by_one, key_at(k), entries[count - 1].value);
    }
    qsort(entries, count, sizeof *entries, compare_entries);
    assert_int_equal(trie_put_all(&table, trie, entries, count), one_by_one);
  }
  trie_table_free(&table);
  assert_int_equal(account.bytes, 0);
}

typedef struct Seen {
  uint32_t last;
  unsigned count;
  Plain a, b;
} Seen;

static void see(void *context, uint32_t key, uint32_t a, uint32_t b) {
  Seen *seen = context;
  assert_true(seen->count == 0 || key > seen->last);
  assert_int_not_equal(a, b);
  seen->last = key;
  seen->count++;
  for (uint32_t k = 0; k < KEYS; k++) {
    if (key_at(k) != key) continue;
    seen->a.values[k] = a;
    seen->b.values[k] = b;
  }
}

static void test_compare(void **state) {
  (void)state;
  Account account = {0};
  TrieTable table;
  trie_table_init(&table, &account);
  uint64_t seed = 3;
  for (unsigned round = 0; round < ROUNDS; round++) {
    Plain a, b;
    Trie x = make(&table, &a, &seed), y = make(&table, &b, &seed);
    if (round % 3 == 0) { // mostly the same
      y = trie_put(&table, x, key_at(5), 9);
      b = a;
      b.values[5] = 9;
    }
    Seen seen = {0};
    trie_compare(&table, x, y, see, &seen);
    unsigned different = 0;
    for (uint32_t k = 0; k < KEYS; k++) {
      bool differs = a.values[k] != b.values[k];
      different += differs;
      assert_int_equal(seen.a.values[k], differs ? a.values[k] : 0);
      assert_int_equal(seen.b.values[k], differs ? b.values[k] : 0);
    }
    assert_int_equal(seen.count, different);
  }
  trie_table_free(&table);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_arrays), cmocka_unit_test(test_many_at_once),
                                     cmocka_unit_test(test_compare)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
