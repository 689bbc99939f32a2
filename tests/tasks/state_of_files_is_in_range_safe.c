// What stat and getrlimit tell is in the ranges of POSIX: a size is not negative, a limit is at most the hard one.
#include <assert.h>
#include <sys/resource.h>
#include <sys/stat.h>

int main(void) {
  struct stat state;
  struct rlimit limit;
  if (stat("file", &state) == 0)
    assert(state.st_size >= 0 && state.st_blksize > 0 && state.st_mtim.tv_nsec < 1000000000);
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0) assert(limit.rlim_cur <= limit.rlim_max);
  return 0;
}
