// Arithmetic of places, and the table that numbers them.
//
// A place is kept in one form: an extent of several addresses ends one byte after the last; if it is unbounded, the
// offset is below the stride. The whole of an area is offset 0, stride 1, unbounded.
//
// The table gives an area at most MOST_AREA_PLACES places; each further one becomes the whole, so that the number of
// places is bounded whatever the program does.
#ifndef HEDDLE_SURVEY_POINTING_AREA_PLACES_H
#define HEDDLE_SURVEY_POINTING_AREA_PLACES_H

#include "base/vector.h"
#include "survey/pointing.h"
#include "survey/pointing/place_set.h"

enum { MOST_AREA_PLACES = 512 };

// How an address changes: offset + k * stride is added, as in CODE_MOVE. ANY_MOVE adds anything.
typedef struct PlaceMove {
  int64_t offset;
  uint64_t stride, extent;
  bool cyclic; // may happen any number of times
} PlaceMove;
#define ANY_MOVE ((PlaceMove){.stride = 1})

AreaPlace place_moved(AreaPlace place, PlaceMove move);
AreaPlace place_whole(uint32_t area);
// Where the byte that is at `cell` is after a copy from `from` to `to`.
AreaPlace place_copied(AreaPlace cell, AreaPlace from, AreaPlace to);

VECTOR(PlaceVector, AreaPlace);
typedef struct PlaceTable {
  PlaceVector places; // by PlaceId
  U32Vector slots;    // of the hash table: PlaceId + 1; 0: free
  U32Vector counts;   // per area
  U32Vector wholes;   // per area: PlaceId + 1 of the whole; 0: it has no number
} PlaceTable;

void place_table_init(PlaceTable *table, Account *account);
void place_table_free(PlaceTable *table);
PlaceId place_table_id(PlaceTable *table, AreaPlace place);
// The number that place_table_id gave to it. It must have given one.
PlaceId place_table_find(const PlaceTable *table, AreaPlace place);
static inline AreaPlace place_at(const PlaceTable *table, PlaceId id) { return *PlaceVector_at(&table->places, id); }

#endif
