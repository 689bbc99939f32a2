// From a member back to its struct, with offsetof.
#include <stddef.h>

extern void abort(void);
void reach_error(void) {}

struct link {
  struct link *next;
};
struct item {
  char tag;
  int value;
  struct link link;
};

int main(void) {
  struct item a = {'a', 1, {0}}, b = {'b', 2, {&a.link}};
  struct item *seen = (struct item *)((char *)b.link.next - offsetof(struct item, link));
  if (seen != &a || seen->value != 1 || seen->tag != 'a')
    reach_error();
  return 0;
}
