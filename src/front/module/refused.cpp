// Without this the headers of LLVM define a writable global that only a linker looks at.
#define LLVM_DISABLE_ABI_BREAKING_CHECKS_ENFORCING 1

#include "front/module/refused.h"

#include <llvm/Support/ErrorHandling.h>

extern "C" void memory_refused(void);

static void give_up(void *, const char *, bool) { memory_refused(); }

extern "C" void refused_guard_llvm(void) {
  llvm::remove_bad_alloc_error_handler();
  llvm::install_bad_alloc_error_handler(give_up);
}
