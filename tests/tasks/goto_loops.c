// Forward and backward gotos, a goto out of nested loops, a computed goto.
extern void abort(void);
void reach_error(void) {}

int main(void) {
  int i = 0, sum = 0;
again:
  i++;
  if (i == 3)
    goto skip;
  sum += i;
skip:
  if (i < 5)
    goto again;
  if (sum != 12)
    reach_error();
  for (i = 0;; i++)
    for (int j = 0;; j++)
      if (i * j == 6)
        goto out;
      else if (j > 3)
        break;
out:
  if (i != 2)
    reach_error();
  static void *const targets[] = {&&bad, &&good};
  goto *targets[i - 1];
bad:
  reach_error();
good:
  return 0;
}
