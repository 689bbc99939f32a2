#include "front/module/complete.h"

#include "base/file.h"

#include "base/budget.h"
#include "base/printable.h"

#include <ctype.h>
#include <stdlib.h>

typedef struct Candidate {
  const char *file;
  Text text;            // of the source, when it was looked at; empty if it cannot be read
  LLVMModuleRef module; // NULL: not compiled, or it cannot be
  bool read, tried, added;
} Candidate;
VECTOR(CandidateVector, Candidate);

typedef struct Completion {
  FrontUnit *unit;
  FrontOptions options; // whose files are the candidates
  CompileCandidate compile;
  ModuleVector *modules;
  StringVector *files;
  CandidateVector candidates;
  StringVector settled; // names that were looked for; they live in the modules
  Text *notes;
} Completion;

// --- what the text seems to define ---

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$'; }

// Behind what stands at `at`, which is no part of a name: a comment, a constant in quotes, a directive, or one
// character.
static const char *skip_other(const char *text, const char *at) {
  if (at[0] == '/' && at[1] == '/') return at + strcspn(at, "\n");
  if (at[0] == '/' && at[1] == '*') {
    const char *end = strstr(at + 2, "*/");
    return end ? end + 2 : at + strlen(at);
  }
  if (*at == '#' && (at == text || at[-1] == '\n')) {
    while (*at && *at != '\n') at += *at == '\\' && at[1] ? 2 : 1;
    return at;
  }
  if (*at != '"' && *at != '\'') return at + 1;
  const char quote = *at++;
  while (*at && *at != quote && *at != '\n') at += *at == '\\' && at[1] ? 2 : 1;
  return *at == quote ? at + 1 : at;
}

// Parameters, then a body, or declarations of parameters, or an attribute.
static bool begins_body(const char *text, const char *at) {
  while (isspace((unsigned char)*at)) at++;
  if (*at != '(') return false;
  unsigned open = 0;
  do {
    open += *at == '(';
    open -= *at == ')';
    at = is_word(*at) ? at + 1 : skip_other(text, at);
  } while (open && *at);
  while (isspace((unsigned char)*at) || (at[0] == '/' && (at[1] == '/' || at[1] == '*')))
    at = isspace((unsigned char)*at) ? at + 1 : skip_other(text, at);
  return *at == '{' || is_word(*at);
}

static bool seems_to_define(Candidate *candidate, const char *name) {
  if (!candidate->read && !file_read(&candidate->text, candidate->file, FILE_MOST_DATA, NULL))
    text_clear(&candidate->text);
  candidate->read = true;
  const char *text = candidate->text.data;
  size_t wanted = strlen(name);
  long depth = 0;
  if (!strstr(text, name)) return false;
  for (const char *at = text; *at;) {
    size_t length = 0;
    while (is_word(at[length])) length++;
    if (length == wanted && depth <= 0 && memcmp(at, name, length) == 0 && begins_body(text, at + length)) return true;
    depth += length ? 0 : *at == '{' ? 1 : *at == '}' ? -1 : 0;
    at = length ? at + length : skip_other(text, at);
  }
  return false;
}

// --- modules ---

static bool defines(LLVMModuleRef module, const char *name) {
  LLVMValueRef function = module ? LLVMGetNamedFunction(module, name) : NULL;
  return function && !LLVMIsDeclaration(function) && LLVMGetLinkage(function) != LLVMInternalLinkage &&
         LLVMGetLinkage(function) != LLVMAvailableExternallyLinkage;
}

static bool is_wanted(const Completion *c, LLVMValueRef function) {
  size_t length;
  const char *name = LLVMGetValueName2(function, &length);
  if (!LLVMIsDeclaration(function) || !LLVMGetFirstUse(function)) return false;
  if (has_fixed_meaning(name) || starts_with(name, "__builtin_") || is_reserved_name(name)) return false;
  for (size_t i = 0; i < c->settled.count; i++)
    if (strcmp(c->settled.data[i], name) == 0) return false;
  for (size_t i = 0; i < c->modules->count; i++)
    if (defines(c->modules->data[i], name)) return false;
  return unit_model(c->unit, name) == NULL;
}

static bool out_of_time(const Completion *c) { return c->options.deadline > 0 && clock_now() >= c->options.deadline; }

static void try_candidate(Completion *c, size_t index) {
  assert(index < c->candidates.count);
  Candidate *candidate = &c->candidates.data[index];
  if (candidate->tried || out_of_time(c)) return;
  candidate->tried = true;
  Text ignored;
  text_init(&ignored, NULL);
  candidate->module = c->compile(c->unit, &c->options, index, &ignored);
  bool fits =
      candidate->module && LLVMPointerSize(LLVMGetModuleDataLayout(candidate->module)) * 8 == c->options.pointer_width;
  if (candidate->module && !fits) {
    LLVMDisposeModule(candidate->module);
    candidate->module = NULL;
  }
  text_free(&ignored);
}

static void add_candidate(Completion *c, Candidate *candidate, const char *name) {
  assert(candidate->module && !candidate->added);
  candidate->added = true;
  ModuleVector_push(c->modules, candidate->module);
  StringVector_push(c->files, candidate->file);
  text_line(c->notes, "%s is part of the program, too: it defines %s", candidate->file, name);
}

static void settle(Completion *c, const char *name) {
  Candidate *only = NULL;
  Text unfit, several;
  text_init(&unfit, NULL);
  text_init(&several, NULL);
  size_t count = 0;
  for (size_t i = 0; i < c->candidates.count; i++) {
    Candidate *candidate = &c->candidates.data[i];
    if (candidate->added || !seems_to_define(candidate, name)) continue;
    try_candidate(c, i);
    if (!defines(candidate->module, name)) continue;
    bool fits = !defines(candidate->module, "main") && !link_clashes(c->modules, candidate->module);
    text_format(fits ? &several : &unfit, "%s%s", (fits ? several : unfit).length ? ", " : "", candidate->file);
    count += fits;
    if (fits) only = candidate;
  }
  if (count == 1)
    add_candidate(c, only, name);
  else if (count > 1)
    text_line(c->notes, "%s is defined in %s: name the file that is meant", name, several.data);
  else if (unfit.length)
    text_line(c->notes, "%s stays undefined: %s would bring main or another name a second time", name, unfit.data);
  text_free(&several);
  text_free(&unfit);
}

void complete_program(FrontUnit *unit, const FrontOptions *options, CompileCandidate compile, ModuleVector *modules,
                      StringVector *files, Text *notes) {
  Completion c = {.unit = unit, .options = *options, .compile = compile, .modules = modules, .files = files};
  c.notes = notes;
  c.options.files = options->candidates;
  c.options.file_options = options->candidate_options;
  c.options.file_count = options->candidate_count;
  c.options.atom_count = 0; // they are functions of the first file
  for (size_t i = 0; i < options->candidate_count; i++) {
    Candidate candidate = {.file = options->candidates[i]};
    text_init(&candidate.text, unit->account);
    CandidateVector_push(&c.candidates, candidate);
  }
  for (size_t m = 0; m < modules->count; m++) { // those that are added as well
    LLVMValueRef f = LLVMGetFirstFunction(modules->data[m]);
    for (; f && !out_of_time(&c); f = LLVMGetNextFunction(f)) {
      size_t length;
      const char *name = LLVMGetValueName2(f, &length);
      if (!is_wanted(&c, f)) continue;
      StringVector_push(&c.settled, name);
      settle(&c, name);
    }
  }
  if (options->candidate_count && out_of_time(&c))
    text_line(notes, "out of time while looking for the files that define what the program calls");
  for (size_t i = 0; i < c.candidates.count; i++) {
    if (c.candidates.data[i].module && !c.candidates.data[i].added) LLVMDisposeModule(c.candidates.data[i].module);
    text_free(&c.candidates.data[i].text);
  }
  CandidateVector_free(&c.candidates);
  StringVector_free(&c.settled);
}
