// Both the variable and the function are defined in a file that is not there: the call may change the variable.
extern int mode;
void configure(void);
void reach_error(void) {}

int main(void) {
  mode = 1;
  configure();
  if (mode != 1) reach_error();
  return 0;
}
