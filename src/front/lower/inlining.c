// Which calls are inlined: all of them, up to the limit on edges; or, on demand, small calls and those that are
// requested by name.
//
// On demand the first program has little more than the bodies of main and of the threads' routines. An execution that
// reaches a call which is not inlined ends there, at a cut with the name of the call. The next lowering gets that
// name. So code is inlined along the ways that executions take. Each thread gets a share of the edges, however large
// main is.
#include "front/lower/lower.h"

#include <stdlib.h>
#include <string.h>

// --- names of calls ---

// The position of an instruction in its function: the same in every lowering and every process.
static uint64_t ordinal(Lowering *l, LLVMValueRef instruction) {
  assert(LLVMIsAInstruction(instruction));
  uint64_t known;
  if (map_get(&l->ordinals, pointer_key(instruction), &known)) return known;
  LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
  uint64_t next = 0;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
      next++;
      if (LLVMIsACallInst(i)) map_put(&l->ordinals, pointer_key(i), next);
    }
  }
  return map_get_or(&l->ordinals, pointer_key(instruction), 0);
}

// A hash of the calls that lead to this one. Threads with one routine share their names: a call that one of them
// reaches is inlined in all.
static uint64_t call_name(Lowering *l, LLVMValueRef function) {
  const char *callee = value_name(function);
  uint64_t name = hash_bytes(callee, strlen(callee));
  if (!l->top) return hash_mix(name);
  uint64_t place = l->instruction ? ordinal(l, l->instruction) : 0;
  name = hash_mix(l->top->name + hash_mix(place + 1) + name);
  return name ? name : 1;
}

static int compare_names(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static bool is_opened(const FrontLimits *limits, uint64_t name) {
  return limits->requested_call_count &&
         bsearch(&name, limits->requested_calls, limits->requested_call_count, sizeof name, compare_names) != NULL;
}

// --- limits ---

void inlining_share(Lowering *l, size_t waiting) {
  size_t used = l->program->edges.count, most = l->limits->edges;
  size_t rest = used < most ? most - used : 0;
  l->most_edges = used + (waiting && l->limits->small_call_edges ? rest - rest / 4 : rest);
  assert(l->most_edges >= used);
}

void inlining_stop(Lowering *l) {
  if (l->current == NO_ID) return;
  if (!l->edge_limit_text) {
    Text text;
    text_init(&text, l->account);
    text_format(&text, "more than %llu edges; with all calls inlined ", (unsigned long long)l->limits->edges);
    extents_describe(&l->extents, &text);
    l->edge_limit_text = intern(&l->program->strings, text.data);
    text_free(&text);
  }
  l->program->too_large = true;
  builder_cut(l, CUT_CALLS, l->edge_limit_text);
}

// The cut names the call, and the calls around it that were inlined without a request.
static void cut_call(Lowering *l, const Activation *activation) {
  assert(l->top && activation->calls_ahead == 0);
  U64Vector names;
  U64Vector_init(&names, l->account);
  U64Vector_push(&names, activation->name);
  for (const Activation *a = l->top; a; a = a->caller)
    if (a->inlined_ahead) U64Vector_push(&names, a->name);
  const char *what = intern_format(&l->program->strings, "call of %s that is not inlined", activation->info->name);
  builder_cut(l, CUT_CALLS, what);
  Cut *cut = &l->program->cuts.data[l->program->cuts.count - 1];
  cut->calls = arena_copy(&l->program->arena, names.data, names.count * sizeof *names.data);
  cut->call_count = (uint32_t)names.count;
  U64Vector_free(&names);
}

bool inlining_allows(Lowering *l, LLVMValueRef function, Activation *activation) {
  if (l->program->edges.count >= l->most_edges) {
    inlining_stop(l);
    return false;
  }
  const FrontLimits *limits = l->limits;
  activation->name = call_name(l, function);
  activation->calls_ahead = l->top ? l->top->calls_ahead : limits->calls_ahead;
  if (!l->top || !limits->small_call_edges || extent_of(&l->extents, function) <= limits->small_call_edges) return true;
  if (is_opened(limits, activation->name)) {
    activation->calls_ahead = limits->calls_ahead;
    return true;
  }
  if (activation->calls_ahead == 0) {
    cut_call(l, activation);
    return false;
  }
  activation->calls_ahead--;
  activation->inlined_ahead = true;
  return true;
}

void front_describe_size(FrontUnit *unit, unsigned recursion, Text *out) {
  Extents extents;
  extents_init(&extents, unit, NULL, recursion, 0, NULL);
  extents_describe(&extents, out);
  extents_free(&extents);
}
