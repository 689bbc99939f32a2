#include "standard_input.h"

static size_t position = 0;
static int ended = 0;

struct heddle_taken __heddle_stdin_take(size_t most) {
  __heddle_atomic_begin();
  size_t at = position, left = __heddle_stdin_size - at, count = most < left ? most : left;
  position = at + count;
  if (count < most) ended = 1;
  __heddle_atomic_end();
  return (struct heddle_taken){__heddle_stdin + at, count};
}

struct heddle_taken __heddle_stdin_take_line(size_t most, char end) {
  __heddle_atomic_begin();
  size_t at = position, left = __heddle_stdin_size - at, count = 0;
  while (count < most && count < left) {
    char c = __heddle_stdin[at + count];
    count++;
    if (c == end) break;
  }
  position = at + count;
  if (count == left && count < most && (count == 0 || __heddle_stdin[at + count - 1] != end)) ended = 1;
  __heddle_atomic_end();
  return (struct heddle_taken){__heddle_stdin + at, count};
}

int __heddle_stdin_character(void) {
  struct heddle_taken taken = __heddle_stdin_take(1);
  return taken.count == 0 ? -1 : (unsigned char)*taken.from;
}

int __heddle_stdin_put_back(int character) {
  __heddle_atomic_begin();
  size_t at = position;
  int fits = at > 0 && (unsigned char)__heddle_stdin[at - 1] == (unsigned char)character;
  if (fits) {
    position = at - 1;
    ended = 0;
  }
  __heddle_atomic_end();
  if (!fits) __heddle_unmodelled("ungetc of a character that was not read last");
  return (unsigned char)character;
}

int __heddle_stdin_ended(void) { return ended; }
void __heddle_stdin_forget_end(void) { ended = 0; }

void __heddle_stdin_rewind(void) {
  __heddle_atomic_begin();
  position = 0;
  ended = 0;
  __heddle_atomic_end();
}

const char *__heddle_stdin_rest(void) { return __heddle_stdin + position; }

void __heddle_stdin_advance(const char *to, int looks_ahead) {
  __heddle_atomic_begin();
  size_t at = (size_t)(to - __heddle_stdin);
  if (at == __heddle_stdin_size && (looks_ahead || at == position)) ended = 1;
  position = at;
  __heddle_atomic_end();
}
