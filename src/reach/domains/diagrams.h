// The domain `bdd` (paper 004): labels are sets of states, as binary decision diagrams. Nothing is abstracted away.
//
// Labels that arrive at a control vector are merged, and of what was known there before only the new states are followed;
// so every state is followed once, with all others that stand at the same place. A goal's label is the set of states in
// which its edge can be taken. Since it is not empty, an execution leads to it, which is found by going back from one of
// its states; nothing is ever refined.
//
// What states are made of is in symbolic/state_words.h: only words that can matter, of which only the bits that can change.
//
// Limits. The diagrams have at most 16 million nodes, and 30,000 variables. The order of the variables is fixed. Products,
// divisions and shifts of unknown words by unknown words make diagrams that grow exponentially with their width. A process
// has one instance of the diagrams: a second domain that is opened meanwhile says so, and fails.
#ifndef HEDDLE_REACH_DOMAINS_DIAGRAMS_H
#define HEDDLE_REACH_DOMAINS_DIAGRAMS_H

#include "reach/domains/diagram_cases.h"
#include "reach/domains/diagram_formula.h"
#include "reach/tree/explore.h"
#include "symbolic/bdd_states.h"

typedef struct BddDomain {
  Domain domain; // first
  Explorer *explorer;
  Words words;
  BddStates states;
  BddFormulas formulas;
  Term facts;        // what is known of all states
  U32Vector labels;  // their diagrams
  Map label_of;      // diagram -> label, or NO_ID: it was given up
  U32Vector reached; // per control vector: all states known there
  U32Vector proven;  // per control vector: the labels of its nodes, for the proof; NO_ID: not looked for yet
  LabelId transient; // the last label made by `post`, which may not have been kept; NO_ID: it was
  Account *account;
} BddDomain;

void bdd_domain_init(BddDomain *d, Explorer *explorer); // freed by its operations

#endif
