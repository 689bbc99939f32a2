// Circuits as AIGER files (version 1.9, http://fmv.jku.at/aiger), and the answers of model checkers about such files.
//
// Only the cone is written: what the goals depend on, over any number of steps. There are three forms.
//
// The property form has a bad state for the error and one for cuts, if there are any. It has the constraint that a step
// is taken unless an error or a cut can happen. Names say variable and bit.
//
// The plain form has one goal, as an output, and no constraint. In the circuit of a program this reaches the same
// states, since a step without a move changes nothing. Latches are named by their numbers in the circuit. The file has
// at least one input, so that a counterexample has a length that can be read, and at least one latch, because model
// checkers require it.
//
// The lasso form asks for an infinite execution. It has a constraint that holds in every step, unless the constraint is
// true, and one justice property, each literal of which holds infinitely often. Some of the literals may be written as
// fairness constraints instead; with only one justice property, this means the same. If the model has limits, they are
// a bad state.
//
// All latches are 0 in the initial state. A latch that keeps the inverse of a bit has an exclamation mark before its
// name.
#ifndef HEDDLE_CIRCUIT_MODEL_AIGER_H
#define HEDDLE_CIRCUIT_MODEL_AIGER_H

#include "circuit/methods/circuit_invariant.h"
#include "circuit/model/circuit_trace.h"

enum { AIGER_MOST_BADS = 2 };

typedef struct Aiger {
  const Circuit *circuit;
  bool plain;
  U32Vector inputs, latches; // numbers in the circuit of those in the cone, in the order of the file
  U32Vector gates;           // nodes of the graph
  U32Vector variables;       // per node of the graph: its variable in the file; 0: it has none
  AigLiteral bads[AIGER_MOST_BADS];
  const char *bad_names[AIGER_MOST_BADS];
  uint32_t bad_count;
  AigLiteral constraint;
  const char *constraint_name;
  bool lasso;                  // there is a justice property
  U32Vector justice, fairness; // its literals, and the constraints
  Account *account;
} Aiger;

// Adds gates for the constraint to the graph of the circuit.
void aiger_init_property(Aiger *a, Circuit *c, Account *account);
void aiger_init_plain(Aiger *a, const Circuit *c, AigLiteral bad, Account *account);
// A justice property without a literal is written with one literal that is always true. `limit`: if it can be reached
// while the constraint holds, a proof of the property is void; AIG_FALSE: there is no limit.
void aiger_init_lasso(Aiger *a, const Circuit *c, AigLiteral constraint, AigLiteral limit, const U32Vector *justice,
                      const U32Vector *fairness, Account *account);
void aiger_free(Aiger *a);
void aiger_write(const Aiger *a, bool binary, Text *out);

// Reads a counterexample in the format of AIGER 1.9 (a line of latches, then a line of inputs per step) as ABC writes
// it. False: the text is not a counterexample.
bool aiger_read_trace(const Aiger *a, const char *text, CircuitTrace *trace);
// Reads an invariant as ABC's pdr dumps it: a PLA with the cubes of states that the invariant excludes, over latches by
// their names in the plain form. False: the text is not an invariant.
bool aiger_read_invariant(const Aiger *a, const char *text, Invariant *invariant);

#endif
