#include "base/arena.h"

#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct ArenaChunk {
  ArenaChunk *next; // the one before it in time
  size_t capacity, used;
  _Alignas(max_align_t) unsigned char data[];
};

enum { FIRST_CHUNK = 4096 - (int)sizeof(ArenaChunk), LARGEST_CHUNK = 1 << 20 };

static size_t rounded(size_t bytes) {
  size_t unit = _Alignof(max_align_t);
  return (bytes + unit - 1) / unit * unit;
}

void arena_init(Arena *arena, Account *account) { *arena = (Arena){.account = account}; }

static void drop_newest(Arena *arena) {
  ArenaChunk *chunk = arena->chunks;
  arena->chunks = chunk->next;
  memory_free(arena->account, chunk, sizeof *chunk + chunk->capacity);
}

void arena_free(Arena *arena) {
  while (arena->chunks) drop_newest(arena);
}

static ArenaChunk *add_chunk(Arena *arena, size_t needed) {
  size_t capacity = FIRST_CHUNK;
  if (arena->chunks)
    capacity = arena->chunks->capacity * 2 < LARGEST_CHUNK ? arena->chunks->capacity * 2 : LARGEST_CHUNK;
  if (capacity < needed) capacity = needed;
  ArenaChunk *chunk = memory_allocate(arena->account, sizeof *chunk + capacity);
  *chunk = (ArenaChunk){.next = arena->chunks, .capacity = capacity};
  arena->chunks = chunk;
  return chunk;
}

void *arena_allocate(Arena *arena, size_t bytes) {
  size_t needed = rounded(bytes ? bytes : 1);
  ArenaChunk *chunk = arena->chunks;
  if (!chunk || chunk->capacity - chunk->used < needed) chunk = add_chunk(arena, needed);
  void *block = chunk->data + chunk->used;
  chunk->used += needed;
  return block;
}

void *arena_allocate_zeroed(Arena *arena, size_t bytes) { return memset(arena_allocate(arena, bytes), 0, bytes); }

void *arena_copy(Arena *arena, const void *bytes, size_t count) {
  void *block = arena_allocate(arena, count);
  if (count) memcpy(block, bytes, count);
  return block;
}

char *arena_string(Arena *arena, const char *text) { return arena_copy(arena, text, strlen(text) + 1); }

char *arena_format(Arena *arena, const char *format, ...) {
  char start[128]; // most texts fit, and then are formatted once
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  int length = vsnprintf(start, sizeof start, format, arguments);
  va_end(arguments);
  assert(length >= 0);
  char *text = arena_allocate(arena, (size_t)length + 1);
  if ((size_t)length < sizeof start)
    memcpy(text, start, (size_t)length + 1);
  else
    vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  return text;
}

ArenaMark arena_mark(const Arena *arena) {
  return (ArenaMark){.chunk = arena->chunks, .used = arena->chunks ? arena->chunks->used : 0};
}

void arena_rollback(Arena *arena, ArenaMark mark) {
  while (arena->chunks != mark.chunk) {
    assert(arena->chunks && "the mark belongs to this arena and was not rolled back before");
    drop_newest(arena);
  }
  if (mark.chunk) {
    assert(mark.used <= mark.chunk->used);
    mark.chunk->used = mark.used;
  }
}
