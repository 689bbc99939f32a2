// What an undefined function returns may point to an object of its own. That the model has no such object is no invalid
// dereference of the program: the answer is UNKNOWN, with the function's name.
struct record {
  int value;
};

extern struct record *find(int key);

int main(void) {
  struct record *found = find(3);
  if (!found) return 1;
  found->value = 4;
  return 0;
}
