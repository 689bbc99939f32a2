// && and || do not evaluate their right operand when the left decides.
extern void abort(void);
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) {}

int calls;
static int effect(int value) {
  calls++;
  return value;
}

int main(void) {
  int *null = 0;
  _Bool left = __VERIFIER_nondet_bool();
  int both = left && effect(1);
  if (calls != left || both != left)
    reach_error();
  int either = left || effect(0);
  if (calls != 1 || either != left)
    reach_error();
  if (null && *null)
    reach_error();
  return 0;
}
