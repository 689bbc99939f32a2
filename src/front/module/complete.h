// Adds files to a program: of the other files of a project (the candidates), those that define functions which the
// program calls.
//
// A function is wanted if a file of the program uses it, no file of the program defines it, and it has neither a model
// nor a fixed meaning. For each wanted function:
//   - A light scan of the text selects candidates: the name outside braces, parameters, then a body.
//   - These candidates are compiled. One is a match if it really defines the function, does not define `main`, and
//     defines nothing that a file of the program defines already (it would belong to another program).
//   - The match is added if it is the only one. Otherwise a note says what is undecided.
// Functions that added files call are looked for in turn, until none is left.
//
// Limits: definitions that macros make are not found; variables that are only declared are not looked for; a candidate
// that does not compile is passed over.
#ifndef HEDDLE_FRONT_MODULE_COMPLETE_H
#define HEDDLE_FRONT_MODULE_COMPLETE_H

#include "front/module/link.h"
#include "front/module/unit.h"

// Compiles candidate `index` with its own options; the files of `options` are the candidates. NULL: it cannot be
// compiled.
typedef LLVMModuleRef (*CompileCandidate)(FrontUnit *unit, const FrontOptions *options, size_t index, Text *error);

// Appends the modules of added files to `modules` and their names to `files`. Appends to `notes` a line for each added
// file and for each undecided function. The models of `unit` are open.
void complete_program(FrontUnit *unit, const FrontOptions *options, CompileCandidate compile, ModuleVector *modules,
                      StringVector *files, Text *notes);

#endif
