// What the user may try if an answer is UNKNOWN.
#include "verdict/verdict.h"

#include <assert.h>

const char *cut_hint(CutKind kind) {
  static const char *const hints[] = {
      [CUT_THREADS] = "a larger --threads-limit",
      [CUT_HEAP] = "a program that allocates fewer blocks in its loops",
      [CUT_RECURSION] = "a program with less recursion",
      [CUT_BLOCK] = "smaller blocks, or sizes that are constant",
      [CUT_SIZE] = "smaller objects, or sizes that are constant",
      [CUT_ARGUMENTS] = "--args, which fixes the command line",
      [CUT_ENVIRONMENT] = "--env, which fixes the environment",
      [CUT_CALLS] = "a main function around the part in question: heddle check PART.c MAIN.c STUBS.c",
      [CUT_UNDEFINED] = "a program that initialises what is named",
      [CUT_CONSTRUCT] = "another --engine, or stubs for what is named: heddle check FILE.c STUBS.c",
      [CUT_INPUT] = "an assumption that confines the input, an initialiser, --args or --env, or a larger --input-bits",
      [CUT_UNWINDING] = "a larger --unwind",
      [CUT_SEARCH] = "another --engine",
  };
  _Static_assert(sizeof hints / sizeof *hints == CUT_KIND_COUNT, "a hint for each kind of cut");
  assert(kind < CUT_KIND_COUNT && hints[kind]);
  return hints[kind];
}

static const char *reason_hint(ReasonKind kind) {
  static const char *const hints[] = {
#define X(name, text, failure, try) try,
      REASON_KINDS(X)
#undef X
  };
  assert(kind < REASON_KIND_COUNT);
  return hints[kind];
}

// Does Heddle itself raise the limit of this kind as long as there is time?
static bool grows(CutKind kind) {
  return kind == CUT_THREADS || kind == CUT_HEAP || kind == CUT_BLOCK || kind == CUT_RECURSION || kind == CUT_UNWINDING;
}

void result_add_hint(const Result *result, Text *out) {
  if (result->answer != ANSWER_UNKNOWN) return;
  const char *first = reason_hint(result->why);
  if (result->why == REASON_CUT && result->cuts.count > 0) first = cut_hint(result->cuts.data[0].kind);
  if (first) text_add(out, first);
  bool searched = result->why == REASON_TIME || result->why == REASON_MEMORY;
  if (searched && result->assumptions >> ASSUME_PROGRAM_NAME & 1) {
    text_format(out, "; or %s", cut_hint(CUT_ARGUMENTS)); // every text of the command line is tried
    return;
  }
  // If a second kind of limit was met, the first hint alone may not be enough.
  for (size_t i = 0; first && i < result->cuts.count; i++) {
    const char *other = cut_hint(result->cuts.data[i].kind);
    if (strcmp(other, first) == 0 || (result->why == REASON_TIME && grows(result->cuts.data[i].kind))) continue;
    text_format(out, "; or %s", other);
    return;
  }
}

void result_add_reason(const Result *result, Text *out) {
  text_add(out, result->reason.data);
  Text hint;
  text_init(&hint, result->account);
  result_add_hint(result, &hint);
  if (hint.length) text_format(out, "; try %s", hint.data);
  text_free(&hint);
}
