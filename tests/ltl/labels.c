// What at(label) means: the line of the first step behind the label, wherever it stands.
int x, y, z;

static int read_x(void) {
  return x;
}

int main(void) {
  y = 1;
twice: again: x = 9;
  if (y == 0)
    y = 5;
behind_if: within: z = 1;
  for (int i = 0; i < 2; i++)
    y = i;
behind_for: ;
  z = 2;
empty: ; filled: y = 2;
forever: for (;;) {
    x = 2;
    break;
  }
block: {
    int local;
    local = 5;
    y = local;
  }
  y = 6; late:
  z = 3;
  z = 4; crowded: y = 7;
calls:
  read_x();
  z = 5;
condition: if (z && y)
    z = 6;
spin: for (;;) ;
}
