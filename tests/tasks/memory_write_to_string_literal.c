// A string literal must not be written.
int main(void) {
  char *text = "constant";
  text[0] = 'K';
  return 0;
}
