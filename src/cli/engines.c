#include "cli/engines.h"

#include "order/order.h"
#include "reach/reach.h"
#include "replay/replay.h"

const Engine *const engines[] = {&replay_engine, &order_engine, &reach_engine, NULL};

static bool decides(const Engine *engine, Property property) { return engine->properties >> property & 1; }

const Engine *engine_find(const char *name, Property property) {
  bool any = strcmp(name, "auto") == 0;
  for (size_t i = 0; engines[i]; i++)
    if (any ? decides(engines[i], property) : strcmp(engines[i]->name, name) == 0) return engines[i];
  return NULL;
}

bool engine_accepts(const char *name, Property property, Text *error) {
  const Engine *engine = engine_find(name, property);
  if (engine && decides(engine, property)) return true;
  if (engine) {
    text_format(error, "engine %s does not decide the property %s", name, property_name(property));
  } else if (strcmp(name, "auto") == 0) {
    text_format(error, "no engine decides the property %s", property_name(property));
  } else {
    text_format(error, "unknown engine '%s'; known are auto", name);
    for (size_t i = 0; engines[i]; i++) text_format(error, ", %s", engines[i]->name);
  }
  return false;
}
