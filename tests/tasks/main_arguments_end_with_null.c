// argc is not negative and argv[argc] is a null pointer.
// Safe by the C standard.
extern void abort(void);
void reach_error(void) {}

int main(int argc, char **argv) {
  if (argc < 0)
    reach_error();
  if (argv[argc] != 0)
    reach_error();
  return 0;
}
