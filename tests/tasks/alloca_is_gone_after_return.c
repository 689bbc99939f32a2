// The blocks of a function that has returned are gone, also those of its loops.
static int *last;

static void keep(int rounds) {
  for (int i = 0; i < rounds; i++) {
    last = __builtin_alloca(sizeof *last);
    *last = i;
  }
}

int main(void) {
  keep(2);
  return *last;
}
