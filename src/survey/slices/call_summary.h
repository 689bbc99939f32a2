// What slices of a program need to know of each function: which functions it may run, and what its own statements do.
//
// A summary is made while the facts of a survey are there, and stays when they are gone: it is in the survey's arena.
//
// Direction of the facts: may-add, on the survey's assumptions. A function that runs another one calls it, creates a
// thread with it as its routine, or gives it to the library, which calls it.
#ifndef HEDDLE_SURVEY_SLICES_CALL_SUMMARY_H
#define HEDDLE_SURVEY_SLICES_CALL_SUMMARY_H

#include "survey/survey.h"
#include "survey/survey_facts.h"

enum {
  TRAIT_SYNCHRONISES = 1, // locks, waits, creates, joins, accesses atomically, initialises something of this kind
  TRAIT_ALLOCATES = 2,    // or returns an address
  TRAIT_WRITES = 4,       // memory other than its own automatic objects and that of the library
  TRAIT_STARTS = 8        // runs functions otherwise than by calling them
};

struct CallSummary {
  uint32_t function_count;
  const uint32_t *first_callees; // per function, and one more
  const uint32_t *callees;       // defined functions that it may run; ascending, each once
  const uint8_t *traits;         // per function: TRAIT_ bits of its own statements
  bool channels;                 // threads of the program may send messages or signals to each other
};

// May the library's function order threads by messages, signals or locks of files? `channels` as in the summary.
bool call_orders_threads(const char *name, bool channels);

const CallSummary *call_summary_new(const SurveyFacts *facts, Arena *arena);

#endif
