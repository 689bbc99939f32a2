#include "front/module/atom.h"

#include <ctype.h>
#include <string.h>

enum { MOST_NESTED = 1000 };

void atom_complain(const FrontAtom *atom, const char *what, Text *error) {
  assert(atom->position && atom->expression);
  text_format(error, "heddle: %s: ", atom->position);
  text_add_flat(error, atom->expression);
  text_format(error, ": %s\n", what);
}

// The end of a character constant that begins here; NULL: it has none.
static const char *constant_end(const char *c) {
  assert(*c == '\'');
  for (c++; *c && *c != '\n' && *c != '\''; c++)
    if (*c == '\\' && *++c == '\0') return NULL;
  return *c == '\'' ? c : NULL;
}

static const char *character_fault(const char *c) {
  if (c[0] == '/' && (c[1] == '/' || c[1] == '*')) return "there is a comment in this expression";
  switch (*c) {
  case '#': return "there is a # in this expression";
  case '\\': return "there is a backslash in this expression";
  case '"': return "there is a string in this expression";
  case ';': return "there is a semicolon in this expression";
  default: return NULL;
  }
}

// Why the text is not one expression, as far as brackets and characters show; NULL: no reason.
static const char *expression_fault(const char *text) {
  char closing[MOST_NESTED];
  assert(text);
  size_t open = 0;
  for (const char *c = text; *c; c++) {
    const char *wrong = character_fault(c), *bracket = strchr("()[]{}", *c);
    if (wrong) return wrong;
    if (*c == '\'') {
      // In a number it would separate digits, in C23.
      bool in_word = c > text && (isalnum((unsigned char)c[-1]) || c[-1] == '_');
      c = in_word ? NULL : constant_end(c);
      if (!c) return "there is a quote in this expression that begins no character constant";
    } else if (bracket && strchr("([{", *c)) {
      if (open == MOST_NESTED) return "there are too many nested brackets in this expression";
      closing[open++] = bracket[1];
    } else if (bracket && (open == 0 || closing[--open] != *c)) {
      return "a bracket is closed in this expression that was not opened";
    }
  }
  return open ? "a bracket is not closed in this expression" : NULL;
}

// A program may call an undeclared function; in a formula that is taken for a typing error.
static const char strictly[] = "#pragma clang diagnostic error \"-Wimplicit-function-declaration\"\n";

bool atoms_write(const FrontOptions *options, Text *source, Text *error) {
  if (options->atom_count > 0) text_add(source, strictly);
  for (size_t i = 0; i < options->atom_count; i++) {
    const FrontAtom *atom = &options->atoms[i];
    const char *wrong = expression_fault(atom->expression);
    if (wrong) {
      atom_complain(atom, wrong, error);
      return false;
    }
    text_format(source, "# %zu \"" FORMULA_FILE "\"\nint ", i + 1);
    text_format(source, ATOM_FUNCTION "(void) { return (", i);
    text_add_flat(source, atom->expression); // diagnostics give its line
    text_add(source, ") != 0; }\n");
  }
  return true;
}
