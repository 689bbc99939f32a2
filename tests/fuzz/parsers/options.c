// Command lines: a line each for the words, the first byte says of which command.
#include "fuzz/parsers/target.h"

#include "bench/bench_options.h"
#include "cli/options/options.h"

enum { MOST_WORDS = 64 };

static int split(Text *text, char **words) {
  int count = 0;
  for (char *at = text->data; count < MOST_WORDS && at < text->data + text->length; count++) {
    size_t length = strcspn(at, "\n");
    words[count] = at;
    at[length] = '\0';
    at += length + 1;
  }
  return count;
}

static void parse(Command command, int count, char **words, Text *error) {
  Options options;
  target_judge(options_parse(&options, command, count, words, error), error);
  options_free(&options);
}

static void parse_bench(int count, char **words, Text *error) {
  BenchOptions options;
  target_judge(bench_options_parse(&options, count, words, error), error);
  bench_options_free(&options);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const Command commands[] = {COMMAND_CHECK, COMMAND_REPLAY, COMMAND_SHOW, COMMAND_VALIDATE};
  if (size == 0) return 0;
  Text text, error;
  target_text(data + 1, size - 1, &text);
  text_init(&error, NULL);
  char *words[MOST_WORDS];
  int count = split(&text, words);
  if (data[0] % 5 < 4)
    parse(commands[data[0] % 5], count, words, &error);
  else
    parse_bench(count, words, &error);
  text_free(&error);
  text_free(&text);
  return 0;
}
