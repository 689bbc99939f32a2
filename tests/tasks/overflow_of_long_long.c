// 64 bits for both data models; for ILP32 the operands are wider than a register.
long long x = -9223372036854775807LL - 1;

int main(void) {
  x -= 1;
  return x == 0;
}
