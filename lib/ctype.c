// Character classes: exact in the C locale. The macros of <ctype.h> look classes up in glibc's tables, which are laid
// out here for the indices -128 to 255.
#include "heddle.h"

static int between(int c, int low, int high) { return (c >= low) & (c <= high); }

int isdigit(int c) { return between(c, '0', '9'); }
int islower(int c) { return between(c, 'a', 'z'); }
int isupper(int c) { return between(c, 'A', 'Z'); }
int isalpha(int c) { return between(c | 32, 'a', 'z'); }
int isalnum(int c) { return isalpha(c) | isdigit(c); }
int isxdigit(int c) { return isdigit(c) | between(c | 32, 'a', 'f'); }
int isspace(int c) { return (c == ' ') | between(c, '\t', '\r'); }
int isblank(int c) { return (c == ' ') | (c == '\t'); }
int isprint(int c) { return between(c, ' ', '~'); }
int isgraph(int c) { return between(c, '!', '~'); }
int ispunct(int c) { return isgraph(c) & !isalnum(c); }
int iscntrl(int c) { return between(c, 0, 31) | (c == 127); }
int isascii(int c) { return between(c, 0, 127); }
int toascii(int c) { return c & 127; }
int tolower(int c) { return isupper(c) ? c + 32 : c; }
int toupper(int c) { return islower(c) ? c - 32 : c; }

// The bits of glibc's classes on a little-endian machine.
enum {
  UPPER = 0x100,
  LOWER = 0x200,
  ALPHA = 0x400,
  DIGIT = 0x800,
  HEX = 0x1000,
  SPACE = 0x2000,
  PRINT = 0x4000,
  GRAPH = 0x8000,
  BLANK = 1,
  CONTROL = 2,
  PUNCTUATION = 4,
  ALNUM = 8
};
enum {
  SIGN = PRINT | GRAPH | PUNCTUATION,
  NUMERAL = PRINT | GRAPH | ALNUM | DIGIT | HEX,
  CAPITAL = PRINT | GRAPH | ALNUM | ALPHA | UPPER,
  SMALL = PRINT | GRAPH | ALNUM | ALPHA | LOWER
};

enum { BELOW_ZERO = 128, ENTRIES = 384 };
#define AT(c) [BELOW_ZERO + (c)]
#define FROM(c, d) [BELOW_ZERO + (c)... BELOW_ZERO + (d)]

static const unsigned short class_table[ENTRIES] = {
    FROM(0, 8) = CONTROL,     AT(9) = CONTROL | SPACE | BLANK, FROM(10, 13) = CONTROL | SPACE,
    FROM(14, 31) = CONTROL,   AT(' ') = PRINT | SPACE | BLANK, FROM('!', '/') = SIGN,
    FROM('0', '9') = NUMERAL, FROM(':', '@') = SIGN,           FROM('A', 'F') = CAPITAL | HEX,
    FROM('G', 'Z') = CAPITAL, FROM('[', '`') = SIGN,           FROM('a', 'f') = SMALL | HEX,
    FROM('g', 'z') = SMALL,   FROM('{', '~') = SIGN,           AT(127) = CONTROL,
};

// Index -1 (EOF) stays -1; other negative indices stand for the characters 128 to 254.
#define EIGHT(c) (c), (c) + 1, (c) + 2, (c) + 3, (c) + 4, (c) + 5, (c) + 6, (c) + 7
#define THIRTY_TWO(c) EIGHT(c), EIGHT((c) + 8), EIGHT((c) + 16), EIGHT((c) + 24)
#define BELOW                                                                                                          \
  THIRTY_TWO(128), THIRTY_TWO(160), THIRTY_TWO(192), EIGHT(224), EIGHT(232), EIGHT(240), 248, 249, 250, 251, 252, 253, \
      254, -1
#define LETTERS(a) EIGHT(a), EIGHT((a) + 8), EIGHT((a) + 16), (a) + 24, (a) + 25
#define ABOVE THIRTY_TWO(128), THIRTY_TWO(160), THIRTY_TWO(192), THIRTY_TWO(224)

static const int lower_table[ENTRIES] = {
    BELOW, THIRTY_TWO(0), THIRTY_TWO(32), 64, LETTERS('a'), 91, 92, 93, 94, 95, THIRTY_TWO(96), ABOVE,
};
static const int upper_table[ENTRIES] = {
    BELOW, THIRTY_TWO(0), THIRTY_TWO(32), THIRTY_TWO(64), 96, LETTERS('A'), 123, 124, 125, 126, 127, ABOVE,
};

static const unsigned short *const classes = class_table + BELOW_ZERO;
static const int *const lower = lower_table + BELOW_ZERO;
static const int *const upper = upper_table + BELOW_ZERO;

const unsigned short **__ctype_b_loc(void) { return (const unsigned short **)&classes; }
const int **__ctype_tolower_loc(void) { return (const int **)&lower; }
const int **__ctype_toupper_loc(void) { return (const int **)&upper; }
size_t __ctype_get_mb_cur_max(void) { return 1; }
