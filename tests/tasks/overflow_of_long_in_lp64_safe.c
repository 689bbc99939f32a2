// A long has 64 bits for LP64, so that this product fits.
long a = 2147483647;

int main(void) { return a * a == 0; }
