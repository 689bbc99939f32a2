#include "front/library.h"

#include "front/module/unit.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_REASONS = 3, NAME_COLUMN = 28, KIND_COLUMN = 8 };

// What a model and the models that it calls may do.
typedef struct ModelEffects {
  bool chooses, guesses, ends_at_once;
  const char *reasons[MOST_REASONS]; // texts of the places at which the path ends, each once
  size_t reason_count, more_reasons;
} ModelEffects;

// --- the calls of a model ---

typedef struct ModelScan {
  const FrontUnit *unit;
  Map seen; // functions
  ModelEffects *effects;
} ModelScan;

// The text that a call of __heddle_unmodelled passes.
static const char *reason_of(LLVMValueRef call) {
  LLVMValueRef text = LLVMGetOperand(call, 0);
  LLVMValueRef value = LLVMIsAGlobalVariable(text) ? LLVMGetInitializer(text) : NULL;
  size_t length;
  return value && is_text(value) ? LLVMGetAsString(value, &length) : "a construct";
}

static void add_reason(ModelEffects *effects, const char *reason) {
  assert(effects->reason_count <= MOST_REASONS);
  for (size_t i = 0; i < effects->reason_count; i++)
    if (strcmp(effects->reasons[i], reason) == 0) return; // text: each is listed once
  if (effects->reason_count < MOST_REASONS)
    effects->reasons[effects->reason_count++] = reason;
  else
    effects->more_reasons++;
}

static void scan_function(ModelScan *scan, LLVMValueRef function);

static void scan_call(ModelScan *scan, LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (!LLVMIsAFunction(callee)) return;
  const char *name = value_name(callee);
  static const char *const choosing[] = {"__heddle_fresh_", "__heddle_any_bytes", "__heddle_print",
                                         "__heddle_scan_input"};
  for (size_t i = 0; i < sizeof choosing / sizeof *choosing; i++)
    if (starts_with(name, choosing[i])) scan->effects->chooses = true;
  if (starts_with(name, "__heddle_guess_")) scan->effects->guesses = true;
  if (starts_with(name, "__heddle_unmodelled")) add_reason(scan->effects, reason_of(call));
  LLVMValueRef definition = unit_model(scan->unit, name);
  if (body_read(callee)) definition = callee;
  if (definition) scan_function(scan, definition);
}

static void scan_function(ModelScan *scan, LLVMValueRef function) {
  assert(LLVMIsAFunction(function));
  assert(LLVMIsAFunction(function));
  if (map_contains(&scan->seen, pointer_key(function))) return;
  map_put(&scan->seen, pointer_key(function), 1);
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
      if (LLVMIsACallInst(i)) scan_call(scan, i);
}

static bool ends_at_once(LLVMValueRef function) {
  assert(LLVMCountBasicBlocks(function) > 0);
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
  for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i; i = LLVMGetNextInstruction(i))
    if (LLVMIsACallInst(i) && starts_with(value_name(LLVMGetCalledValue(i)), "__heddle_unmodelled")) return true;
  return false;
}

static ModelEffects effects_of(const FrontUnit *unit, LLVMValueRef model) {
  ModelEffects effects = {.ends_at_once = ends_at_once(model)};
  ModelScan scan = {.unit = unit, .effects = &effects};
  map_init(&scan.seen, unit->account);
  scan_function(&scan, model);
  map_free(&scan.seen);
  return effects;
}

// --- rows ---

VECTOR(ModelVector, LLVMValueRef);

static int by_name(const void *one, const void *other) {
  return strcmp(value_name(*(const LLVMValueRef *)one), value_name(*(const LLVMValueRef *)other));
}

static void sort(ModelVector *models) { qsort(models->data, models->count, sizeof *models->data, by_name); }

static const char *kind_of(const ModelEffects *effects) {
  return effects->ends_at_once ? "unknown" : effects->guesses ? "guesses" : effects->chooses ? "any" : "exact";
}

static void print_file(LLVMValueRef model, Text *out) {
  LLVMMetadataRef subprogram = LLVMGetSubprogram(model), file = subprogram ? LLVMDIScopeGetFile(subprogram) : NULL;
  unsigned length = 0;
  const char *name = file ? LLVMDIFileGetFilename(file, &length) : "";
  text_format(out, "%.*s", (int)length, name);
}

static void print_model(const FrontUnit *unit, LLVMValueRef model, Text *out) {
  ModelEffects effects = effects_of(unit, model);
  text_format(out, "  %-*s %-*s ", NAME_COLUMN, value_name(model), KIND_COLUMN, kind_of(&effects));
  print_file(model, out);
  for (size_t i = 0; i < effects.reason_count && !effects.ends_at_once; i++)
    text_format(out, "%s %s", i == 0 ? "; UNKNOWN for:" : ",", effects.reasons[i]);
  if (effects.more_reasons && !effects.ends_at_once) text_add(out, ", ...");
  text_add(out, "\n");
}

static bool is_model(LLVMValueRef function) {
  return body_read(function) && LLVMGetLinkage(function) != LLVMInternalLinkage &&
         !starts_with(value_name(function), "__heddle_");
}

static void print_all(const FrontUnit *unit, Text *out) {
  ModelVector models;
  ModelVector_init(&models, unit->account);
  for (LLVMValueRef f = LLVMGetFirstFunction(unit->models); f; f = LLVMGetNextFunction(f))
    if (is_model(f)) ModelVector_push(&models, f);
  sort(&models);
  for (size_t i = 0; i < models.count; i++) print_model(unit, models.data[i], out);
  text_format(out, "%zu functions have a model\n", models.count);
  ModelVector_free(&models);
}

// --- what a program uses ---

typedef struct Uses {
  ModelVector modelled, missing, reserved,
      own; // declared and used; reserved: missing ones of C and POSIX; own: defined
           // although there is a model
} Uses;

static void gather(const FrontUnit *unit, Uses *uses) {
  for (LLVMValueRef f = LLVMGetFirstFunction(unit->user); f; f = LLVMGetNextFunction(f)) {
    const char *name = value_name(f);
    LLVMValueRef model = unit_model(unit, name), definition = unit_definition(unit, f);
    bool internal = LLVMGetLinkage(f) == LLVMInternalLinkage;
    if (LLVMCountBasicBlocks(f) > 0) {
      if (model && is_model(model) && !internal) ModelVector_push(&uses->own, f);
      continue;
    }
    if (!LLVMGetFirstUse(f) || has_fixed_meaning(name) || starts_with(name, "__heddle_")) continue;
    ModelVector *without = is_reserved_name(name) ? &uses->reserved : &uses->missing;
    ModelVector_push(definition ? &uses->modelled : without, definition ? definition : f);
  }
  sort(&uses->modelled);
  sort(&uses->missing);
  sort(&uses->reserved);
  sort(&uses->own);
}

static void print_names(const ModelVector *functions, const char *heading, Text *out) {
  if (functions->count == 0) return;
  text_format(out, "%s\n", heading);
  for (size_t i = 0; i < functions->count; i++) text_format(out, "  %s\n", value_name(functions->data[i]));
}

static void print_uses(const FrontUnit *unit, Text *out) {
  Uses uses;
  ModelVector_init(&uses.modelled, unit->account);
  ModelVector_init(&uses.missing, unit->account);
  ModelVector_init(&uses.reserved, unit->account);
  ModelVector_init(&uses.own, unit->account);
  gather(unit, &uses);
  if (uses.modelled.count) text_add(out, "this program uses models of:\n");
  for (size_t i = 0; i < uses.modelled.count; i++) print_model(unit, uses.modelled.data[i], out);
  print_names(&uses.missing,
              "it uses without a body or a model (any result; what is handed over may be written):", out);
  print_names(&uses.reserved, "it uses of C and POSIX without a model (guessed; with pointers, unknown):", out);
  print_names(&uses.own, "it defines itself what there would be a model for:", out);
  if (uses.modelled.count + uses.missing.count + uses.reserved.count + uses.own.count == 0)
    text_add(out, "this program uses no library\n");
  ModelVector_free(&uses.modelled);
  ModelVector_free(&uses.missing);
  ModelVector_free(&uses.reserved);
  ModelVector_free(&uses.own);
}

void front_library(const FrontUnit *unit, Text *out) {
  if (unit->file_count == 0)
    print_all(unit, out);
  else
    print_uses(unit, out);
}
