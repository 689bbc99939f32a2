// Structs as parameters, results and members are copies; also a large one and one in a union.
extern void abort(void);
void reach_error(void) {}

struct small { short a, b; };
struct large { int values[6]; struct small inner; };

static struct small swap(struct small s) {
  short t = s.a;
  s.a = s.b;
  s.b = t;
  return s;
}

static struct large fill(struct large l, int n) {
  for (int i = 0; i < 6; i++)
    l.values[i] += n;
  l.inner = swap(l.inner);
  return l;
}

int main(void) {
  struct large l = {{1, 2, 3}, {4, 5}}, m = fill(l, 10);
  if (l.values[0] != 1 || l.inner.a != 4)
    reach_error();
  if (m.values[0] != 11 || m.values[5] != 10 || m.inner.a != 5 || m.inner.b != 4)
    reach_error();
  if (fill(m, 1).values[2] != 14 || swap((struct small){7, 8}).a != 8)
    reach_error();
  return 0;
}
