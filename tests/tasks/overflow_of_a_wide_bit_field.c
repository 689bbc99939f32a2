// A bit-field that has all bits of an int overflows like one.
struct wide {
  int value : 32;
} w = {2147483647};

int main(void) {
  w.value++;
  return 0;
}
