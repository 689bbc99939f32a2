// A bit-field of 3 bits is computed with as int.
struct flags {
  int small : 3;
  unsigned count : 2;
} f = {3, 3};

int main(void) {
  f.small++;
  f.count++;
  f.small += 100;
  return f.count != 0;
}
