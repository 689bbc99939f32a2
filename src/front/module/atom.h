// Atoms of formulas in C: each becomes a function at the end of the first file, which clang compiles with it.
//
// The text of an atom cannot affect the code around it: its brackets must match, and comments, strings, directives,
// semicolons and backslashes are refused. A macro of the program can still turn an atom into something else; so
// front_open checks after compiling that every function exists.
#ifndef HEDDLE_FRONT_MODULE_ATOM_H
#define HEDDLE_FRONT_MODULE_ATOM_H

#include "front/front.h"

#define ATOM_FUNCTION "__heddle_atom_%zu"
// The name of the file that diagnostics give for an atom; the line is its number, from 1.
#define FORMULA_FILE "the formula"

// Appends the functions to `source`. False, with a line in `error`, if the text of an atom is not one expression.
bool atoms_write(const FrontOptions *options, Text *source, Text *error);
void atom_complain(const FrontAtom *atom, const char *what, Text *error);

#endif
