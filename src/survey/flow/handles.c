#include "survey/flow/handles.h"

#include "survey/flow/counted_loops.h"

static SynchronisationKind library_kind(const SurveyFacts *facts, uint32_t statement) {
  CallTargets targets = calls_of(facts->calls, statement);
  SynchronisationKind kind = SYNC_NONE;
  uint32_t others = 0;
  for (uint32_t i = 0; i < targets.count; i++) {
    if (targets.data[i].kind == CALL_LIBRARY)
      kind = calls_effect(facts->calls, targets.data[i].function)->synchronisation;
    else if (targets.data[i].kind != CALL_CREATE)
      others++;
  }
  return others > 0 ? SYNC_NONE : kind;
}

// A join that returns only when the thread has ended: neither an attempt nor one with a time limit.
static bool waits_for_end(const SurveyFacts *facts, uint32_t statement) {
  if (library_kind(facts, statement) != SYNC_JOIN) return false;
  CallTargets targets = calls_of(facts->calls, statement);
  for (uint32_t i = 0; i < targets.count; i++) {
    const char *name = facts->code->functions[targets.data[i].function].name;
    if (strcmp(name, "pthread_join") != 0 && strcmp(name, "thrd_join") != 0) return false;
  }
  return true;
}

static bool is_creation(SynchronisationKind kind) { return kind == SYNC_CREATE_POSIX || kind == SYNC_CREATE_C11; }

// The load of the handle is in the block of the join, and no call is between them.
static bool loaded_just_before(const Code *code, uint32_t load, uint32_t join) {
  if (load > join || code->statements[load].block != code->statements[join].block) return false;
  for (uint32_t s = load; s < join; s++)
    if (code->statements[s].kind == CODE_CALL || code->statements[s].kind == CODE_OPAQUE) return false;
  return true;
}

static bool single_place(SurveyFacts *facts, CodeOperand address, AreaPlace *place) {
  PlaceRange range = pointing_of(facts->pointing, address);
  if (range.count != 1 || range.data[0].stride != 0) return false;
  *place = range.data[0];
  return calls_single_area(facts->calls, place->area) && !pointing_area(facts->pointing, place->area)->exposed;
}

static bool handle_of_join(SurveyFacts *facts, uint32_t join, AreaPlace *place) {
  const Code *code = facts->code;
  const CodeStatement *s = &code->statements[join];
  if (s->operand_count < 2) return false;
  CodeOperand handle = code_operand(code, s, 1);
  if (handle.kind != CODE_REGISTER) return false;
  uint32_t load = code->register_statements[handle.id];
  if (load == NO_CODE_ID || code->statements[load].kind != CODE_LOAD) return false;
  return loaded_just_before(code, load, join) &&
         single_place(facts, code_operand(code, &code->statements[load], 0), place);
}

static bool reaches(const SurveyFacts *facts, CodeOperand address, uint64_t size, AreaPlace place) {
  PlaceRange range = pointing_of(facts->pointing, address);
  for (uint32_t i = 0; i < range.count; i++)
    if (pointing_overlap(range.data[i], size, place, 1)) return true;
  return false;
}

// Does the statement write to the place anything but a constant, or the handle of a thread?
static bool writes_otherwise(SurveyFacts *facts, uint32_t statement, AreaPlace place) {
  const Code *code = facts->code;
  const CodeStatement *s = &code->statements[statement];
  switch (s->kind) {
  case CODE_STORE:
    if (code_operand(code, s, 1).kind == CODE_NUMBER) return false;
    return reaches(facts, code_operand(code, s, 0), s->size, place);
  case CODE_EXCHANGE: return reaches(facts, code_operand(code, s, 0), s->size, place);
  case CODE_COPY_BLOCK: return reaches(facts, code_operand(code, s, 0), s->size, place);
  case CODE_OPAQUE:
  case CODE_CALL:
    for (uint32_t i = 1; i < s->operand_count; i++) {
      CallTargets targets = calls_of(facts->calls, statement);
      for (uint32_t k = 0; k < targets.count; k++) {
        if (targets.data[k].kind == CALL_UNKNOWN && reaches(facts, code_operand(code, s, i), 0, place)) return true;
        if (targets.data[k].kind != CALL_LIBRARY) continue;
        const Effect *effect = calls_effect(facts->calls, targets.data[k].function);
        uint8_t touched = calls_argument_effect(effect, i - 1);
        if ((touched & ARGUMENT_WRITTEN) && !is_creation(effect->synchronisation) &&
            reaches(facts, code_operand(code, s, i), 0, place))
          return true;
      }
    }
    return s->kind == CODE_OPAQUE && s->operand_count > 0 && reaches(facts, code_operand(code, s, 0), 0, place);
  default: return false;
  }
}

// The only creation that writes to the place, if nothing else does.
static uint32_t only_creation(SurveyFacts *facts, AreaPlace place) {
  const Code *code = facts->code;
  uint32_t creation = NO_CODE_ID;
  for (uint32_t s = 0; s < code->statement_count; s++) {
    if (writes_otherwise(facts, s, place)) return NO_CODE_ID;
    if (code->statements[s].kind != CODE_CALL || !is_creation(library_kind(facts, s))) continue;
    if (!reaches(facts, code_operand(code, &code->statements[s], 1), 8, place)) continue;
    AreaPlace written;
    bool exact =
        single_place(facts, code_operand(code, &code->statements[s], 1), &written) && written.offset == place.offset;
    if (creation != NO_CODE_ID || !exact) return NO_CODE_ID;
    creation = s;
  }
  return creation;
}

static bool may_detach(const SurveyFacts *facts, uint32_t statement) {
  CallTargets targets = calls_of(facts->calls, statement);
  for (uint32_t i = 0; i < targets.count; i++)
    if (targets.data[i].kind == CALL_LIBRARY &&
        calls_effect(facts->calls, targets.data[i].function)->synchronisation == SYNC_DETACH)
      return true;
  return false;
}

// Attributes might detach the thread.
static bool is_joinable(SurveyFacts *facts, uint32_t creation) {
  const CodeStatement *s = &facts->code->statements[creation];
  if (library_kind(facts, creation) == SYNC_CREATE_C11) return true;
  return s->operand_count > 2 && code_operand(facts->code, s, 2).kind == CODE_NUMBER;
}

// May the thread of the creation be detached? A join of it fails then, and does not wait. A handle that is not surely
// the one of another creation may be of any thread.
static bool may_be_detached(SurveyFacts *facts, uint32_t creation) {
  for (uint32_t s = 0; s < facts->code->statement_count; s++) {
    if (facts->code->statements[s].kind != CODE_CALL || !may_detach(facts, s)) continue;
    AreaPlace place;
    uint32_t detached = handle_of_join(facts, s, &place) ? only_creation(facts, place) : NO_CODE_ID;
    if (detached == NO_CODE_ID || detached == creation) return true;
  }
  return false;
}

// --- loops ---

// The handles are written by the creation, and by nothing else.
static bool only_written_by(SurveyFacts *facts, uint32_t creation) {
  assert(is_creation(library_kind(facts, creation)));
  const Code *code = facts->code;
  PlaceRange range = pointing_of(facts->pointing, code_operand(code, &code->statements[creation], 1));
  if (range.count != 1 || pointing_area(facts->pointing, range.data[0].area)->exposed) return false;
  AreaKind kind = pointing_area(facts->pointing, range.data[0].area)->kind;
  if (kind != AREA_STATIC && kind != AREA_AUTOMATIC && kind != AREA_HEAP) return false;
  for (uint32_t s = 0; s < code->statement_count; s++) {
    if (writes_otherwise(facts, s, range.data[0])) return false;
    if (s == creation || code->statements[s].kind != CODE_CALL) continue;
    if (is_creation(library_kind(facts, s)) &&
        reaches(facts, code_operand(code, &code->statements[s], 1), 8, range.data[0]))
      return false;
  }
  return true;
}

// The array is made by the same execution of the function: a local one, or a new block.
static bool is_own_array(const SurveyFacts *facts, CodeOperand base) {
  uint32_t made = base.kind == CODE_REGISTER ? facts->code->register_statements[base.id] : NO_CODE_ID;
  PlaceRange range = pointing_of(facts->pointing, base);
  if (made == NO_CODE_ID || range.count != 1) return false;
  const Area *area = pointing_area(facts->pointing, range.data[0].area);
  if (facts->code->statements[made].kind == CODE_LOCAL) return area->kind == AREA_AUTOMATIC;
  return area->kind == AREA_HEAP && area->statement == made;
}

static bool joins_all(SurveyFacts *facts, uint32_t creation, const CountedLoop *joins, uint32_t join) {
  const Code *code = facts->code;
  const CodeStatement *s = &code->statements[join], *c = &code->statements[creation];
  if (c->kind != CODE_CALL || c->function != s->function || c->operand_count < 4) return false;
  if (!is_creation(library_kind(facts, creation)) || !is_joinable(facts, creation)) return false;
  if (may_be_detached(facts, creation)) return false;
  CountedLoop creates;
  if (!counted_loop_of(facts, creation, &creates) || !counted_loop_same_numbers(&creates, joins)) return false;
  if (!counted_loop_at_most_once(facts, &creates, creation) || !counted_loop_each_round(facts, joins, join))
    return false;
  CodeOperand handle = code_operand(code, s, 1);
  uint32_t load = handle.kind == CODE_REGISTER ? code->register_statements[handle.id] : NO_CODE_ID;
  if (load == NO_CODE_ID || code->statements[load].kind != CODE_LOAD || !loaded_just_before(code, load, join))
    return false;
  CountedElement written, read;
  if (!counted_loop_element(facts, &creates, code_operand(code, c, 1), &written)) return false;
  if (!counted_loop_element(facts, joins, code_operand(code, &code->statements[load], 0), &read)) return false;
  bool whole = joins->once || (counted_loop_must_end(facts, joins, creation) && is_own_array(facts, written.base));
  return whole && counted_loop_same_element(&written, &read) && only_written_by(facts, creation);
}

static void find_loop(Handles *handles, SurveyFacts *facts, uint32_t join) {
  assert(facts->code->statements[join].kind == CODE_CALL && handles->creations.data[join] == NO_CODE_ID);
  const CodeFunction *f = &facts->code->functions[facts->code->statements[join].function];
  CountedLoop loop;
  if (facts->code->statements[join].operand_count < 2 || !counted_loop_of(facts, join, &loop)) return;
  for (uint32_t c = f->first_statement; c < f->first_statement + f->statement_count; c++) {
    if (!joins_all(facts, c, &loop, join)) continue;
    JoiningLoopVector_push(&handles->loops, (JoiningLoop){loop.header, c});
    handles->creations.data[join] = c;
  }
}

void handles_init(Handles *handles, SurveyFacts *facts) {
  U32Vector_init(&handles->creations, facts->account);
  JoiningLoopVector_init(&handles->loops, facts->account);
  U32Vector_resize(&handles->creations, facts->code->statement_count);
  for (uint32_t s = 0; s < facts->code->statement_count; s++) {
    handles->creations.data[s] = NO_CODE_ID;
    AreaPlace place;
    if (facts->code->statements[s].kind != CODE_CALL || !waits_for_end(facts, s)) continue;
    find_loop(handles, facts, s);
    if (!handle_of_join(facts, s, &place)) continue;
    uint32_t creation = only_creation(facts, place);
    if (creation != NO_CODE_ID && calls_once(facts->calls, creation) && is_joinable(facts, creation) &&
        !may_be_detached(facts, creation))
      handles->creations.data[s] = creation;
  }
}

void handles_free(Handles *handles) {
  U32Vector_free(&handles->creations);
  JoiningLoopVector_free(&handles->loops);
}

uint32_t handles_joined(const Handles *handles, uint32_t join) { return *U32Vector_at(&handles->creations, join); }
