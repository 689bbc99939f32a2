// Other processes. What starts a process or talks to one ends with UNKNOWN. Without a child
// there is nothing to wait for.
#include "results.h"

#include <stdint.h>
#include <sys/types.h>

int system(const char *command) { __heddle_unmodelled("system"); }
int daemon(int stay, int keep_open) { __heddle_unmodelled("daemon"); }
int posix_spawn(pid_t *process, const char *path, const void *actions, const void *attributes, char *const *arguments,
                char *const *environment) {
  __heddle_unmodelled("posix_spawn");
}
int posix_spawnp(pid_t *process, const char *file, const void *actions, const void *attributes, char *const *arguments,
                 char *const *environment) {
  __heddle_unmodelled("posix_spawnp");
}
int execvpe(const char *file, char *const *arguments, char *const *environment) { __heddle_unmodelled("execvpe"); }
int execle(const char *path, const char *argument, ...) { __heddle_unmodelled("execle"); }
long ptrace(int request, ...) { __heddle_unmodelled("ptrace"); }

pid_t wait(int *status) { return fail_with(ECHILD); }
pid_t waitpid(pid_t process, int *status, int options) { return fail_with(ECHILD); }
pid_t wait3(int *status, int options, void *usage) { return fail_with(ECHILD); }
pid_t wait4(pid_t process, int *status, int options, void *usage) { return fail_with(ECHILD); }
