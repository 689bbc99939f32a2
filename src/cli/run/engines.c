#include "cli/run/engines.h"

#include "circuit/circuit_engine.h"
#include "command/spelling.h"
#include "explicit/explicit_engine.h"
#include "order/order.h"
#include "reach/reach.h"

const Engine survey_engine = {
    .name = "survey",
    .summary = "before the others, the whole program without inlining: what protects each shared object",
    .properties = 1u << PROPERTY_NO_DATA_RACE,
    .reads = "",
};

const Engine *const engines[] = {&explicit_engine, &order_engine, &reach_engine, &circuit_engine, &survey_engine, NULL};

static const char name_auto[] = "auto";

bool engine_is_auto(const char *name) { return strcmp(name, name_auto) == 0; }

const Engine *engine_find(const char *name) {
  for (size_t i = 0; engines[i]; i++)
    if (strcmp(engines[i]->name, name) == 0) return engines[i];
  return NULL;
}

static bool has_word(const char *words, const char *word) {
  size_t length = strlen(word);
  for (const char *at = words; *at; at += strspn(at, " ")) {
    size_t here = strcspn(at, " ");
    if (here == length && strncmp(at, word, length) == 0) return true;
    at += here;
  }
  return false;
}

static bool understands(const Engine *engine, const char *option, const char *value, const NameTable *values,
                        Text *error) {
  if (!values || name_known(*values, value)) return true;
  text_format(error, "engine %s has no --%s %s; it has", engine->name, option, value);
  for (size_t i = 0; i < values->count; i++) text_format(error, " %s", values->names[i]);
  return false;
}

static void complain_unknown(const char *name, Text *error) {
  Spelling spelling;
  spelling_init(&spelling, name);
  spelling_try(&spelling, name_auto);
  text_format(error, "unknown engine '%s'; known are %s", name, name_auto);
  for (size_t i = 0; engines[i]; i++) {
    text_format(error, ", %s", engines[i]->name);
    spelling_try(&spelling, engines[i]->name);
  }
  spelling_suggest(&spelling, "", error);
}

bool engine_reads(const Engine *engine, const char *option) { return has_word(engine->reads, option); }

bool engine_accepts(const char *name, Property property, const EngineOptions *options, Text *error) {
  const Engine *engine = engine_find(name);
  if (engine && engine->properties >> property & 1)
    return understands(engine, "reduction", options->reduction, engine->reductions, error) &&
           understands(engine, "search", options->search, engine->searches, error) &&
           (!engine->accepts || engine->accepts(options, error));
  if (engine)
    text_format(error, "engine %s does not decide the property %s", name, property_name(property));
  else
    complain_unknown(name, error);
  return false;
}
