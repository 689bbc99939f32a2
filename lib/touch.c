// Loops that access the user's memory without using the values. front/objects/touch_user.c calls them for strings and
// for blocks whose length is not constant.
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
