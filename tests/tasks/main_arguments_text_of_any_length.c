// An argument may be shorter than the program thinks.
// Unsafe: argv[1] may have one character. The model does not know where a text of any length ends: UNKNOWN.

int main(int argc, char **argv) {
  return argc == 2 ? argv[1][2] : 0;
}
