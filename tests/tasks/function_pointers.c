// Calls through a table, a struct member, a parameter and a returned function pointer.
extern void abort(void);
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) {}

typedef int operation(int, int);
static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static operation *table[] = {add, subtract};
static operation *choose(_Bool which) { return table[which]; }
static int apply(operation *op, int a, int b) { return op(a, b); }
struct {
  operation *op;
} holder;

int main(void) {
  _Bool which = __VERIFIER_nondet_bool();
  holder.op = choose(which);
  int result = apply(*holder.op, 5, 3);
  if (result != (which ? 2 : 8))
    reach_error();
  if (holder.op == table[!which])
    reach_error();
  return 0;
}
