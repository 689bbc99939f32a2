// What is left of an earlier alarm does not matter here.
#include <unistd.h>

int main(void) {
  alarm(5);
  alarm(0);
  ualarm(100, 100);
  return 0;
}
