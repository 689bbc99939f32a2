// unsigned short is computed with as int: 65535 * 65535 does not fit into one.
unsigned short a = 65535;

int main(void) {
  unsigned product = a * a;
  return product == 0;
}
