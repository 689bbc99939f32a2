// A long has 32 bits for ILP32.
long a = 2147483647;

int main(void) { return a * a == 0; }
