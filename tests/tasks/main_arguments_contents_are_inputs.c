// The text of main's arguments is an input as well.
// Unsafe: the first argument may begin with an x.
extern void abort(void);
void reach_error(void) {}

int main(int argc, char **argv) {
  if (argc == 2 && argv[1][0] == 'x')
    reach_error();
  return 0;
}
