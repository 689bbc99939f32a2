// The table of engines, and the name `auto`.
#ifndef HEDDLE_CLI_ENGINES_H
#define HEDDLE_CLI_ENGINES_H

#include "verdict/engine.h"

// Rows in the order in which help lists them, ended by NULL.
extern const Engine *const engines[];

// The engine of that name; `auto` picks one that decides the property. NULL if there is none.
const Engine *engine_find(const char *name, Property property);
// True if the engine exists, decides the property and understands the options; else false with one line in `error`.
bool engine_accepts(const char *name, Property property, const EngineOptions *options, Text *error);

#endif
