// Loops over the user's memory of which only that they touch it matters: what front/objects/touch.c uses for blocks whose length
// is not constant, and for strings.
#include "heddle.h"

void HEDDLE_PLAIN(read_bytes)(const char *from, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) (void)*(const volatile char *)(from + i);
}

void HEDDLE_PLAIN(read_string)(const char *from, size_t most) {
  for (size_t i = 0; i < most && from[i] != 0; i++) continue;
}

void HEDDLE_PLAIN(any_bytes)(char *to, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) __heddle_any_bytes(to + i, 1);
}
