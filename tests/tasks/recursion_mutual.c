// Mutually recursive functions, with a local variable that must be its own in each activation.
// Safe: seven is odd, and the sum of the locals is 28.
extern void abort(void);
void reach_error(void) {}

int sum;
_Bool odd(int n);

_Bool even(int n) {
  int mine = n;
  _Bool answer = n == 0 ? 1 : odd(n - 1);
  sum += mine;
  return answer;
}

_Bool odd(int n) {
  int mine = n;
  _Bool answer = n == 0 ? 0 : even(n - 1);
  sum += mine;
  return answer;
}

int main(void) {
  if (!odd(7) || sum != 28)
    reach_error();
  return 0;
}
