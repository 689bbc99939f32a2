// A static local keeps its value between calls; each function has its own.
extern void abort(void);
void reach_error(void) {}

static int ticket(void) {
  static int next = 5;
  return next++;
}

static int other(void) {
  static int next;
  return ++next;
}

int main(void) {
  if (ticket() != 5 || ticket() != 6 || other() != 1 || other() != 2 || ticket() != 7)
    reach_error();
  return 0;
}
