// A struct whose members and padding come from a file: any values, of which few matter. Reading it must not take it
// apart into bytes.
#include <unistd.h>

struct message {
  int kind;
  long length;
};

int main(void) {
  struct message message;
  char text[4] = {0};
  if (read(0, &message, sizeof message) != sizeof message) return 1;
  if (message.length > 3) return 1;
  return text[message.kind == 2];
}
