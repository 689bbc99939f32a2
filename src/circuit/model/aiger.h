// Circuits as AIGER files (version 1.9, http://fmv.jku.at/aiger), and what model checkers say about such files read back.
//
// Only the cone is written: what the goals depend on, over any number of steps. The property form has a bad state for the
// error and one for cuts, if there are any, the constraint that a step is taken unless one of them can happen, and names
// that say variable and bit. The plain form has one goal, as an output, and no constraint; in the circuit of a program
// the same states are reached, since a step without a thread to move changes nothing. Its latches are named by their
// numbers in the circuit. It has at least one input, so that counterexamples have a length that can be read, and at least
// one latch, because model checkers ask for that.
//
// The lasso form asks for an infinite execution: a constraint that holds in every step, if there is one, and one justice
// property, whose literals hold infinitely often each. Some of them may be written as fairness constraints instead, which
// mean the same as long as there is only this one property. Where the model has limits, they are a bad state beside it.
//
// All latches are 0 at the start. A latch that keeps the inverse of a bit has an exclamation mark before its name.
#ifndef HEDDLE_CIRCUIT_MODEL_AIGER_H
#define HEDDLE_CIRCUIT_MODEL_AIGER_H

#include "circuit/methods/circuit_invariant.h"
#include "circuit/model/circuit_trace.h"

enum { AIGER_MOST_BADS = 2 };

typedef struct Aiger {
  const Circuit *circuit;
  bool plain;
  U32Vector inputs, latches; // of the circuit, those in the cone, in the order of the file
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

// The graph of the circuit gets a gate or two for the constraint.
void aiger_init_property(Aiger *a, Circuit *c, Account *account);
void aiger_init_plain(Aiger *a, const Circuit *c, AigLiteral bad, Account *account);
// A property without a literal is written with one that always holds.
// `limit`: what makes nothing of a proof if it can be reached while the constraint holds; AIG_FALSE: nothing.
void aiger_init_lasso(Aiger *a, const Circuit *c, AigLiteral always, AigLiteral limit, const U32Vector *justice,
                      const U32Vector *fairness, Account *account);
void aiger_free(Aiger *a);
void aiger_write(const Aiger *a, bool binary, Text *out);
// The number of inputs in the file.
uint32_t aiger_input_count(const Aiger *a);

// Reads a counterexample in the format of AIGER 1.9 (a line of latches, then a line of inputs per step) as ABC writes it.
// False: it is none.
bool aiger_read_trace(const Aiger *a, const char *text, CircuitTrace *trace);
// Reads an invariant as ABC's pdr dumps it: a PLA with the cubes of states that it excludes, over latches by their names
// in the plain form. False: it is none.
bool aiger_read_invariant(const Aiger *a, const char *text, Invariant *invariant);

#endif
