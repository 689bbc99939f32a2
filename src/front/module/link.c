#include "front/module/link.h"

#include "base/printable.h"

#include <llvm-c/Linker.h>
#include <llvm-c/Target.h>

void link_keep_diagnostic(LLVMDiagnosticInfoRef info, void *context) {
  Text *message = context;
  if (message->length) return;
  char *text = LLVMGetDiagInfoDescription(info);
  text_add(message, text);
  LLVMDisposeMessage(text);
}

// --- names defined twice ---

// A definition that must be the only one of its name.
static bool is_strong(LLVMValueRef value) {
  return value && !LLVMIsDeclaration(value) && LLVMGetLinkage(value) == LLVMExternalLinkage;
}

static LLVMValueRef strong_definition(LLVMModuleRef module, const char *name) {
  LLVMValueRef found = LLVMGetNamedFunction(module, name);
  if (!found) found = LLVMGetNamedGlobal(module, name);
  return is_strong(found) ? found : NULL;
}

static bool has_attribute(LLVMValueRef function, const char *name) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  return LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind) != NULL;
}

static bool is_inline(LLVMValueRef value) {
  return LLVMIsAFunction(value) && (has_attribute(value, "inlinehint") || has_attribute(value, "alwaysinline"));
}

static void list_mains(const ModuleVector *modules, const char *const *files, Text *error) {
  Text names;
  text_init(&names, NULL);
  const char *separator = " ";
  for (size_t i = 0; i < modules->count; i++) {
    if (!strong_definition(modules->data[i], "main")) continue;
    text_format(&names, "%s%s", separator, files[i]);
    separator = ", ";
  }
  text_line(error, "heddle: more than one file defines main:%s; name the files of one program", names.data);
  text_free(&names);
}

// False, with a message, if `value` of file `index` clashes with a definition in a file before it.
static bool check_name(const ModuleVector *modules, size_t index, LLVMValueRef value, const char *const *files,
                       Text *error) {
  size_t length;
  const char *name = LLVMGetValueName2(value, &length);
  for (size_t i = 0; i < index; i++) {
    LLVMValueRef other = strong_definition(modules->data[i], name);
    if (!other) continue;
    if (is_inline(value)) LLVMSetLinkage(value, LLVMWeakAnyLinkage);
    if (is_inline(other)) LLVMSetLinkage(other, LLVMWeakAnyLinkage);
    if (is_inline(value) || is_inline(other)) continue;
    if (strcmp(name, "main") == 0)
      list_mains(modules, files, error);
    else
      text_line(error, "heddle: %s: '%s' is defined in %s, too", files[index], name, files[i]);
    return false;
  }
  return true;
}

static bool check_names(const ModuleVector *modules, const char *const *files, Text *error) {
  for (size_t i = 1; i < modules->count; i++) {
    for (LLVMValueRef f = LLVMGetFirstFunction(modules->data[i]); f; f = LLVMGetNextFunction(f))
      if (is_strong(f) && !check_name(modules, i, f, files, error)) return false;
    for (LLVMValueRef g = LLVMGetFirstGlobal(modules->data[i]); g; g = LLVMGetNextGlobal(g))
      if (is_strong(g) && !check_name(modules, i, g, files, error)) return false;
  }
  return true;
}

static bool clashes(const ModuleVector *modules, LLVMValueRef value) {
  size_t length;
  const char *name = LLVMGetValueName2(value, &length);
  for (size_t i = 0; i < modules->count; i++) {
    LLVMValueRef other = strong_definition(modules->data[i], name);
    if (other && !is_inline(value) && !is_inline(other)) return true;
  }
  return false;
}

bool link_clashes(const ModuleVector *modules, LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (is_strong(f) && clashes(modules, f)) return true;
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
    if (is_strong(g) && clashes(modules, g)) return true;
  return false;
}

// --- internal names ---

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

// A name that distinguishes the file from the others: its base name, or its path if another file has that base name.
static const char *distinguishing_name(const char *const *files, size_t count, size_t index) {
  assert(index < count);
  for (size_t i = 0; i < count; i++)
    if (i != index && strcmp(base_name(files[i]), base_name(files[index])) == 0) return files[index];
  return base_name(files[index]);
}

// True for a name of internal linkage that another file has, too.
static bool is_ambiguous(const ModuleVector *modules, size_t index, LLVMValueRef value) {
  if (LLVMGetLinkage(value) != LLVMInternalLinkage) return false;
  size_t length;
  const char *name = LLVMGetValueName2(value, &length);
  for (size_t i = 0; i < modules->count; i++) {
    LLVMModuleRef other = modules->data[i];
    if (i != index && (LLVMGetNamedFunction(other, name) || LLVMGetNamedGlobal(other, name))) return true;
  }
  return false;
}

static void put_before(LLVMValueRef value, const char *file) {
  assert(file && LLVMGetLinkage(value) == LLVMInternalLinkage);
  size_t length;
  const char *name = LLVMGetValueName2(value, &length);
  Text full;
  text_init(&full, NULL);
  text_format(&full, "%s:%s", file, name);
  LLVMSetValueName2(value, full.data, full.length);
  text_free(&full);
}

VECTOR(ValueVector, LLVMValueRef);

// All ambiguous names are found before any is changed, because after a change the other one would look unambiguous.
static void qualify_ambiguous_names(const ModuleVector *modules, const char *const *files) {
  ValueVector found = {0};
  U64Vector ends = {0};
  for (size_t i = 0; i < modules->count; i++) {
    for (LLVMValueRef f = LLVMGetFirstFunction(modules->data[i]); f; f = LLVMGetNextFunction(f))
      if (is_ambiguous(modules, i, f)) ValueVector_push(&found, f);
    for (LLVMValueRef g = LLVMGetFirstGlobal(modules->data[i]); g; g = LLVMGetNextGlobal(g))
      if (is_ambiguous(modules, i, g)) ValueVector_push(&found, g);
    U64Vector_push(&ends, found.count);
  }
  for (size_t i = 0, next = 0; i < modules->count; i++) {
    const char *file = distinguishing_name(files, modules->count, i);
    for (; next < ends.data[i]; next++) put_before(found.data[next], file);
  }
  ValueVector_free(&found);
  U64Vector_free(&ends);
}

// --- linking ---

static bool check_widths(const ModuleVector *modules, const char *const *files, unsigned pointer_width, Text *error) {
  for (size_t i = 0; i < modules->count; i++) {
    unsigned width = LLVMPointerSize(LLVMGetModuleDataLayout(modules->data[i])) * 8;
    if (width == pointer_width) continue;
    text_line(error, "heddle: %s: compiled for %u-bit pointers; choose the data model with --data-model", files[i],
              width);
    return false;
  }
  return true;
}

static bool link_next(LLVMModuleRef whole, LLVMModuleRef part, const char *file, Text *error) {
  Text message;
  text_init(&message, NULL);
  LLVMContextRef context = LLVMGetModuleContext(whole);
  LLVMContextSetDiagnosticHandler(context, link_keep_diagnostic, &message);
  bool failed = LLVMLinkModules2(whole, part); // consumes the part
  LLVMContextSetDiagnosticHandler(context, NULL, NULL);
  if (failed) text_line(error, "heddle: %s: cannot link: %s", file, message.data);
  text_free(&message);
  return !failed;
}

LLVMModuleRef link_modules(ModuleVector *modules, const char *const *files, unsigned pointer_width, Text *error) {
  assert(modules->count > 0);
  bool good = check_widths(modules, files, pointer_width, error) && check_names(modules, files, error);
  if (good) qualify_ambiguous_names(modules, files);
  LLVMModuleRef whole = modules->data[0];
  for (size_t i = 1; i < modules->count; i++) {
    if (good)
      good = link_next(whole, modules->data[i], files[i], error);
    else
      LLVMDisposeModule(modules->data[i]);
  }
  modules->count = 0;
  if (good) return whole;
  LLVMDisposeModule(whole);
  return NULL;
}
