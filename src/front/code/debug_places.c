// Positions in the source, and declarations of variables, from debug information.
#include "front/code/reader.h"
#include "front/objects/source_names.h"

#include <llvm-c/DebugInfo.h>

// --- positions ---

static uint32_t file_number(Reader *r, const char *name) {
  const char *interned = intern(&r->strings, name);
  uint64_t number;
  if (map_get(&r->file_ids, pointer_key(interned), &number)) return (uint32_t)number;
  map_put(&r->file_ids, pointer_key(interned), r->files.count);
  StringVector_push(&r->files, arena_string(&r->code->arena, interned));
  U32Vector_push(&r->file_lines, 0);
  return (uint32_t)r->files.count - 1;
}

// The position without a file is the first one.
static void add_unknown(Reader *r) {
  if (r->positions.count == 0) CodePositionVector_push(&r->positions, (CodePosition){0});
}

static uint32_t place_at(Reader *r, const char *file, unsigned length, unsigned line) {
  add_unknown(r);
  if (!file || length == 0) return 0;
  char *name = memory_allocate(r->account, length + 1);
  memcpy(name, file, length);
  name[length] = 0;
  uint32_t number = file_number(r, name);
  memory_free(r->account, name, length + 1);
  uint64_t key = (uint64_t)number << 32 | line, position;
  if (line > r->file_lines.data[number]) r->file_lines.data[number] = line;
  if (map_get(&r->position_ids, key, &position)) return (uint32_t)position;
  CodePositionVector_push(&r->positions, (CodePosition){.file = r->files.data[number], .line = line});
  map_put(&r->position_ids, key, r->positions.count - 1);
  return (uint32_t)r->positions.count - 1;
}

static uint32_t place_in(Reader *r, LLVMMetadataRef file, unsigned line) {
  unsigned length = 0;
  const char *name = file ? LLVMDIFileGetFilename(file, &length) : NULL;
  return place_at(r, name, length, line);
}

// Code without a line of its own (its line is 0) belongs to the statement before it.
void reader_set_position(Reader *r, LLVMValueRef instruction) {
  unsigned line = LLVMGetDebugLocLine(instruction), length;
  if (line == 0 || LLVMIsAAllocaInst(instruction)) return;
  const char *file = LLVMGetDebugLocFilename(instruction, &length);
  r->position = place_at(r, file, length, line);
}

uint32_t reader_function_position(Reader *r, LLVMValueRef function) {
  LLVMMetadataRef subprogram = LLVMIsAFunction(function) ? LLVMGetSubprogram(function) : NULL;
  if (!subprogram) return place_at(r, NULL, 0, 0);
  return place_in(r, LLVMDIScopeGetFile(subprogram), LLVMDISubprogramGetLine(subprogram));
}

uint32_t reader_variable_position(Reader *r, LLVMValueRef variable) {
  if (!variable) return place_at(r, NULL, 0, 0);
  LLVMMetadataRef node = LLVMValueAsMetadata(variable);
  return place_in(r, LLVMDIVariableGetFile(node), LLVMDIVariableGetLine(node));
}

// The part of a path that begins with the last `names` names in it.
static const char *path_end(const char *path, unsigned names) {
  const char *at = path + strlen(path);
  while (at > path && !(at[-1] == '/' && --names == 0)) at--;
  return at;
}

static uint64_t end_key(const char *path, unsigned names) {
  const char *end = path_end(path, names);
  return hash_bytes(end, strlen(end));
}

// Gives each file that has no short name yet its end of so many names, if no other file has that. False: all have one.
static bool shorten(const StringVector *files, unsigned names, StringVector *ends, Account *account) {
  Map counts;
  map_init(&counts, account);
  for (size_t i = 0; i < files->count; i++) {
    uint64_t key = end_key(files->data[i], names);
    map_put(&counts, key, map_get_or(&counts, key, 0) + 1);
  }
  bool some_left = false;
  for (size_t i = 0; i < files->count; i++) {
    const char *end = path_end(files->data[i], names);
    bool alone = end == files->data[i] || map_get_or(&counts, end_key(files->data[i], names), 0) == 1;
    if (!ends->data[i] && alone) ends->data[i] = end;
    some_left |= !ends->data[i];
  }
  map_free(&counts);
  return some_left;
}

void reader_shorten_files(Reader *r) {
  StringVector ends;
  Map numbers; // of files
  StringVector_init(&ends, r->account);
  map_init(&numbers, r->account);
  for (size_t i = 0; i < r->files.count; i++) {
    map_put(&numbers, pointer_key(r->files.data[i]), i);
    StringVector_push(&ends, NULL);
  }
  for (unsigned names = 1; shorten(&r->files, names, &ends, r->account);) names++;
  for (size_t i = 0; i < r->positions.count; i++) {
    CodePosition *at = &r->positions.data[i];
    if (at->file) at->short_file = ends.data[map_get_or(&numbers, pointer_key(at->file), 0)];
  }
  map_free(&numbers);
  StringVector_free(&ends);
}

// --- declarations ---

LLVMValueRef reader_global_variable(Reader *r, LLVMValueRef global) {
  return debug_global_variable(r->unit->context, global);
}

static void note_declaration(Reader *r, LLVMValueRef call) {
  LLVMValueRef wrapped = LLVMGetOperand(call, 0), alloca = NULL;
  if (LLVMGetMDNodeNumOperands(wrapped) == 1) LLVMGetMDNodeOperands(wrapped, &alloca);
  if (alloca) map_put(&r->declarations, pointer_key(alloca), pointer_key(LLVMGetOperand(call, 1)));
}

static bool is_declaration(LLVMValueRef i) {
  if (!LLVMIsACallInst(i) || !LLVMIsAFunction(LLVMGetCalledValue(i))) return false;
  return starts_with(value_name(LLVMGetCalledValue(i)), "llvm.dbg.declare");
}

void reader_find_declarations(Reader *r, LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
      if (is_declaration(i)) note_declaration(r, i);
}

const char *reader_variable_name(Reader *r, LLVMValueRef variable) {
  LLVMValueRef value = variable ? debug_operand(variable, DEBUG_VARIABLE_NAME) : NULL;
  unsigned length = 0;
  const char *text = value ? LLVMGetMDString(value, &length) : NULL;
  return text && length ? arena_format(&r->code->arena, "%.*s", (int)length, text) : NULL;
}
