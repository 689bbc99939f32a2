// Arrays whose length is known only at run time, in one and two dimensions.
extern void abort(void);
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) {}

static int sum(int rows, int columns, int grid[rows][columns]) {
  int total = 0;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      total += grid[i][j];
  return total;
}

int main(void) {
  int n = __VERIFIER_nondet_bool() ? 2 : 3;
  int line[n], grid[2][n];
  for (int i = 0; i < n; i++) {
    line[i] = i;
    grid[0][i] = 1;
    grid[1][i] = 10;
  }
  if (sizeof line != n * sizeof(int) || line[n - 1] != n - 1)
    reach_error();
  if (sum(2, n, grid) != 11 * n)
    reach_error();
  return 0;
}
