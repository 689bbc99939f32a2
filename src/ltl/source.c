#include "ltl/source.h"

#include <assert.h>
#include <ctype.h>
#include <stdint.h>
#include <string.h>

static bool is_quote(char c) { return c == '"' || c == '\''; }

size_t source_constant(const char *text) {
  assert(is_quote(text[0]));
  for (size_t i = 1; text[i]; i++) {
    if (text[i] == text[0]) return i + 1;
    if (text[i] == '\n' && text[0] == '\'') return 0;
    if (text[i] == '\\' && text[i + 1]) i++;
  }
  return 0;
}

// The length of a comment or a joined line end that begins here, which counts as a blank. 0: there is none; SIZE_MAX: a
// comment is not closed.
static size_t hidden_blank(const char *text) {
  if (strncmp(text, "//", 2) == 0) return strcspn(text, "\n");
  if (strncmp(text, "\\\n", 2) == 0) return 2;
  if (strncmp(text, "\\\r\n", 3) == 0) return 3;
  if (strncmp(text, "/*", 2) != 0) return 0;
  const char *end = strstr(text + 2, "*/");
  return end ? (size_t)(end + 2 - text) : SIZE_MAX;
}

bool source_without_comments(const char *text, Text *out, SourceFault *fault) {
  for (size_t i = 0; text[i];) {
    size_t length = is_quote(text[i]) ? source_constant(text + i) : 1, blank = hidden_blank(text + i);
    if (blank == SIZE_MAX || length == 0) {
      bool quote = text[i] == '"';
      *fault = (SourceFault){i, length != 0 ? "this comment is not closed"
                                : quote     ? "this quote is not closed"
                                            : "this character constant is not closed"};
      return false;
    }
    if (blank == 0) text_add_bytes(out, text + i, length);
    for (size_t k = 0; k < blank; k++) text_add_char(out, text[i + k] == '\n' ? '\n' : ' ');
    i += blank ? blank : length;
  }
  return true;
}

void source_on_one_line(const char *text, size_t length, Text *out) {
  bool first = true, blank = false;
  for (size_t i = 0; i < length;) {
    if (isspace((unsigned char)text[i])) {
      blank = true;
      i++;
      continue;
    }
    if (blank && !first) text_add_char(out, ' ');
    size_t constant = is_quote(text[i]) ? source_constant(text + i) : 0, taken = constant ? constant : 1;
    if (taken > length - i) taken = length - i;
    text_add_bytes(out, text + i, taken);
    first = blank = false;
    i += taken;
  }
}

void source_position(const char *text, size_t at, Text *out) {
  size_t length = strlen(text), line = 1, begin = 0;
  while (length > 0 && isspace((unsigned char)text[length - 1])) length--;
  for (size_t i = 0; i < at && text[i]; i++) {
    if (text[i] != '\n') continue;
    line++;
    begin = i + 1;
  }
  if (line > 1 || memchr(text, '\n', length)) text_format(out, "line %zu, ", line);
  text_format(out, "column %zu", at - begin + 1);
}
