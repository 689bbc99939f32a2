// The domain `bdd` (paper 004): labels are sets of states, as binary decision diagrams. Nothing is abstracted away.
//
// Labels that arrive at a control vector are merged. Only states that are new at the control vector are followed. So
// every state is followed once, together with the other states of its control vector. A goal's label is the set of
// states in which its edge can be taken. This set is not empty, so an execution leads to the goal. The execution is
// found by going back from one of these states. Nothing is ever refined.
//
// symbolic/state_words.h says what a state consists of: only words that can matter, and of these only the bits that can
// change.
//
// Limits. The diagrams have at most 16 million nodes and 30,000 variables. The order of the variables is fixed.
// Products, divisions and shifts of unknown words by unknown words make diagrams that grow exponentially with their
// width. A process has one instance of the diagrams: a second domain that is opened meanwhile fails and says so.
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
  Map label_of;      // diagram -> label; NO_ID: the label was dropped
  U32Vector reached; // per control vector: all states known there
  U32Vector proven;  // per control vector: the union of its nodes' labels, for the proof; NO_ID: not computed yet
  LabelId transient; // the last label that `post` made, as long as no node has it; NO_ID: there is none
  Account *account;
} BddDomain;

void bdd_domain_init(BddDomain *d, Explorer *explorer); // freed by its operations

#endif
