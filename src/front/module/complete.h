// Adds files to a program that define functions which its files call: candidates are the other files of a project.
//
// A function is wanted if a file of the program uses it, no file of the program defines it, and it has neither a model
// nor a meaning of its own. Of the candidates those are compiled whose text seems to define it (a light scan: the name
// outside braces, its parameters, then a body). A candidate is added if it is the only one that really does. It is not
// added if it defines `main`, or anything that a file of the program defines already: it belongs to another program
// then. Added files may want more, until nothing is found. What could not be settled is told.
//
// Limits: definitions that macros make are not found, and variables that are only declared are not looked for. A
// candidate that does not compile is passed over.
#ifndef HEDDLE_FRONT_MODULE_COMPLETE_H
#define HEDDLE_FRONT_MODULE_COMPLETE_H

#include "front/module/link.h"
#include "front/module/unit.h"

// Compiles a file by its own options (those of `options` are of the candidates). NULL: it cannot be compiled.
typedef LLVMModuleRef (*CompileCandidate)(FrontUnit *unit, const FrontOptions *options, size_t index, Text *error);

// Appends the modules of added files to `modules`, and their names to `files`; a line for each of them, and for what
// was not settled, to `notes`. The models of `unit` are open.
void complete_program(FrontUnit *unit, const FrontOptions *options, CompileCandidate compile, ModuleVector *modules,
                      StringVector *files, Text *notes);

#endif
