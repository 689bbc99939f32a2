// An unsigned long of 32 bits wraps; with LP64 the same program is safe (data_model_long_does_not_wrap_on_lp64).
extern void abort(void);
void reach_error(void) {}

int main(void) {
  volatile unsigned long n = 65536;
  if (n * n == 0)
    reach_error();
  return 0;
}
