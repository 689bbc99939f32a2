// Dates. A broken-down time is any date; its fields are in their ranges. The real functions compute the date, or its
// text, from their arguments; the model guesses it (a violation that depends on it does not count). Texts of dates
// have the lengths of the C locale, with years of four digits.
//
// localtime, gmtime, ctime and asctime use memory that all threads share, by ordinary accesses: they are not
// thread-safe.
#define _GNU_SOURCE
#include "results.h"

#include <stdint.h>
#include <time.h>

static struct tm shared_date;
static char shared_text[26];

char *tzname[2] = {"UTC", "UTC"};
long timezone = 0;
int daylight = 0;
void tzset(void) {}

long __heddle_guess_long(void);

static int guess_in(int least, int most) {
  int value = __heddle_guess_int();
  return __heddle_select_int((value < least) | (value > most), least, value);
}

static void HEDDLE_PLAIN(fill_date)(struct tm *date) {
  date->tm_sec = guess_in(0, 60);
  date->tm_min = guess_in(0, 59);
  date->tm_hour = guess_in(0, 23);
  date->tm_mday = guess_in(1, 31);
  date->tm_mon = guess_in(0, 11);
  date->tm_year = guess_in(70, 8099);
  date->tm_wday = guess_in(0, 6);
  date->tm_yday = guess_in(0, 365);
  date->tm_isdst = guess_in(0, 1);
  date->tm_gmtoff = guess_in(-86400, 86400);
  date->tm_zone = "UTC";
}

static struct tm *to_date(const time_t *time, struct tm *date) {
  __heddle_read_bytes(time, sizeof *time);
  HEDDLE_PLAIN(fill_date)(date);
  return date;
}

struct tm *localtime(const time_t *time) { return to_date(time, &shared_date); }
struct tm *gmtime(const time_t *time) { return to_date(time, &shared_date); }
struct tm *localtime_r(const time_t *time, struct tm *date) { return to_date(time, date); }
struct tm *gmtime_r(const time_t *time, struct tm *date) { return to_date(time, date); }

// The fields may be changed to lie in their ranges.
time_t mktime(struct tm *date) {
  __heddle_read_bytes(date, sizeof *date);
  HEDDLE_PLAIN(fill_date)(date);
  long time = __heddle_guess_long();
  time = __heddle_select_long(time < -1, -1, time);
  note_failure(time < 0);
  return time;
}

time_t timelocal(struct tm *date) { return mktime(date); }
time_t timegm(struct tm *date) { return mktime(date); }
double difftime(time_t end, time_t start) { return (double)(end - start); }

// --- text ---

// Characters that are not zero. Where only accesses count, they are any.
static void HEDDLE_PLAIN(fill_text)(char *to, size_t length) {
  if (__heddle_every_access) {
    __heddle_any_bytes(to, length);
    return;
  }
  for (size_t i = 0; i < length; i++) to[i] = (char)guess_in(' ', '~');
}

static void HEDDLE_PLAIN(end_text)(char *to) { *to = 0; }

// "Thu Jan  1 00:00:00 1970\n"
static void HEDDLE_PLAIN(end_date)(char *to) {
  to[24] = '\n';
  to[25] = 0;
}

static char *date_text(char *to) {
  HEDDLE_PLAIN(fill_text)(to, 24);
  HEDDLE_PLAIN(end_date)(to);
  return to;
}

char *asctime_r(const struct tm *date, char *to) {
  __heddle_read_bytes(date, sizeof *date);
  return date_text(to);
}

char *ctime_r(const time_t *time, char *to) {
  __heddle_read_bytes(time, sizeof *time);
  return date_text(to);
}

char *asctime(const struct tm *date) { return asctime_r(date, shared_text); }
char *ctime(const time_t *time) { return ctime_r(time, shared_text); }

// How long a conversion of strftime is in the C locale.
static size_t conversion_length(char kind) {
  switch (kind) {
  case '%':
  case 'n':
  case 't':
  case 'u':
  case 'w': return 1;
  case 'd':
  case 'e':
  case 'H':
  case 'I':
  case 'k':
  case 'l':
  case 'm':
  case 'M':
  case 'S':
  case 'y':
  case 'C':
  case 'U':
  case 'V':
  case 'W':
  case 'g':
  case 'p':
  case 'P': return 2;
  case 'a':
  case 'b':
  case 'h':
  case 'j': return 3;
  case 'Y':
  case 'G': return 4;
  case 'R':
  case 'z': return 5;
  case 'T':
  case 'X':
  case 'D':
  case 'x': return 8;
  case 'F': return 10;
  case 'r': return 11;
  case 'c': return 24;
  case 'A': return (size_t)guess_in(6, 9);
  case 'B': return (size_t)guess_in(3, 9);
  case 'Z': return (size_t)guess_in(0, 6);
  case 's': return (size_t)guess_in(1, 13);
  default: __heddle_unmodelled("a conversion of strftime");
  }
}

static int is_flag(char c) { return c == 'E' || c == 'O' || c == '-' || c == '_' || c == '0' || c == '^' || c == '#'; }

static size_t HEDDLE_PLAIN(date_length)(const char *format) {
  size_t length = 0;
  for (char c; (c = *format) != 0; format++) {
    if (c != '%') {
      length++;
      continue;
    }
    int short_numbers = 0;
    for (format++; is_flag(*format); format++) short_numbers |= *format == '-';
    size_t most = conversion_length(*format);
    length += short_numbers ? (size_t)guess_in(1, (int)most) : most;
  }
  return length;
}

size_t strftime(char *to, size_t room, const char *format, const struct tm *date) {
  __heddle_read_bytes(date, sizeof *date);
  size_t length = HEDDLE_PLAIN(date_length)(format);
  if (length >= room) {
    __heddle_any_bytes(to, room);
    return 0;
  }
  HEDDLE_PLAIN(fill_text)(to, length);
  HEDDLE_PLAIN(end_text)(to + length);
  return length;
}

char *strptime(const char *from, const char *format, struct tm *date) {
  __heddle_read_string(from, SIZE_MAX);
  __heddle_read_string(format, SIZE_MAX);
  HEDDLE_PLAIN(fill_date)(date);
  int read = guess_in(-1, INT_MAX), length = (int)__builtin_strlen(from);
  return read < 0 ? NULL : (char *)from + __heddle_select_int(read > length, length, read);
}
