// Without this the headers of LLVM define a writable global that only a linker looks at.
#define LLVM_DISABLE_ABI_BREAKING_CHECKS_ENFORCING 1

#include "front/module/body.h"

#include <cstdlib>
#include <llvm/IR/Function.h>
#include <llvm/Support/CBindingWrapping.h>
#include <llvm/Support/Error.h>

extern "C" bool body_read(LLVMValueRef value) {
  auto *function = llvm::dyn_cast<llvm::Function>(llvm::unwrap(value));
  if (!function) return false;
  // The models were written by this build: what cannot be read is no input of a user's.
  if (llvm::Error error = function->materialize()) {
    llvm::consumeError(std::move(error));
    std::abort();
  }
  return !function->empty();
}
