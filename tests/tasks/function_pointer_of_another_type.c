// A call of a function through a pointer of another type is undefined in C; compilers let it run. It is not modelled.
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) {}

void returns_nothing(void) { reach_error(); }
int returns_zero(void) { return 0; }

int (*table[2])(void) = {(int (*)(void))returns_nothing, returns_zero};

int main(void) {
  int which = __VERIFIER_nondet_bool();
  return table[which]();
}
