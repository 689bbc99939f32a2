// Pointers with tags in their lowest bits, put there by or, xor, addition, fetch_or and fetch_add and taken off again.
// Safe: each time the pointer is the one that was tagged.
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

void reach_error(void) {}

struct node {
  int pad, value;
} global;
_Atomic uintptr_t shared;
uintptr_t word;
bool flag;
unsigned number;

static void check(uintptr_t tagged, unsigned tag, int value) {
  struct node *node = (struct node *)(tagged & ~(uintptr_t)7);
  if ((tagged & 7) != tag || node->value != value)
    reach_error();
}

int main(void) {
  struct node *block = malloc(sizeof *block);
  block->value = 7;
  global.value = 8;
  check((uintptr_t)block | 3, 3, 7);
  check((uintptr_t)&global ^ 5, 5, 8);
  flag = !flag;
  word = (uintptr_t)block | flag;
  check(word, 1, 7);
  number = 6;
  word = (uintptr_t)&global + (number & 7);
  check(word, 6, 8);
  struct node *node = (struct node *)(word - (word & 7));
  if (node->value != 8)
    reach_error();
  node = (struct node *)(word >> 3 << 3);
  if (node->value != 8)
    reach_error();
  node = (struct node *)(word ^ 6);
  if (node->value != 8)
    reach_error();
  atomic_fetch_or(&shared, (uintptr_t)block); // was null
  atomic_fetch_or(&shared, 2);
  check(shared, 2, 7);
  atomic_fetch_add(&shared, 1);
  atomic_fetch_add(&shared, 1);
  check(shared, 4, 7);
  atomic_fetch_xor(&shared, 4);
  check(shared, 0, 7);
  return 0;
}
