// fopen may fail, and fgetc dereferences what it is handed.
#include <stdio.h>

int main(void) {
  FILE *file = fopen("numbers", "r");
  return fgetc(file) == '1';
}
