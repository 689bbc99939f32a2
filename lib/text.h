// Text that the system writes: any characters, with a zero in the last byte of the room at the latest. Bytes behind
// the text are any value, too, and the last byte is zero; so no length has to be chosen.
#ifndef HEDDLE_LIB_TEXT_H
#define HEDDLE_LIB_TEXT_H

#include "heddle.h"

static void HEDDLE_PLAIN(end_text)(char *to) { *to = 0; }

static char *any_text(char *to, size_t room) {
  if (room == 0) return to;
  __heddle_any_bytes(to, room - 1);
  HEDDLE_PLAIN(end_text)(to + (room - 1));
  return to;
}

#endif
