#include "command/option.h"

#include "command/limits.h"
#include "command/spelling.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- finding an option ---

static void complain_unknown(const OptionReader *reader, const char *name, Text *error) {
  Spelling spelling;
  spelling_init(&spelling, name);
  for (size_t i = 0; i < reader->count; i++)
    if (reader->rows[i].commands & reader->commands) spelling_try(&spelling, reader->rows[i].name);
  spelling_try(&spelling, "help");
  spelling_try(&spelling, "version");
  text_format(error, "unknown option --%s%s", name, spelling.nearest ? "" : "; --help lists all");
  spelling_suggest(&spelling, "--", error);
}

const OptionRow *option_find(const OptionReader *reader, const char *name, Text *error) {
  assert(reader->commands != 0);
  for (size_t i = 0; i < reader->count; i++)
    if (strcmp(reader->rows[i].name, name) == 0 && reader->rows[i].commands & reader->commands) return &reader->rows[i];
  complain_unknown(reader, name, error);
  return NULL;
}

// --- values ---

static bool is_alternative(const char *alternatives, const char *value) {
  size_t length = strlen(value);
  for (const char *start = alternatives; length && start; start = strchr(start, '|')) {
    if (*start == '|') start++;
    if (strncmp(start, value, length) == 0 && (start[length] == '|' || start[length] == '\0')) return true;
  }
  return false;
}

static bool parse_integer(const char *text, long *value) {
  if (text[0] < '0' || text[0] > '9') return false;
  char *end;
  errno = 0;
  long number = strtol(text, &end, 10);
  if (*end || errno) return false;
  *value = number;
  return true;
}

static void complain_value(const OptionRow *row, const char *wanted, const char *value, Text *error) {
  text_format(error, "--%s wants %s, not '%s'", row->name, wanted, value);
  if (row->type != OPTION_CHOICE) return;
  Spelling spelling;
  Text nearest;
  text_init(&nearest, NULL);
  spelling_init(&spelling, value);
  spelling_try_alternatives(&spelling, row->argument, &nearest);
  spelling_suggest(&spelling, "", error);
  text_free(&nearest);
}

// A row whose argument ends in |none may have no limit.
static bool parse_duration(const OptionRow *row, const char *value, double *seconds) {
  bool none = strstr(row->argument, "|none") && (strcmp(value, "none") == 0 || strcmp(value, "0") == 0);
  if (none) *seconds = 0;
  return none || limits_parse_duration(value, seconds);
}

bool option_set(const OptionReader *reader, const OptionRow *row, const char *value, Text *error) {
  assert(row >= reader->rows && row < reader->rows + reader->count);
  assert(value || row->type == OPTION_FLAG || row->type == OPTION_NUMBER);
  char *field = (char *)reader->values + row->offset;
  const char *wanted = NULL;
  switch (row->type) {
  case OPTION_FLAG: *(long *)field = 1; break;
  case OPTION_STRING:
  case OPTION_WORDS: *(const char **)field = value; break;
  case OPTION_INT:
    if (!parse_integer(value, (long *)field)) wanted = "a whole number that is not negative";
    break;
  case OPTION_NUMBER:
    *(long *)field = OPTION_ANY_NUMBER;
    if (value && (!parse_integer(value, (long *)field) || *(long *)field == 0)) wanted = "a whole number from 1 on";
    break;
  case OPTION_CHOICE:
    if (!strchr(row->argument, '|') || is_alternative(row->argument, value))
      *(const char **)field = value;
    else
      wanted = row->argument;
    break;
  case OPTION_DURATION:
    if (!parse_duration(row, value, (double *)field)) wanted = "a time such as 500ms, 30s, 5m or 1h";
    break;
  case OPTION_SIZE:
    if (!limits_parse_size(value, (size_t *)field)) wanted = "a size such as 512MB or 4GB";
    break;
  case OPTION_LIST: StringVector_push((StringVector *)field, value); break;
  }
  if (wanted) complain_value(row, wanted, value, error);
  return !wanted;
}

bool option_read(OptionReader *reader, int argc, char **argv, int *index, Text *error) {
  assert(*index < argc && argv[*index][0] == '-' && reader->count <= 64);
  const char *argument = argv[*index];
  char name[64];
  const char *equals = NULL;
  if (argument[1] == '-') {
    equals = strchr(argument, '=');
    size_t length = equals ? (size_t)(equals - argument - 2) : strlen(argument + 2);
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), argument + 2);
  } else if (strcmp(argument, "-o") == 0) {
    snprintf(name, sizeof name, "output");
  } else if (strcmp(argument, "-p") == 0) {
    snprintf(name, sizeof name, "project");
  } else if (strcmp(argument, "-h") == 0) {
    snprintf(name, sizeof name, "help");
  } else {
    text_format(error, "unknown option %s; --help lists all (what is passed on follows --)", argument);
    return false;
  }
  if (strcmp(name, "help") == 0) {
    reader->help = true;
    return true;
  }
  const OptionRow *row = option_find(reader, name, error);
  if (!row) return false;
  reader->given |= UINT64_C(1) << (row - reader->rows);
  if (row->type == OPTION_FLAG) {
    if (equals) text_format(error, "--%s takes no value", row->name);
    return !equals && option_set(reader, row, NULL, error);
  }
  const char *following = *index + 1 < argc ? argv[*index + 1] : NULL;
  bool left_out = row->type == OPTION_NUMBER && !equals && (!following || *following < '0' || *following > '9');
  if (left_out) return option_set(reader, row, NULL, error);
  const char *value = equals ? equals + 1 : following;
  if (!equals && following) ++*index;
  if (!value || (!*value && row->type != OPTION_WORDS)) {
    text_format(error, "--%s wants a value (%s)", row->name, row->argument);
    return false;
  }
  return option_set(reader, row, value, error);
}
