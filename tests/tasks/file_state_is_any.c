// The file may be a directory, and empty.
#include <assert.h>
#include <sys/stat.h>

int main(void) {
  struct stat state;
  if (fstat(0, &state) == 0) assert(!S_ISDIR(state.st_mode) || state.st_size != 0);
  return 0;
}
