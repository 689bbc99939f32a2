#include "fuzz/decides.h"

#include "cli/run/engines.h"

#include <string.h>

bool engine_decides(const char *engine, const char *property) {
  const Engine *row = engine_find(engine);
  for (unsigned i = 0; row && i < PROPERTY_COUNT; i++)
    if (strcmp(property_name((Property)i), property) == 0) return row->properties >> i & 1;
  return true;
}
