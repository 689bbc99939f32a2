// --env fixes the environment: NAME is heddle, EMPTY is empty, and there is nothing else.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

int main(int argc, char **argv, char **variables) {
  char name[5] = "NAM";
  name[3] = 'E';
  assert(strcmp(getenv("NAME"), "heddle") == 0 && strcmp(getenv(name), "heddle") == 0);
  assert(getenv("EMPTY")[0] == 0 && getenv("PATH") == 0 && getenv("NAM") == 0);
  assert(variables == environ && environ[2] == 0 && strcmp(environ[0], "NAME=heddle") == 0);
  return 0;
}
