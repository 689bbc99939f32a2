// C leaves a left shift of a negative number undefined, whatever the amount.
int x = -1;

int main(void) {
  x <<= 1;
  return 0;
}
