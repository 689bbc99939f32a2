// Which threads there may be: templates, each for all threads that begin in one way.
//
// Template 0 is the main thread (with the constructors, if any). Others are made by a creation statement and a
// routine, or stand for calls that may come at any time in any number of threads: entries that the user names,
// handlers of signals, functions that outside code knows, routines that run when a thread or the process ends.
//
// Direction of the facts: the templates and what each may create are may-add. `many` is may; that a template is not
// many is must: at most one thread of the process is of it.
#ifndef HEDDLE_SURVEY_THREADS_TEMPLATES_H
#define HEDDLE_SURVEY_THREADS_TEMPLATES_H

#include "survey/threads/call_targets.h"

typedef enum TemplateKind {
  TEMPLATE_MAIN,
  TEMPLATE_CREATED,
  TEMPLATE_ENTRY,
  TEMPLATE_HANDLER,
  TEMPLATE_OUTSIDE,
  TEMPLATE_AT_THE_END
} TemplateKind;

typedef struct Template {
  TemplateKind kind;
  uint32_t routine;   // function; NO_CODE_ID: of the main thread of a program without main
  uint32_t statement; // TEMPLATE_CREATED: the call; else NO_CODE_ID
  bool many;
  bool any_time; // not started by a creation statement that is followed
  bool at_exit;  // runs only when the process ends by exit or by the end of main
  bool in_main;  // any_time, but always in the main thread
} Template;

typedef struct Templates Templates;
Templates *templates_new(const Code *code, const Pointing *pointing, Calls *calls, const uint32_t *entries,
                         size_t entry_count, Account *account);
void templates_free(Templates *templates);

uint32_t templates_count(const Templates *templates);
const Template *templates_at(const Templates *templates, uint32_t id);
uint32_t templates_created(const Templates *templates, uint32_t statement,
                           uint32_t routine); // the template of a creation
// The templates that threads of `creator` may create, and those create, and so on; `creator` itself is in it if it may
// be created so.
const Bitset *templates_offspring(const Templates *templates, uint32_t creator);
// Every thread of `below` is created by the only thread of `above`, or by threads that it creates, and so on.
bool templates_dominates(const Templates *templates, uint32_t above, uint32_t below);

// May a thread end at any statement: because it is cancelled, or because a handler that interrupts it ends it?
bool templates_cut_short(const Templates *templates);

// Are accesses in threads of the two templates always made by one thread? A handler or a routine that runs when the
// process ends is code of the thread that it interrupts, or that ends the process.
bool templates_one_thread(const Templates *templates, uint32_t a, uint32_t b);

// "main", "worker (created in main.c:20)".
void templates_name(const Templates *templates, uint32_t id, Text *out);

#endif
