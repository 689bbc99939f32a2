#include "fuzz/tally.h"

#include "base/budget.h"

#include <stdlib.h>
#include <unistd.h>

enum { SHOWN_REASONS = 3 };

void tally_init(Tally *tally, const Configurations *all, unsigned wanted) {
  *tally = (Tally){.all = all, .wanted = wanted};
  ReasonVector_init(&tally->reasons, NULL);
  tally->started = tally->said = clock_now();
}

void tally_free(Tally *tally) { ReasonVector_free(&tally->reasons); }

static void count_reason(Tally *tally, unsigned configuration, const char *reason) {
  for (size_t i = 0; i < tally->reasons.count; i++) {
    ReasonCount *known = &tally->reasons.data[i];
    if (known->configuration == configuration && strcmp(known->reason, reason) == 0) { // text: counted as told
      known->count++;
      return;
    }
  }
  ReasonCount fresh = {.configuration = configuration, .count = 1};
  snprintf(fresh.reason, sizeof fresh.reason, "%s", reason);
  ReasonVector_push(&tally->reasons, fresh);
}

// On a terminal, what is printed next takes the place of the progress line.
static void wipe_progress(void) {
  if (isatty(STDERR_FILENO)) fputs("\r\033[K", stderr);
}

// The judge's; of others, that of the first that had one.
static Answer first_verdict(const Configurations *all, const Record *record) {
  for (unsigned i = 0; i < all->count; i++) {
    Answer answer = record->outcomes[i].answer;
    if (answer == ANSWER_SAFE || answer == ANSWER_UNSAFE) return answer;
  }
  return ANSWER_UNKNOWN;
}

void tally_add(Tally *tally, const Record *record) {
  tally->programs++;
  for (unsigned i = 0; i < tally->all->count; i++) {
    const Outcome *outcome = &record->outcomes[i];
    tally->answers[i][outcome->answer]++;
    tally->unconfirmed += outcome->unconfirmed;
    if (outcome->answer == ANSWER_UNKNOWN) count_reason(tally, i, outcome->reason);
  }
  Answer judged = first_verdict(tally->all, record);
  tally->safe += judged == ANSWER_SAFE;
  tally->unsafe += judged == ANSWER_UNSAFE;
  tally->undecided += judged != ANSWER_SAFE && judged != ANSWER_UNSAFE;
  if (record->failure == FAILURE_NONE) return;
  bool disagreement = record->failure == FAILURE_DISAGREEMENT;
  tally->disagreements += disagreement;
  tally->crashes += !disagreement;
  wipe_progress();
  printf("fuzz: seed %llu: %s: %s\n", (unsigned long long)record->seed, disagreement ? "disagreement" : "failure",
         record->message);
  fflush(stdout);
}

void tally_progress(Tally *tally) {
  double now = clock_now();
  bool terminal = isatty(STDERR_FILENO);
  if (now - tally->said < (terminal ? 0.2 : 30)) return;
  tally->said = now;
  double rate = tally->programs / (now - tally->started);
  fprintf(stderr, "%sfuzz: %u of %u programs, %u safe, %u unsafe, %u undecided, %.1f per second%s",
          terminal ? "\r" : "", tally->programs, tally->wanted, tally->safe, tally->unsafe, tally->undecided, rate,
          terminal ? "\033[K" : "\n");
}

static int by_count(const void *one, const void *other) {
  const ReasonCount *a = one, *b = other;
  return (a->count < b->count) - (a->count > b->count);
}

static void print_unknown(const Tally *tally, unsigned configuration, bool *first) {
  unsigned count = tally->answers[configuration][ANSWER_UNKNOWN], shown = 0;
  if (!count) return;
  printf("%s%s %u (", *first ? ", unknown: " : "; ", tally->all->list[configuration].name, count);
  *first = false;
  for (size_t i = 0; i < tally->reasons.count; i++) {
    const ReasonCount *reason = &tally->reasons.data[i];
    if (reason->configuration != configuration) continue;
    if (shown == SHOWN_REASONS) {
      printf(", ...");
      break;
    }
    printf("%s%s %u", shown++ ? ", " : "", reason->reason, reason->count);
  }
  printf(")");
}

void tally_summary(const Tally *tally) {
  wipe_progress();
  if (tally->reasons.count > 1) qsort(tally->reasons.data, tally->reasons.count, sizeof(ReasonCount), by_count);
  for (unsigned i = 0; i < tally->all->count; i++) {
    const unsigned *answers = tally->answers[i];
    printf("fuzz: %-20s %6u safe %6u unsafe %6u unknown\n", tally->all->list[i].name, answers[ANSWER_SAFE],
           answers[ANSWER_UNSAFE], answers[ANSWER_UNKNOWN]);
  }
  printf("fuzz: %u programs, %u safe, %u unsafe, %u undecided, %u disagreements, %u crashes", tally->programs,
         tally->safe, tally->unsafe, tally->undecided, tally->disagreements, tally->crashes);
  if (tally->unconfirmed) printf(", %u counterexamples not confirmed", tally->unconfirmed);
  bool first = true;
  for (unsigned i = 0; i < tally->all->count; i++) print_unknown(tally, i, &first);
  printf(", %.0f s\n", clock_now() - tally->started);
}

bool tally_failed(const Tally *tally) { return tally->disagreements || tally->crashes; }
