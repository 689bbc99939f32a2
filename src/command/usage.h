// The lines of `--help`: names at the left, what they mean at the right.
#ifndef HEDDLE_COMMAND_USAGE_H
#define HEDDLE_COMMAND_USAGE_H

#include "base/text.h"
#include "command/option.h"

enum { USAGE_COLUMN = 30 }; // where the right part begins

// Adds words from column `indent` on, in lines of at most 100 columns.
void usage_wrapped(Text *out, size_t indent, const char *words);
void usage_item(const char *name, const char *summary, Text *out);
void usage_option(const OptionRow *row, Text *out);
void usage_describe(const OptionRow *row, Text *help); // what an option means, with its default

#endif
