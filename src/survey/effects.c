#include "survey/effects.h"

#include "survey/effects/rows.h"

#include "base/text.h"

#include <assert.h>
#include <string.h>

static const EffectGroup *const standard_groups[] = {&effects_strings,    &effects_streams, &effects_general,
                                                     &effects_system,     &effects_sockets, &effects_mathematics,
                                                     &effects_characters, &effects_threads};
static const EffectGroup *const foreign_groups[] = {&effects_archives, &effects_cryptography, &effects_data,
                                                    &effects_network,  &effects_screen,       &effects_sound};

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

static const Effect *find(const char *name) {
  for (size_t i = 0; i < sizeof standard_groups / sizeof *standard_groups; i++) {
    const Effect *found = find_in(standard_groups[i], name);
    if (found) return found;
  }
  for (size_t i = 0; i < sizeof foreign_groups / sizeof *foreign_groups; i++) {
    const Effect *found = find_in(foreign_groups[i], name);
    if (found) return found;
  }
  return NULL;
}

// "_read$UNIX2003" is read. What is said of threads elsewhere goes by names, so those functions stay unknown.
static const Effect *find_of_darwin(const char *name) {
  static const char *const variants[] = {"UNIX2003", "INODE64", "NOCANCEL", "DARWIN_EXTSN"};
  const char *end = strchr(name, '$');
  char plain[64];
  if (name[0] != '_' || !end || (size_t)(end - name) > sizeof plain || starts_with(name, "_pthread_")) return NULL;
  bool known = false;
  for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) known |= starts_with(end + 1, variants[i]);
  size_t length = (size_t)(end - name) - 1;
  memcpy(plain, name + 1, length);
  plain[length] = '\0';
  return known ? find(plain) : NULL;
}

const Effect *effect_of(const char *name) {
  const Effect *found = find(name);
  return found ? found : find_of_darwin(name);
}

bool effect_is_foreign(const Effect *effect) {
  for (size_t i = 0; i < sizeof foreign_groups / sizeof *foreign_groups; i++)
    if (effect >= foreign_groups[i]->rows && effect < foreign_groups[i]->rows + foreign_groups[i]->count) return true;
  return false;
}
