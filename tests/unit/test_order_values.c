// Values: copies that share pages, differences, and random copies against plain arrays.
#include "order/unroll/event_values.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_copy_on_write(void **state) {
  (void)state;
  Account account = {.room = "order"};
  enum { SIZE = 3 * PAGE_SIZE + 5 };
  Values a, b;
  values_init(&a, SIZE, &account);
  assert_int_equal(values_get(&a, SIZE - 1), TERM_NONE);
  values_set(&a, 1, 11);
  values_set(&a, SIZE - 1, 12);
  values_copy(&b, &a);
  size_t shared = account.bytes;
  values_set(&b, 1, 11); // what is there already is no change
  values_set(&b, PAGE_SIZE, TERM_NONE);
  assert_int_equal(account.bytes, shared);
  assert_int_equal(values_next_difference(&a, &b, 0), UINT32_MAX);
  values_set(&b, 1, 13); // one page of its own, the other stays shared
  assert_int_equal(account.bytes, shared + sizeof(Page));
  assert_int_equal(values_get(&a, 1), 11);
  assert_int_equal(values_get(&b, 1), 13);
  values_set(&b, 2, 14); // already its own
  assert_int_equal(account.bytes, shared + sizeof(Page));
  values_set(&b, PAGE_SIZE, 15);
  assert_int_equal(values_next_difference(&a, &b, 0), 1);
  assert_int_equal(values_next_difference(&a, &b, 2), 2);
  assert_int_equal(values_next_difference(&b, &a, 3), PAGE_SIZE);
  assert_int_equal(values_next_difference(&a, &b, PAGE_SIZE + 1), UINT32_MAX);
  values_free(&a);
  assert_int_equal(values_get(&b, SIZE - 1), 12); // outlives the original
  values_free(&b);
  assert_int_equal(account.bytes, 0);
}

static void test_empty(void **state) {
  (void)state;
  Account account = {.room = "order"};
  Values none, copy;
  values_init(&none, 0, &account);
  values_copy(&copy, &none);
  assert_int_equal(values_next_difference(&none, &copy, 0), UINT32_MAX);
  values_free(&none);
  values_free(&copy);
  assert_int_equal(account.bytes, 0);
}

static uint32_t random_below(uint64_t *seed, uint32_t limit) {
  *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(*seed >> 33) % limit;
}

enum { COPIES = 5, LENGTH = 2 * PAGE_SIZE + 7 };

static uint32_t plain_difference(const Term *a, const Term *b, uint32_t from) {
  for (uint32_t i = from; i < LENGTH; i++)
    if (a[i] != b[i]) return i;
  return UINT32_MAX;
}

static void test_random_copies(void **state) {
  (void)state;
  Account account = {.room = "order"};
  Values values[COPIES];
  Term plain[COPIES][LENGTH] = {0};
  uint64_t seed = 3;
  for (unsigned i = 0; i < COPIES; i++) values_init(&values[i], LENGTH, &account);
  for (unsigned step = 0; step < 20000; step++) {
    unsigned a = random_below(&seed, COPIES), b = random_below(&seed, COPIES);
    uint32_t index = random_below(&seed, LENGTH);
    if (random_below(&seed, 8) == 0 && a != b) {
      values_free(&values[a]);
      values_copy(&values[a], &values[b]);
      memcpy(plain[a], plain[b], sizeof plain[a]);
    } else {
      Term value = random_below(&seed, 4);
      values_set(&values[a], index, value);
      plain[a][index] = value;
    }
    index = random_below(&seed, LENGTH);
    assert_int_equal(values_get(&values[b], index), plain[b][index]);
    assert_int_equal(values_next_difference(&values[a], &values[b], index),
                     plain_difference(plain[a], plain[b], index));
  }
  for (unsigned i = 0; i < COPIES; i++) values_free(&values[i]);
  assert_int_equal(account.bytes, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_copy_on_write),
      cmocka_unit_test(test_empty),
      cmocka_unit_test(test_random_copies),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
