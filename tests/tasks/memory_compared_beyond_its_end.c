// memcmp compares all the bytes that it is told to. C does not let it be handed fewer, also if the first ones differ.
#include <string.h>

char name[2] = "a";

int main(void) { return memcmp(name, "other", 5) != 0; }
