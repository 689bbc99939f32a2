#include "survey/effects.h"

#include "survey/effects/rows.h"

#include <assert.h>
#include <string.h>

static const EffectGroup *const groups[] = {&effects_strings,    &effects_streams, &effects_general,
                                            &effects_system,     &effects_sockets, &effects_mathematics,
                                            &effects_characters, &effects_threads};

static const Effect *find_in(const EffectGroup *group, const char *name) {
  size_t low = 0, high = group->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    assert(middle + 1 >= group->count || strcmp(group->rows[middle].name, group->rows[middle + 1].name) < 0);
    if (strcmp(group->rows[middle].name, name) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low < group->count && strcmp(group->rows[low].name, name) == 0 ? &group->rows[low] : NULL;
}

const Effect *effect_of(const char *name) {
  for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
    const Effect *found = find_in(groups[i], name);
    if (found) return found;
  }
  return NULL;
}
