// How the C program was lowered: a schedule only makes sense for the program that the same lowering gives, so these
// settings are written into schedule files (as member "lowering") and read back by `heddle replay`.
#ifndef HEDDLE_CLI_LOWERING_H
#define HEDDLE_CLI_LOWERING_H

#include "cli/options.h"
#include "front/front.h"

typedef struct Lowering {
  FrontView view;
  FrontLimits limits;
  const LtlProperty *formula; // whose atoms are observed, or NULL
} Lowering;

// The smallest limits, from which checking goes on to larger ones.
Lowering lowering_first(const Options *options);
// Multiplies each limit that one of the cuts (bits 1 << CutKind) asks for (by 2, or 4 for bytes), up to its largest value. False if none grew.
bool lowering_grow(Lowering *lowering, const Options *options, unsigned cuts);

FrontUnit *lowering_open(const Options *options, const char *const *files, size_t count, Text *error, Account *account);
// Lowered, prepared, with its fingerprint; or NULL with a line in `error`.
Program *lowering_program(FrontUnit *unit, const Lowering *lowering, Text *error, Account *account);

// `schedule` is a schedule in JSON; the settings become its last member.
void lowering_add_json(const Lowering *lowering, Text *schedule);
bool lowering_read_json(const char *schedule, Lowering *lowering, Text *error);

#endif
