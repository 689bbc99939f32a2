// A pointer one past the end may be formed, compared and subtracted, only not dereferenced.
extern void abort(void);
void reach_error(void) {}

int main(void) {
  int array[3] = {1, 2, 3}, sum = 0;
  int *end = array + 3;
  for (int *p = array; p != end; p++)
    sum += *p;
  if (sum != 6 || end - array != 3 || !(array < end) || &array[3] != end || end[-1] != 3)
    reach_error();
  return 0;
}
