// The plan of a check: which engines are asked, and in which order, chosen from features of the program.
//
// A *lane* is a family of ways to check: one engine, with settings that are tried in turn. Lanes are independent of
// each other, so they can run side by side; within a lane the next setting begins when the last one has used up its
// slice.
#ifndef HEDDLE_CLI_RUN_PLAN_H
#define HEDDLE_CLI_RUN_PLAN_H

#include "cli/options/options.h"
#include "verdict/engine.h"

// One way to check: an engine with its options.
typedef struct Member {
  const Engine *engine;
  EngineOptions options;
  const char *settings; // what is added to the command line, with a space before each word; may be empty
} Member;

enum { MOST_LANES = 8, MOST_SETTINGS = 4 };

typedef struct Lane {
  Member members[MOST_SETTINGS];
  size_t count;
  double delay;   // seconds that the lanes before it have for themselves
  bool said_safe; // its engine was asked before, about the whole program, and said SAFE: it is not run
} Lane;

void features_count(const Program *program, Features *features);
void features_print(const Features *features, Text *out);

typedef struct Plan {
  Lane lanes[MOST_LANES];
  size_t count;
} Plan;

// False, with one line in `error`, if no engine can check what the options ask for.
bool plan_possible(const Options *options, Text *error);
// With a named engine it is the only one, with the options as given. Otherwise (`auto`) all engines that decide the
// property and read every option of engines that was given.
void plan_make(Plan *plan, const Options *options, const Features *features);
// Is the engine one of those that the options ask for?
bool plan_wants(const Engine *engine, const Options *options);
// Adds a lane of an engine that has said SAFE before. Others are to agree with it, and may contradict it.
void plan_add_said(Plan *plan, const Engine *engine, const Options *options);

#endif
