// The array is defined in a file that is not there: it holds any values, and is as long as it has to be.
// The error is reached; a model that gives it no bytes ends before.
extern int table[];
void reach_error(void) {}

int main(void) {
  if (table[3] == 5) reach_error();
  return 0;
}
