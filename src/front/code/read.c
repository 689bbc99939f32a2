#include "front/code/reader.h"

#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>

static uint32_t new_register(Reader *r) {
  U32Vector_push(&r->register_statements, NO_CODE_ID);
  return (uint32_t)r->register_statements.count - 1;
}

static CodeStatement *append(Reader *r, CodeStatementKind kind, uint32_t result, size_t mark) {
  assert(mark <= r->pending.count);
  uint32_t first = (uint32_t)r->operands.count, count = (uint32_t)(r->pending.count - mark);
  for (size_t i = mark; i < r->pending.count; i++) CodeOperandVector_push(&r->operands, r->pending.data[i]);
  r->pending.count = mark;
  if (result != NO_CODE_ID) {
    assert(r->register_statements.data[result] == NO_CODE_ID && "a register has one statement");
    r->register_statements.data[result] = (uint32_t)r->statements.count;
  }
  return CodeStatementVector_push(&r->statements, (CodeStatement){.kind = kind,
                                                                  .function = r->function,
                                                                  .block = r->block,
                                                                  .result = result,
                                                                  .first_operand = first,
                                                                  .operand_count = count,
                                                                  .position = r->position,
                                                                  .object = NO_CODE_ID,
                                                                  .type = NO_CODE_ID,
                                                                  .index = NO_CODE_ID});
}

CodeStatement *reader_emit(Reader *r, CodeStatementKind kind, LLVMValueRef result, size_t mark) {
  if (kind == CODE_COMPUTE && r->pending.count == mark + 1) reader_push_operand(r, nothing_operand());
  return reader_emit_exactly(r, kind, result, mark);
}

CodeStatement *reader_emit_exactly(Reader *r, CodeStatementKind kind, LLVMValueRef result, size_t mark) {
  uint32_t number = NO_CODE_ID;
  if (result) number = (uint32_t)map_get_or(&r->registers, pointer_key(result), NO_CODE_ID);
  assert(!result || number != NO_CODE_ID);
  return append(r, kind, number, mark);
}

CodeOperand reader_emit_new(Reader *r, CodeStatementKind kind, size_t mark) {
  uint32_t result = new_register(r);
  if (kind == CODE_COMPUTE && r->pending.count == mark + 1) reader_push_operand(r, nothing_operand());
  append(r, kind, result, mark);
  return (CodeOperand){.kind = CODE_REGISTER, .id = result};
}

void reader_push_operand(Reader *r, CodeOperand operand) { CodeOperandVector_push(&r->pending, operand); }

void reader_push(Reader *r, LLVMValueRef value) {
  CodeOperand operand = read_operand(r, value);
  reader_push_operand(r, operand);
}

// --- functions ---

static void number_registers(Reader *r, CodeFunction *f, LLVMValueRef body) {
  for (unsigned i = 0; i < f->parameter_count; i++) {
    uint32_t parameter = new_register(r);
    if (i < LLVMCountParams(body)) map_put(&r->registers, pointer_key(LLVMGetParam(body, i)), parameter);
  }
  for (size_t b = 0; b < r->order.count; b++)
    for (LLVMValueRef i = LLVMGetFirstInstruction(r->order.data[b]); i; i = LLVMGetNextInstruction(i))
      if (reader_has_value(i)) map_put(&r->registers, pointer_key(i), new_register(r));
}

static void read_block(Reader *r, uint32_t number, LLVMBasicBlockRef block) {
  r->block = number;
  r->blocks.data[number].first_statement = (uint32_t)r->statements.count;
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
    reader_set_position(r, i);
    read_instruction(r, i);
    assert(r->pending.count == 0);
  }
  read_edges(r, block);
  CodeBlock *b = &r->blocks.data[number];
  b->statement_count = (uint32_t)r->statements.count - b->first_statement;
}

static void read_blocks(Reader *r, CodeFunction *f, LLVMValueRef body) {
  read_order(r, body);
  f->block_count = (uint32_t)r->blocks.count - f->first_block;
  reader_find_declarations(r, body);
  number_registers(r, f, body);
  for (uint32_t b = 0; b < f->block_count; b++) read_block(r, f->first_block + b, r->order.data[b]);
}

static void read_one_block(Reader *r, CodeFunction *f, LLVMValueRef body) {
  CodeBlockVector_push(&r->blocks, (CodeBlock){.function = r->function,
                                               .first_statement = (uint32_t)r->statements.count,
                                               .first_edge = (uint32_t)r->edges.count,
                                               .condition = nothing_operand()});
  f->block_count = 1;
  r->block = f->first_block;
  for (unsigned i = 0; i < f->parameter_count; i++) new_register(r);
  read_indirect_function(r, body);
  CodeBlockVector_last(&r->blocks)->statement_count = (uint32_t)r->statements.count - f->first_statement;
}

static void read_body(Reader *r, uint32_t id) {
  LLVMValueRef body = (LLVMValueRef)(uintptr_t)r->bodies.data[id];
  CodeFunction *f = &r->functions.data[id];
  r->function = id;
  r->position = f->position;
  f->first_block = (uint32_t)r->blocks.count;
  f->first_statement = (uint32_t)r->statements.count;
  f->first_register = f->first_parameter = (uint32_t)r->register_statements.count;
  if (LLVMIsAFunction(body))
    read_blocks(r, f, body);
  else
    read_one_block(r, f, body);
  f->statement_count = (uint32_t)r->statements.count - f->first_statement;
  f->register_count = (uint32_t)r->register_statements.count - f->first_register;
}

static void read_bodies(Reader *r) {
  for (uint32_t id = 0; id < r->functions.count; id++)
    if (r->functions.data[id].defined) read_body(r, id);
}

// --- which functions have their address taken ---

static void note_taken(Reader *r, CodeOperand operand) {
  if (operand.kind == CODE_FUNCTION) r->functions.data[operand.id].address_taken = true;
}

static void find_taken(Reader *r) {
  for (size_t i = 0; i < r->initials.count; i++) note_taken(r, r->initials.data[i].operand);
  for (size_t s = 0; s < r->statements.count; s++) {
    const CodeStatement *statement = &r->statements.data[s];
    for (uint32_t i = statement->kind == CODE_CALL; i < statement->operand_count; i++)
      note_taken(r, r->operands.data[statement->first_operand + i]);
  }
}

// --- the whole ---

static void init(Reader *r) {
  CodeFunctionVector_init(&r->functions, r->account);
  CodeObjectVector_init(&r->objects, r->account);
  CodeInitialVector_init(&r->initials, r->account);
  CodeBlockVector_init(&r->blocks, r->account);
  CodeEdgeVector_init(&r->edges, r->account);
  CodeStatementVector_init(&r->statements, r->account);
  CodeOperandVector_init(&r->operands, r->account);
  CodeOperandVector_init(&r->pending, r->account);
  CodePositionVector_init(&r->positions, r->account);
  U32Vector_init(&r->register_statements, r->account);
  U32Vector_init(&r->file_lines, r->account);
  StringVector_init(&r->files, r->account);
  U64Vector_init(&r->bodies, r->account);
  BlockRefVector_init(&r->order, r->account);
  Map *maps[] = {&r->function_ids, &r->object_ids, &r->call_arguments, &r->file_ids,
                 &r->position_ids, &r->registers,  &r->block_ids,      &r->declarations};
  for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) map_init(maps[i], r->account);
  interner_init(&r->strings, r->account);
  types_init(&r->types, r->module, r->code, r->account);
}

static void finish(Reader *r) {
  CodeFunctionVector_free(&r->functions);
  CodeObjectVector_free(&r->objects);
  CodeInitialVector_free(&r->initials);
  CodeBlockVector_free(&r->blocks);
  CodeEdgeVector_free(&r->edges);
  CodeStatementVector_free(&r->statements);
  CodeOperandVector_free(&r->operands);
  CodeOperandVector_free(&r->pending);
  CodePositionVector_free(&r->positions);
  U32Vector_free(&r->register_statements);
  U32Vector_free(&r->file_lines);
  StringVector_free(&r->files);
  U64Vector_free(&r->bodies);
  BlockRefVector_free(&r->order);
  Map *maps[] = {&r->function_ids, &r->object_ids, &r->call_arguments, &r->file_ids,
                 &r->position_ids, &r->registers,  &r->block_ids,      &r->declarations};
  for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) map_free(maps[i]);
  interner_free(&r->strings);
  types_free(&r->types);
}

// The largest lines of the files that do not belong to the system.
static uint64_t count_lines(const Reader *r) {
  uint64_t lines = 0;
  for (size_t i = 0; i < r->files.count; i++)
    if (!starts_with(r->files.data[i], "/usr/")) lines += r->file_lines.data[i];
  return lines;
}

static void *kept(Code *code, const void *data, size_t bytes) {
  return bytes > 0 ? arena_copy(&code->arena, data, bytes) : NULL;
}

// Everything that grew goes into the arena at its final size.
static void keep(Reader *r) {
  Code *code = r->code;
#define KEEP(array, number)                                                                                            \
  code->array = kept(code, r->array.data, r->array.count * sizeof *r->array.data);                                     \
  code->number = (uint32_t)r->array.count
  KEEP(functions, function_count);
  KEEP(objects, object_count);
  KEEP(initials, initial_count);
  KEEP(blocks, block_count);
  KEEP(edges, edge_count);
  KEEP(statements, statement_count);
  KEEP(operands, operand_count);
  KEEP(positions, position_count);
  KEEP(register_statements, register_count);
#undef KEEP
  const CodeTypeVector *types = &r->types.types;
  code->types = kept(code, types->data, types->count * sizeof *types->data);
  code->type_count = (uint32_t)types->count;
  code->lines = count_lines(r);
}

// Variables whose address is not used become registers; no other pass runs.
static bool promote(LLVMModuleRef module) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPasses(module, "function(mem2reg)", NULL, options);
  LLVMDisposePassBuilderOptions(options);
  if (error) LLVMConsumeError(error);
  LLVMSetIsNewDbgInfoFormat(module, 0);
  return !error;
}

Code *code_read(FrontUnit *unit, Account *account) {
  Code *code = memory_allocate_zeroed(account, sizeof *code);
  arena_init(&code->arena, account);
  code->pointer_bytes = unit->pointer_width / 8;
  Reader r = {.unit = unit, .module = LLVMCloneModule(unit->user), .account = account, .code = code};
  r.indeterminate = mark_indeterminate_variables(r.module);
  bool promoted = promote(r.module);
  assert(promoted);
  (void)promoted;
  r.layout = LLVMGetModuleDataLayout(r.module);
  size_t assembly;
  LLVMGetModuleInlineAsm(r.module, &assembly);
  r.code->file_assembly = assembly > 0;
  init(&r);
  read_count_arguments(&r);
  read_globals(&r);
  read_functions(&r);
  read_initials(&r);
  read_tables(&r);
  read_bodies(&r);
  find_taken(&r);
  reader_shorten_files(&r);
  keep(&r);
  finish(&r);
  LLVMDisposeModule(r.module);
  code->main = code_find_function(code, "main");
  if (code->main != NO_CODE_ID && !code->functions[code->main].defined) code->main = NO_CODE_ID;
  return code;
}

void code_free(Code *code) {
  if (!code) return;
  Account *account = code->arena.account;
  arena_free(&code->arena);
  memory_free(account, code, sizeof *code);
}

// The inline form of a function of the library has the same name as the function: one that is defined comes first.
uint32_t code_find_function(const Code *code, const char *name) {
  uint32_t found = NO_CODE_ID;
  for (uint32_t i = 0; i < code->function_count; i++) {
    if (strcmp(code->functions[i].name, name) != 0) continue;
    if (code->functions[i].defined) return i;
    if (found == NO_CODE_ID) found = i;
  }
  return found;
}
