// Duff's device: the way into the loop's first block comes only from its end.
#include <assert.h>

int total;

int main(void) {
  int rounds = 2, entry = 3;
  switch (entry) {
  case 0:
    do {
      total++;
    case 3:
      total += 2;
    } while (--rounds > 0);
  }
  assert(total != 5); // 2, then 1 and 2
  return 0;
}
