// Compilation databases, and the options in them.
#include "fuzz/parsers/target.h"

#include "cli/options/compile_commands.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Text text, error;
  target_text(data, size, &text);
  text_init(&error, NULL);
  Arena arena;
  arena_init(&arena, NULL);
  CompileEntryVector entries = {0};
  bool good = compile_commands_parse(&entries, "database/compile_commands.json", &text, &arena, &error);
  target_judge(good, &error);
  for (size_t i = 0; i < entries.count; i++) {
    CompileOptions options;
    text_clear(&error);
    good = compile_options_of(&entries.data[i], &options, &arena, &error);
    target_judge(good, &error);
    if (good) StringVector_free(&options.kept);
  }
  compile_commands_free(&entries);
  arena_free(&arena);
  text_free(&error);
  text_free(&text);
  return 0;
}
