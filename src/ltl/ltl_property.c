#include "ltl/ltl_property.h"

#include "ltl/source.h"

// The text on one line; "" if a comment is not closed: then it is no formula.
static const char *one_line(LtlProperty *property, const char *given) {
  Text clean, line;
  text_init(&clean, property->arena.account);
  text_init(&line, property->arena.account);
  SourceFault fault;
  if (source_without_comments(given, &clean, &fault)) source_on_one_line(clean.data, clean.length, &line);
  const char *text = arena_string(&property->arena, line.data);
  text_free(&line);
  text_free(&clean);
  return text;
}

bool ltl_property_init(LtlProperty *property, const char *given, bool fair, Text *error, Account *account) {
  *property = (LtlProperty){.fair = fair, .origin = ""};
  ltl_store_init(&property->store, account);
  LtlAtomVector_init(&property->atoms, account);
  arena_init(&property->arena, account);
  property->source = arena_string(&property->arena, given);
  property->text = one_line(property, given);
  if (!ltl_parse(&property->store, given, &property->formula, &property->atoms, &property->arena, error)) return false;
  property->negation = ltl_not(&property->store, property->formula);
  if (property->atoms.count <= MOST_ATOMS) return true;
  source_position(given, property->atoms.data[MOST_ATOMS].column - 1, error);
  text_format(error, ": more than %d different expressions", MOST_ATOMS);
  return false;
}

void ltl_property_position(const LtlProperty *property, size_t column, Text *out) {
  assert(column > 0);
  text_add(out, property->origin);
  source_position(property->source, column - 1, out);
}

void ltl_property_free(LtlProperty *property) {
  arena_free(&property->arena);
  LtlAtomVector_free(&property->atoms);
  ltl_store_free(&property->store);
}
