// The address of a local outlives its function.
int *leaked;

static void leak(void) {
  int local = 3;
  leaked = &local;
}

int main(void) {
  leak();
  return *leaked != 3;
}
