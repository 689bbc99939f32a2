// The address of a function is two pointers away from what the undefined function is handed.
#include <assert.h>

struct operations { void (*begin)(void); };
struct module { const char *name; const struct operations *operations; };

extern void install(struct module *module);
int begun;

static void begin(void) { begun = 1; }
static const struct operations operations = {begin};

int main(void) {
  struct module module = {"clock", &operations};
  install(&module);
  assert(begun == 0);
  return 0;
}
