// The address of a plain parameter, kept until after the return.
static int *kept;

static void keep(int number) { kept = &number; }

int main(void) {
  keep(1);
  return *kept;
}
