// argv has one entry more than there are arguments, and no other.
// Unsafe: without arguments argv[2] is behind the end of argv.

int main(int argc, char **argv) {
  return argv[2] != 0;
}
