// getopt, getopt_long and getopt_long_only, as glibc has them: words that are no options are moved behind the options,
// unless the letters begin with '+' or '-'. Exact, except that POSIXLY_CORRECT is taken for not set and that no message
// is printed. All accesses are ordinary ones: none of these is safe for threads.
#include "heddle.h"

#include <getopt.h>

char *optarg = NULL;
int optind = 1, opterr = 1, optopt = '?';

static char *rest = NULL;       // of the word that is being read
static int first = 1, last = 1; // the words first .. last - 1 were passed over

// What one call works on.
struct words {
  int count;
  char **list;
  const char *letters;
  const struct option *names;
  int *number; // of the long option
  int only;    // getopt_long_only: a long option may begin with one '-'
  int missing; // what is returned for a missing argument
};

static int HEDDLE_PLAIN(is_option)(const char *word) { return word[0] == '-' && word[1] != 0; }
static int HEDDLE_PLAIN(ends_options)(const char *word) { return word[0] == '-' && word[1] == '-' && word[2] == 0; }

// The words passed over come behind the options that were read since.
static void HEDDLE_PLAIN(exchange)(char **list) {
  for (int option = last; option < optind; option++) {
    char *kept = list[option];
    int at = option;
    for (; at > first; at--) list[at] = list[at - 1];
    list[at] = kept;
    first++;
  }
  last = optind;
}

static const char *HEDDLE_PLAIN(find_letter)(const char *letters, char wanted) {
  for (; *letters != 0; letters++)
    if (*letters == wanted) return letters;
  return NULL;
}

// --- long options ---

// 2: it is the name; 1: it is the beginning of the name.
static int HEDDLE_PLAIN(match)(const char *word, const char *name) {
  while (*word != 0 && *word != '=' && *word == *name) word++, name++;
  if (*word != 0 && *word != '=') return 0;
  return *name == 0 ? 2 : 1;
}

// The number of the option that the word names, or -1: none, or several.
static int HEDDLE_PLAIN(find_name)(const struct option *names, const char *word) {
  int found = -1, several = 0;
  for (int i = 0; names[i].name; i++) {
    int fits = HEDDLE_PLAIN(match)(word, names[i].name);
    if (fits == 2) return i;
    if (fits == 0) continue;
    several |= found >= 0 && (names[found].has_arg != names[i].has_arg || names[found].flag != names[i].flag ||
                              names[found].val != names[i].val);
    if (found < 0) found = i;
  }
  return several ? -1 : found;
}

static int HEDDLE_PLAIN(long_argument)(const struct words *w, const struct option *option) {
  const char *sign = rest;
  while (*sign != 0 && *sign != '=') sign++;
  rest = NULL;
  if (*sign == '=' && option->has_arg == no_argument) {
    optopt = option->val;
    return '?';
  }
  if (*sign == '=')
    optarg = (char *)sign + 1;
  else if (option->has_arg == required_argument && optind < w->count)
    optarg = w->list[optind++];
  else if (option->has_arg == required_argument) {
    optopt = option->val;
    return w->missing;
  }
  return 0;
}

static int HEDDLE_PLAIN(long_option)(const struct words *w) {
  int number = HEDDLE_PLAIN(find_name)(w->names, rest);
  optind++;
  if (number < 0) {
    rest = NULL;
    optopt = 0;
    return '?';
  }
  const struct option *option = &w->names[number];
  int failed = HEDDLE_PLAIN(long_argument)(w, option);
  if (failed) return failed;
  if (w->number) *w->number = number;
  if (!option->flag) return option->val;
  *option->flag = option->val;
  return 0;
}

// --- letters ---

static int HEDDLE_PLAIN(short_option)(const struct words *w) {
  char c = *rest++;
  const char *found = HEDDLE_PLAIN(find_letter)(w->letters, c);
  if (*rest == 0) optind++;
  if (!found || c == ':' || c == ';') {
    optopt = (unsigned char)c;
    return '?';
  }
  if (found[1] != ':') return (unsigned char)c;
  int result = (unsigned char)c;
  if (*rest != 0) {
    optarg = rest;
    optind++;
  } else if (found[2] != ':' && optind >= w->count) {
    optopt = result;
    result = w->missing;
  } else if (found[2] != ':') {
    optarg = w->list[optind++];
  }
  rest = NULL;
  return result;
}

// --- words ---

// Goes to the next option. 0: there is one; else what getopt returns.
static int HEDDLE_PLAIN(next_word)(const struct words *w, char order) {
  if (last > optind) last = optind;
  if (first > optind) first = optind;
  if (order == 0) {
    if (first != last && last != optind)
      HEDDLE_PLAIN(exchange)(w->list);
    else if (last != optind)
      first = optind;
    while (optind < w->count && !HEDDLE_PLAIN(is_option)(w->list[optind])) optind++;
    last = optind;
  }
  if (optind < w->count && HEDDLE_PLAIN(ends_options)(w->list[optind])) {
    optind++;
    if (first != last && last != optind)
      HEDDLE_PLAIN(exchange)(w->list);
    else if (first == last)
      first = optind;
    last = w->count;
    optind = w->count;
  }
  if (optind >= w->count) {
    if (first != last) optind = first;
    return -1;
  }
  if (HEDDLE_PLAIN(is_option)(w->list[optind])) return 0;
  if (order == '+') return -1;
  optarg = w->list[optind++];
  return 1;
}

// How many '-' begin a long option, or 0 for letters.
static int HEDDLE_PLAIN(long_dashes)(const struct words *w, const char *word) {
  if (!w->names) return 0;
  if (word[1] == '-') return 2;
  int letter = HEDDLE_PLAIN(find_letter)(w->letters, word[1]) != NULL;
  if (!w->only || (word[2] == 0 && letter)) return 0;
  return !letter || HEDDLE_PLAIN(find_name)(w->names, word + 1) >= 0;
}

static int HEDDLE_PLAIN(next_option)(struct words *w) {
  if (w->count < 1) return -1;
  optarg = NULL;
  if (optind == 0) {
    optind = first = last = 1;
    rest = NULL;
  }
  char order = *w->letters == '+' || *w->letters == '-' ? *w->letters++ : 0;
  w->missing = *w->letters == ':' ? ':' : '?';
  if (!rest || *rest == 0) {
    int result = HEDDLE_PLAIN(next_word)(w, order);
    if (result != 0) return result;
    char *word = w->list[optind];
    int dashes = HEDDLE_PLAIN(long_dashes)(w, word);
    rest = word + (dashes > 0 ? dashes : 1);
    if (dashes > 0) return HEDDLE_PLAIN(long_option)(w);
  }
  return HEDDLE_PLAIN(short_option)(w);
}

int getopt(int count, char *const *list, const char *letters) {
  struct words w = {count, (char **)list, letters, NULL, NULL, 0, '?'};
  return HEDDLE_PLAIN(next_option)(&w);
}

int __posix_getopt(int count, char *const *list, const char *letters) {
  struct words w = {count, (char **)list, letters, NULL, NULL, 0, '?'};
  return HEDDLE_PLAIN(next_option)(&w);
}

int getopt_long(int count, char *const *list, const char *letters, const struct option *names, int *number) {
  struct words w = {count, (char **)list, letters, names, number, 0, '?'};
  return HEDDLE_PLAIN(next_option)(&w);
}

int getopt_long_only(int count, char *const *list, const char *letters, const struct option *names, int *number) {
  struct words w = {count, (char **)list, letters, names, number, 1, '?'};
  return HEDDLE_PLAIN(next_option)(&w);
}
