// Tentative definitions and extern declarations name one zero-initialised object.
extern void abort(void);
void reach_error(void) {}

extern int shared;
int shared;
int shared;
static int peek(void) {
  extern int shared;
  return shared;
}

int main(void) {
  if (shared != 0)
    reach_error();
  shared = 4;
  if (peek() != 4)
    reach_error();
  return 0;
}
