// What touches what: the accesses of all contexts to areas that threads share, in classes.
//
// Accesses that no question about races tells apart are one class: the same place and size, template, locks and
// threads that may run, the same kind. A class keeps some of its statements for people.
//
// Direction of the facts: classes are may-add; `locks`, `owned` and `atomic` are must.
#ifndef HEDDLE_SURVEY_ACCESSES_H
#define HEDDLE_SURVEY_ACCESSES_H

#include "survey/flow/contexts.h"
#include "verdict/property.h"

// The block is owned: by the thread that made it, or by one that got it as its argument and whose creator may still
// use it.
typedef enum OwnedKind { OWNED_NOT, OWNED_MADE, OWNED_GIVEN } OwnedKind;

typedef struct AccessKind {
  bool writes, atomic, frees;
  bool opaque; // by something that is not understood
  bool locks;  // by a function that synchronises: it reads a lock or the like, atomically
  OwnedKind owned;
} AccessKind;

typedef struct AccessClass {
  AreaPlace place;
  uint64_t size; // 0: any number of bytes
  uint32_t template_id;
  SetId locks; // LOCK_SECTION, LOCK_PLACE, LOCK_OWN
  SetId running;
  AccessKind kind;
  uint32_t first_site; // in AccessList.sites
  uint32_t site_count; // different statements, up to MOST_SITES
} AccessClass;
enum { MOST_SITES = 16 };

typedef struct AccessSite {
  uint32_t statement, context, next; // 0: the last
} AccessSite;

VECTOR(AccessClassVector, AccessClass);
VECTOR(AccessSiteVector, AccessSite);

typedef struct Accesses {
  AccessClassVector classes; // after accesses_find: by area, place and size
  AccessSiteVector sites;    // the first is none
  U32Vector next;            // per class: with the same hash, + 1
  Map first;
  bool counted_volatile; // an access by a volatile lvalue was left out or taken as atomic
  uint64_t count;        // of accesses, before they were joined
} Accesses;

void accesses_init(Accesses *accesses, Account *account);
void accesses_free(Accesses *accesses);
// False: the deadline has passed.
bool accesses_find(Accesses *accesses, SurveyFacts *facts, Flow *flow, VolatileReading volatile_reading);

#endif
