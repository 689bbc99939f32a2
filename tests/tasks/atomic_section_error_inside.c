// An error inside an atomic section that no path leaves.
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
extern void abort(void);
void reach_error(void) {}

int main(void) {
  __VERIFIER_atomic_begin();
  reach_error();
  abort();
  __VERIFIER_atomic_end();
  return 0;
}
