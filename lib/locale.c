// Locales: the C locale, whatever is asked for. Texts are not translated.
#include "results.h"
#include "text.h"

#include <locale.h>
#include <stdint.h>

static char locale_name[] = "C";
static struct lconv conventions = {".", "", "", "", "", "", "", "", "", "", 127, 127, 127, 127, 127, 127, 127, 127};

char *setlocale(int category, const char *name) {
  if (name) __heddle_read_string(name, SIZE_MAX);
  return or_null(locale_name);
}

struct lconv *localeconv(void) { return &conventions; }
char *nl_langinfo(int item) { return ""; }
static char *same(const char *text) {
  __heddle_read_string(text, SIZE_MAX);
  return (char *)text;
}

char *gettext(const char *text) { return same(text); }
char *dgettext(const char *domain, const char *text) { return same(text); }
char *dcgettext(const char *domain, const char *text, int category) { return same(text); }
char *ngettext(const char *one, const char *many, unsigned long count) { return same(count == 1 ? one : many); }

char *textdomain(const char *domain) {
  if (domain) __heddle_read_string(domain, SIZE_MAX);
  return (char *)"messages";
}

char *bindtextdomain(const char *domain, const char *directory) {
  __heddle_read_string(domain, SIZE_MAX);
  if (directory) __heddle_read_string(directory, SIZE_MAX);
  return (char *)directory;
}

char *bind_textdomain_codeset(const char *domain, const char *codeset) {
  __heddle_read_string(domain, SIZE_MAX);
  if (codeset) __heddle_read_string(codeset, SIZE_MAX);
  return (char *)codeset;
}
