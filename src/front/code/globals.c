// Functions, static objects, and what is in these when the program starts.
#include "front/code/reader.h"

// --- names ---

static bool is_intrinsic(LLVMValueRef function) {
  size_t length;
  return starts_with(LLVMGetValueName2(function, &length), "llvm.");
}

// The name with the file that link.h put before it, but without what clang adds: \1 for names that the source gives
// to the assembler, and ".inline" for the inline form of a builtin function.
static const char *source_name(Reader *r, LLVMValueRef value) {
  size_t length;
  const char *name = LLVMGetValueName2(value, &length);
  if (length > 0 && name[0] == '\1') name++;
  bool tail = LLVMIsAFunction(value) && ends_with(name, ".inline");
  return arena_format(&r->code->arena, "%.*s", (int)(strlen(name) - (tail ? strlen(".inline") : 0)), name);
}

static const char *object_name(Reader *r, LLVMValueRef global) {
  const char *name = value_name(global);
  bool unnamed = name[0] == 0 || name[0] == '.' || LLVMGetLinkage(global) == LLVMPrivateLinkage;
  return unnamed ? NULL : source_name(r, global);
}

// --- functions ---

// An inline form that forwards its variable arguments with __builtin_va_arg_pack, which clang does not have. The
// library function does the same.
static bool forwards_variable_arguments(Reader *r, LLVMValueRef function) {
  static const char *const packs[] = {"__builtin_va_arg_pack", "__builtin_va_arg_pack_len"};
  for (size_t i = 0; i < sizeof packs / sizeof *packs; i++) {
    LLVMValueRef pack = LLVMGetNamedFunction(r->module, packs[i]);
    for (LLVMUseRef use = pack ? LLVMGetFirstUse(pack) : NULL; use; use = LLVMGetNextUse(use)) {
      LLVMValueRef user = LLVMGetUser(use);
      if (LLVMIsAInstruction(user) && LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) == function) return true;
    }
  }
  return false;
}

static bool is_defined(Reader *r, LLVMValueRef function) {
  if (LLVMIsAGlobalIFunc(function)) return true;
  if (LLVMCountBasicBlocks(function) == 0) return false;
  return !forwards_variable_arguments(r, function);
}

static bool calls_va_start(LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
      bool direct = LLVMIsACallInst(i) && LLVMIsAFunction(LLVMGetCalledValue(i));
      if (direct && starts_with(value_name(LLVMGetCalledValue(i)), "llvm.va_start")) return true;
    }
  return false;
}

// A function that reads variable arguments has as many parameters as some call may pass.
static uint32_t parameter_count(Reader *r, LLVMValueRef function, bool variadic) {
  uint32_t own = LLVMCountParamTypes(LLVMGlobalGetValueType(function));
  bool reads = LLVMIsAGlobalIFunc(function) || calls_va_start(function);
  if (!variadic || !reads) return own;
  uint64_t passed = map_get_or(&r->call_arguments, pointer_key(function), 0);
  if (r->most_arguments > passed) passed = r->most_arguments;
  return passed > own ? (uint32_t)passed : own;
}

static void add_function(Reader *r, LLVMValueRef function) {
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  bool variadic = LLVMIsFunctionVarArg(type), defined = is_defined(r, function);
  map_put(&r->function_ids, pointer_key(function), r->functions.count);
  U64Vector_push(&r->bodies, pointer_key(function));
  CodeFunctionVector_push(&r->functions, (CodeFunction){.name = source_name(r, function),
                                                        .position = reader_function_position(r, function),
                                                        .defined = defined,
                                                        .variadic = variadic});
  if (defined) CodeFunctionVector_last(&r->functions)->parameter_count = parameter_count(r, function, variadic);
}

void read_functions(Reader *r) {
  for (LLVMValueRef f = LLVMGetFirstFunction(r->module); f; f = LLVMGetNextFunction(f))
    if (!is_intrinsic(f)) add_function(r, f);
  for (LLVMValueRef f = LLVMGetFirstGlobalIFunc(r->module); f; f = LLVMGetNextGlobalIFunc(f)) add_function(r, f);
}

uint32_t reader_function(Reader *r, LLVMValueRef function) {
  uint64_t id;
  if (map_get(&r->function_ids, pointer_key(function), &id)) return (uint32_t)id;
  add_function(r, function); // an intrinsic whose address is taken
  return (uint32_t)r->functions.count - 1;
}

// --- objects ---

// %n, or %m before a conversion of scanf that writes a text: "%ms".
static bool has_counting_conversion(const char *text, size_t length) {
  for (size_t i = 0; i + 1 < length; i++) {
    if (text[i] != '%') continue;
    for (i++; i < length && text[i] && strchr("0123456789$*.+- #'hlLjzt", text[i]);) i++;
    if (i < length && text[i] == 'n') return true;
    if (i + 1 < length && text[i] == 'm' && text[i + 1] && strchr("scSCl[", text[i + 1])) return true;
  }
  return false;
}

static void look_at_text(Reader *r, LLVMValueRef global) {
  LLVMValueRef value = LLVMGetInitializer(global);
  if (!value || !is_text(value)) return;
  size_t length;
  const char *text = LLVMGetAsString(value, &length);
  r->code->counting_format |= has_counting_conversion(text, length);
}

static void add_object(Reader *r, LLVMValueRef global) {
  LLVMTypeRef type = LLVMGlobalGetValueType(global);
  LLVMValueRef variable = reader_global_variable(r, global);
  bool external = LLVMIsDeclaration(global);
  map_put(&r->object_ids, pointer_key(global), r->objects.count);
  if (!external) look_at_text(r, global);
  CodeObjectVector_push(&r->objects,
                        (CodeObject){.kind = LLVMIsThreadLocal(global) ? CODE_THREAD_LOCAL : CODE_STATIC,
                                     .name = object_name(r, global),
                                     .function = NO_CODE_ID,
                                     .position = reader_variable_position(r, variable),
                                     .type = types_of_variable(&r->types, variable),
                                     .size = LLVMTypeIsSized(type) ? LLVMABISizeOfType(r->layout, type) : 0,
                                     .constant = !external && LLVMIsGlobalConstant(global),
                                     .external = external});
}

uint32_t reader_object(Reader *r, LLVMValueRef global) {
  uint64_t id;
  if (map_get(&r->object_ids, pointer_key(global), &id)) return (uint32_t)id;
  add_object(r, global);
  return (uint32_t)r->objects.count - 1;
}

static bool is_table(LLVMValueRef global) { return starts_with(value_name(global), "llvm."); }

void read_globals(Reader *r) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(r->module); g; g = LLVMGetNextGlobal(g))
    if (!is_table(g)) add_object(r, g);
}

// --- initial values ---

static void add_initials(Reader *r, uint32_t object, uint64_t offset, LLVMValueRef value) {
  size_t mark = r->pending.count;
  read_addresses(r, value);
  for (size_t i = mark; i < r->pending.count; i++)
    CodeInitialVector_push(&r->initials, (CodeInitial){object, offset, r->pending.data[i]});
  r->pending.count = mark;
}

static void read_initial(Reader *r, uint32_t object, uint64_t offset, LLVMValueRef value) {
  if (LLVMIsNull(value) || LLVMIsUndef(value) || LLVMIsAConstantDataSequential(value)) return;
  LLVMTypeRef type = LLVMTypeOf(value);
  bool is_struct = LLVMIsAConstantStruct(value), is_array = LLVMIsAConstantArray(value);
  if (!is_struct && !is_array) {
    add_initials(r, object, offset, value);
    return;
  }
  unsigned count = (unsigned)LLVMGetNumOperands(value);
  uint64_t stride = is_array ? LLVMABISizeOfType(r->layout, LLVMGetElementType(type)) : 0;
  for (unsigned i = 0; i < count; i++) {
    uint64_t at = is_array ? i * stride : LLVMOffsetOfElement(r->layout, type, i);
    read_initial(r, object, offset + at, LLVMGetOperand(value, i));
  }
}

void read_initials(Reader *r) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(r->module); g; g = LLVMGetNextGlobal(g))
    if (!is_table(g) && !LLVMIsDeclaration(g)) read_initial(r, reader_object(r, g), 0, LLVMGetInitializer(g));
}

// --- constructors and destructors ---

static void note_routine(Reader *r, LLVMValueRef routine, bool at_start) {
  CodeOperand operand;
  if (!read_constant(r, routine, &operand) || operand.kind != CODE_FUNCTION) return;
  CodeFunction *f = &r->functions.data[operand.id];
  f->at_start |= at_start;
  f->at_exit |= !at_start;
}

static void read_table(Reader *r, const char *name, bool at_start) {
  LLVMValueRef table = LLVMGetNamedGlobal(r->module, name), rows = table ? LLVMGetInitializer(table) : NULL;
  uint64_t count = rows ? LLVMGetArrayLength2(LLVMTypeOf(rows)) : 0;
  for (unsigned i = 0; i < count; i++)
    note_routine(r, LLVMGetAggregateElement(LLVMGetAggregateElement(rows, i), 1), at_start);
}

// Objects that the program itself puts into the tables.
static void read_section(Reader *r, LLVMValueRef global) {
  static const char *const starts[] = {".preinit_array", ".init_array", ".ctors"}, *const ends[] = {".fini_array",
                                                                                                    ".dtors"};
  const char *section = LLVMIsDeclaration(global) ? NULL : LLVMGetSection(global);
  if (!section || section[0] != '.') return;
  bool at_start = false, at_exit = false;
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) at_start |= starts_with(section, starts[i]);
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) at_exit |= starts_with(section, ends[i]);
  for (size_t i = 0; (at_start || at_exit) && i < r->initials.count; i++) {
    const CodeInitial *initial = &r->initials.data[i];
    if (initial->object != reader_object(r, global) || initial->operand.kind != CODE_FUNCTION) continue;
    r->functions.data[initial->operand.id].at_start |= at_start;
    r->functions.data[initial->operand.id].at_exit |= at_exit;
  }
}

void read_tables(Reader *r) {
  read_table(r, "llvm.global_ctors", true);
  read_table(r, "llvm.global_dtors", false);
  for (LLVMValueRef g = LLVMGetFirstGlobal(r->module); g; g = LLVMGetNextGlobal(g)) read_section(r, g);
  for (LLVMValueRef f = LLVMGetFirstGlobalIFunc(r->module); f; f = LLVMGetNextGlobalIFunc(f))
    note_routine(r, LLVMGetGlobalIFuncResolver(f), true);
}
