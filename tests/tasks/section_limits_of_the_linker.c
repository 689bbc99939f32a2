// The linker defines the limits of a section; what lies between them are the objects that were put there. They are no
// objects of the model, whose order would decide whether the loop runs at all: the answer is UNKNOWN.
extern void reach_error(void);

extern int __stop_numbers[], __start_numbers[];
__attribute__((section("numbers"), used)) static int three = 3;

int main(void) {
  int sum = 0;
  for (int *number = __start_numbers; number < __stop_numbers; number++) sum += *number;
  if (sum == 3) reach_error();
  return 0;
}
