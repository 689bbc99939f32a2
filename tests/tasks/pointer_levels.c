// Three levels of pointers, and a pointer to an array.
extern void abort(void);
void reach_error(void) {}

int main(void) {
  int x = 1, y = 2, *p = &x, **pp = &p, ***ppp = &pp;
  **pp = 5;
  *pp = &y;
  ***ppp = 6;
  if (x != 5 || y != 6 || p != &y)
    reach_error();
  int grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
  int(*row)[3] = grid;
  row++;
  if ((*row)[2] != 6 || row[-1][1] != 2 || *(*(grid + 1) + 1) != 5)
    reach_error();
  return 0;
}
