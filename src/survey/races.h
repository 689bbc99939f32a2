// Which accesses may race: pairs of classes, and the parts of areas that they touch.
//
// A *part* is a place with a size that some access touches. Parts of which a pair may race with another are one
// *object*.
//
// Direction of the facts: an object without a pair has no race (must); a pair is may.
#ifndef HEDDLE_SURVEY_RACES_H
#define HEDDLE_SURVEY_RACES_H

#include "survey/accesses.h"
#include "survey/survey.h"

typedef struct RacePair {
  uint32_t first, second; // classes
  unsigned rank;
} RacePair;
VECTOR(RacePairVector, RacePair);

// Why pairs of an object do not race; a set of bits 1 << SurveyProtection.
typedef struct RacePart {
  uint32_t first_class, class_count; // in order
  uint32_t object;                   // the part that stands for its object; itself if it is alone
  unsigned protections;
  SetId locks; // that pairs have in common, one for each pair
  bool written, several_threads;
  bool covers;    // a smaller part lies in it
  uint32_t pairs; // of the object: how many may race
} RacePart;
VECTOR(RacePartVector, RacePart);

typedef struct Races {
  RacePartVector parts;
  RacePairVector pairs; // of all objects, at most so many of each as are shown, and some more
  Bitset limited;       // areas with too many classes
} Races;

// False: the deadline has passed.
bool races_find(Races *races, const Accesses *accesses, SurveyFacts *facts, const Flow *flow, Account *account);
void races_free(Races *races);
uint32_t races_object_of(const Races *races, uint32_t part);
uint32_t races_part_of_class(const Races *races, uint32_t class_index);

#endif
