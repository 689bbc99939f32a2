// The error is in the ninth nested call.
// Unsafe: a recursion bound below nine may only say UNKNOWN.
extern void abort(void);
void reach_error(void) {}

void descend(int depth) {
  if (depth == 9)
    reach_error();
  else
    descend(depth + 1);
}

int main(void) {
  descend(1);
  return 0;
}
