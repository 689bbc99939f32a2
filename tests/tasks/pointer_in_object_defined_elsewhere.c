// An object that no file defines may hold pointers to objects that no file defines.
extern struct {
  int *first;
} table;

int main(void) {
  if (table.first) *table.first = 1;
  return 0;
}
