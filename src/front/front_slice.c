#include "front/front_slice.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static int compare_row(const void *name, const void *row) { return strcmp(name, ((const FrontReplaced *)row)->name); }

const FrontReplaced *front_slice_find(const FrontSlice *slice, const char *name) {
  if (!slice || !slice->count) return NULL;
  assert(slice->count < 2 || strcmp(slice->replaced[0].name, slice->replaced[1].name) < 0);
  return bsearch(name, slice->replaced, slice->count, sizeof *slice->replaced, compare_row);
}
