// There may be more arguments than are modelled.
// Unsafe, with nine arguments or more. The cut stands where the ninth is read.
void reach_error(void) {}

int main(int argc, char **argv) {
  if (argc > 9 && argv[9][0] == 'x')
    reach_error();
  return 0;
}
