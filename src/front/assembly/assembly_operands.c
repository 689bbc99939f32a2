// Constraint strings: what the operands of an inline assembly are and where they live.
//
// LLVM's string lists outputs (`=`), inputs and clobbers (`~{..}`), separated by commas. `*` stands before an operand
// in memory, whose address is the argument. A digit ties an input to that output.
#include "front/assembly/assembly.h"
#include "front/calls/calls.h"

#include <ctype.h>
#include <string.h>

static size_t code_length(const char *at) {
  size_t length = 0;
  for (bool braces = false; at[length] && (braces || at[length] != ','); length++) {
    if (at[length] == '{') braces = true;
    if (at[length] == '}') braces = false;
  }
  return length;
}

// The name in `{ax}`, in the scratch arena; NULL: no braces.
static const char *braced_name(Lowering *l, const char *codes, size_t length) {
  if (length < 3 || codes[0] != '{' || codes[length - 1] != '}') return NULL;
  char *name = arena_allocate_zeroed(&l->scratch, length);
  memcpy(name, codes + 1, length - 2);
  return name;
}

static void read_clobber(Lowering *l, const AsmProcessor *processor, const char *codes, size_t length,
                         AsmStatement *statement) {
  const char *name = braced_name(l, codes, length);
  if (!name) return;
  if (strcmp(name, "memory") == 0) statement->clobbers_memory = true;
  unsigned reg = processor->register_number(name);
  if (reg != NO_REGISTER) statement->changes[reg] = true;
}

// Letters that stand for immediates only.
static bool immediate_only(const AsmSlot *slot) {
  for (size_t i = 0; i < slot->code_length; i++)
    if (!strchr("insIJKLMNOeZG", slot->codes[i])) return false;
  return slot->code_length > 0;
}

static bool allows_immediate(const AsmSlot *slot) {
  if (slot->codes[0] == '{') return false;
  for (size_t i = 0; i < slot->code_length; i++)
    if (strchr("insIJKLMNOeZgXG", slot->codes[i])) return true;
  return false;
}

// Where a value lives. False: in a register that is not modelled (floating point, vectors).
static bool place_value(Lowering *l, const AsmProcessor *processor, AsmStatement *statement, AsmSlot *slot) {
  unsigned own = (unsigned)(slot - statement->slots);
  const char *name = braced_name(l, slot->codes, slot->code_length);
  slot->reg = FIRST_CHOSEN + own;
  if (name) {
    slot->reg = processor->register_number(name);
    return slot->reg != NO_REGISTER;
  }
  if (!slot->output && isdigit((unsigned char)slot->codes[0])) {
    unsigned output = (unsigned)(slot->codes[0] - '0');
    if (slot->code_length == 2 && isdigit((unsigned char)slot->codes[1]))
      output = output * 10 + (unsigned)(slot->codes[1] - '0');
    if (output >= own || !statement->slots[output].output) return false;
    slot->tied = true;
    slot->reg = statement->slots[output].reg;
    slot->pair = statement->slots[output].pair;
    return statement->slots[output].kind == SLOT_VALUE;
  }
  if (slot->code_length == 1 && slot->codes[0] == 'A') {
    slot->reg = 0;
    slot->pair = true;
    return true;
  }
  for (size_t i = 0; i < slot->code_length; i++)
    if (strchr("rqQRlmogXpinsIJKLMNOeZVabcdSD", slot->codes[i])) return true;
  return false;
}

static uint64_t element_bytes(Lowering *l, LLVMValueRef call, unsigned argument) {
  unsigned kind = LLVMGetEnumAttributeKindForName("elementtype", strlen("elementtype"));
  LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(call, argument + 1, kind);
  return attribute ? type_bytes(l->unit, LLVMGetTypeAttributeValue(attribute)) : 0;
}

static LLVMTypeRef output_type(LLVMValueRef call, unsigned index, unsigned outputs) {
  assert(index < outputs);
  LLVMTypeRef type = LLVMTypeOf(call);
  return outputs > 1 ? LLVMStructGetTypeAtIndex(type, index) : type;
}

typedef struct OperandReader {
  Lowering *l;
  const AsmProcessor *processor;
  LLVMValueRef call;
  AsmStatement *statement;
  unsigned arguments, outputs, output_count; // used so far; in all
} OperandReader;

static void read_value(OperandReader *reader, AsmSlot *slot) {
  Lowering *l = reader->l;
  if (slot->output) {
    slot->type = output_type(reader->call, reader->outputs++, reader->output_count);
  } else {
    LLVMValueRef argument = LLVMGetOperand(reader->call, reader->arguments++);
    slot->type = LLVMTypeOf(argument);
    slot->value = type_width(l->unit, slot->type) ? value_term(l, argument) : TERM_NONE;
    slot->constant = immediate_only(slot) || (LLVMIsAConstantInt(argument) && allows_immediate(slot));
    if (LLVMGetTypeKind(slot->type) == LLVMPointerTypeKind) reader->statement->has_pointer_input = true;
    if (slot->value == TERM_NONE) reader->statement->modelled = false;
  }
  slot->width = type_width(l->unit, slot->type);
  if (slot->width == 0) reader->statement->modelled = false;
}

static void read_operand(OperandReader *reader, const char *at, size_t length) {
  AsmStatement *statement = reader->statement;
  assert(statement->count < MOST_OPERANDS);
  AsmSlot *slot = &statement->slots[statement->count];
  *slot = (AsmSlot){.output = *at == '=', .value = TERM_NONE, .reg = NO_REGISTER};
  bool memory = false;
  for (; length && strchr("=&%*", *at); at++, length--) {
    if (*at == '&') slot->early = true;
    if (*at == '*') memory = true;
  }
  slot->codes = at;
  slot->code_length = length;
  if (memory) {
    slot->kind = SLOT_MEMORY;
    slot->bytes = element_bytes(reader->l, reader->call, reader->arguments);
    slot->value = call_argument(reader->l, reader->call, reader->arguments++);
    if (slot->value == TERM_NONE) reader->statement->modelled = false;
  } else {
    bool flag = strncmp(at, "{@cc", 4) == 0;
    read_value(reader, slot);
    if (flag) slot->kind = SLOT_FLAG;
    if (!flag && !place_value(reader->l, reader->processor, statement, slot)) reader->statement->modelled = false;
    if (!flag && slot->output && slot->reg != NO_REGISTER) statement->changes[slot->reg] = true;
    if (slot->pair) statement->changes[2] = true;
  }
  statement->count++;
}

static unsigned count_direct_outputs(const char *constraints) {
  unsigned count = 0;
  for (const char *at = constraints; *at; at += code_length(at), at += *at == ',')
    count += *at == '=' && at[1] != '*' && strncmp(at, "=&*", 3) != 0;
  return count;
}

bool asm_read_operands(Lowering *l, const AsmProcessor *processor, LLVMValueRef call, LLVMValueRef assembly,
                       AsmStatement *statement) {
  size_t whole;
  const char *constraints = LLVMGetInlineAsmConstraintString(assembly, &whole);
  *statement = (AsmStatement){.modelled = true};
  OperandReader reader = {l, processor, call, statement, 0, 0, count_direct_outputs(constraints)};
  for (const char *at = constraints; *at;) {
    size_t length = code_length(at);
    if (*at == '~') {
      read_clobber(l, processor, at + 1, length - 1, statement);
    } else {
      if (statement->count == MOST_OPERANDS || *at == '!') return false;
      read_operand(&reader, at, length);
    }
    at += length;
    at += *at == ',';
  }
  return true;
}
