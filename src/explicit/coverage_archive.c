#include "explicit/coverage_archive.h"

#include "base/random.h"

#include <string.h>

enum { MOST_BYTES = 64 << 20, MOST_STATES = 4096, LOOKS = 3, FROM_THE_BEGINNING = 5 };

void coverage_archive_init(CoverageArchive *archive, const StateLayout *layout, Account *account) {
  *archive = (CoverageArchive){.vector_bytes = layout->vector_bytes, .account = account};
  size_t most = MOST_BYTES / (archive->vector_bytes + 1);
  archive->most = most < 2 ? 2 : most < MOST_STATES ? most : MOST_STATES;
  bitset_init(&archive->seen, layout->program->locations.count, account);
  KeptStateVector_init(&archive->states, account);
}

static void free_kept(CoverageArchive *archive, KeptState *kept) {
  memory_free(archive->account, kept->vector, archive->vector_bytes);
  MoveVector_free(&kept->moves);
  DigitVector_free(&kept->digits);
}

void coverage_archive_free(CoverageArchive *archive) {
  for (size_t i = 0; i < archive->states.count; i++) free_kept(archive, &archive->states.data[i]);
  KeptStateVector_free(&archive->states);
  bitset_free(&archive->seen);
}

static KeptState *new_kept(CoverageArchive *archive) {
  KeptStateVector *states = &archive->states;
  if (states->count < archive->most) return KeptStateVector_push(states, (KeptState){.vector = NULL});
  KeptState *kept = &states->data[archive->oldest++ % states->count];
  free_kept(archive, kept);
  *kept = (KeptState){.vector = NULL};
  return kept;
}

void coverage_archive_note(CoverageArchive *archive, LocationId location, const uint8_t *vector, const Path *path) {
  if (!bitset_add(&archive->seen, location)) return;
  KeptState *kept = new_kept(archive);
  assert(path->tail_edge == NO_ID);
  kept->vector = memory_allocate(archive->account, archive->vector_bytes);
  memcpy(kept->vector, vector, archive->vector_bytes);
  MoveVector_init(&kept->moves, archive->account);
  DigitVector_init(&kept->digits, archive->account);
  for (size_t i = 0; i < path->moves.count; i++) MoveVector_push(&kept->moves, path->moves.data[i]);
  for (size_t i = 0; i < path->digits.count; i++) DigitVector_push(&kept->digits, path->digits.data[i]);
}

// Of some states, the one with the fewest tries.
static KeptState *choose(CoverageArchive *archive, uint64_t *seed) {
  KeptState *best = NULL;
  for (unsigned i = 0; i < LOOKS; i++) {
    KeptState *kept = &archive->states.data[random_next(seed) % archive->states.count];
    if (!best || kept->tries < best->tries) best = kept;
  }
  return best;
}

bool coverage_archive_resume(CoverageArchive *archive, uint64_t *seed, uint8_t *vector, Path *path) {
  assert(path->moves.count == 0);
  if (!archive->states.count || random_next(seed) % FROM_THE_BEGINNING == 0) return false;
  KeptState *kept = choose(archive, seed);
  kept->tries++;
  memcpy(vector, kept->vector, archive->vector_bytes);
  for (size_t i = 0; i < kept->moves.count; i++) {
    const SearchMove *move = &kept->moves.data[i];
    path_add(path, move->thread, kept->digits.data + move->first_digit, move->digit_count);
  }
  return true;
}
