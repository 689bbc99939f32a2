// Durations and sizes as users write them: `30s`, `500ms`, `5min`, `1h`; `4GB`, `512MB`, `2GiB`.
//
// A number without a unit means seconds or bytes. Units of sizes are decimal (kB, MB, GB) or binary (KiB, MiB, GiB). If
// the text is not a positive number with a known unit, the functions that parse return false and do not change the
// value.
#ifndef HEDDLE_COMMAND_LIMITS_H
#define HEDDLE_COMMAND_LIMITS_H

#include <stdbool.h>
#include <stddef.h>

bool limits_parse_duration(const char *text, double *seconds);
bool limits_parse_size(const char *text, size_t *bytes);

// Nine tenths of the machine's memory, so that a search ends before other programs run out of memory. 0: not known.
size_t limits_default_memory(void);

#endif
