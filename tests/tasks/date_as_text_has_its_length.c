// asctime gives 25 characters, the last of which ends the line; strftime as many as its format says.
#include <assert.h>
#include <string.h>
#include <time.h>

int main(void) {
  time_t now = time(NULL);
  struct tm date;
  char text[26];
  localtime_r(&now, &date);
  assert(date.tm_hour < 24 && date.tm_mon >= 0);
  asctime_r(&date, text);
  assert(strlen(text) == 25 && text[24] == '\n');
  assert(strftime(text, sizeof text, "%H:%M:%S", &date) == 8 && strlen(text) == 8);
  return 0;
}
