// A pointer that is written to a pipe comes back as it was. The model does not keep what is written: UNKNOWN.
#include <stdlib.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  int *sent = malloc(sizeof *sent), *received;
  if (pipe(ends)) return 1;
  if (write(ends[1], &sent, sizeof sent) != sizeof sent) return 1;
  if (read(ends[0], &received, sizeof received) != sizeof received) return 1;
  *received = 1;
  free(received);
  return 0;
}
