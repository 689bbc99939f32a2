// Path formulas: the inputs that lead to a node, and the states in which they arrive there. Formulas of paths that meet
// are joined.
//
// A label consists of a condition over inputs and choices, and of the values of all state variables over inputs and
// choices. The condition is a set of literals, so literals that two paths share stay shared when the paths are joined.
// A value is stored only if it differs from the value at the start. Condition and values are tries (base/trie.h), so a
// step costs as much as it changes.
//
// Where two paths meet, a *choice* says which of them was taken. The choice is a new boolean variable, or a literal
// that holds on one path and whose negation holds on the other. (The whole condition of a path cannot be the choice:
// both conditions may hold, and then both paths exist.) A joined label remembers the labels that it was joined from, so
// a model of its condition determines the path. Literals and values that the two labels share do not depend on the
// choice. If one label allows all that the other one allows, it stands for both.
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
  LabelId arriving, waiting; // if joined: the two labels; NO_ID: the label is that of a single step or of the start
  Term choice;             // if joined: true for `arriving`, false for `waiting`; TERM_NONE: `waiting` stands for both
  Term newest;             // if joined: terms up to this one do not mention the choice
  uint32_t iterations;     // used by the domain `path`; a joined label has the larger count of the two
  uint32_t first_instance; // of a single step: index in Formulas.instances of the edge's fresh variables
} PathLabel;
VECTOR(PathLabelVector, PathLabel);

typedef struct Formulas {
  const Transitions *transitions;
  TermStore *terms;
  Walk *walk; // gives the initial values; NULL: paths start in any state, which the state variables stand for
  TrieTable tries;
  PathLabelVector labels; // from LABEL_FALSE + 1 on
  TermVector instances;
  TermVector conjunctions;      // per trie: the conjunction of its keys; TERM_NONE: not known yet
  U32Vector variables, first;   // the state variables that edges read, edge by edge; per edge: its first variable
  Map substitution, cache;      // of the edge that was entered
  TermVector arriving, waiting; // scratch of a join: the literals that only this label has
  TrieEntryVector entries;      // scratch: entries that are put into a trie together
} Formulas;

void formulas_init(Formulas *f, const Transitions *transitions, Walk *walk, Account *account);
void formulas_free(Formulas *f);

LabelId path_begin(Formulas *f);                  // the empty path
LabelId path_begin_initially(Formulas *f);        // the empty path; all variables that edges read have initial values
LabelId path_step(Formulas *f, const Move *move); // LABEL_FALSE: two literals of the condition contradict each other
LabelId path_join(Formulas *f, LabelId waiting, LabelId arriving);
PathLabel path_label_at(const Formulas *f, LabelId label);
// The label of the single step by which the path of the solver's model arrives at the node of the label.
LabelId path_chosen_step(const Formulas *f, LabelId label, Solver *solver);
static inline bool path_is_joined(const PathLabel *label) { return label->arriving != NO_ID; }
Term path_conjunction(Formulas *f, Trie condition); // of the literals; equal parts of conditions share their terms

// A step along `edge` from the label `before` gave the label `step`, which was joined into `joined`. Returns a formula
// that is satisfiable if a path with the label `before` takes the edge and the joined label does not contain the
// result: the joined condition does not hold, or the joined values differ.
Term path_link_escape(Formulas *f, LabelId before, EdgeId edge, LabelId step, LabelId joined);

// --- single edges ---
// Prepares path_seen for the edge: state variables get these values, fresh variables these instances.
void path_enter(Formulas *f, EdgeId edge, Trie values, uint32_t first_instance);
Term path_seen(Formulas *f, Term t); // the term with the values and instances of the edge that was entered
Trie path_values_after(Formulas *f, EdgeId edge, Trie values); // of the edge that was entered
uint32_t path_instances(Formulas *f, EdgeId edge);             // makes new instances of the edge's fresh variables
Term path_guard(const Formulas *f, const Move *move);
bool path_ends(const Formulas *f, const Move *move); // does the move lead to a goal?
Term path_value(Formulas *f, Trie values, uint32_t variable);
// Adds the literals of a formula to a condition. False: a literal contradicts the condition.
bool path_assume(Formulas *f, Trie *condition, Term formula);

#endif
