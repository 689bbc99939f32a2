#include "command/usage.h"

#include <assert.h>
#include <string.h>

enum { LINE_WIDTH = 100 };

void usage_wrapped(Text *out, size_t indent, const char *words) {
  assert(indent < LINE_WIDTH);
  text_pad(out, indent);
  size_t column = indent;
  while (*words) {
    size_t length = strcspn(words, " ");
    if (column > indent && column + 1 + length > LINE_WIDTH) {
      text_add_char(out, '\n');
      text_pad(out, indent);
      column = indent;
    }
    if (column > indent) text_add_char(out, ' ');
    text_add_bytes(out, words, length);
    column += length + 1;
    words += length;
    words += strspn(words, " ");
  }
  text_add_char(out, '\n');
}

void usage_describe(const OptionRow *row, Text *help) {
  text_add(help, row->help);
  if (row->fallback) text_format(help, " (default: %s)", row->fallback);
}

void usage_option(const OptionRow *row, Text *out) {
  Text help;
  text_init(&help, NULL);
  usage_describe(row, &help);
  text_format(out, "  --%s%s%s", row->name, row->argument[0] ? " " : "", row->argument);
  size_t used = 4 + strlen(row->name) + (row->argument[0] ? 1 + strlen(row->argument) : 0);
  if (used >= USAGE_COLUMN) text_add_char(out, '\n');
  usage_wrapped(out, USAGE_COLUMN, help.data);
  text_free(&help);
}

void usage_item(const char *name, const char *summary, Text *out) {
  text_format(out, "  %s", name);
  usage_wrapped(out, USAGE_COLUMN, summary);
}
