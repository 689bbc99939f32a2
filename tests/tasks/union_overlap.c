// The members of a union share their bytes; a write through one changes what the others read.
extern void abort(void);
void reach_error(void) {}

union {
  unsigned word;
  unsigned short halves[2];
  unsigned char bytes[4];
} u;

int main(void) {
  u.word = 0x01020304;
  if (u.bytes[0] != 4 || u.bytes[3] != 1 || u.halves[1] != 0x0102)
    reach_error();
  u.bytes[1] = 0xff;
  if (u.word != 0x0102ff04)
    reach_error();
  return 0;
}
