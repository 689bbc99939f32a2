// From the bits of terms to decision diagrams; or from any and-inverter graph, if the caller gives the diagrams of its
// inputs.
//
// An input of the words' graph is a current variable, a fresh variable, a constant, if the bit is *forced* to a value
// for a time, or a next variable that stands for the input. The translator remembers what it translated until
// `bdd_translator_forget`.
//
// Translation can be tried with a limit on the nodes that may be made; if it is too large, it gives up and says so
// (`too_large`). Running out of nodes of the whole table, or of time, is a `flaw`, after which no diagram can be relied
// upon.
#ifndef HEDDLE_SYMBOLIC_BDD_TRANSLATE_H
#define HEDDLE_SYMBOLIC_BDD_TRANSLATE_H

#include "solver/bdd_space.h"
#include "symbolic/state_words.h"

typedef struct BddTranslator BddTranslator;
struct BddTranslator {
  const Aig *aig;
  Bdd (*leaf)(const BddTranslator *t, uint32_t input); // a new reference to the diagram of an input of the graph
  void *context;                                       // for `leaf`
  Words *words;                                        // NULL: the graph is not that of words
  U32Vector known;                                     // per node of the graph: its diagram plus one; 0: none yet
  U32Vector touched;                                   // the nodes that have one
  U32Vector stack;                                     // nodes still to be built
  Map input_variable;                                  // input of the graph -> the next variable that stands for it
  ByteVector forced; // per bit: BIT_ZERO or BIT_ONE if it is forced to this value, else BIT_OPEN
  size_t limit;      // on the nodes that the table has ever made; 0: none
  bool too_large;    // the limit was met
  Bdd care;          // diagrams need be right only in these states. BDD_FALSE: in all states
  const char *flaw;  // why it must stop, or NULL
  const char *stop_point;
  Budget *budget;
};

// For a graph that is not that of words. The graph must not grow. `forced` and `input_variable` are not used; the
// caller sets `leaf`.
void bdd_translator_init_graph(BddTranslator *t, const Aig *aig, Budget *budget, Account *account);
void bdd_translator_init(BddTranslator *t, Words *words, Budget *budget, Account *account);
void bdd_translator_free(BddTranslator *t);
// Must it stop? Checks nodes, time and the limit, and sets `flaw` or `too_large`.
bool bdd_translator_stopped(BddTranslator *t);
// From here on, at most `nodes` may be made; 0: any number.
void bdd_translator_limit(BddTranslator *t, size_t nodes);
// New references; BDD_FALSE if it had to stop.
Bdd bdd_translate(BddTranslator *t, AigLiteral literal);
Bdd bdd_translate_condition(BddTranslator *t, Term condition);
void bdd_translator_forget(BddTranslator *t);

#endif
