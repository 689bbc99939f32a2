// A function with the constructor attribute runs before main.
extern void abort(void);
void reach_error(void) {}

int ready;

__attribute__((constructor)) static void prepare(void) {
  ready = 1;
}

int main(void) {
  if (!ready)
    reach_error();
  return 0;
}
