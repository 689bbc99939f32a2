#include "survey/threads/call_targets.h"

#include "base/vector.h"

VECTOR(CallTargetVector, CallTarget);

typedef enum OnceState { ONCE_UNKNOWN, ONCE_LOOKED_AT, ONCE_YES, ONCE_NO } OnceState;

struct Calls {
  const Code *code;
  const Pointing *pointing;
  const Effect **effects; // per function
  CallTargetVector targets;
  U32Vector first_targets; // per statement, and one more
  U32Vector start_counts;  // per function
  U32Vector only_starts;   // per function: the statement if it is the only one, else NO_CODE_ID
  ByteVector once;         // per function: OnceState
  U32Vector locals;        // per object
  Bitset twice;            // functions
  bool outside_calls;      // outside code has functions of the program to call
  Account *account;
};

// The operand of a call with the synchronisation that is a routine.
static uint32_t routine_operand(SynchronisationKind kind) {
  switch (kind) {
  case SYNC_CREATE_POSIX: return 3;
  case SYNC_CREATE_C11:
  case SYNC_ONCE:
  case SYNC_KEY: return 2;
  case SYNC_AT_EXIT: return 1;
  default: return 0;
  }
}

uint32_t calls_argument_operand(SynchronisationKind kind) { return kind == SYNC_CREATE_POSIX ? 4 : 3; }

const Effect *calls_effect(const Calls *calls, uint32_t function) { return calls->effects[function]; }

uint8_t calls_argument_effect(const Effect *effect, uint32_t argument) {
  uint32_t told = EFFECT_ARGUMENTS; // arguments behind the last one that is told of are as `rest` says
  while (told > 0 && effect->arguments[told - 1] == ARGUMENT_UNTOUCHED) told--;
  return argument < told ? effect->arguments[argument] : effect->rest;
}

static CallKind kind_of_routine(SynchronisationKind kind) {
  switch (kind) {
  case SYNC_CREATE_POSIX:
  case SYNC_CREATE_C11: return CALL_CREATE;
  case SYNC_ONCE: return CALL_ONCE;
  case SYNC_HANDLER: return CALL_HANDLER;
  default: return CALL_AT_THE_END;
  }
}

// A comparison or the like of the library itself, which only reads what it is given, as its caller does.
static bool only_reads(const Effect *effect) {
  if (!effect || effect->synchronisation != SYNC_NONE || effect->keeps != 0 || effect->stores_to != 0) return false;
  if (effect->result != RESULT_NUMBER || effect->copies_to != 0 || effect->gives != 0) return false;
  const uint8_t read = ARGUMENT_READ | ARGUMENT_DEEP_READ;
  for (uint32_t i = 0; i < EFFECT_ARGUMENTS; i++)
    if (effect->arguments[i] & ~read) return false;
  return (effect->rest & ~read) == 0;
}

static void add_routines(Calls *calls, CodeOperand operand, CallKind kind) {
  CalleeRange routines = pointing_functions(calls->pointing, operand);
  for (uint32_t i = 0; i < routines.count; i++) {
    bool defined = calls->code->functions[routines.data[i]].defined;
    assert(i == 0 || routines.data[i - 1] < routines.data[i]);
    if (!defined && kind == CALL_BACK && only_reads(calls->effects[routines.data[i]])) continue;
    CallTargetVector_push(&calls->targets, (CallTarget){defined ? kind : CALL_UNKNOWN, routines.data[i]});
  }
}

static void add_library(Calls *calls, const CodeStatement *call, const Effect *effect) {
  assert(effect != NULL && call->kind == CODE_CALL);
  SynchronisationKind sync = effect->synchronisation;
  uint32_t routine = routine_operand(sync);
  bool whole = sync == SYNC_HANDLER; // signal has the routine as an argument, sigaction behind one
  for (uint32_t i = 1; i < call->operand_count; i++) {
    uint8_t argument = calls_argument_effect(effect, i - 1);
    if (i == routine || whole)
      add_routines(calls, code_operand(calls->code, call, i), kind_of_routine(sync));
    else if (argument & (ARGUMENT_CALLED | ARGUMENT_CALLED_BEHIND))
      add_routines(calls, code_operand(calls->code, call, i), CALL_BACK);
  }
  if (calls->outside_calls && effect_is_foreign(effect))
    CallTargetVector_push(&calls->targets, (CallTarget){CALL_KEPT, NO_CODE_ID});
}

static bool may_be_outside(const Calls *calls, CodeOperand callee) {
  PlaceRange range = pointing_of(calls->pointing, callee);
  for (uint32_t i = 0; i < range.count; i++)
    if (range.data[i].area == pointing_outside(calls->pointing)) return true;
  return false;
}

static void add_call(Calls *calls, uint32_t statement) {
  const CodeStatement *call = &calls->code->statements[statement];
  assert(call->kind == CODE_CALL && call->operand_count > 0);
  CalleeRange callees = pointing_callees(calls->pointing, statement);
  for (uint32_t i = 0; i < callees.count; i++) {
    uint32_t function = callees.data[i];
    const Effect *effect = calls->effects[function];
    CallKind kind = calls->code->functions[function].defined ? CALL_BODY : effect ? CALL_LIBRARY : CALL_UNKNOWN;
    CallTargetVector_push(&calls->targets, (CallTarget){kind, function});
    if (kind == CALL_LIBRARY) add_library(calls, call, effect);
  }
  if (callees.count == 0 || may_be_outside(calls, code_operand(calls->code, call, 0)))
    CallTargetVector_push(&calls->targets, (CallTarget){CALL_UNKNOWN, NO_CODE_ID});
}

static void start(Calls *calls, uint32_t function, uint32_t statement) {
  assert(statement == NO_CODE_ID || calls->code->statements[statement].kind == CODE_CALL);
  calls->start_counts.data[function]++;
  calls->only_starts.data[function] = statement;
}

static bool starts_once(CallKind kind) { return kind == CALL_BODY || kind == CALL_CREATE; }

static void find_starts(Calls *calls, const uint32_t *entries, size_t entry_count) {
  const Code *code = calls->code;
  U32Vector_resize(&calls->start_counts, code->function_count);
  U32Vector_resize(&calls->only_starts, code->function_count);
  for (uint32_t s = 0; s < code->statement_count; s++) {
    CallTargets targets = calls_of(calls, s);
    for (uint32_t i = 0; i < targets.count; i++)
      if (targets.data[i].function != NO_CODE_ID)
        start(calls, targets.data[i].function, starts_once(targets.data[i].kind) ? s : NO_CODE_ID);
  }
  for (size_t i = 0; i < entry_count; i++) start(calls, entries[i], NO_CODE_ID);
  for (uint32_t f = 0; f < code->function_count; f++)
    if (code->functions[f].at_exit || pointing_called_from_outside(calls->pointing, f)) start(calls, f, NO_CODE_ID);
}

static bool named_return_twice(const char *name) {
  static const char *const names[] = {"setjmp",     "_setjmp", "sigsetjmp",          "__sigsetjmp",
                                      "getcontext", "vfork",   "__sigsetjmp_cancel", "_setjmpex"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) return true;
  return false;
}

bool calls_is_return_twice(const Calls *calls, uint32_t statement) {
  if (calls->code->statements[statement].kind == CODE_OPAQUE) return true;
  CallTargets targets = calls_of(calls, statement);
  for (uint32_t i = 0; i < targets.count; i++)
    if (targets.data[i].function != NO_CODE_ID && targets.data[i].kind != CALL_BODY &&
        named_return_twice(calls->code->functions[targets.data[i].function].name))
      return true;
  return false;
}

static void find_targets(Calls *calls) {
  const Code *code = calls->code;
  for (uint32_t f = 0; f < code->function_count; f++)
    calls->outside_calls |= code->functions[f].defined && pointing_called_from_outside(calls->pointing, f);
  U32Vector_resize(&calls->locals, code->object_count);
  for (uint32_t i = 0; i < code->object_count; i++) calls->locals.data[i] = NO_CODE_ID;
  for (uint32_t s = 0; s < code->statement_count; s++) {
    U32Vector_push(&calls->first_targets, (uint32_t)calls->targets.count);
    if (code->statements[s].kind == CODE_CALL) add_call(calls, s);
    if (code->statements[s].kind == CODE_LOCAL) calls->locals.data[code->statements[s].object] = s;
  }
  U32Vector_push(&calls->first_targets, (uint32_t)calls->targets.count);
  for (uint32_t s = 0; s < code->statement_count; s++)
    if (calls_is_return_twice(calls, s)) bitset_set(&calls->twice, code->statements[s].function);
}

Calls *calls_new(const Code *code, const Pointing *pointing, const uint32_t *entries, size_t entry_count,
                 Account *account) {
  Calls *calls = memory_allocate_zeroed(account, sizeof *calls);
  calls->code = code;
  calls->pointing = pointing;
  calls->account = account;
  calls->effects = memory_allocate_zeroed(account, (code->function_count + 1) * sizeof *calls->effects);
  for (uint32_t f = 0; f < code->function_count; f++)
    if (!code->functions[f].defined) calls->effects[f] = effect_of(code->functions[f].name);
  CallTargetVector_init(&calls->targets, account);
  U32Vector *vectors[] = {&calls->first_targets, &calls->start_counts, &calls->only_starts, &calls->locals};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) U32Vector_init(vectors[i], account);
  ByteVector_init(&calls->once, account);
  ByteVector_resize(&calls->once, code->function_count);
  bitset_init(&calls->twice, code->function_count, account);
  find_targets(calls);
  assert(calls->first_targets.count == (size_t)code->statement_count + 1);
  find_starts(calls, entries, entry_count);
  return calls;
}

void calls_free(Calls *calls) {
  if (!calls) return;
  memory_free(calls->account, calls->effects, (calls->code->function_count + 1) * sizeof *calls->effects);
  CallTargetVector_free(&calls->targets);
  U32Vector *vectors[] = {&calls->first_targets, &calls->start_counts, &calls->only_starts, &calls->locals};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) U32Vector_free(vectors[i]);
  ByteVector_free(&calls->once);
  bitset_free(&calls->twice);
  memory_free(calls->account, calls, sizeof *calls);
}

CallTargets calls_of(const Calls *calls, uint32_t statement) {
  uint32_t first = calls->first_targets.data[statement];
  assert(statement + 1 < calls->first_targets.count && first <= calls->first_targets.data[statement + 1]);
  return (CallTargets){calls->targets.data + first, calls->first_targets.data[statement + 1] - first};
}

bool calls_function_once(Calls *calls, uint32_t function) {
  uint8_t *state = ByteVector_at(&calls->once, function);
  if (*state == ONCE_YES || *state == ONCE_NO) return *state == ONCE_YES;
  if (*state == ONCE_LOOKED_AT) return false; // recursion
  *state = ONCE_LOOKED_AT;
  uint32_t starts = calls->start_counts.data[function], only = calls->only_starts.data[function];
  bool of_process = function == calls->code->main || calls->code->functions[function].at_start;
  bool once = of_process ? starts == 0 : starts == 1 && only != NO_CODE_ID && calls_once(calls, only);
  assert(calls->once.data[function] == ONCE_LOOKED_AT);
  calls->once.data[function] = once ? ONCE_YES : ONCE_NO;
  return once;
}

bool calls_once(Calls *calls, uint32_t statement) {
  const CodeStatement *s = &calls->code->statements[statement];
  if (calls->code->blocks[s->block].in_cycle || bitset_get(&calls->twice, s->function)) return false;
  return calls_function_once(calls, s->function);
}

bool calls_single_area(Calls *calls, uint32_t area) {
  const Area *a = pointing_area(calls->pointing, area);
  switch (a->kind) {
  case AREA_STATIC: return true;
  case AREA_HEAP: return a->statement != NO_CODE_ID && calls_once(calls, a->statement);
  case AREA_AUTOMATIC: {
    uint32_t born = a->object == NO_CODE_ID ? NO_CODE_ID : calls->locals.data[a->object];
    return born != NO_CODE_ID && calls_once(calls, born);
  }
  default: return false;
  }
}
