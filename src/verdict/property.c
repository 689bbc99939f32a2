#include "verdict/property.h"

#include "base/file.h"

#include <assert.h>
#include <ctype.h>

typedef struct PropertyRow {
  const char *name, *summary;
  unsigned preserves;
} PropertyRow;

static const PropertyRow rows[PROPERTY_COUNT] = {
#define X(id, text, preserve, what) [PROPERTY_##id] = {.name = text, .summary = what, .preserves = preserve},
    PROPERTIES(X)
#undef X
};

// SV-COMP formulas, without blanks. `supported` is false for a formula that is known but cannot be decided.
typedef struct Formula {
  const char *text;
  Property property;
  bool supported;
} Formula;

static const Formula formulas[] = {
    {"G!call(reach_error())", PROPERTY_UNREACH_CALL, true},
    {"G!call(__VERIFIER_error())", PROPERTY_UNREACH_CALL, true},
    {"G!data-race", PROPERTY_NO_DATA_RACE, true},
    {"G!deadlock", PROPERTY_NO_DEADLOCK, true},
    {"Gvalid-free", PROPERTY_VALID_MEMSAFETY, true},
    {"Gvalid-deref", PROPERTY_VALID_MEMSAFETY, true},
    {"Gvalid-memtrack", PROPERTY_VALID_MEMTRACK, true},
    {"G!division-by-zero", PROPERTY_NO_DIVISION_BY_ZERO, true},
    {"G!overflow", PROPERTY_NO_OVERFLOW, true},
    {"Gvalid-memcleanup", PROPERTY_VALID_MEMCLEANUP, true},
    {"Fend", PROPERTY_UNREACH_CALL, false},
};

const char *property_name(Property property) {
  assert(property < PROPERTY_COUNT);
  return rows[property].name;
}

const char *property_summary(Property property) {
  assert(property < PROPERTY_COUNT);
  return rows[property].summary;
}

unsigned property_preserves(Property property) {
  assert(property < PROPERTY_COUNT);
  return rows[property].preserves;
}

unsigned properties_count(PropertySet set) {
  unsigned count = 0;
  for (; set; set &= set - 1) count++;
  return count;
}

// What `all` stands for.
static PropertySet properties_all(void) { return ((1u << PROPERTY_COUNT) - 1) & ~property_alone(PROPERTY_LTL); }

PropertySet properties_usual(void) {
  return property_alone(PROPERTY_UNREACH_CALL) | property_alone(PROPERTY_NO_DATA_RACE) |
         property_alone(PROPERTY_NO_DEADLOCK) | property_alone(PROPERTY_VALID_MEMSAFETY) |
         property_alone(PROPERTY_NO_DIVISION_BY_ZERO);
}

bool property_has_check(Property property, const PropertyCheck *check) {
  switch (check->subject) {
  case CHECK_OVERFLOW: return property == PROPERTY_NO_OVERFLOW;
  case CHECK_CLEANUP: return property == PROPERTY_VALID_MEMCLEANUP;
  case CHECK_TRACK: return property == PROPERTY_VALID_MEMTRACK;
  case CHECK_SCOPE: return false;
  }
  return false;
}

static bool find_name(const char *text, Property *property) {
  for (unsigned i = 0; i < PROPERTY_COUNT; i++) {
    if (strcmp(rows[i].name, text) != 0) continue;
    *property = (Property)i;
    return true;
  }
  return false;
}

// The formula of a line CHECK( init(main()), LTL(formula) ) without its blanks; false if the line has another form.
static bool read_check(const char *line, size_t length, Text *formula) {
  static const char head[] = "CHECK(init(main()),LTL(";
  static const char tail[] = "))";
  text_clear(formula);
  for (size_t i = 0; i < length; i++)
    if (!isspace((unsigned char)line[i])) text_add_char(formula, line[i]);
  size_t head_length = sizeof head - 1, tail_length = sizeof tail - 1;
  if (formula->length < head_length + tail_length || strncmp(formula->data, head, head_length) != 0) return false;
  if (strcmp(formula->data + formula->length - tail_length, tail) != 0) return false;
  size_t inner = formula->length - head_length - tail_length;
  assert(inner < formula->length);
  memmove(formula->data, formula->data + head_length, inner);
  formula->data[inner] = '\0';
  formula->length = inner;
  return true;
}

bool property_parse_formula(const char *text, Property *property) {
  Text formula;
  text_init(&formula, NULL);
  if (!read_check(text, strlen(text), &formula)) {
    text_clear(&formula);
    for (; *text; text++)
      if (!isspace((unsigned char)*text)) text_add_char(&formula, *text);
  }
  bool found = false;
  for (size_t i = 0; i < sizeof formulas / sizeof *formulas && !found; i++) {
    found = formulas[i].supported && strcmp(formulas[i].text, formula.data) == 0;
    if (found) *property = formulas[i].property;
  }
  text_free(&formula);
  return found;
}

static bool find_formula(const char *path, unsigned line, const char *text, Property *property, Text *error) {
  for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++) {
    if (strcmp(formulas[i].text, text) != 0) continue;
    if (!formulas[i].supported) break;
    *property = formulas[i].property;
    return true;
  }
  text_format(error, "%s:%u: property %s is not supported (formulas of your own: --ltl)", path, line, text);
  return false;
}

static bool is_blank(const char *line, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (!isspace((unsigned char)line[i])) return false;
  return true;
}

bool properties_parse_lines(const char *path, const Text *content, PropertySet *set, Text *error) {
  Text formula;
  text_init(&formula, NULL);
  bool good = true;
  unsigned number = 0;
  const char *end = content->data + content->length;
  *set = 0;
  for (const char *line = content->data; good && line < end; number++) {
    const char *newline = memchr(line, '\n', (size_t)(end - line));
    size_t length = (size_t)((newline ? newline : end) - line);
    if (!is_blank(line, length)) {
      Property asked = PROPERTY_UNREACH_CALL;
      good = read_check(line, length, &formula);
      if (!good)
        text_format(error, "%s:%u: not a line CHECK( init(main()), LTL(...) )", path, number + 1);
      else
        good = find_formula(path, number + 1, formula.data, &asked, error);
      if (good) *set |= property_alone(asked);
    }
    line += length + 1;
  }
  if (good && !*set) {
    text_format(error, "%s: no property in it", path);
    good = false;
  }
  text_free(&formula);
  return good;
}

static bool is_property_file(const char *text) { return strchr(text, '/') || ends_with(text, ".prp"); }

bool properties_parse(const char *text, PropertySet *set, Text *error) {
  Property named;
  if (find_name(text, &named)) {
    *set = property_alone(named);
    return true;
  }
  if (strcmp(text, "all") == 0) {
    *set = properties_all();
    return true;
  }
  if (!is_property_file(text)) {
    text_format(error, "unknown property '%s'; known are", text);
    for (unsigned i = 0; i < PROPERTY_COUNT; i++) text_format(error, "%s %s", i ? "," : "", rows[i].name);
    text_add(error, ", all, and the path of a .prp file");
    return false;
  }
  Text content;
  text_init(&content, NULL);
  bool good =
      file_read_named(&content, text, FILE_MOST_RULE, error) && properties_parse_lines(text, &content, set, error);
  text_free(&content);
  return good;
}
