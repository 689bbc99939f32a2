// The fill of a block as headers of glibc once did it (FD_ZERO): the words are written, and only those.
#include <assert.h>
#include <stddef.h>
static unsigned long words[5] = {1, 2, 3, 4, 5};

int main(void) {
  long count;
  unsigned long *end;
#if defined __x86_64__
  __asm__ volatile("cld; rep; stosq"
                   : "=c"(count), "=D"(end)
                   : "a"(0), "0"(sizeof words / sizeof *words - 1), "1"(&words[0])
                   : "memory");
#else
  for (end = words; end < words + 4; end++) *end = 0;
#endif
  for (int i = 0; i < 4; i++) assert(words[i] == 0);
  assert(words[4] == 5 && end == words + 4);
  return 0;
}
