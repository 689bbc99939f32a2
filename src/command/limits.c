#include "command/limits.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

typedef struct Unit {
  const char *name;
  double factor;
} Unit;

static const Unit duration_units[] = {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"m", 60}, {"min", 60}, {"h", 3600}};
static const Unit size_units[] = {{"", 1},         {"B", 1},    {"k", 1e3},      {"kB", 1e3},    {"KiB", 0x1p10},
                                  {"M", 1e6},      {"MB", 1e6}, {"MiB", 0x1p20}, {"G", 1e9},     {"GB", 1e9},
                                  {"GiB", 0x1p30}, {"T", 1e12}, {"TB", 1e12},    {"TiB", 0x1p40}};

static bool parse(const char *text, const Unit *units, size_t count, double *value) {
  // strtod would also take blanks, signs, "inf" and hexadecimal.
  if (!isdigit((unsigned char)text[0]) || (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))) return false;
  char *end;
  double number = strtod(text, &end);
  for (size_t i = 0; i < count; i++) {
    if (strcasecmp(end, units[i].name) != 0) continue;
    *value = number * units[i].factor;
    return *value > 0;
  }
  return false;
}

bool limits_parse_duration(const char *text, double *seconds) {
  double value;
  if (!parse(text, duration_units, sizeof duration_units / sizeof *duration_units, &value)) return false;
  if (value > 1e9) return false; // thirty years: surely a mistake, and deadlines must stay exact
  *seconds = value;
  return true;
}

bool limits_parse_size(const char *text, size_t *bytes) {
  double value;
  if (!parse(text, size_units, sizeof size_units / sizeof *size_units, &value)) return false;
  if (value < 1 || value >= 0x1p62) return false;
  *bytes = (size_t)value;
  return true;
}

size_t limits_default_memory(void) {
  long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? (size_t)pages / 10 * 9 * (size_t)page : 0;
}
