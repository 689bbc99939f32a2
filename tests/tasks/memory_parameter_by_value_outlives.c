// A struct parameter lives in the callee: the pointer that is returned dangles.
struct ten { int numbers[10]; };

static int *first(struct ten ten) {
  int *volatile place = ten.numbers;
  return place;
}

int main(void) {
  struct ten ten = {{1}};
  return *first(ten);
}
