// Settings of terminals: any values; changes are not kept.
#include "results.h"

#include <termios.h>

int tcgetattr(int descriptor, struct termios *to) {
  if (__heddle_fresh_bool()) {
    note_failure(1);
    return -1;
  }
  __heddle_any_bytes(to, sizeof *to);
  return 0;
}

int tcsetattr(int descriptor, int when, const struct termios *from) {
  __heddle_read_bytes(from, sizeof *from);
  return zero_or_failure();
}

int tcflush(int descriptor, int which) { return zero_or_failure(); }
int tcdrain(int descriptor) { return zero_or_failure(); }
