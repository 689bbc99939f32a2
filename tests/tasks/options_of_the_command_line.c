// getopt_long reads options in any order, abbreviated too, and moves the other words behind them.
#include <assert.h>
#include <getopt.h>
#include <string.h>

int main(void) {
  static const struct option names[] = {
      {"level", required_argument, NULL, 'l'}, {"quiet", no_argument, NULL, 'q'}, {0}};
  char *words[] = {"program", "file", "-v", "--lev=3", "--quiet", "-o", "out", "--", "-x", NULL};
  assert(getopt_long(9, words, "vo:", names, NULL) == 'v');
  assert(getopt_long(9, words, "vo:", names, NULL) == 'l' && strcmp(optarg, "3") == 0);
  assert(getopt_long(9, words, "vo:", names, NULL) == 'q' && optarg == NULL);
  assert(getopt_long(9, words, "vo:", names, NULL) == 'o' && strcmp(optarg, "out") == 0);
  assert(getopt_long(9, words, "vo:", names, NULL) == -1 && optind == 7);
  assert(strcmp(words[7], "file") == 0 && strcmp(words[8], "-x") == 0);
  return 0;
}
