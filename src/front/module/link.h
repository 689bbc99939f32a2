// Makes one module of the modules of a program's files, by the rules of a linker for C.
//
// Names with internal linkage stay apart: one that another file has, too, gets its file before it ("queue.c:count").
// A function that is defined `inline` in several files (in a header, say) is one
// function: the first definition counts, or the one that is not inline. Any other name that is defined twice is an
// error that names both files, and so is a file compiled for another data model. Names that no file defines are left
// for the lowering (models, primitives, assumptions).
#ifndef HEDDLE_FRONT_MODULE_LINK_H
#define HEDDLE_FRONT_MODULE_LINK_H

#include "base/text.h"
#include "base/vector.h"

#include <llvm-c/Core.h>

VECTOR(ModuleVector, LLVMModuleRef);

// LLVM's own handler ends the process; this one keeps the first message in a Text.
void link_keep_diagnostic(LLVMDiagnosticInfoRef info, void *text);

// Does the module define something that one of the others does, and not inline? They cannot be linked then.
bool link_clashes(const ModuleVector *modules, LLVMModuleRef module);

// Consumes the modules, whose files are `files`. NULL with a message for standard error in `error`.
LLVMModuleRef link_modules(ModuleVector *modules, const char *const *files, unsigned pointer_width, Text *error);

#endif
