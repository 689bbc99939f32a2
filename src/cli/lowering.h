// How the C program was lowered: a schedule only makes sense for the program that the same lowering gives, so these
// settings are written into schedule files (as member "lowering") and read back by `heddle replay`.
#ifndef HEDDLE_CLI_LOWERING_H
#define HEDDLE_CLI_LOWERING_H

#include "cli/options.h"
#include "front/front.h"
#include "program/passes/passes.h"

typedef struct Lowering {
  FrontView view;
  FrontLimits limits;         // `opened` is that of `calls`
  U64Vector calls;            // on demand: the larger calls that are inlined, in order; owned
  uint32_t wanted, openings;  // on demand: edges that there should be about; how often calls were added
  const LtlProperty *formula; // whose atoms are observed, or NULL
  const Launch *launch;       // what the program is started with
} Lowering;
void lowering_free(Lowering *lowering);

// The smallest limits, from which checking goes on to larger ones.
Lowering lowering_first(const Options *options);
// Multiplies each limit that one of the cuts (bits 1 << CutKind) asks for (by 2, or 4 for bytes), up to its largest
// value. False if none grew.
bool lowering_grow(Lowering *lowering, const Options *options, unsigned cuts);
// From now on calls are inlined on demand (front.h): the program is too large to inline them all.
void lowering_inline_on_demand(Lowering *lowering);
// These calls are inlined, too. False if they were before.
bool lowering_open_calls(Lowering *lowering, const U64Vector *calls);

FrontUnit *lowering_open(const Options *options, const char *const *files, size_t count, Text *error, Account *account);
// Lowered, prepared, with its fingerprint; or NULL with a line in `error`. A program that turns out to be too large
// goes on demand, in `lowering`, too. `watch` may be NULL.
Program *lowering_program(FrontUnit *unit, Lowering *lowering, const PassWatch *watch, Text *error, Account *account);

// Adds the settings, as a member that follows others, to a schedule in JSON.
void lowering_add_member(const Lowering *lowering, Text *schedule);
// `launch`, which must be empty, gets what the schedule says of it, and must outlive `lowering`.
bool lowering_read_json(const char *schedule, Lowering *lowering, Launch *launch, Text *error);

#endif
