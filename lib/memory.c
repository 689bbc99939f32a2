// Operations on bytes: exact, byte by byte, as ordinary accesses that others may interleave with. The front end itself
// handles copies and fills of constant size; these loops are for the others.
//
// Assumed: operands lie in one object each, and memcpy's do not overlap.
#include "heddle.h"

#include <sys/types.h>

typedef unsigned char byte;

static void HEDDLE_PLAIN(copy_up)(byte *to, const byte *from, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) to[i] = from[i];
}

static void HEDDLE_PLAIN(copy_down)(byte *to, const byte *from, size_t bytes) {
  for (size_t i = bytes; i > 0; i--) to[i - 1] = from[i - 1];
}

static void HEDDLE_PLAIN(fill)(byte *to, byte value, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) to[i] = value;
}

static int HEDDLE_PLAIN(compare)(const byte *one, const byte *other, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) {
    byte a = one[i], b = other[i];
    if (a != b) return a - b;
  }
  return 0;
}

static byte *HEDDLE_PLAIN(find)(const byte *from, byte value, size_t bytes) {
  for (size_t i = 0; i < bytes; i++)
    if (from[i] == value) return (byte *)from + i;
  return NULL;
}

static byte *HEDDLE_PLAIN(find_last)(const byte *from, byte value, size_t bytes) {
  for (size_t i = bytes; i > 0; i--)
    if (from[i - 1] == value) return (byte *)from + (i - 1);
  return NULL;
}

void *memcpy(void *to, const void *from, size_t bytes) {
  HEDDLE_PLAIN(copy_up)(to, from, bytes);
  return to;
}

static void HEDDLE_PLAIN(move)(byte *to, const byte *from, size_t bytes) {
  if (to <= from)
    HEDDLE_PLAIN(copy_up)(to, from, bytes);
  else
    HEDDLE_PLAIN(copy_down)(to, from, bytes);
}

void *memmove(void *to, const void *from, size_t bytes) {
  HEDDLE_PLAIN(move)(to, from, bytes);
  return to;
}

void *memset(void *to, int value, size_t bytes) {
  HEDDLE_PLAIN(fill)(to, (byte)value, bytes);
  return to;
}

// --- the same under other names: of constant size they are block operations, else the loops above ---

static void *HEDDLE_PLAIN(copy_block)(void *to, const void *from, size_t bytes) {
  return __builtin_memcpy(to, from, bytes);
}
static void *HEDDLE_PLAIN(move_block)(void *to, const void *from, size_t bytes) {
  return __builtin_memmove(to, from, bytes);
}
static void *HEDDLE_PLAIN(fill_block)(void *to, int value, size_t bytes) { return __builtin_memset(to, value, bytes); }

void *mempcpy(void *to, const void *from, size_t bytes) {
  return (byte *)HEDDLE_PLAIN(copy_block)(to, from, bytes) + bytes;
}
void *__mempcpy(void *to, const void *from, size_t bytes) { return mempcpy(to, from, bytes); }
void bcopy(const void *from, void *to, size_t bytes) { HEDDLE_PLAIN(move_block)(to, from, bytes); }
void bzero(void *to, size_t bytes) { HEDDLE_PLAIN(fill_block)(to, 0, bytes); }
void explicit_bzero(void *to, size_t bytes) { HEDDLE_PLAIN(fill_block)(to, 0, bytes); }
void *__memcpy_chk(void *to, const void *from, size_t bytes, size_t size) {
  return HEDDLE_PLAIN(copy_block)(to, from, bytes);
}
void *__memmove_chk(void *to, const void *from, size_t bytes, size_t size) {
  return HEDDLE_PLAIN(move_block)(to, from, bytes);
}
void *__memset_chk(void *to, int value, size_t bytes, size_t size) {
  return HEDDLE_PLAIN(fill_block)(to, value, bytes);
}
void *__mempcpy_chk(void *to, const void *from, size_t bytes, size_t size) { return mempcpy(to, from, bytes); }

static void HEDDLE_PLAIN(swap_pairs)(const byte *from, byte *to, ssize_t bytes) {
  for (ssize_t i = 0; i + 1 < bytes; i += 2) {
    byte first = from[i], second = from[i + 1];
    to[i] = second;
    to[i + 1] = first;
  }
}

void swab(const void *from, void *to, ssize_t bytes) { HEDDLE_PLAIN(swap_pairs)(from, to, bytes); }

// C does not say that memcmp stops at a difference (it does of memchr); so all bytes are read.
int memcmp(const void *one, const void *other, size_t bytes) {
  __heddle_read_bytes(one, bytes);
  __heddle_read_bytes(other, bytes);
  return HEDDLE_PLAIN(compare)(one, other, bytes);
}

int bcmp(const void *one, const void *other, size_t bytes) { return memcmp(one, other, bytes); }
void *memchr(const void *from, int value, size_t bytes) { return HEDDLE_PLAIN(find)(from, (byte)value, bytes); }
void *memrchr(const void *from, int value, size_t bytes) { return HEDDLE_PLAIN(find_last)(from, (byte)value, bytes); }
