#include "reach/domains/tracking.h"

void tracking_init(Tracking *tracking, const ControlTable *controls, bool local, Account *account) {
  *tracking = (Tracking){.controls = controls, .local = local};
  TermVector_init(&tracking->items, account);
  ByteVector_init(&tracking->everywhere, account);
  map_init(&tracking->places, account);
  map_init(&tracking->at, account);
  map_init(&tracking->set_of, account);
  map_init(&tracking->known, account);
  U32Vector_init(&tracking->older, account);
  U64Vector_init(&tracking->rows, account);
  U32Vector_init(&tracking->first, account);
  TermVector_init(&tracking->members, account);
}

void tracking_free(Tracking *tracking) {
  TermVector_free(&tracking->members);
  U32Vector_free(&tracking->first);
  U64Vector_free(&tracking->rows);
  U32Vector_free(&tracking->older);
  map_free(&tracking->known);
  map_free(&tracking->set_of);
  map_free(&tracking->at);
  map_free(&tracking->places);
  ByteVector_free(&tracking->everywhere);
  TermVector_free(&tracking->items);
}

static void forget_sets(Tracking *tracking) {
  map_clear(&tracking->set_of);
  map_clear(&tracking->known);
  U32Vector_clear(&tracking->older);
  U64Vector_clear(&tracking->rows);
  U32Vector_clear(&tracking->first);
  TermVector_clear(&tracking->members);
}

bool tracking_add(Tracking *tracking, Term item, LocationId location) {
  assert(item != TERM_NONE && tracking->items.count == tracking->everywhere.count);
  uint64_t place = tracking->items.count;
  if (!map_get(&tracking->places, item, &place)) {
    map_put(&tracking->places, item, place);
    TermVector_push(&tracking->items, item);
    ByteVector_push(&tracking->everywhere, false);
    forget_sets(tracking); // rows may have become longer
  }
  if (tracking->everywhere.data[place]) return false;
  if (tracking->local && location != NO_ID) {
    if (map_contains(&tracking->at, place << 32 | location)) return false;
    map_put(&tracking->at, place << 32 | location, 1);
  } else {
    tracking->everywhere.data[place] = true;
  }
  forget_sets(tracking);
  return true;
}

bool tracking_add_at(Tracking *tracking, Term item, ControlId control) {
  if (!tracking->local || control == NO_ID) return tracking_add(tracking, item, NO_ID);
  bool is_new = false;
  for (ThreadId t = 0; t < tracking->controls->thread_count; t++) {
    LocationId location = control_at(tracking->controls, control, t);
    if (location != NO_ID) is_new |= tracking_add(tracking, item, location);
  }
  return is_new;
}

void tracking_drop(Tracking *tracking, Term item) {
  uint64_t place;
  if (!map_get(&tracking->places, item, &place)) return;
  tracking->everywhere.data[place] = false;
  forget_sets(tracking);
}

bool tracking_is_everywhere(const Tracking *tracking, Term item) {
  uint64_t place;
  return map_get(&tracking->places, item, &place) && tracking->everywhere.data[place];
}

static bool is_tracked_at(const Tracking *tracking, uint64_t place, ControlId control) {
  if (tracking->everywhere.data[place]) return true;
  for (ThreadId t = 0; tracking->local && t < tracking->controls->thread_count; t++) {
    LocationId location = control_at(tracking->controls, control, t);
    if (location != NO_ID && map_contains(&tracking->at, place << 32 | location)) return true;
  }
  return false;
}

// The set of the last row. The row is removed again if an equal set is known.
static TrackedSet intern_row(Tracking *tracking, size_t stride) {
  size_t last = tracking->rows.count - stride, bytes = stride * sizeof(uint64_t);
  uint64_t hash = hash_bytes(tracking->rows.data + last, bytes);
  TrackedSet newest = (TrackedSet)map_get_or(&tracking->known, hash, NO_ID);
  for (TrackedSet set = newest; set != NO_ID; set = tracking->older.data[set]) {
    if (memcmp(tracking->rows.data + set * stride, tracking->rows.data + last, bytes) != 0) continue;
    tracking->rows.count = last;
    return set;
  }
  TrackedSet set = (TrackedSet)tracking->older.count;
  map_put(&tracking->known, hash, set);
  U32Vector_push(&tracking->older, newest);
  U32Vector_push(&tracking->first, (uint32_t)tracking->members.count);
  for (size_t i = 0; i < tracking->items.count; i++)
    if (tracking->rows.data[last + i / 64] >> i % 64 & 1) TermVector_push(&tracking->members, tracking->items.data[i]);
  return set;
}

TrackedSet tracking_set(Tracking *tracking, ControlId control) {
  if (!tracking->local) control = 0; // all control vectors track the same items
  TrackedSet set = (TrackedSet)map_get_or(&tracking->set_of, control, NO_ID);
  if (set != NO_ID) return set;
  size_t stride = tracking_stride(tracking), last = tracking->rows.count;
  U64Vector_resize(&tracking->rows, last + stride);
  memset(tracking->rows.data + last, 0, stride * sizeof(uint64_t));
  for (size_t i = 0; i < tracking->items.count; i++)
    if (is_tracked_at(tracking, i, control)) tracking->rows.data[last + i / 64] |= (uint64_t)1 << i % 64;
  set = intern_row(tracking, stride);
  map_put(&tracking->set_of, control, set);
  return set;
}
