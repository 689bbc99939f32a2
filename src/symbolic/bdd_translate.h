// From the bits of terms to decision diagrams; or from any and-inverter graph, if its user says what inputs are.
//
// Inputs of the graph are current variables, fresh ones, or what they are taken to be: bits may be *forced* to a value for
// the time being, and a next variable may stand for an input. What was translated is remembered until
// `bdd_translator_forget`.
//
// Translation can be tried: with a limit to the nodes that may be made, it gives up and says so (`too_large`). Running out
// of nodes at all, or of time, is a `flaw`, after which no diagram can be relied upon.
#ifndef HEDDLE_SYMBOLIC_BDD_TRANSLATE_H
#define HEDDLE_SYMBOLIC_BDD_TRANSLATE_H

#include "solver/bdd_space.h"
#include "symbolic/state_words.h"

typedef struct BddTranslator BddTranslator;
struct BddTranslator {
  const Aig *aig;
  Bdd (*leaf)(const BddTranslator *t, uint32_t input); // a new reference to the diagram of an input of the graph
  void *context;                                       // for `leaf`
  Words *words;                                        // NULL: the graph is another one
  U32Vector known;                                     // per node of the graph: its diagram plus one; 0: none yet
  U32Vector touched;                                   // the nodes that have one
  U32Vector stack;                                     // nodes still to be built
  Map input_variable;                                  // input of the graph -> next variable that stands for it
  ByteVector forced; // per bit: BIT_ZERO or BIT_ONE if it is taken to be that, else BIT_OPEN
  size_t limit;      // of the instance's produced nodes; 0: none
  bool too_large;    // the limit was met
  Bdd care;          // where diagrams matter; else they may be anything. BDD_FALSE: everywhere
  const char *flaw;  // NULL: all is well
  const char *stop_point;
  Budget *budget;
};

// For another graph, which must not grow. `forced` and `input_variable` are not looked at.
void bdd_translator_init_graph(BddTranslator *t, const Aig *aig, Budget *budget, Account *account);
void bdd_translator_init(BddTranslator *t, Words *words, Budget *budget, Account *account);
void bdd_translator_free(BddTranslator *t);
// Is there a reason to stop? Looks for one.
bool bdd_translator_stopped(BddTranslator *t);
// From here on, at most so many nodes may be made; 0: any number.
void bdd_translator_limit(BddTranslator *t, size_t nodes);
// New references; BDD_FALSE if it had to stop.
Bdd bdd_translate(BddTranslator *t, AigLiteral literal);
Bdd bdd_translate_condition(BddTranslator *t, Term condition);
void bdd_translator_forget(BddTranslator *t);

#endif
