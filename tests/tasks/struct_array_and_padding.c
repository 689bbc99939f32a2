// An array of structs with padding: element addresses, copies of elements, no overlap.
extern void abort(void);
void reach_error(void) {}

struct cell {
  char kind;
  int value;
  char end;
} cells[3];
struct __attribute__((packed)) tight {
  char kind;
  int value;
};

int main(void) {
  for (int i = 0; i < 3; i++) {
    cells[i].kind = 'a' + i;
    cells[i].value = 100 * i;
    cells[i].end = i;
  }
  cells[0] = cells[2];
  if (cells[0].value != 200 || cells[0].kind != 'c' || cells[1].value != 100 || cells[2].end != 2)
    reach_error();
  if ((char *)&cells[1] - (char *)&cells[0] != 12 || sizeof(struct tight) != 5)
    reach_error();
  struct tight t = {1, 0x01020304};
  if (((unsigned char *)&t)[1] != 4)
    reach_error();
  return 0;
}
