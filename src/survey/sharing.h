// Which areas more than one thread may reach.
//
// An area is private if the address of an instance is never in memory that another thread can reach: then each
// instance is touched only by the thread that made it. Shared are: statics, what outside code reaches, what a creation
// of a thread or the end of one hands over, and what is stored in memory that is shared.
//
// Direction of the fact: shared is may; private is must.
#ifndef HEDDLE_SURVEY_SHARING_H
#define HEDDLE_SURVEY_SHARING_H

#include "survey/threads/call_targets.h"

typedef struct Sharing {
  Bitset shared; // areas
} Sharing;

void sharing_init(Sharing *sharing, const Code *code, const Pointing *pointing, const Calls *calls, Account *account);
void sharing_free(Sharing *sharing);
static inline bool sharing_is_shared(const Sharing *sharing, uint32_t area) {
  return bitset_get(&sharing->shared, area);
}

#endif
