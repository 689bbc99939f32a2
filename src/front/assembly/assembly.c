// Inline assembly: a statement that is understood is executed (assembly.h).
//
// Any other statement gives any value to its outputs; it is an assumption of the answer that it does nothing else.
// Where it may access memory beside its operands (it has the clobber "memory", or gets a pointer) or may leave the
// code (jumps, calls, traps), it is a cut instead.
#include "front/assembly/assembly.h"
#include "front/calls/calls.h"
#include "front/objects/objects.h"

#include <string.h>

static const AsmProcessor *processor_of(const FrontUnit *unit) {
  return starts_with(LLVMGetTarget(unit->user), "aarch64") ? &asm_arm64 : &asm_x86;
}

// The text as it is written in C, in one line: `%w0` for `${0:w}`, `$1` for `$$1`.
static void add_source(Text *text, const char *at) {
  for (at += strspn(at, " \t\n"); *at; at++) {
    bool dollar = *at == '$', doubled = dollar && at[1] == '$', braces = dollar && at[1] == '{';
    size_t digits = braces ? strspn(at + 2, "0123456789") : 0;
    if (braces && at[2 + digits] == ':' && at[3 + digits]) {
      text_format(text, "%%%c%.*s", at[3 + digits], (int)digits, at + 2);
      at += digits + 4;
      continue;
    }
    text_add_flat(text, (char[]){dollar && !doubled ? '%' : *at, '\0'});
    at += doubled;
  }
}

static const char *excerpt(Lowering *l, const char *source) {
  enum { SHOWN = 48 };
  Text text;
  text_init(&text, l->account);
  add_source(&text, source);
  bool all = text.length <= SHOWN;
  const char *kept = intern_format(&l->program->strings, "%.*s%s", SHOWN, text.data, all ? "" : "...");
  text_free(&text);
  return kept;
}

static const char *name_of(Lowering *l, const char *source) {
  return intern_format(&l->program->strings, "inline assembly `%s`", excerpt(l, source));
}

// --- what is not understood ---

// An operand in memory that is only read is an access all the same.
static void touch_memory(Lowering *l, const AsmSlot *slot) {
  assert(slot->kind == SLOT_MEMORY && slot->value != TERM_NONE);
  bool small = slot->bytes == 1 || slot->bytes == 2 || slot->bytes == 4 || slot->bytes == 8 || slot->bytes == 16;
  if (slot->output)
    lower_block_operation(l, STEP_HAVOC, slot->value, TERM_NONE, slot->bytes);
  else if (small)
    builder_load(l, slot->value, (unsigned)slot->bytes * 8, false, "operand");
}

static void lower_unknown(Lowering *l, LLVMValueRef call, const char *source, const AsmStatement *statement) {
  bool sized = true, gives_pointer = false;
  for (unsigned i = 0; i < statement->count; i++) {
    const AsmSlot *slot = &statement->slots[i];
    if (slot->kind == SLOT_MEMORY)
      sized &= slot->bytes > 0 && slot->value != TERM_NONE;
    else if (slot->output)
      gives_pointer |= LLVMGetTypeKind(slot->type) == LLVMPointerTypeKind;
  }
  if (!sized || gives_pointer || statement->clobbers_memory || statement->has_pointer_input || asm_leaves(l, source)) {
    builder_cut(l, CUT_CONSTRUCT, name_of(l, source));
    return;
  }
  program_rely(l->program, ASSUME_ASSEMBLY, excerpt(l, source), l->position);
  for (unsigned i = 0; i < statement->count; i++)
    if (statement->slots[i].kind == SLOT_MEMORY) touch_memory(l, &statement->slots[i]);
  if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind && l->current != NO_ID)
    call_bind_fresh(l, call, "assembly");
}

// --- what is ---

// A single word in "A" is in either of two registers.
static Term output_in_pair(AsmMachine *m, unsigned width) {
  Term low = machine_read(m, 0, 0, width > m->bits ? m->bits : width);
  if (width > m->bits) return term_binary(m->t, TERM_CONCAT, machine_read(m, 2, 0, width - m->bits), low);
  Term other = machine_read(m, 2, 0, width);
  return term_ite(m->t, machine_fresh(m, 1, "register"), low, other);
}

static Term output_value(AsmMachine *m, const AsmSlot *slot) {
  assert(slot->output && slot->width > 0);
  if (slot->kind == SLOT_FLAG) {
    const char *name = intern_format(&m->l->program->strings, "%.*s", (int)slot->code_length - 5, slot->codes + 4);
    Term condition = m->processor->condition(m, name);
    return condition == TERM_NONE ? TERM_NONE : term_resize_unsigned(m->t, condition, slot->width);
  }
  return slot->pair ? output_in_pair(m, slot->width) : machine_read(m, slot->reg, 0, slot->width);
}

static void bind_outputs(AsmMachine *m, LLVMValueRef call) {
  Term terms[MOST_OPERANDS];
  uint32_t count = 0;
  for (unsigned i = 0; i < m->statement->count; i++) {
    const AsmSlot *slot = &m->statement->slots[i];
    if (!slot->output || slot->kind == SLOT_MEMORY) continue;
    assert(count < MOST_OPERANDS);
    terms[count] = output_value(m, slot);
    if (terms[count++] == TERM_NONE || m->failure) {
      builder_cut(m->l, CUT_CONSTRUCT, "inline assembly with a flag output that is not modelled");
      return;
    }
  }
  if (count) value_bind(m->l, call, terms, count);
}

void lower_assembly(Lowering *l, LLVMValueRef call, LLVMValueRef assembly) {
  if (l->current == NO_ID) return;
  const AsmProcessor *processor = processor_of(l->unit);
  size_t length;
  const char *source = LLVMGetInlineAsmAsmString(assembly, &length);
  AsmStatement *statement = arena_allocate_zeroed(&l->scratch, sizeof *statement);
  AsmText *text = arena_allocate_zeroed(&l->scratch, sizeof *text);
  builder_flush(l);
  if (!asm_read_operands(l, processor, call, assembly, statement)) {
    builder_cut(l, CUT_CONSTRUCT, name_of(l, source));
    return;
  }
  if (l->current == NO_ID) return;
  bool at_and_t = LLVMGetInlineAsmDialect(assembly) == LLVMInlineAsmDialectATT;
  if (!statement->modelled || !at_and_t || !asm_parse(l, processor, source, text)) {
    lower_unknown(l, call, source, statement);
    return;
  }
  AsmMachine *m = arena_allocate_zeroed(&l->scratch, sizeof *m);
  *m = (AsmMachine){.l = l, .t = l->terms, .processor = processor, .statement = statement, .text = text};
  m->bits = processor == &asm_arm64 ? 64 : l->unit->pointer_width;
  if (machine_run(m) && l->current != NO_ID) bind_outputs(m, call);
}
