// Arena: many small blocks that are freed together.
//
// Blocks are aligned for any type and never move. `arena_mark`/`arena_rollback` free everything allocated since the
// mark. The arena owns its blocks.
#ifndef HEDDLE_BASE_ARENA_H
#define HEDDLE_BASE_ARENA_H

#include "base/memory.h"

#include <stddef.h>

typedef struct ArenaChunk ArenaChunk;

typedef struct Arena {
  ArenaChunk *chunks; // newest first
  Account *account;
} Arena;

typedef struct ArenaMark {
  ArenaChunk *chunk;
  size_t used;
} ArenaMark;

void arena_init(Arena *arena, Account *account);
void arena_free(Arena *arena);
void *arena_allocate(Arena *arena, size_t bytes); // uninitialised
void *arena_allocate_zeroed(Arena *arena, size_t bytes);
void *arena_copy(Arena *arena, const void *bytes, size_t count);
char *arena_string(Arena *arena, const char *text);
char *arena_format(Arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
ArenaMark arena_mark(const Arena *arena);
void arena_rollback(Arena *arena, ArenaMark mark);

#endif
