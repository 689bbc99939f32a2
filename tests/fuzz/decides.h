// Which engines decide which property: from Heddle's own table. (A file of its own: the comparison has answers beside
// those of results.)
#ifndef HEDDLE_FUZZ_DECIDES_H
#define HEDDLE_FUZZ_DECIDES_H

#include <stdbool.h>

// Both by name. True for what is in no table: `auto`, an engine of a later version, a property that does not exist.
bool engine_decides(const char *engine, const char *property);

#endif
