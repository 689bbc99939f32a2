// 1 << 31 does not fit into int.
int bit = 31;

int main(void) { return (1 << bit) == 0; }
