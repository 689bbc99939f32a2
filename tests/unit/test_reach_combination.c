// The table of combinations: what is in it is taken, what is not is refused with a reason, and `auto` means something.
#include "reach/combination.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static EngineOptions options_of(const char *domain, const char *block, const char *reduction, const char *search) {
  return (EngineOptions){.domain = domain, .block = block, .reduction = reduction, .search = search};
}

static void test_rows(void **state) {
  (void)state;
  Account account = {0};
  Text error;
  text_init(&error, &account);
  for (size_t i = 0; i < combination_count; i++) {
    const Combination *row = &combinations[i];
    assert_non_null(row->blocks[0]);
    assert_non_null(row->reductions[0]);
    for (const char *const *block = row->blocks; *block; block++)
      for (const char *const *reduction = row->reductions; *reduction; reduction++) {
        EngineOptions options = options_of(row->domain, *block, *reduction, "auto");
        assert_true(combination_resolve(&options, &error));
        assert_string_equal(options.block, *block);
        assert_string_equal(options.reduction, *reduction);
        assert_string_equal(options.search, row->searches[0] ? row->searches[0] : "auto");
      }
  }
  assert_int_equal(error.length, 0);
  text_free(&error);
}

static void test_automatic(void **state) {
  (void)state;
  Account account = {0};
  Text error;
  text_init(&error, &account);
  EngineOptions options = options_of("label", "auto", "auto", "auto");
  assert_true(combination_resolve(&options, &error));
  assert_string_equal(options.block, "large");
  assert_string_equal(options.reduction, "monotone");
  assert_string_equal(options.search, "dfs");
  text_free(&error);
}

static void refuse(EngineOptions options, const char *reason) {
  Account account = {0};
  Text error;
  text_init(&error, &account);
  assert_false(combination_resolve(&options, &error));
  assert_string_equal(error.data, reason);
  text_free(&error);
}

static void test_refused(void **state) {
  (void)state;
  refuse(options_of("none", "auto", "auto", "auto"), "reach has no --domain none");
  refuse(options_of("explicit", "whole", "auto", "auto"),
         "--domain explicit does not go with --block whole; it goes with --block auto, large, single");
  refuse(options_of("label", "large", "sleep", "auto"),
         "--domain label does not go with --reduction sleep; it goes with "
         "--reduction auto, monotone, none, local, persistent, aware");
  refuse(options_of("bdd", "large", "monotone", "auto"),
         "--domain bdd does not go with --reduction monotone; it goes with --reduction auto, persistent, none, local");
  refuse(options_of("label", "large", "local", "random"),
         "--domain label does not go with --search random; it goes with --search auto, dfs, bfs");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rows),
      cmocka_unit_test(test_automatic),
      cmocka_unit_test(test_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
