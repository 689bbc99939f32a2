// Task definitions of a bench.
#include "fuzz/parsers/target.h"

#include "bench/task.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Text error;
  text_init(&error, NULL);
  Arena arena;
  arena_init(&arena, NULL);
  Task task;
  target_judge(task_parse(&task, &arena, "folder/task.yml", (const char *)data, size, &error), &error);
  task_free(&task);
  arena_free(&arena);
  text_free(&error);
  return 0;
}
