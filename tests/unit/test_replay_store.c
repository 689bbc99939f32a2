// The store of visited states: contents of components, whole and in pages, are told apart exactly and come back as they
// were.
#include "explicit/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static uint64_t next_random(uint64_t *seed) {
  *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return *seed >> 33;
}

enum { STEPS = 3000, KEPT = 400 };

// Walks through contents that differ in few bytes, and compares with a list of all that were met.
static void check_component(uint32_t bytes, bool paged) {
  Account account = {.room = "test"};
  StateStore store;
  store_init(&store, &bytes, 1, &account);
  ComponentTable *table = &store.components[0];
  assert_int_equal(table->page_bytes != 0, paged);
  uint8_t *all = memory_allocate_zeroed(NULL, (size_t)KEPT * bytes), *now = memory_allocate_zeroed(NULL, bytes);
  uint32_t count = 0, like = NO_CONTENT;
  uint64_t seed = bytes;
  for (unsigned step = 0; step < STEPS; step++) {
    uint32_t known = 0;
    while (known < count && memcmp(all + (size_t)known * bytes, now, bytes) != 0) known++;
    uint32_t id = component_insert(table, now, next_random(&seed) % 8 ? like : NO_CONTENT);
    assert_int_equal(id, known); // ids are given in the order of insertion
    if (known == count && count < KEPT) memcpy(all + (size_t)count++ * bytes, now, bytes);
    if (count == KEPT) break;
    like = id;
    if (next_random(&seed) % 4 == 0) { // back to one met before
      uint32_t back = (uint32_t)(next_random(&seed) % count);
      component_load(table, back, next_random(&seed) % 2 ? id : NO_CONTENT, now);
      assert_memory_equal(now, all + (size_t)back * bytes, bytes);
      like = back;
    }
    for (uint64_t n = next_random(&seed) % 3; n > 0; n--)
      now[next_random(&seed) % bytes] = (uint8_t)(next_random(&seed) % 2);
  }
  assert_true(count > KEPT / 2);
  assert_int_equal(table->contents.count, count);
  memory_free(NULL, all, (size_t)KEPT * bytes);
  memory_free(NULL, now, bytes);
  store_free(&store);
  assert_int_equal(account.bytes, 0);
}

static void test_contents_are_told_apart(void **state) {
  (void)state;
  check_component(8, false);
  check_component(1024, false);
  check_component(1032, true);
  check_component(5000, true);
  check_component(65536, true);
}

// A large content that changes in one place costs little more than its tuple of pages.
static void test_pages_save_memory(void **state) {
  (void)state;
  enum { BYTES = 1 << 18, CONTENTS = 200 };
  uint32_t bytes = BYTES;
  StateStore store;
  store_init(&store, &bytes, 1, NULL);
  uint8_t *content = memory_allocate_zeroed(NULL, BYTES);
  uint32_t last = NO_CONTENT;
  for (unsigned i = 0; i < CONTENTS; i++) {
    content[(i * 977) % BYTES]++;
    last = component_insert(&store.components[0], content, last);
  }
  assert_int_equal(store.components[0].contents.count, CONTENTS);
  assert_true(store_memory(&store) < (size_t)CONTENTS * BYTES / 10);
  memory_free(NULL, content, BYTES);
  store_free(&store);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_contents_are_told_apart),
      cmocka_unit_test(test_pages_save_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
