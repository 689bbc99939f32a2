// Static facts about a prepared program, each with the direction in which it may be wrong.
//
//   points-to        may-add: it lists every object that an address can have, and perhaps more
//   access sets      may-add (CellSet in each access)
//   live variables   may-add
//   lock facts       may-drop: locks that are certainly held, or certainly acquired
//   relevant values  may-add: variables and cells on whose value something depends
#ifndef HEDDLE_PROGRAM_FACTS_FACTS_H
#define HEDDLE_PROGRAM_FACTS_FACTS_H

#include "base/bitset.h"
#include "program/program.h"

typedef enum Direction { FACT_EXACT, FACT_MAY_ADD, FACT_MAY_DROP } Direction;

// --- live variables: per location, the variables (ids) whose value may still be read, in order ---
typedef struct LiveRow {
  size_t first; // in `variables`
  uint32_t count;
} LiveRow;
typedef struct LiveVariables {
  Direction direction; // FACT_MAY_ADD
  LiveRow *rows;       // one per location
  U32Vector variables;
  Bitset everywhere; // variables that count as live everywhere; they are in no row
  size_t count;
  Account *account;
} LiveVariables;
void live_variables(const Program *p, LiveVariables *live, Account *account);
// The same with another limit: beyond so many entries (at joins and loop heads, in all), variables that are live at
// many of these count as live everywhere. Programs below the limit get exact rows.
enum { LIVE_MOST_IN_ROOTS = 1 << 22 };
void live_variables_within(const Program *p, LiveVariables *live, size_t most_in_roots, Account *account);
void live_variables_free(LiveVariables *live);
bool live_at(const LiveVariables *live, LocationId location, VariableId variable);
static inline const VariableId *live_list(const LiveVariables *live, LocationId location, uint32_t *count) {
  assert(location < live->count);
  *count = live->rows[location].count;
  return live->variables.data ? live->variables.data + live->rows[location].first : NULL;
}

// --- lock facts: cells used as locks by LOCK/UNLOCK steps with a single possible cell ---
// A cell counts as a lock only if nothing can take it from its owner: only LOCK and UNLOCK steps write it, and each
// UNLOCK does so while its thread certainly holds it. (Main may initialise it before it creates any thread.)
// On a path with no further access, error or end of the program, every lock counts as acquired.
typedef struct LockFacts {
  Direction direction; // FACT_MAY_DROP
  U32Vector locks;     // cells, dense numbering
  Bitset *held;        // per location: locks that this thread certainly holds
  // Per location: locks that the thread certainly acquires by a LOCK step before its next access to a shared cell that
  // is no lock.
  Bitset *acquired_before;
  size_t count;
  Account *account;
} LockFacts;
void lock_facts(const Program *p, LockFacts *facts, Account *account);
void lock_facts_free(LockFacts *facts);

// --- relevant values: the variables and cells on whose values the behaviour of the program depends ---
// A variable or cell is relevant if a guard, an address, a divisor, a freed pointer or an observation mentions it, or
// if the value of something relevant is made from it. Two executions that agree on everything relevant take the same
// steps and make the same accesses.
typedef struct RelevantValues {
  Direction direction; // FACT_MAY_ADD
  Bitset variables, cells;
} RelevantValues;
void relevant_values(const Program *p, RelevantValues *relevant, Account *account);
void relevant_values_free(RelevantValues *relevant);

#endif
