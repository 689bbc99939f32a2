// Atoms of formulas on their way to clang: each becomes a function at the end of the first file.
//
// The text of an atom stays inside of its function, whatever it is: brackets match, and nothing that could swallow what
// is written behind it (comments, strings, directives, backslashes) is let through. Macros of the program could still
// play tricks, so that the functions are looked for after compiling, too.
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
