// One malloc statement gives several live objects.
// Safe: merging them into one summary object would mix their values.
#include <stdlib.h>

void reach_error(void) {}

int main(void) {
  int *objects[4];
  for (int i = 0; i < 4; i++) {
    objects[i] = malloc(sizeof(int));
    *objects[i] = i;
  }
  for (int i = 0; i < 4; i++) {
    if (*objects[i] != i)
      reach_error();
    free(objects[i]);
  }
  return 0;
}
