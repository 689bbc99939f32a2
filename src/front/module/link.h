// Links the modules of a program's files to one module, by the rules of a linker for C.
//
//   - A name with internal linkage stays local to its file. If another file has the same name, the file is put before
//     it ("queue.c:count").
//   - A function that several files define `inline` (in a header, for example) is one function: the definition that is
//     not inline, or the first one.
//   - Any other name that is defined twice is an error that names both files. So is a file compiled for another data
//     model.
//   - Names that no file defines stay declarations; the lowering makes models, primitives or assumptions of them.
#ifndef HEDDLE_FRONT_MODULE_LINK_H
#define HEDDLE_FRONT_MODULE_LINK_H

#include "base/text.h"
#include "base/vector.h"

#include <llvm-c/Core.h>

VECTOR(ModuleVector, LLVMModuleRef);

// A handler that keeps the first message in a Text. (LLVM's default handler ends the process.)
void link_keep_diagnostic(LLVMDiagnosticInfoRef info, void *text);

// True if the module cannot be linked with the others: both define a name, and neither definition is inline.
bool link_clashes(const ModuleVector *modules, LLVMModuleRef module);

// Consumes the modules; files[i] is the file of the i-th. NULL, with a message for standard error in `error`, on
// failure.
LLVMModuleRef link_modules(ModuleVector *modules, const char *const *files, unsigned pointer_width, Text *error);

#endif
