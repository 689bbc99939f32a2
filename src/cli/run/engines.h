// The table of engines.
#ifndef HEDDLE_CLI_RUN_ENGINES_H
#define HEDDLE_CLI_RUN_ENGINES_H

#include "verdict/engine.h"

// Rows in the order in which help lists them, ended by NULL.
extern const Engine *const engines[];
// The survey (survey_answer.h), which is not run by a portfolio: it is asked before.
extern const Engine survey_engine;

bool engine_is_auto(const char *name); // no engine, but the plan, chooses
// The engine of that name, or NULL.
const Engine *engine_find(const char *name);
// Is this the name of an option that the engine reads?
bool engine_reads(const Engine *engine, const char *option);
// True if the engine exists, decides the property and understands the options; else false with one line in `error`.
bool engine_accepts(const char *name, Property property, const EngineOptions *options, Text *error);

#endif
