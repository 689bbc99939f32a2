// An unsigned long of 64 bits does not wrap here; with ILP32 it does (data_model_long_wraps_on_ilp32).
extern void abort(void);
void reach_error(void) {}

int main(void) {
  volatile unsigned long n = 65536;
  if (n * n == 0)
    reach_error();
  return 0;
}
