// Without this the headers of LLVM define a writable global that only a linker looks at.
#define LLVM_DISABLE_ABI_BREAKING_CHECKS_ENFORCING 1

#include "front/module/overflow_checks.h"

#include "program/check.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/CBindingWrapping.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <vector>

namespace {

// The operation of a handler; OVERFLOW_OPERATION_COUNT if the function is none. Divisions and shifts are told apart by
// what follows the check.
OverflowOperation operation_of(llvm::StringRef name) {
  if (!name.consume_front("__ubsan_handle_")) return OVERFLOW_OPERATION_COUNT;
  name.consume_back("_abort");
  if (name == "add_overflow") return OVERFLOW_ADD;
  if (name == "sub_overflow") return OVERFLOW_SUBTRACT;
  if (name == "mul_overflow") return OVERFLOW_MULTIPLY;
  if (name == "negate_overflow") return OVERFLOW_NEGATE;
  if (name == "divrem_overflow") return OVERFLOW_DIVIDE;
  if (name == "shift_out_of_bounds") return OVERFLOW_SHIFT_LEFT;
  return OVERFLOW_OPERATION_COUNT;
}

OverflowOperation operation_of(const llvm::CallInst *call) {
  const llvm::Function *callee = call->getCalledFunction();
  return callee && callee->isDeclaration() ? operation_of(callee->getName()) : OVERFLOW_OPERATION_COUNT;
}

bool is_shift_or_division(unsigned opcode, OverflowOperation *operation) {
  using llvm::Instruction;
  bool divides = *operation == OVERFLOW_DIVIDE;
  if (opcode == Instruction::SRem && divides) *operation = OVERFLOW_REMAINDER;
  bool right = opcode == Instruction::AShr || opcode == Instruction::LShr;
  if (right && !divides) *operation = OVERFLOW_SHIFT_RIGHT;
  if (divides) return opcode == Instruction::SDiv || opcode == Instruction::SRem;
  return right || opcode == Instruction::Shl;
}

// The operation that the check is for follows it.
OverflowOperation refine(OverflowOperation operation, const llvm::BasicBlock *behind) {
  if (operation != OVERFLOW_DIVIDE && operation != OVERFLOW_SHIFT_LEFT) return operation;
  for (const llvm::Instruction &instruction : *behind)
    if (is_shift_or_division(instruction.getOpcode(), &operation)) break;
  return operation;
}

// The width of the type that operand `index` of a check's description describes: 16 bits that say what kind of type it
// is (0: an integer), 16 bits that hold its signedness and the logarithm of its width, and its name.
unsigned described_width(const llvm::Value *description, unsigned index) {
  auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(description);
  auto *fields =
      variable && variable->hasInitializer() ? llvm::dyn_cast<llvm::Constant>(variable->getInitializer()) : nullptr;
  auto *type = fields ? llvm::dyn_cast_or_null<llvm::GlobalVariable>(fields->getAggregateElement(index)) : nullptr;
  if (!type || !type->hasInitializer()) return 0;
  auto *kind = llvm::dyn_cast_or_null<llvm::ConstantInt>(type->getInitializer()->getAggregateElement(0u));
  auto *info = llvm::dyn_cast_or_null<llvm::ConstantInt>(type->getInitializer()->getAggregateElement(1u));
  bool integer = kind && kind->isZero() && info && info->getZExtValue() >> 1 <= 7;
  return integer ? 1u << (info->getZExtValue() >> 1) : 0;
}

// What was stored in the block to the memory whose address is an argument.
llvm::Value *stored_to(const llvm::Value *memory, llvm::BasicBlock *block) {
  for (llvm::Instruction &instruction : *block)
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      if (store->getPointerOperand() == memory) return store->getValueOperand();
  return nullptr;
}

// The operand of the operation that an argument of a handler stands for: narrow ones were extended, wide ones are
// handed over in memory. NULL: it cannot be told.
llvm::Value *operand_of(llvm::Value *argument, unsigned width, llvm::BasicBlock *handler) {
  if (auto *extended = llvm::dyn_cast<llvm::ZExtInst>(argument))
    if (extended->getParent() == handler) return extended->getOperand(0);
  if (auto *address = llvm::dyn_cast<llvm::PtrToIntInst>(argument))
    if (address->getParent() == handler) return stored_to(address->getOperand(0), handler);
  auto *constant = llvm::dyn_cast<llvm::ConstantInt>(argument);
  if (constant && width > 0 && width < constant->getBitWidth())
    return llvm::ConstantInt::get(handler->getContext(), constant->getValue().trunc(width));
  return argument;
}

// The branch that leads to the handler's block or past it; NULL: the code has another form.
llvm::BranchInst *branch_past(llvm::BasicBlock *handler) {
  llvm::BasicBlock *before = handler->getSinglePredecessor();
  auto *branch = before ? llvm::dyn_cast<llvm::BranchInst>(before->getTerminator()) : nullptr;
  if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) return nullptr;
  llvm::BasicBlock *past = branch->getSuccessor(branch->getSuccessor(0) == handler);
  llvm::Instruction *end = handler->getTerminator();
  auto *goes_on = llvm::dyn_cast<llvm::BranchInst>(end);
  bool joins = goes_on && goes_on->isUnconditional() && goes_on->getSuccessor(0) == past;
  return joins || llvm::isa<llvm::UnreachableInst>(end) ? branch : nullptr;
}

// Before a left shift: `valid = amount < width; branch valid: check, join; check: x = ...; join: phi [true], [x]`. The
// block `check` only computes, so that it may be executed in any case. Returns the block in front of the check.
llvm::BasicBlock *flatten_shift(llvm::BasicBlock *join) {
  auto *phi = llvm::dyn_cast<llvm::PHINode>(&join->front());
  if (!phi || phi->getNumIncomingValues() != 2 || !phi->getType()->isIntegerTy(1)) return join;
  for (unsigned i = 0; i < 2; i++) {
    llvm::BasicBlock *check = phi->getIncomingBlock(i), *before = phi->getIncomingBlock(1 - i);
    auto *branch = llvm::dyn_cast<llvm::BranchInst>(before->getTerminator());
    bool fits = check->getSinglePredecessor() == before && check->getSingleSuccessor() == join && branch &&
                branch->isConditional() && branch->getSuccessor(0) == check && branch->getSuccessor(1) == join;
    if (!fits) continue;
    for (llvm::Instruction &instruction : *check)
      if (!instruction.isTerminator() && instruction.mayHaveSideEffects()) return join;
    while (check->size() > 1) check->front().moveBefore(branch);
    llvm::IRBuilder<> builder(branch);
    llvm::Value *other = phi->getIncomingValue(1 - i);
    phi->replaceAllUsesWith(builder.CreateSelect(branch->getCondition(), phi->getIncomingValue(i), other));
    phi->eraseFromParent();
    builder.CreateBr(join);
    branch->eraseFromParent();
    llvm::DeleteDeadBlock(check);
    llvm::MergeBlockIntoPredecessor(join);
    return before;
  }
  return join;
}

// Is the block the loop of a compound assignment of an _Atomic object? No block that a label of the program begins
// starts with a phi.
bool is_atomic_loop(const llvm::BasicBlock *block) {
  return block->getName().starts_with("atomic_op") && llvm::isa<llvm::PHINode>(block->front());
}

void emit_check(llvm::Instruction *at, llvm::Value *good, llvm::CallInst *handler, OverflowOperation operation) {
  llvm::BasicBlock *block = handler->getParent();
  llvm::Value *description = handler->getArgOperand(0), *operands[2] = {nullptr, nullptr};
  unsigned count = operation == OVERFLOW_UNKNOWN ? 0 : handler->arg_size() - 1;
  bool known = count <= 2;
  for (unsigned i = 0; i < count && known; i++) {
    bool shift = operation == OVERFLOW_SHIFT_LEFT || operation == OVERFLOW_SHIFT_RIGHT;
    unsigned width = described_width(description, i == 1 && shift ? 2 : 1);
    operands[i] = operand_of(handler->getArgOperand(i + 1), width, block);
    known = operands[i] != nullptr;
  }
  llvm::IRBuilder<> builder(at);
  builder.SetCurrentDebugLocation(handler->getDebugLoc());
  auto *type = llvm::FunctionType::get(builder.getVoidTy(),
                                       {builder.getInt1Ty(), builder.getPtrTy(), builder.getInt32Ty()}, true);
  llvm::FunctionCallee check = block->getModule()->getOrInsertFunction(OVERFLOW_CHECK_FUNCTION, type);
  std::vector<llvm::Value *> arguments = {good, description, builder.getInt32(known ? operation : OVERFLOW_UNKNOWN)};
  for (unsigned i = 0; known && i < count; i++) arguments.push_back(operands[i]);
  builder.CreateCall(check, arguments);
}

void erase_unused_memory(llvm::CallInst *handler) {
  std::vector<llvm::AllocaInst *> memory;
  for (llvm::Instruction &instruction : *handler->getParent())
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      if (auto *alloca = llvm::dyn_cast<llvm::AllocaInst>(store->getPointerOperand())) memory.push_back(alloca);
  llvm::DeleteDeadBlock(handler->getParent());
  for (llvm::AllocaInst *alloca : memory)
    if (alloca->use_empty()) alloca->eraseFromParent();
}

void straighten(llvm::CallInst *handler) {
  OverflowOperation operation = operation_of(handler);
  llvm::BasicBlock *block = handler->getParent();
  llvm::BranchInst *branch = branch_past(block);
  if (!branch) { // whatever it is that calls the handler, something has overflowed there
    emit_check(handler, llvm::ConstantInt::getFalse(block->getContext()), handler, OVERFLOW_UNKNOWN);
    handler->eraseFromParent();
    return;
  }
  llvm::BasicBlock *before =
      operation == OVERFLOW_SHIFT_LEFT ? flatten_shift(branch->getParent()) : branch->getParent();
  bool first = branch->getSuccessor(1) == block;
  llvm::BasicBlock *past = branch->getSuccessor(!first);
  llvm::IRBuilder<> builder(branch);
  llvm::Value *good = first ? branch->getCondition() : builder.CreateNot(branch->getCondition());
  if (!is_atomic_loop(before)) emit_check(branch, good, handler, refine(operation, past));
  builder.CreateBr(past);
  branch->eraseFromParent();
  erase_unused_memory(handler);
  llvm::MergeBlockIntoPredecessor(past);
}

} // namespace

extern "C" void overflow_checks_straighten(LLVMModuleRef module) {
  std::vector<llvm::CallInst *> handlers;
  std::vector<llvm::Function *> functions;
  for (llvm::Function &function : *llvm::unwrap(module)) {
    if (function.isDeclaration() && operation_of(function.getName()) != OVERFLOW_OPERATION_COUNT)
      functions.push_back(&function);
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &instruction : block)
        if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction))
          if (operation_of(call) != OVERFLOW_OPERATION_COUNT) handlers.push_back(call);
  }
  for (llvm::CallInst *handler : handlers) straighten(handler);
  for (llvm::Function *function : functions)
    if (function->use_empty()) function->eraseFromParent();
}
