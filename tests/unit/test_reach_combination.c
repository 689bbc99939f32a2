// The table of combinations: what is in it is taken, what is not is refused with a reason, and `auto` means something.
// The tables of names: every word of an option that the command line accepts has a value.
#include "reach/combination.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static ReachChoice choice_of(const char *domain, const char *block, const char *reduction, const char *search) {
  EngineOptions options = {.domain = domain, .block = block, .reduction = reduction, .search = search};
  return reach_choice(&options);
}

static void test_rows(void **state) {
  (void)state;
  Account account = {0};
  Text error;
  text_init(&error, &account);
  for (size_t i = 0; i < combination_count; i++) {
    const Combination *row = &combinations[i];
    assert_int_not_equal(row->blocks[0], BLOCK_OPTION_AUTO);
    assert_int_not_equal(row->reductions[0], REDUCTION_OPTION_AUTO);
    for (const unsigned *block = row->blocks; *block; block++)
      for (const unsigned *reduction = row->reductions; *reduction; reduction++) {
        ReachChoice choice = {.domain = row->domain, .block = *block, .reduction = *reduction};
        assert_true(combination_resolve(&choice, &error));
        assert_int_equal(choice.block, *block);
        assert_int_equal(choice.reduction, *reduction);
        assert_int_equal(choice.search, row->searches[0]);
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
  ReachChoice choice = choice_of("label", "auto", "auto", "auto");
  assert_true(combination_resolve(&choice, &error));
  assert_int_equal(choice.block, BLOCK_OPTION_LARGE);
  assert_int_equal(choice.reduction, REDUCTION_OPTION_MONOTONE);
  assert_int_equal(choice.search, SEARCH_OPTION_DFS);
  text_free(&error);
}

static void refuse(ReachChoice choice, const char *reason) {
  Account account = {0};
  Text error;
  text_init(&error, &account);
  assert_false(combination_resolve(&choice, &error));
  assert_string_equal(error.data, reason);
  text_free(&error);
}

static void test_refused(void **state) {
  (void)state;
  refuse(choice_of("explicit", "whole", "auto", "auto"),
         "--domain explicit does not go with --block whole; it goes with --block auto, large, single");
  refuse(choice_of("label", "large", "sleep", "auto"),
         "--domain label does not go with --reduction sleep; it goes with "
         "--reduction auto, monotone, none, local, persistent, aware");
  refuse(choice_of("bdd", "large", "monotone", "auto"),
         "--domain bdd does not go with --reduction monotone; it goes with --reduction auto, persistent, none, local");
  refuse(choice_of("label", "large", "local", "random"),
         "--domain label does not go with --search random; it goes with --search auto, dfs, bfs");
}

// `words` is the argument of an option in ENGINE_OPTIONS, with | between the words.
static void expect_names(const char *option, const char *words, const char *wanted, NameTable names) {
  if (strcmp(option, wanted) != 0) return;
  char text[128];
  assert_true(strlen(words) < sizeof text);
  strcpy(text, words);
  size_t count = 0;
  for (char *word = strtok(text, "|"); word; word = strtok(NULL, "|"), count++)
    assert_string_equal(name_of(names, name_parse(names, word)), word);
  assert_int_equal(count, names.count);
}

static void test_names(void **state) {
  (void)state;
#define X(field, type, name, argument, fallback, help)                                                                 \
  expect_names(name, argument, "domain", domain_names);                                                                \
  expect_names(name, argument, "block", block_names);                                                                  \
  expect_names(name, argument, "reduction", reduction_names);                                                          \
  expect_names(name, argument, "search", search_names);
  ENGINE_OPTIONS(X)
#undef X
}

// --domain and --block select the domain together.
static void test_domain(void **state) {
  (void)state;
  ReachChoice loop = choice_of("predicate", "loop", "auto", "auto"),
              whole = choice_of("predicate", "whole", "auto", "auto");
  ReachChoice large = choice_of("predicate", "large", "auto", "auto"), path = choice_of("path", "auto", "auto", "auto");
  assert_int_equal(reach_domain(&loop), DOMAIN_BLOCKS);
  assert_int_equal(reach_domain(&whole), DOMAIN_PATH);
  assert_int_equal(reach_domain(&large), DOMAIN_PREDICATE);
  assert_int_equal(reach_domain(&path), DOMAIN_PATH);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rows),  cmocka_unit_test(test_automatic), cmocka_unit_test(test_refused),
      cmocka_unit_test(test_names), cmocka_unit_test(test_domain),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
