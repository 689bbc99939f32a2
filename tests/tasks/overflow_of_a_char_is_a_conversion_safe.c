// char and short are computed with as int: ++ and += convert the result back, which is no overflow.
signed char c = 127;
short s = 32767;

int main(void) {
  c++;
  s += 1;
  c = (signed char)(c - 1);
  s--;
  return c != 127 || s != 32767;
}
