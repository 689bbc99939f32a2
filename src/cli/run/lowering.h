// The settings with which a C program is lowered, and the limits that grow from round to round.
//
// A schedule fits only the program that the same lowering gives. So these settings are written into schedule files (the
// member "lowering"), and `heddle replay` reads them.
//
// Invariants: `calls` is sorted, and limits.requested_calls points to its data; no limit exceeds its largest value in
// lowering.c. LoweringSettings own `calls`; the formula and the launch belong to the options (or, for replay, to the
// caller) and must outlive them.
#ifndef HEDDLE_CLI_RUN_LOWERING_H
#define HEDDLE_CLI_RUN_LOWERING_H

#include "cli/options/options.h"
#include "front/front.h"
#include "program/passes/passes.h"

typedef struct LoweringSettings {
  FrontView view;
  FrontLimits limits;         // `requested_calls` points to `calls`
  U64Vector calls;            // on demand: the larger calls that are inlined, sorted; owned
  uint32_t wanted;            // on demand: about how many edges the program should have
  uint32_t openings;          // on demand: how often calls were added
  const LtlProperty *formula; // the formula whose atoms are observed, or NULL
  const Launch *launch;       // arguments, environment and standard input of the program
} LoweringSettings;
void lowering_free(LoweringSettings *lowering);

// The settings of the first round, with the smallest limits.
FrontView lowering_view(const Options *options); // what the property needs
LoweringSettings lowering_first(const Options *options);
// Increases the limits that caused the cuts (bits 1 << CutKind): by a factor of 2, or 4 for bytes, up to their largest
// values. False if no limit changed.
bool lowering_grow(LoweringSettings *lowering, const Options *options, unsigned cuts);
// From now on calls are inlined on demand (front.h), because the program is too large to inline them all.
void lowering_inline_on_demand(LoweringSettings *lowering);
// Inlines these calls, too. False if all of them were inlined before.
bool lowering_open_calls(LoweringSettings *lowering, const U64Vector *calls);

FrontUnit *lowering_open(const Options *options, const char *const *files, size_t count, FrontView view, Text *error,
                         Account *account);
// The program, lowered, prepared and with its fingerprint; or NULL with a line in `error`. If the program is too large,
// `lowering` changes to inlining on demand. `watch` may be NULL.
Program *lowering_program(FrontUnit *unit, LoweringSettings *lowering, const PassWatch *watch, Text *error,
                          Account *account);

// Adds the settings to a schedule in JSON, as a member after others.
void lowering_add_member(const LoweringSettings *lowering, Text *schedule);
// Reads the settings from a schedule. `launch` must be empty; it gets the members about the launch, and must outlive
// `lowering`. False with one line in `error`; then `lowering` owns nothing.
bool lowering_read_json(const char *schedule, LoweringSettings *lowering, Launch *launch, Text *error);

#endif
