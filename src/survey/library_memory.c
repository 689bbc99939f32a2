#include "survey/library_memory.h"

#include <stddef.h>
#include <string.h>

typedef struct Row {
  const char *function;
  uint32_t memory; // functions with the same number use the same
  bool writes;
} Row;

// After the list of functions in POSIX.1-2017, 2.9.1, that need not be thread-safe, and Linux's manual pages.
static const Row rows[] = {
    {"__posix_getopt", 15, true}, {"__secure_getenv", 1, false}, {"__xpg_basename", 16, true},
    {"asctime", 2, true},         {"basename", 16, true},        {"clearenv", 1, true},
    {"crypt", 17, true},          {"ctermid", 13, true},         {"ctime", 2, true},
    {"dirname", 16, true},        {"drand48", 19, true},         {"ecvt", 20, true},
    {"erand48", 19, true},        {"ether_aton", 32, true},      {"ether_ntoa", 33, true},
    {"fcvt", 20, true},           {"gamma", 34, true},           {"gammaf", 34, true},
    {"gammal", 34, true},         {"getenv", 1, false},          {"getgrent", 10, true},
    {"getgrgid", 10, true},       {"getgrnam", 10, true},        {"gethostbyaddr", 6, true},
    {"gethostbyname", 6, true},   {"gethostbyname2", 6, true},   {"gethostent", 6, true},
    {"getlogin", 14, true},       {"getmntent", 23, true},       {"getnetbyname", 29, true},
    {"getopt", 15, true},         {"getopt_long", 15, true},     {"getopt_long_only", 15, true},
    {"getpass", 31, true},        {"getprotobyname", 8, true},   {"getprotobynumber", 8, true},
    {"getprotoent", 8, true},     {"getpwent", 9, true},         {"getpwnam", 9, true},
    {"getpwuid", 9, true},        {"getservbyname", 7, true},    {"getservbyport", 7, true},
    {"getservent", 7, true},      {"getspnam", 30, true},        {"getutxent", 28, true},
    {"gmtime", 2, true},          {"hcreate", 18, true},         {"hdestroy", 18, true},
    {"hsearch", 18, true},        {"inet_ntoa", 11, true},       {"l64a", 21, true},
    {"lgamma", 34, true},         {"lgammaf", 34, true},         {"lgammal", 34, true},
    {"localeconv", 5, true},      {"localtime", 2, true},        {"lrand48", 19, true},
    {"mblen", 25, true},          {"mbtowc", 25, true},          {"mrand48", 19, true},
    {"nl_langinfo", 24, true},    {"ptsname", 22, true},         {"putenv", 1, true},
    {"secure_getenv", 1, false},  {"setenv", 1, true},           {"setlocale", 4, true},
    {"srand48", 19, true},        {"strsignal", 27, true},       {"strtok", 3, true},
    {"tmpnam", 26, true},         {"ttyname", 12, true},         {"unsetenv", 1, true},
    {"wcstombs", 25, true},       {"wctomb", 25, true},
};

// Of the C library, POSIX and glibc.
static const char *const objects[] = {
    "stdin",
    "stdout",
    "stderr",
    "optarg",
    "optind",
    "opterr",
    "optopt",
    "environ",
    "__environ",
    "timezone",
    "daylight",
    "tzname",
    "signgam",
    "getdate_err",
    "program_invocation_name",
    "program_invocation_short_name",
    "sys_errlist",
    "sys_nerr",
    "sys_siglist",
    "in6addr_any",
    "in6addr_loopback",
    "loc1",
    "loc2",
    "locs",
    "h_errno",
};

bool library_has_object(const char *name) {
  for (size_t i = 0; i < sizeof objects / sizeof *objects; i++)
    if (strcmp(objects[i], name) == 0) return true;
  return false;
}

uint32_t library_object_memory(const char *name) {
  static const struct {
    const char *name, *function;
  } users[] = {{"optarg", "getopt"}, {"optind", "getopt"},  {"opterr", "getopt"},
               {"optopt", "getopt"}, {"environ", "getenv"}, {"__environ", "getenv"}};
  bool writes;
  for (size_t i = 0; i < sizeof users / sizeof *users; i++)
    if (strcmp(users[i].name, name) == 0) return library_memory(users[i].function, &writes);
  return 0;
}

uint32_t library_memory(const char *function, bool *writes) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strcmp(rows[i].function, function) == 0) {
      *writes = rows[i].writes;
      return rows[i].memory;
    }
  return 0;
}
