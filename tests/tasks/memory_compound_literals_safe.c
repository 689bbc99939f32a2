// Literals in their lifetimes: in the condition of an if, in a for statement, in a loop's body, passed to a function,
// in a variable with a cleanup function that runs at the end of the block.
static int total;

static void add(const int *numbers, int count) {
  for (int i = 0; i < count; i++) total += numbers[i];
}

static void add_first(int **place) { total += **place; }

int main(void) {
  int *place;
  if ((place = (int[]){1, 2})[0]) add(place, 2);
  for (place = (int[]){3, 0}; *place; place++) {
    int *inner = (int[]){4};
    total += *inner + *place;
  }
  add((int[]){5, 6}, 2);
  {
    __attribute__((cleanup(add_first))) int *last = (int[]){7};
    *last = 8;
  }
  return total == 29 ? 0 : *(int *)0;
}
