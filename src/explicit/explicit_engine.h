// The engine `replay`: explicit states. It executes the program on concrete values and visits states one by one, with
// persistent sets and sleep sets, or it runs random schedules. It decides every property.
#ifndef HEDDLE_EXPLICIT_EXPLICIT_ENGINE_H
#define HEDDLE_EXPLICIT_EXPLICIT_ENGINE_H

#include "verdict/engine.h"

extern const Engine explicit_engine; // the row of the table of engines

#endif
