// The text that snprintf and sprintf write is exact: numbers, characters and strings, widths and precisions, the cut
// where the room ends, and the length that would have been needed.
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int number = 5;
static const char *word = "word";

static int wrapped(char *to, size_t room, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int length = vsnprintf(to, room, format, list);
  va_end(list);
  return length;
}

int main(void) {
  char text[32];
  number = -12;
  word = "words";
  assert(sprintf(text, "thread %d", 7) == 8 && strcmp(text, "thread 7") == 0);
  assert(sprintf(text, "%d|%5d|%-5d|%05d", number, number, number, number) == 21);
  assert(strcmp(text, "-12|  -12|-12  |-0012") == 0);
  assert(snprintf(text, 6, "%s", word) == 5 && strcmp(text, "words") == 0);
  assert(snprintf(text, 4, "%s", word) == 5 && strcmp(text, "wor") == 0);
  assert(wrapped(text, sizeof text, "%.2s%c%#x%%", word, '=', 255u) == 8);
  assert(strcmp(text, "wo=0xff%") == 0);
  return 0;
}
