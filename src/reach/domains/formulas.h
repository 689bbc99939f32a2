// Path formulas: by which inputs a node is reached, and in which states; those of paths that meet are joined.
//
// A label is a condition over inputs and choices, and the values of all state variables over the same. The condition is
// a set of literals, so that what two ways have in common stays common when they are joined. Values are kept where they
// are not those at the start. Both are tries (base/trie.h): a step costs what it changes.
//
// Where two ways meet, a *choice* says which was taken: a new boolean, or a literal that holds on one of the ways and
// whose negation holds on the other. (Not the whole condition of a way: both may hold, and then both ways exist.) A
// joined label remembers what it was joined from, so that a model of its condition tells the path. What two labels agree
// on does not depend on the choice, and where one of them says all that the other does, it stands for both.
#ifndef HEDDLE_REACH_DOMAINS_FORMULAS_H
#define HEDDLE_REACH_DOMAINS_FORMULAS_H

#include "base/trie.h"
#include "reach/domains/domain.h"
#include "reach/tree/merge_links.h"
#include "reach/tree/walk.h"
#include "solver/solver.h"

typedef struct PathLabel {
  Trie condition;            // literals -> 1
  Trie values;               // index of a state variable -> its value; absent: as at the start
  LabelId arriving, waiting; // what it was joined from; NO_ID: it is that of a single step, or of the start
  Term choice;               // if joined: of `arriving`, not of `waiting`; TERM_NONE: it is `waiting`, which says more
  Term newest;               // if joined: terms after this one may mention the choice
  uint32_t turns;            // for the domain: joined labels have the larger one
  uint32_t first_instance;   // of a single step: the instances of the edge's fresh variables, in Formulas
} PathLabel;
VECTOR(PathLabelVector, PathLabel);

typedef struct Formulas {
  const Transitions *transitions;
  TermStore *terms;
  Walk *walk; // gives the initial values; NULL: paths start in any state, and state variables stand for it
  TrieTable tries;
  PathLabelVector labels; // from LABEL_FALSE + 1 on
  TermVector instances;
  TermVector conjunctions;      // per trie: the conjunction of its keys; TERM_NONE: not known yet
  U32Vector variables, first;   // the state variables that edges read, edge by edge; per edge: where its own begin
  Map substitution, cache;      // of the edge that was entered
  TermVector arriving, waiting; // literals that only one of two labels has
  TrieEntryVector entries;      // to be put
} Formulas;

void formulas_init(Formulas *f, const Transitions *transitions, Walk *walk, Account *account);
void formulas_free(Formulas *f);

LabelId path_begin(Formulas *f);                  // nothing was done yet
LabelId path_begin_initially(Formulas *f);        // ... and all that edges read has its initial value
LabelId path_step(Formulas *f, const Move *move); // LABEL_FALSE: the condition contradicts itself, as far as one sees
LabelId path_join(Formulas *f, LabelId waiting, LabelId arriving);
PathLabel path_label_at(const Formulas *f, LabelId label);
// The label of the single step by which the solver's model comes to where the label is.
LabelId path_chosen_step(const Formulas *f, LabelId label, Solver *solver);
static inline bool path_is_joined(const PathLabel *label) { return label->arriving != NO_ID; }
Term path_conjunction(Formulas *f, Trie condition); // conditions share it as they share their literals

// A step along `edge` from the label `before` gave the label `step`, which was joined into `joined`. A formula that is
// satisfiable if a path with the label before goes along the edge, and the joined label does not account for it: its
// condition does not hold, or its values are others.
Term path_link_escape(Formulas *f, LabelId before, EdgeId edge, LabelId step, LabelId joined);

// --- single edges ---
// From now on terms of the edge are seen in these values, with these instances of its fresh variables.
void path_enter(Formulas *f, EdgeId edge, Trie values, uint32_t first_instance);
Term path_seen(Formulas *f, Term t);
Trie path_values_after(Formulas *f, EdgeId edge, Trie values); // of the edge that was entered
uint32_t path_instances(Formulas *f, EdgeId edge);             // new ones
Term path_guard(const Formulas *f, const Move *move);
bool path_ends(const Formulas *f, const Move *move); // does the move lead to a goal?
Term path_value(Formulas *f, Trie values, uint32_t variable);
// Adds the literals of a formula to a condition. False: they contradict it.
bool path_assume(Formulas *f, Trie *condition, Term formula);

#endif
