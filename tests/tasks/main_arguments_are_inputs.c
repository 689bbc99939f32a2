// main's arguments are inputs.
// Unsafe: the program may be started with an argument.
extern void abort(void);
void reach_error(void) {}

int main(int argc, char **argv) {
  if (argc > 1)
    reach_error();
  return 0;
}
