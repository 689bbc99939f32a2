#include "survey/memory/pointer_values.h"

#include "base/budget.h"

enum { DEEPEST = 64 };

// --- values at a place ---

static uint8_t of_register(const PointerValues *v, const Known *known, uint32_t reg, unsigned depth);

static uint8_t of_operand(const PointerValues *v, const Known *known, CodeOperand operand, unsigned depth) {
  const uint8_t address = VALUE_GENUINE | VALUE_NOT_NULL | VALUE_LASTING;
  const Code *code = v->facts->code;
  switch (operand.kind) {
  case CODE_ADDRESS: // what is only declared may be weak
    return code->objects[operand.id].external ? address & ~VALUE_NOT_NULL : address;
  case CODE_FUNCTION: return code->functions[operand.id].defined ? address : address & ~VALUE_NOT_NULL;
  case CODE_NUMBER: return operand.number == 0 ? VALUE_GENUINE | VALUE_LASTING : VALUE_LASTING;
  case CODE_REGISTER: return of_register(v, known, operand.id, depth);
  case CODE_NOTHING: return 0;
  }
  return 0;
}

// What was found out after the definition about what the register was computed from counts, too.
static uint8_t of_register(const PointerValues *v, const Known *known, uint32_t reg, unsigned depth) {
  uint8_t value = v->registers.data[reg];
  const CodeStatement *s = known_definition(v->facts->code, (CodeOperand){CODE_REGISTER, reg, 0});
  bool same = s && known_same(s), moved = s && s->kind == CODE_MOVE && !same;
  if (!moved && (known->flags.data[reg] & KNOWN_NOT_NULL)) value |= VALUE_NOT_NULL;
  if ((same || moved) && depth < DEEPEST && !(value & VALUE_NOT_NULL))
    value |= of_operand(v, known, code_operand(v->facts->code, s, 0), depth + 1) & VALUE_NOT_NULL;
  return value;
}

uint8_t pointer_value(const PointerValues *v, const Known *known, CodeOperand operand) {
  return of_operand(v, known, operand, 0);
}

// --- what is taken back ---

static void lower(PointerValues *v, uint32_t reg, uint8_t sure, uint32_t function) {
  const CodeFunction *f = &v->facts->code->functions[function];
  assert(f->defined && reg >= f->first_register && reg - f->first_register < f->register_count);
  (void)f;
  if (bitset_get(&v->permanent, reg)) sure |= VALUE_LASTING;
  uint8_t *value = ByteVector_at(&v->registers, reg);
  if ((*value & sure) == *value) return;
  *value &= sure;
  bitset_set(&v->waiting, function);
}

static void lower_result(PointerValues *v, uint32_t function, uint8_t sure) {
  assert(!(sure & VALUE_LASTING) && "what lives as long as the function does not live longer");
  uint8_t *value = ByteVector_at(&v->results, function);
  if ((*value & sure) == *value) return;
  *value &= sure;
  for (uint32_t c = v->first_call.data[function]; c; c = v->calls.data[c + 1])
    bitset_set(&v->waiting, v->calls.data[c]);
}

static void lower_parameters(PointerValues *v, uint32_t function, uint32_t from) {
  const CodeFunction *f = &v->facts->code->functions[function];
  for (uint32_t i = from; f->defined && i < f->parameter_count; i++) lower(v, f->first_parameter + i, 0, function);
}

// --- calls ---

static CodeOperand operand_at(const Code *code, const CodeStatement *s, uint32_t index) {
  return index < s->operand_count ? code_operand(code, s, index) : (CodeOperand){.kind = CODE_NOTHING};
}

static void give_arguments(PointerValues *v, const Known *known, const CodeStatement *s, uint32_t function) {
  const CodeFunction *f = &v->facts->code->functions[function];
  for (uint32_t i = 0; i < f->parameter_count; i++)
    lower(v, f->first_parameter + i, pointer_value(v, known, operand_at(v->facts->code, s, i + 1)), function);
}

// The only library function that the call may be of creates threads: with this argument for them.
static CodeOperand thread_argument(const PointerValues *v, const CodeStatement *s, CallTargets targets) {
  const Effect *effect = NULL;
  for (uint32_t i = 0; i < targets.count; i++) {
    if (targets.data[i].kind != CALL_LIBRARY) continue;
    if (effect) return (CodeOperand){.kind = CODE_NOTHING};
    effect = calls_effect(v->facts->calls, targets.data[i].function);
  }
  bool creates = effect && (effect->synchronisation == SYNC_CREATE_POSIX || effect->synchronisation == SYNC_CREATE_C11);
  return operand_at(v->facts->code, s, creates ? calls_argument_operand(effect->synchronisation) : s->operand_count);
}

static void give_to_thread(PointerValues *v, const Known *known, const CodeStatement *s, CallTargets targets,
                           uint32_t routine) {
  const CodeFunction *f = &v->facts->code->functions[routine];
  uint8_t sure = pointer_value(v, known, thread_argument(v, s, targets)) & (VALUE_GENUINE | VALUE_NOT_NULL);
  if (f->parameter_count > 0) lower(v, f->first_parameter, sure, routine);
  lower_parameters(v, routine, 1);
}

static uint8_t library_result(const PointerValues *v, const Known *known, const CodeStatement *s,
                              const Effect *effect) {
  switch (effect->result) {
  case RESULT_NEW_BLOCK: return VALUE_GENUINE;
  case RESULT_ARGUMENT:
  case RESULT_RESIZED:
    return pointer_value(v, known, operand_at(v->facts->code, s, effect->result_argument + 1u)) & VALUE_GENUINE;
  default: return 0;
  }
}

static void visit_call(PointerValues *v, const Known *known, uint32_t statement) {
  const CodeStatement *s = &v->facts->code->statements[statement];
  CallTargets targets = calls_of(v->facts->calls, statement);
  uint8_t sure = targets.count > 0 ? VALUE_SURE : 0;
  for (uint32_t i = 0; i < targets.count; i++) {
    CallTarget target = targets.data[i];
    switch (target.kind) {
    case CALL_BODY:
      give_arguments(v, known, s, target.function);
      sure &= v->results.data[target.function] & (uint8_t)~VALUE_LASTING;
      break;
    case CALL_LIBRARY: sure &= library_result(v, known, s, calls_effect(v->facts->calls, target.function)); break;
    case CALL_CREATE: give_to_thread(v, known, s, targets, target.function); break;
    case CALL_UNKNOWN: sure = 0; break;
    case CALL_KEPT: break; // forget_roots
    default: lower_parameters(v, target.function, 0); break;
    }
  }
  if (s->result != NO_CODE_ID) lower(v, s->result, sure, s->function);
}

// --- other statements ---

static uint8_t choice(const PointerValues *v, const Known *known, const CodeStatement *s) {
  uint8_t sure = s->selects && s->operand_count > 0 ? VALUE_SURE : 0;
  for (uint32_t i = 0; i < s->operand_count; i++) sure &= pointer_value(v, known, code_operand(v->facts->code, s, i));
  return sure;
}

// NULL that was moved is no address, and not NULL.
static uint8_t move(const PointerValues *v, const Known *known, const CodeStatement *s) {
  uint8_t sure = pointer_value(v, known, code_operand(v->facts->code, s, 0));
  bool whole = known_same(s) || (sure & VALUE_NOT_NULL);
  return whole ? sure : sure & VALUE_LASTING;
}

static uint8_t computed(const PointerValues *v, const Known *known, const CodeStatement *s) {
  if (!s->adds) return 0;
  CodeOperand from = code_operand(v->facts->code, s, 0), step = code_operand(v->facts->code, s, 1);
  bool counts = from.kind == CODE_REGISTER && step.kind == CODE_NUMBER && step.number == 1 &&
                (known->flags.data[from.id] & KNOWN_NOT_LARGEST);
  return counts ? VALUE_COUNTED : 0;
}

static void visit(void *argument, const Known *known, uint32_t statement) {
  PointerValues *v = argument;
  const Code *code = v->facts->code;
  const CodeStatement *s = &code->statements[statement];
  uint8_t sure = 0;
  switch (s->kind) {
  case CODE_CALL: visit_call(v, known, statement); return;
  case CODE_RETURN:
    if (s->operand_count > 0)
      lower_result(v, s->function, pointer_value(v, known, code_operand(code, s, 0)) & (uint8_t)~VALUE_LASTING);
    return;
  case CODE_LOCAL:
    sure = VALUE_GENUINE | VALUE_NOT_NULL | (code->objects[s->object].lasting ? VALUE_LASTING : 0);
    break;
  case CODE_MOVE: sure = move(v, known, s); break;
  case CODE_CHOICE: sure = choice(v, known, s); break;
  case CODE_COMPUTE: sure = computed(v, known, s); break;
  default: break;
  }
  if (s->result != NO_CODE_ID) lower(v, s->result, sure, s->function);
}

// --- the start ---

static bool is_permanent(const SurveyFacts *facts, uint32_t reg) {
  PlaceRange range = pointing_of(facts->pointing, (CodeOperand){CODE_REGISTER, reg, 0});
  for (uint32_t i = 0; i < range.count; i++) {
    AreaKind kind = pointing_area(facts->pointing, range.data[i].area)->kind;
    if (kind == AREA_AUTOMATIC || kind == AREA_THREAD_LOCAL) return false;
  }
  return true;
}

static void note_call(PointerValues *v, uint32_t function, uint32_t caller) {
  uint32_t at = (uint32_t)v->calls.count;
  U32Vector_push(&v->calls, caller);
  U32Vector_push(&v->calls, v->first_call.data[function]);
  v->first_call.data[function] = at;
}

static void note_calls(PointerValues *v) {
  const Code *code = v->facts->code;
  U32Vector_resize(&v->first_call, code->function_count);
  U32Vector_resize(&v->calls, 2); // 0 is none
  for (uint32_t s = 0; s < code->statement_count; s++) {
    CallTargets targets = calls_of(v->facts->calls, s);
    for (uint32_t i = 0; i < targets.count; i++)
      if (targets.data[i].kind == CALL_BODY) note_call(v, targets.data[i].function, code->statements[s].function);
  }
}

// A jump back may come to a statement when objects have ended that lived before.
static void note_jumps(PointerValues *v) {
  const Code *code = v->facts->code;
  Bitset jumps;
  bitset_init(&jumps, code->function_count, v->facts->account);
  for (uint32_t s = 0; s < code->statement_count; s++)
    if (calls_is_return_twice(v->facts->calls, s)) bitset_set(&jumps, code->statements[s].function);
  for (uint32_t s = 0; s < code->statement_count; s++)
    if (code->statements[s].kind == CODE_LOCAL && bitset_get(&jumps, code->statements[s].function))
      v->registers.data[code->statements[s].result] &= (uint8_t)~VALUE_LASTING;
  bitset_free(&jumps);
}

// Does some library call whatever functions of the program it has been given to keep?
static bool calls_kept(const SurveyFacts *facts) {
  for (uint32_t s = 0; s < facts->code->statement_count; s++) {
    CallTargets targets = calls_of(facts->calls, s);
    for (uint32_t i = 0; i < targets.count; i++)
      if (targets.data[i].kind == CALL_KEPT) return true;
  }
  return false;
}

static void forget_roots(PointerValues *v, const uint32_t *entries, size_t entry_count) {
  const SurveyFacts *facts = v->facts;
  bool kept = calls_kept(facts); // then any function may be one of them
  for (uint32_t f = 0; f < facts->code->function_count; f++) {
    const CodeFunction *function = &facts->code->functions[f];
    bool root = kept || f == facts->code->main || function->at_start || function->at_exit;
    if (root || pointing_called_from_outside(facts->pointing, f)) lower_parameters(v, f, 0);
  }
  for (size_t i = 0; i < entry_count; i++) lower_parameters(v, entries[i], 0);
}

void pointer_values_init(PointerValues *v, const SurveyFacts *facts, const uint32_t *entries, size_t entry_count) {
  const Code *code = facts->code;
  *v = (PointerValues){.facts = facts};
  ByteVector_init(&v->registers, facts->account);
  ByteVector_init(&v->results, facts->account);
  U32Vector_init(&v->first_call, facts->account);
  U32Vector_init(&v->calls, facts->account);
  ByteVector_resize(&v->registers, code->register_count);
  ByteVector_resize(&v->results, code->function_count);
  if (code->register_count > 0) memset(v->registers.data, VALUE_SURE, code->register_count);
  if (code->function_count > 0) memset(v->results.data, VALUE_SURE, code->function_count);
  bitset_init(&v->waiting, code->function_count, facts->account);
  bitset_init(&v->permanent, code->register_count, facts->account);
  known_init(&v->known, code, facts->account);
  for (uint32_t r = 0; r < code->register_count; r++)
    if (is_permanent(facts, r)) bitset_set(&v->permanent, r);
  note_calls(v);
  note_jumps(v);
  forget_roots(v, entries, entry_count);
}

void pointer_values_free(PointerValues *v) {
  ByteVector_free(&v->registers);
  ByteVector_free(&v->results);
  U32Vector_free(&v->first_call);
  U32Vector_free(&v->calls);
  bitset_free(&v->waiting);
  bitset_free(&v->permanent);
  known_free(&v->known);
}

bool pointer_values_find(PointerValues *v) {
  const Code *code = v->facts->code;
  for (uint32_t f = 0; f < code->function_count; f++)
    if (code->functions[f].defined) bitset_set(&v->waiting, f);
  for (size_t f; (f = bitset_next(&v->waiting, 0)) < v->waiting.bits;)
    for (; f < v->waiting.bits; f = bitset_next(&v->waiting, f + 1)) {
      if (v->facts->deadline > 0 && clock_now() > v->facts->deadline) return false;
      bitset_reset(&v->waiting, f);
      if (code->functions[f].defined) known_walk(&v->known, (uint32_t)f, visit, v);
    }
  return true;
}
