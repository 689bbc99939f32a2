// How the rows of the table of effects are written: one file for each group of headers of the standard library.
//
// ROW("name", ON(...), ...) describes one function. What is not written is: arguments untouched, the result a number.
// Rows of a group are in the order of strcmp, and no name is in two groups.
//
// A row may say more than what happens, never less. Streams (FILE *), directories and the like are the library's own
// memory, which it protects by itself: they count as untouched. errno belongs to one thread and holds no address: its
// address is a number here. printf's %n is taken not to occur (an assumption that
// pointing_assumptions lists).
#ifndef HEDDLE_SURVEY_EFFECTS_ROWS_H
#define HEDDLE_SURVEY_EFFECTS_ROWS_H

#include "survey/effects.h"

#include <stddef.h>

typedef struct EffectGroup {
  const Effect *rows;
  size_t count;
} EffectGroup;

extern const EffectGroup effects_strings, effects_streams, effects_general, effects_system, effects_sockets,
    effects_mathematics, effects_characters, effects_threads;
// Of other libraries.
extern const EffectGroup effects_archives, effects_cryptography, effects_data, effects_network, effects_screen,
    effects_sound;

#define EFFECT_GROUP(name, table) const EffectGroup name = {table, sizeof table / sizeof *table}

// Arguments. Short names, so that a row is a line.
enum {
  N = ARGUMENT_UNTOUCHED,
  R = ARGUMENT_READ,
  W = ARGUMENT_WRITTEN,
  B = ARGUMENT_TOUCHED, // both
  F = ARGUMENT_FREED,
  C = ARGUMENT_CALLED,
  V = ARGUMENT_TOUCHED | ARGUMENT_DEEP_READ, // a va_list of what is read
  RD = ARGUMENT_READ | ARGUMENT_DEEP_READ,
  RW = ARGUMENT_READ | ARGUMENT_DEEP_READ | ARGUMENT_DEEP_WRITTEN,
  BD = ARGUMENT_TOUCHED | ARGUMENT_DEEP_READ | ARGUMENT_DEEP_WRITTEN,
  BA = ARGUMENT_TOUCHED | ARGUMENT_CALLED_BEHIND,
  BC = BD | ARGUMENT_CALLED_BEHIND
};

#define ROW(name_, ...) {.name = name_, __VA_ARGS__}
#define NONE .rest = N
#define ON(...) .arguments = {__VA_ARGS__}
#define REST(effect) .rest = effect
#define NEW .result = RESULT_NEW_BLOCK
#define LIBRARY .result = RESULT_LIBRARY
#define POINTED(argument) .result = RESULT_POINTED, .result_argument = argument
#define SAME(argument) .result = RESULT_ARGUMENT, .result_argument = argument
#define SAME_OR_LIBRARY(argument) .result = RESULT_ARGUMENT_OR_LIBRARY, .result_argument = argument
#define RESIZED(argument) .result = RESULT_RESIZED, .result_argument = argument
#define COPIES(to, from) .copies_to = (to) + 1, .copies_from = (from) + 1
#define KEEPS(argument) .keeps = 1u << (argument)
#define KEEPS_TWO(a, b) .keeps = 1u << (a) | 1u << (b)
#define GIVES(argument) .gives = (argument) + 1
#define TAKES(argument) .takes = (argument) + 1
#define STORES_POINTED(to, argument) .stores_to = (to) + 1, .stored = RESULT_POINTED, .stored_argument = argument
#define STORES_INSIDE(argument) STORES_POINTED(argument, argument), .stores_anywhere = true
#define FILLS(to, with) .fills = (to) + 1, .filled_with = with
#define STORES_NEW(to) .stores_to = (to) + 1, .stored = RESULT_NEW_BLOCK
#define STORES_LIBRARY(to) .stores_to = (to) + 1, .stored = RESULT_LIBRARY
#define STORES_ARGUMENT(to, argument) .stores_to = (to) + 1, .stored = RESULT_ARGUMENT, .stored_argument = argument
#define SYNC(kind) .synchronisation = SYNC_##kind

#endif
