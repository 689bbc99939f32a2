#include "fuzz/compare.h"

#include "fuzz/decides.h"
#include "fuzz/dice.h"
#include "fuzz/generate.h"
#include "fuzz/shrink.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

_Static_assert(sizeof(Record) <= 4096, "a record is written to a pipe in one piece");

// A failure as the shrinker keeps it: these configurations answer as they did at first.
typedef struct Symptom {
  Failure failure;
  unsigned count;
  unsigned who[2];
} Symptom;

// Reasons are the same if they are up to the first number, which may be that of a line.
static bool same_reason(const char *one, const char *other) {
  size_t length = strcspn(one, "0123456789");
  return length == strcspn(other, "0123456789") && strncmp(one, other, length) == 0; // text: the failure looks the same
}

// --- asking ---

// The checker for a program's own formula, if it has one; its text goes into `formula`.
static Checker checker_for(const Comparison *comparison, const Tree *tree, const char *source, unsigned above,
                           Text *formula) {
  Checker checker = comparison->checker;
  if (!tree->formula) return checker;
  tree_print_formula(tree, source, above, formula);
  checker.formula = formula->data;
  checker.fair = tree->fair;
  return checker;
}

static bool is_place_refused(void *context, const char *place) { return checker_refuses(context, place); }

// Not every label is reached, and a formula about a place that no step has is refused. Then the place alone is refused
// as well, and the program is not.
static void excuse(const Checker *checker, const Tree *tree, const char *source, Outcome *outcome) {
  if (outcome->answer != ANSWER_REFUSED || !checker->formula || checker_refuses(checker, "true")) return;
  if (tree_find_place(tree, source, 0, is_place_refused, (void *)checker))
    *outcome = (Outcome){.answer = ANSWER_UNKNOWN, .reason = "a place that is not there"};
}

// Not every engine decides every property.
static bool is_asked(const Checker *checker, const Configuration *configuration) {
  return !configuration->engine || engine_decides(configuration->engine, checker->formula ? "ltl" : checker->property);
}

// Which configurations are asked about this seed.
static uint64_t pick_sample(const Comparison *comparison, uint64_t seed) {
  unsigned count = comparison->all->count;
  uint64_t all = (UINT64_C(1) << count) - 1;
  if (!comparison->sample || comparison->sample + 1 >= count) return all;
  Dice dice = dice_new(~seed);
  unsigned left = comparison->sample;
  uint64_t chosen = 1;
  while (left > 0) {
    uint64_t bit = UINT64_C(1) << dice_below(&dice, count);
    if (chosen & bit) continue;
    chosen |= bit;
    left--;
  }
  return chosen;
}

static Symptom find_symptom(const Outcome *outcomes, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    Answer answer = outcomes[i].answer;
    if (answer == ANSWER_CRASHED) return (Symptom){FAILURE_CRASH, 1, {i, 0}};
    if (answer == ANSWER_REFUSED) return (Symptom){FAILURE_REFUSED, 1, {i, 0}};
  }
  // SAFE and UNSAFE contradict each other, whichever is right.
  for (unsigned i = 0; i < count; i++)
    for (unsigned j = i + 1; j < count; j++)
      if ((outcomes[i].answer == ANSWER_SAFE && outcomes[j].answer == ANSWER_UNSAFE) ||
          (outcomes[i].answer == ANSWER_UNSAFE && outcomes[j].answer == ANSWER_SAFE))
        return (Symptom){FAILURE_DISAGREEMENT, 2, {i, j}};
  return (Symptom){0};
}

static void ask_all(const Comparison *comparison, const Checker *checker, const Tree *tree, const char *source,
                    Record *record) {
  uint64_t chosen = pick_sample(comparison, record->seed);
  for (unsigned i = 0; i < comparison->all->count; i++) {
    if (!(chosen >> i & 1) || !is_asked(checker, &comparison->all->list[i])) continue;
    Outcome *outcome = &record->outcomes[i];
    checker_run(checker, &comparison->all->list[i], outcome);
    excuse(checker, tree, source, outcome);
    // Without a judge, the others would only spend their time limits. For formulas, they judge each other.
    if (i == 0 && !checker->formula && record->outcomes[0].answer == ANSWER_UNKNOWN) return;
  }
}

// --- shrinking ---

typedef struct Shrinking {
  const Comparison *comparison;
  const Symptom *symptom;
  const Record *record; // of the program as it was generated
} Shrinking;

static bool shows_symptom(void *context, const Tree *tree, const char *source) {
  const Shrinking *shrinking = context;
  const Comparison *comparison = shrinking->comparison;
  Text error, formula;
  text_init(&error, NULL);
  text_init(&formula, NULL);
  Checker checker = checker_for(comparison, tree, source, 0, &formula);
  bool shows = checker_load(&checker, source, &error);
  text_free(&error);
  for (unsigned i = 0; shows && i < shrinking->symptom->count; i++) {
    Outcome outcome;
    checker_run(&checker, &comparison->all->list[shrinking->symptom->who[i]], &outcome);
    const Outcome *wanted = &shrinking->record->outcomes[shrinking->symptom->who[i]];
    shows = outcome.answer == wanted->answer && same_reason(outcome.reason, wanted->reason);
  }
  text_free(&formula);
  return shows;
}

// --- writing down ---

static void add_answers(const Comparison *comparison, const Symptom *symptom, const Record *record, Text *text) {
  for (unsigned i = 0; i < symptom->count; i++) {
    const Outcome *outcome = &record->outcomes[symptom->who[i]];
    text_format(text, "%s%s %s", i ? ", " : "", comparison->all->list[symptom->who[i]].name,
                outcome_answer_text(outcome->answer));
    if (outcome->reason[0]) text_format(text, " (%s)", outcome->reason);
  }
}

// The program with the commands that show its failure above it. Returns the number of lines of the program.
static unsigned write_program(const Comparison *comparison, const Symptom *symptom, const Record *record,
                              const Tree *tree, const char *path) {
  Text text, source, formula;
  text_init(&text, NULL);
  text_init(&source, NULL);
  text_init(&formula, NULL);
  tree_print(tree, &source);
  Checker checker = checker_for(comparison, tree, source.data, 1 + symptom->count, &formula);
  text_format(&text, "// seed %llu: ", (unsigned long long)record->seed);
  add_answers(comparison, symptom, record, &text);
  text_add_char(&text, '\n');
  for (unsigned i = 0; i < symptom->count; i++) {
    text_add(&text, "//   ");
    checker_command(&checker, &comparison->all->list[symptom->who[i]], path, &text);
    text_add_char(&text, '\n');
  }
  text_add(&text, source.data);
  unsigned lines = 0;
  for (size_t i = 0; i < source.length; i++) lines += source.data[i] == '\n';
  if (text_write_file(&text, path) != 0) fprintf(stderr, "heddle-fuzz: %s: %s\n", path, strerror(errno));
  text_free(&text);
  text_free(&source);
  text_free(&formula);
  return lines;
}

static void report_failure(const Comparison *comparison, const Symptom *symptom, Arena *arena, Tree *tree,
                           Record *record) {
  unsigned long long seed = record->seed;
  Text message;
  text_init(&message, NULL);
  add_answers(comparison, symptom, record, &message);
  const char *original = arena_format(arena, "%s/seed-%llu.original.c", comparison->output, seed);
  const char *reduced = arena_format(arena, "%s/seed-%llu.c", comparison->output, seed);
  unsigned before = write_program(comparison, symptom, record, tree, original);
  Shrinking shrinking = {.comparison = comparison, .symptom = symptom, .record = record};
  Shrinker shrinker = {.still_fails = shows_symptom, .context = &shrinking, .seconds = comparison->shrink_seconds};
  shrink(&shrinker, arena, tree);
  unsigned after = write_program(comparison, symptom, record, tree, reduced);
  text_format(&message, "; from %u to %u lines in %u tests: %s", before, after, shrinker.tests, reduced);
  snprintf(record->message, sizeof record->message, "%s", message.data);
  text_free(&message);
}

void compare_seed(const Comparison *comparison, uint64_t seed, Record *record) {
  *record = (Record){.seed = seed};
  Arena arena;
  arena_init(&arena, NULL);
  Tree tree;
  generate(&arena, &tree, seed, comparison->size, comparison->formulas);
  Text source, error, formula;
  text_init(&source, NULL);
  text_init(&formula, NULL);
  text_init(&error, NULL);
  tree_print(&tree, &source);
  Checker checker = checker_for(comparison, &tree, source.data, 0, &formula);
  if (checker_load(&checker, source.data, &error)) {
    ask_all(comparison, &checker, &tree, source.data, record);
    Symptom symptom = find_symptom(record->outcomes, comparison->all->count);
    record->failure = symptom.failure;
    if (symptom.failure) report_failure(comparison, &symptom, &arena, &tree, record);
  } else {
    record->failure = FAILURE_BAD_PROGRAM;
    snprintf(record->message, sizeof record->message, "the program does not compile: %s", error.data);
  }
  text_free(&source);
  text_free(&error);
  text_free(&formula);
  arena_free(&arena);
}
