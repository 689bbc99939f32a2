#include "front/module/unit.h"

#include "base/printable.h"
#include "front/module/atom.h"
#include "front/module/callees.h"
#include "front/module/clang.h"
#include "front/module/complete.h"
#include "front/module/link.h"
#include "front/module/overflow_checks.h"
#include "front/module/refused.h"

#include <llvm-c/BitReader.h>
#include <string.h>

// The models' bitcode, embedded by the build.
extern const char heddle_models_ilp32[], heddle_models_ilp32_end[];
extern const char heddle_models_lp64[], heddle_models_lp64_end[];

FrontLimits front_default_limits(void) {
  return (FrontLimits){.threads_per_site = 2,
                       .threads_total = 32,
                       .heap_per_site = 2,
                       .recursion = 2,
                       .object_bytes = 256,
                       .edges = 400000};
}

static LLVMModuleRef parse_bitcode(LLVMContextRef context, const char *name, const char *bytes, size_t count,
                                   Text *error) {
  Text message;
  text_init(&message, NULL);
  LLVMContextSetDiagnosticHandler(context, link_keep_diagnostic, &message);
  LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes, count, name);
  LLVMModuleRef module = NULL;
  if (LLVMParseBitcodeInContext2(context, buffer, &module)) {
    text_line(error, "heddle: %s: not valid bitcode%s%s", name, message.length ? ": " : "", message.data);
    module = NULL;
  }
  // Declarations of locals as calls, which the C interface can see.
  if (module) LLVMSetIsNewDbgInfoFormat(module, 0);
  if (module) overflow_checks_straighten(module);
  LLVMDisposeMemoryBuffer(buffer);
  LLVMContextSetDiagnosticHandler(context, NULL, NULL);
  text_free(&message);
  return module;
}

// Options may ask clang for something else than bitcode.
static bool is_bitcode(const ByteVector *bytes) {
  static const uint8_t magic[] = {'B', 'C', 0xc0, 0xde};
  return bytes->count >= sizeof magic && memcmp(bytes->data, magic, sizeof magic) == 0;
}

static LLVMModuleRef compile_file(FrontUnit *unit, const FrontOptions *options, size_t index, Text *error) {
  ByteVector bitcode;
  ByteVector_init(&bitcode, unit->account);
  LLVMModuleRef module = NULL;
  bool compiled = clang_compile(options, index, &bitcode, error);
  if (compiled && options->clang_option_count && !is_bitcode(&bitcode))
    text_format(error, "heddle: %s: what follows -- makes clang write something else than a program\n",
                options->files[index]);
  else if (compiled)
    module = parse_bitcode(unit->context, options->files[index], (const char *)bitcode.data, bitcode.count, error);
  ByteVector_free(&bitcode);
  return module;
}

// The bodies of models are read when the program uses them (body.h).
static LLVMModuleRef open_models(LLVMContextRef context, const char *bytes, size_t count, Text *error) {
  LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRange(bytes, count, "library models", false);
  LLVMModuleRef module = NULL;
  if (!LLVMGetBitcodeModuleInContext2(context, buffer, &module)) return module; // it owns the buffer
  text_add(error, "heddle: the library models inside this program are damaged; build it again\n");
  return NULL;
}

static void note_asserts(FrontUnit *unit, const FrontOptions *options, size_t index) {
  if (options->look_at_asserts && clang_drops_asserts(options, index))
    StringVector_push(&unit->without_asserts, options->files[index]);
}

static void note_added(FrontUnit *unit, const FrontOptions *options, const char *file) {
  assert(options->candidate_count > 0);
  FrontOptions others = *options;
  others.files = options->candidates;
  others.file_options = options->candidate_options;
  StringVector_push(&unit->added, file);
  for (size_t i = 0; i < options->candidate_count; i++)
    if (others.files[i] == file) note_asserts(unit, &others, i);
}

// The files that are named, and those that are added to them.
static bool compile_all(FrontUnit *unit, const FrontOptions *options, ModuleVector *modules, StringVector *files,
                        Text *error) {
  if (!options->file_count) text_add(error, "heddle: no input file\n");
  for (size_t i = 0; i < options->file_count; i++) {
    LLVMModuleRef module = compile_file(unit, options, i, error);
    if (!module) return false;
    ModuleVector_push(modules, module);
    StringVector_push(files, options->files[i]);
    note_asserts(unit, options, i);
  }
  if (options->candidate_count) complete_program(unit, options, compile_file, modules, files, &unit->notes);
  assert(modules->count == files->count);
  for (size_t i = options->file_count; i < files->count; i++) note_added(unit, options, files->data[i]);
  return options->file_count > 0;
}

// The module of all files, or NULL.
static LLVMModuleRef compile_files(FrontUnit *unit, const FrontOptions *options, Text *error) {
  ModuleVector modules;
  ModuleVector_init(&modules, unit->account);
  StringVector files;
  StringVector_init(&files, unit->account);
  bool good = compile_all(unit, options, &modules, &files, error);
  unit->file_count = files.count;
  LLVMModuleRef whole = good ? link_modules(&modules, files.data, options->pointer_width, error) : NULL;
  for (size_t i = 0; i < modules.count; i++) LLVMDisposeModule(modules.data[i]);
  ModuleVector_free(&modules);
  StringVector_free(&files);
  return whole;
}

// A use of a function other than calling it.
static bool address_is_taken(LLVMValueRef function) {
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != function) return true;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(user); i++)
      if (LLVMGetOperand(user, i) == function) return true;
  }
  return false;
}

static void collect_taken(FrontUnit *unit) {
  U64Vector_init(&unit->taken, unit->account);
  for (LLVMValueRef f = LLVMGetFirstFunction(unit->user); f; f = LLVMGetNextFunction(f))
    if (address_is_taken(f)) U64Vector_push(&unit->taken, (uint64_t)(uintptr_t)f);
}

static bool uses_any(const FrontUnit *unit, const char *const *names, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (unit_uses(unit, names[i])) return true;
  return false;
}

static void note_end_of_process(FrontUnit *unit, bool leaks) {
  static const char *const handlers[] = {"atexit", "on_exit", "at_quick_exit", "__cxa_atexit"};
  static const char *const ends[] = {"pthread_exit", "thrd_exit", "pthread_cancel"}; // of main without the process
  unit->exit_handlers = uses_any(unit, handlers, sizeof handlers / sizeof *handlers) ||
                        LLVMGetNamedGlobal(unit->user, "llvm.global_dtors");
  unit->counts_threads = (unit->exit_handlers || leaks) && uses_any(unit, ends, sizeof ends / sizeof *ends);
}

// Has every atom become a function? A macro of the program may have changed one.
static bool has_atoms(const FrontUnit *unit, const FrontOptions *options, Text *error) {
  for (size_t i = 0; i < options->atom_count; i++) {
    char name[64];
    snprintf(name, sizeof name, ATOM_FUNCTION, i);
    LLVMValueRef function = LLVMGetNamedFunction(unit->user, name);
    if (function && LLVMCountBasicBlocks(function) > 0) continue;
    atom_complain(&options->atoms[i], "this is not one expression", error);
    return false;
  }
  return true;
}

FrontUnit *front_open(const FrontOptions *options, Text *error, Account *account) {
  assert(options->pointer_width == 32 || options->pointer_width == 64);
  FrontUnit *unit = memory_allocate_zeroed(account, sizeof *unit);
  unit->account = account;
  unit->pointer_width = options->pointer_width;
  unit->atom_count = options->atom_count;
  refused_guard_llvm();
  unit->context = LLVMContextCreate();
  FunctionVector_init(&unit->functions, account);
  StringVector_init(&unit->without_asserts, account);
  StringVector_init(&unit->added, account);
  text_init(&unit->notes, account);
  map_init(&unit->function_infos, account);
  bool narrow = options->pointer_width == 32;
  const char *models = narrow ? heddle_models_ilp32 : heddle_models_lp64;
  const char *models_end = narrow ? heddle_models_ilp32_end : heddle_models_lp64_end;
  unit->models = open_models(unit->context, models, (size_t)(models_end - models), error);
  if (unit->models)
    unit->user = options->files ? compile_files(unit, options, error)
                                : LLVMModuleCreateWithNameInContext("no program", unit->context);
  if (!unit->user || !has_atoms(unit, options, error)) {
    front_close(unit);
    return NULL;
  }
  unit->layout = LLVMGetModuleDataLayout(unit->user);
  assert(LLVMPointerSize(unit->layout) * 8 == unit->pointer_width || !options->files);
  collect_taken(unit);
  unit->callees = callees_new(unit);
  unit->joins_in_loops = unit->atom_count == 0 && unit_joins_in_loops(unit);
  note_end_of_process(unit, options->leaks);
  return unit;
}

static void free_function(FrontUnit *unit, FunctionInfo *info) {
  memory_free(unit->account, info->blocks, info->block_count * sizeof *info->blocks);
  memory_free(unit->account, info->in_cycle, info->block_count * sizeof *info->in_cycle);
  map_free(&info->block_index);
  map_free(&info->uses);
  map_free(&info->allocas);
  map_free(&info->lifetimes);
  map_free(&info->declarations);
  U64Vector_free(&info->repeated);
  ScopedVector_free(&info->scoped);
  map_free(&info->scopes);
  map_free(&info->place_masks);
  if (info->scope_states)
    memory_free(unit->account, info->scope_states, info->block_count * sizeof *info->scope_states);
  memory_free(unit->account, info, sizeof *info);
}

void front_close(FrontUnit *unit) {
  if (!unit) return;
  for (size_t i = 0; i < unit->functions.count; i++) free_function(unit, unit->functions.data[i]);
  FunctionVector_free(&unit->functions);
  StringVector_free(&unit->without_asserts);
  StringVector_free(&unit->added);
  text_free(&unit->notes);
  map_free(&unit->function_infos);
  callees_free(unit->callees);
  U64Vector_free(&unit->taken);
  if (unit->user) LLVMDisposeModule(unit->user);
  if (unit->models) LLVMDisposeModule(unit->models);
  LLVMContextDispose(unit->context);
  memory_free(unit->account, unit, sizeof *unit);
}

// Does the body forward its variable arguments with __builtin_va_arg_pack, which clang does not have? So do the inline
// forms of printf and its like in preprocessed headers. The library function does the same.
static bool forwards_variable_arguments(const FrontUnit *unit, LLVMValueRef function) {
  LLVMValueRef pack = LLVMGetNamedFunction(unit->user, "__builtin_va_arg_pack");
  for (LLVMUseRef use = pack ? LLVMGetFirstUse(pack) : NULL; use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAInstruction(user) && LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) == function) return true;
  }
  return false;
}

// Clang names the inline form of a builtin function NAME.inline.
static const char inline_suffix[] = ".inline";
enum { INLINE_TAIL = sizeof inline_suffix - 1 };

static bool has_inline_suffix(const char *name) {
  size_t length = strlen(name);
  return length > INLINE_TAIL && strcmp(name + length - INLINE_TAIL, inline_suffix) == 0;
}

static LLVMValueRef named_function(LLVMModuleRef module, const char *name) {
  char bare[64];
  size_t length = strlen(name) - INLINE_TAIL;
  if (!has_inline_suffix(name) || length >= sizeof bare) return LLVMGetNamedFunction(module, name);
  memcpy(bare, name, length);
  bare[length] = '\0';
  return LLVMGetNamedFunction(module, bare);
}

LLVMValueRef unit_model(const FrontUnit *unit, const char *name) {
  LLVMValueRef model = named_function(unit->models, name);
  return model && body_read(model) ? model : NULL;
}

static bool has_body(const FrontUnit *unit, LLVMValueRef function) {
  size_t length;
  bool inline_form = LLVMGetLinkage(function) == LLVMAvailableExternallyLinkage ||
                     has_inline_suffix(LLVMGetValueName2(function, &length));
  return body_read(function) && !(inline_form && forwards_variable_arguments(unit, function));
}

// Declared by the program with as many parameters as the model has? A declaration without a prototype fits any model.
static bool fits_model(LLVMValueRef declared, LLVMValueRef model) {
  LLVMTypeRef type = LLVMGlobalGetValueType(declared), modelled = LLVMGlobalGetValueType(model);
  if (LLVMIsFunctionVarArg(type)) return true;
  unsigned given = LLVMCountParamTypes(type), wanted = LLVMCountParamTypes(modelled);
  return given == wanted || (given > wanted && LLVMIsFunctionVarArg(modelled));
}

LLVMValueRef unit_definition(const FrontUnit *unit, LLVMValueRef function) {
  if (has_body(unit, function)) return function;
  size_t length;
  const char *name = LLVMGetValueName2(function, &length);
  LLVMValueRef found = named_function(unit->user, name);
  bool own =
      found && LLVMGetLinkage(found) == LLVMInternalLinkage; // the models do not mean the user's static functions
  if (found && !own && has_body(unit, found)) return found;
  found = unit_model(unit, name);
  bool model = found && LLVMGetLinkage(found) != LLVMInternalLinkage;
  return model && fits_model(function, found) ? found : NULL;
}

const FrontReplaced *unit_replaced(const FrontSlice *slice, LLVMValueRef function) {
  if (!slice) return NULL;
  size_t length;
  const char *name = LLVMGetValueName2(function, &length);
  return front_slice_find(slice, name[0] == '\1' ? name + 1 : name);
}

// A definition that other files see.
static bool is_defined_for_all(LLVMValueRef global) {
  return global && !LLVMIsDeclaration(global) && LLVMGetLinkage(global) != LLVMInternalLinkage &&
         LLVMGetLinkage(global) != LLVMPrivateLinkage;
}

LLVMValueRef unit_global_definition(const FrontUnit *unit, LLVMValueRef global) {
  if (!LLVMIsDeclaration(global)) return global;
  size_t length;
  const char *name = LLVMGetValueName2(global, &length);
  LLVMValueRef found = LLVMGetNamedGlobal(unit->user, name);
  if (is_defined_for_all(found)) return found;
  LLVMValueRef model = LLVMGetNamedGlobal(unit->models, name);
  if (is_defined_for_all(model)) return model;
  LLVMValueRef alias = model ? NULL : LLVMGetNamedGlobalAlias(unit->models, name, length);
  if (alias && LLVMIsAGlobalVariable(LLVMAliasGetAliasee(alias))) return LLVMAliasGetAliasee(alias);
  return found && LLVMIsDeclaration(found) ? found : global;
}

void front_files_read(const FrontOptions *options, size_t index, Text *names) {
  clang_files_read(options, index, names);
}

const StringVector *front_added(const FrontUnit *unit) { return &unit->added; }

const char *front_notes(const FrontUnit *unit) { return unit->notes.data; }

bool unit_uses(const FrontUnit *unit, const char *name) {
  LLVMValueRef function = LLVMGetNamedFunction(unit->user, name);
  return function && LLVMGetFirstUse(function);
}
