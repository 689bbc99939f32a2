// Files of results of a bench.
#include "fuzz/parsers/target.h"

#include "bench/csv.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Text text, error;
  target_text(data, size, &text);
  text_init(&error, NULL);
  Arena arena;
  arena_init(&arena, NULL);
  BenchRowVector rows = {0};
  size_t complete = 0;
  target_judge(csv_parse(&rows, &arena, text.data, text.length, "label", &complete, &error), &error);
  if (complete > text.length) abort();
  BenchRowVector_free(&rows);
  arena_free(&arena);
  text_free(&error);
  text_free(&text);
  return 0;
}
