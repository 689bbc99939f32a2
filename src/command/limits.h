// Durations and sizes as people write them: `30s`, `500ms`, `5min`, `1h`; `4GB`, `512MB`, `2GiB`.
//
// A bare number means seconds, or bytes. Units of sizes are decimal (kB, MB, GB) or binary (KiB, MiB, GiB). Both
// functions that parse return false, and leave the value alone, unless the whole text is a positive number with a known
// unit.
#ifndef HEDDLE_COMMAND_LIMITS_H
#define HEDDLE_COMMAND_LIMITS_H

#include <stdbool.h>
#include <stddef.h>

bool limits_parse_duration(const char *text, double *seconds);
bool limits_parse_size(const char *text, size_t *bytes);

// Nine tenths of the machine: a search must end before it drives everything else out. 0: not known.
size_t limits_default_memory(void);

#endif
