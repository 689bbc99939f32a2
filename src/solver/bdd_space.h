// Binary decision diagrams: a thin layer over BuDDy.
//
// BuDDy has one global instance per process. `bdd_space_init` opens it and `bdd_space_done` closes it; only one can be
// open at a time (init says false otherwise), so engines that use decision diagrams run in a process of their own.
//
// Bdd is BuDDy's node number. BDD_TRUE and BDD_FALSE are constants. Ownership: each function here that returns a Bdd
// returns a new reference, which the caller gives back with `bdd_space_drop`; arguments are only borrowed. (BuDDy's own
// functions return unreferenced nodes, which any later operation may free.) `*_into` forms replace a reference by the
// result, which is the usual way to write loops.
//
// Variables are numbered from 0. Sets of variables ("cubes") are conjunctions of positive variables. Running out of
// memory ends the process like any other exhausted memory (`memory_exhausted`); running into the limit of the node
// table does not: the results of operations are then worth nothing, which `bdd_space_exhausted` tells, until the
// instance is closed.
#ifndef HEDDLE_SOLVER_BDD_SPACE_H
#define HEDDLE_SOLVER_BDD_SPACE_H

#include "base/memory.h"

#include <stdbool.h>
#include <stddef.h>

typedef int Bdd;
#define BDD_FALSE 0
#define BDD_TRUE 1

typedef struct BddRenaming BddRenaming; // from variables to variables

// Opens the instance with this many variables. `nodes` and `cache` are initial sizes (0: defaults); `node_limit`
// bounds the node table (0: none). False if it is already open.
bool bdd_space_init(unsigned variables, size_t nodes, size_t cache, size_t node_limit);
void bdd_space_done(void);
bool bdd_space_is_open(void);
// The node table is full: nothing that was returned by the last operation, or will be, can be relied upon. To be asked
// after every operation whose result matters, before the next one.
bool bdd_space_exhausted(void);
unsigned bdd_space_variables(void);

// --- references ---
Bdd bdd_space_share(Bdd a); // one more reference to the same node
void bdd_space_drop(Bdd a);
void bdd_space_replace(Bdd *place, Bdd with); // drops the old, takes over the new reference

// --- boolean operations ---
Bdd bdd_space_variable(unsigned variable);
Bdd bdd_space_literal(unsigned variable, bool positive);
Bdd bdd_space_not(Bdd a);
Bdd bdd_space_and(Bdd a, Bdd b);
Bdd bdd_space_or(Bdd a, Bdd b);
Bdd bdd_space_equal(Bdd a, Bdd b);
Bdd bdd_space_minus(Bdd a, Bdd b); // a and not b
void bdd_space_and_into(Bdd *place, Bdd b);
void bdd_space_or_into(Bdd *place, Bdd b);
bool bdd_space_entails(Bdd a, Bdd b);    // every assignment of a is one of b
bool bdd_space_intersects(Bdd a, Bdd b); // some assignment is in both
// Any function that agrees with `a` where `care` holds, hopefully smaller.
Bdd bdd_space_simplify(Bdd a, Bdd care);
Bdd bdd_space_restrict(Bdd a, Bdd literals); // fixes the variables of a conjunction of literals

// --- quantification and renaming ---
Bdd bdd_space_cube(const unsigned *variables, size_t count);
Bdd bdd_space_exists(Bdd a, Bdd cube);
Bdd bdd_space_and_exists(Bdd a, Bdd b, Bdd cube); // the relational product: exists cube. a and b

BddRenaming *bdd_space_renaming(const unsigned *from, const unsigned *to, size_t count);
void bdd_space_renaming_free(BddRenaming *renaming);
// Replaces variables at once. No target may occur in `a` unless it is renamed itself.
Bdd bdd_space_rename(Bdd a, const BddRenaming *renaming);

// --- inspection ---
Bdd bdd_space_support(Bdd a); // a cube
size_t bdd_space_size(Bdd a); // nodes
// One assignment of a satisfiable `a` as values (0 or 1) of the variables; variables that do not matter are 0.
// False if there is none. `values` has room for all variables.
bool bdd_space_pick(Bdd a, unsigned char *values);
// The same as a conjunction of literals of the variables of the cube, which must contain the support.
Bdd bdd_space_pick_cube(Bdd a, Bdd cube);
bool bdd_space_evaluate(Bdd a, const unsigned char *values);
// What all assignments of a satisfiable `a` agree on: per variable 0, 1, or 2 if they do not. Linear in the nodes.
void bdd_space_agreement(Bdd a, unsigned char *values);
// A node that is no constant: its variable and its branches, which are borrowed from it.
unsigned bdd_space_top(Bdd a);
Bdd bdd_space_low(Bdd a);
Bdd bdd_space_high(Bdd a);
double bdd_space_paths(Bdd a);     // that lead to true
size_t bdd_space_node_count(void); // in use, whole instance
size_t bdd_space_produced(void);   // ever made, whole instance: a measure of work

// --- variable order ---
// Sifts. Blocks keep neighbours (current and next of one latch) together: declare them before the first sifting.
void bdd_space_reorder_now(void);
void bdd_space_keep_together(unsigned first, unsigned last);

#endif
