// The environment of the process.
//
// Exact if it is given (--env). Otherwise each variable that the program asks for is set or not set from the start;
// its text is any text, of which a beginning is modelled (src/front/lower/process_start.c). A variable is identified
// by a name that is a constant string. A computed name is searched in the environment that was given; without one the
// answer is UNKNOWN. In a program that mentions environ all names are searched there. As POSIX says, changing the
// environment while another thread reads it is a data race.
//
// UNKNOWN, too: environ and main's third parameter without --env, or in a program that changes the environment; putenv
// of a string that is no constant; clearenv.
#include "errors.h"
#include "heddle.h"
#include "user_data.h"

char *strdup(const char *text);

char **environ = __heddle_environment;
extern char **__environ __attribute__((alias("environ")));
extern char **_environ __attribute__((alias("environ")));

enum { UNDECIDED = 0, SET = 1, NOT_SET = 2 };

// Was it set when the process started?
static int is_set(struct heddle_variable *variable) {
  __heddle_atomic_begin();
  int chosen = variable->chosen;
  if (chosen == UNDECIDED) {
    chosen = __heddle_fresh_bool() ? SET : NOT_SET;
    variable->chosen = chosen;
  }
  __heddle_atomic_end();
  return chosen == SET;
}

// Stands for the array of all variables: looking for one reads it, changing one writes it.
static int all_variables = 0;

static char *HEDDLE_PLAIN(value_now)(const struct heddle_variable *variable, char *at_start) {
  (void)*(const volatile int *)&all_variables;
  return variable->changed ? variable->value : at_start;
}

static void HEDDLE_PLAIN(change)(struct heddle_variable *variable, char *value) {
  all_variables = 1;
  variable->changed = 1;
  variable->value = value;
}

// The value in an entry NAME=VALUE, or NULL if the entry has another name.
static char *HEDDLE_PLAIN(value_of)(char *entry, const char *name) {
  size_t i = 0;
  while (name[i] && entry[i] == name[i]) i++;
  return name[i] == 0 && entry[i] == '=' ? entry + i + 1 : NULL;
}

static char *HEDDLE_PLAIN(look_through)(const char *name) {
  for (char **entry = environ; entry && *entry; entry++) {
    char *value = HEDDLE_PLAIN(value_of)(*entry, name);
    if (value) return value;
  }
  return NULL;
}

static char *look_up(const char *name) {
  if (!__heddle_environment_given && !__heddle_environment_seen)
    __heddle_unmodelled_environment("an environment variable whose name is not constant");
  if (__heddle_environment_changes) __heddle_unmodelled("a computed name in a program that changes its environment");
  return HEDDLE_PLAIN(look_through)(name);
}

char *getenv(const char *name) {
  struct heddle_variable *variable = __heddle_variable(name);
  if (!variable || __heddle_environment_seen) return look_up(name); // environ may have been written to
  char *at_start = is_set(variable) ? variable->text : NULL;
  return __heddle_environment_changes ? HEDDLE_PLAIN(value_now)(variable, at_start) : at_start;
}

char *secure_getenv(const char *name) { return getenv(name); }
char *__secure_getenv(const char *name) { return getenv(name); }

static void refuse_if_seen(void) {
  if (__heddle_environment_seen) __heddle_unmodelled("environ in a program that changes its environment");
}

static int HEDDLE_PLAIN(is_name)(const char *name) {
  if (!name || !name[0]) return 0;
  for (size_t i = 0; name[i]; i++)
    if (name[i] == '=') return 0;
  return 1;
}

static int fail(int code) {
  errno = code;
  return -1;
}

int setenv(const char *name, const char *value, int overwrite) {
  refuse_if_seen();
  struct heddle_variable *variable = __heddle_variable(name);
  if (!variable && !HEDDLE_PLAIN(is_name)(name)) return fail(EINVAL);
  if (!variable) __heddle_unmodelled("setenv of a name that is not constant");
  if (!overwrite && getenv(name)) return 0;
  HEDDLE_PLAIN(change)(variable, strdup(value));
  return 0;
}

int unsetenv(const char *name) {
  refuse_if_seen();
  struct heddle_variable *variable = __heddle_variable(name);
  if (!variable && !HEDDLE_PLAIN(is_name)(name)) return fail(EINVAL);
  if (!variable) __heddle_unmodelled("unsetenv of a name that is not constant");
  HEDDLE_PLAIN(change)(variable, NULL);
  return 0;
}

static char *HEDDLE_PLAIN(behind_name)(char *entry) {
  while (*entry != '=') entry++;
  return entry + 1;
}

int putenv(char *entry) {
  refuse_if_seen();
  struct heddle_variable *variable = __heddle_variable_entry(entry);
  if (!variable) __heddle_unmodelled("putenv of a string that is not a constant NAME=VALUE");
  HEDDLE_PLAIN(change)(variable, HEDDLE_PLAIN(behind_name)(entry));
  return 0;
}

int clearenv(void) { __heddle_unmodelled("clearenv"); }
