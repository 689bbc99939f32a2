#include "bench/bench_help.h"

#include "command/usage.h"

static void print_options(BenchCommand command, Text *out) {
  for (size_t i = 0; i < bench_option_row_count; i++)
    if (bench_option_rows[i].commands & command) usage_option(&bench_option_rows[i], out);
}

void bench_help_print(BenchCommand command, Text *out) {
  const BenchCommandRow *row = bench_command_row(command);
  text_format(out, "usage: heddle %s %s\n", row->name, row->synopsis);
  for (size_t i = 1; command == BENCH_RUN && i < BENCH_COMMAND_COUNT; i++)
    text_format(out, "       heddle %s %s\n", bench_command_rows[i].name, bench_command_rows[i].synopsis);
  text_add_char(out, '\n');
  usage_wrapped(out, 0, row->description);
  text_add(out, "\noptions:\n");
  print_options(command, out);
  usage_item("--help", "print this", out);
  text_add_char(out, '\n');
  Text line;
  text_init(&line, NULL);
  text_format(&line, "exit status: %s", row->statuses);
  usage_wrapped(out, 0, line.data);
  text_free(&line);
}
