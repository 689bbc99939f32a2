// Calls: from the state of the caller to that of the callee, and back.
#include "survey/flow/internal.h"

#include "base/text.h"

typedef struct Call {
  Flow *flow;
  uint32_t context;
  const CodeStatement *statement;
  uint32_t callee; // function
  uint32_t passed; // arguments that are parameters
} Call;

static uint32_t parameter(const Call *call, uint32_t i) {
  assert(i < call->passed);
  return call->flow->facts->code->functions[call->callee].first_parameter + i;
}

static CodeOperand argument(const Call *call, uint32_t i) {
  return code_operand(call->flow->facts->code, call->statement, i + 1);
}

static bool is_atomic_function(const Code *code, uint32_t function) {
  return starts_with(code->functions[function].name, "__VERIFIER_atomic_");
}

static uint32_t section(Flow *flow) { return locks_intern(flow->facts->locks, (Lock){.kind = LOCK_SECTION}); }

// --- into the callee ---

// The names that a lock of the caller has in the callee, by its parameters.
static void translate(const Call *call, Lock lock, U32Vector *out) {
  const SurveyFacts *facts = call->flow->facts;
  for (uint32_t i = 0; i < call->passed; i++) {
    CodeOperand value = argument(call, i);
    RootedAddress at = locks_rooted(facts->code, value);
    Lock renamed = {.kind = LOCK_RELATIVE, .shared = lock.shared, .id = parameter(call, i)};
    PlaceRange range = pointing_of(facts->pointing, value);
    if (lock.kind == LOCK_RELATIVE && at.root == lock.id)
      renamed.offset = lock.offset - at.offset;
    else if (lock.kind == LOCK_PLACE && range.count == 1 && range.data[0].stride == 0 && range.data[0].area == lock.id)
      renamed.offset = lock.offset - range.data[0].offset;
    else
      continue;
    U32Vector_push(out, locks_intern(facts->locks, renamed));
  }
}

static SetId locks_inside(const Call *call, SetId locks) {
  SurveyFacts *facts = call->flow->facts;
  U32Vector all;
  U32Vector_init(&all, facts->account);
  for (uint32_t i = 0; i < set_range(&facts->sets, locks).count; i++) {
    uint32_t id = set_range(&facts->sets, locks).data[i];
    Lock lock = *locks_at(facts->locks, id);
    if (lock.kind == LOCK_SECTION || lock.kind == LOCK_PLACE) U32Vector_push(&all, id);
    translate(call, lock, &all);
  }
  if (is_atomic_function(facts->code, call->callee)) U32Vector_push(&all, section(call->flow));
  SetId set = set_make(&facts->sets, all.data, all.count);
  U32Vector_free(&all);
  return set;
}

// What is not surely owned may be kept by the callee, under any of its names.
static void publish_arguments(const Call *call, FlowState *state) {
  Flow *flow = call->flow;
  bool pointers = false;
  for (uint32_t i = 0; i + 1 < call->statement->operand_count; i++) {
    CodeOperand value = argument(call, i);
    pointers |= pointing_of(flow->facts->pointing, value).count > 0;
    pointers |= pointing_in_part(flow->facts->pointing, value).count > 0;
    if (i >= call->passed || !ownership_holds(&flow->ownership, state, value))
      ownership_publish(&flow->ownership, state, call->statement->function, value);
  }
  if (pointers) ownership_publish_linked(&flow->ownership, state);
}

static FlowState inside(const Call *call, const FlowState *state) {
  Flow *flow = call->flow;
  FlowState entry = {.reached = true, .locks = locks_inside(call, state->locks), .running = state->running};
  const CodeFunction *callee = &flow->facts->code->functions[call->callee];
  for (uint32_t i = 0; i < callee->parameter_count; i++) {
    bool owned = i < call->passed && ownership_holds(&flow->ownership, state, argument(call, i));
    ownership_define(&flow->ownership, &entry, callee->first_parameter + i, owned);
  }
  return entry;
}

// --- back to the caller ---

static void translate_back(const Call *call, Lock lock, U32Vector *out) {
  SurveyFacts *facts = call->flow->facts;
  for (uint32_t i = 0; i < call->passed; i++) {
    if (lock.id != parameter(call, i)) continue;
    CodeOperand value = argument(call, i);
    RootedAddress at = locks_rooted(facts->code, value);
    PlaceRange range = pointing_of(facts->pointing, value);
    Lock renamed = {.kind = LOCK_RELATIVE, .shared = lock.shared, .id = at.root, .offset = at.offset + lock.offset};
    bool single = range.count == 1 && range.data[0].stride == 0 && calls_single_area(facts->calls, range.data[0].area);
    if (single)
      renamed = (Lock){.kind = LOCK_PLACE,
                       .shared = lock.shared,
                       .id = range.data[0].area,
                       .offset = range.data[0].offset + lock.offset};
    if (single || at.root != NO_CODE_ID) U32Vector_push(out, locks_intern(facts->locks, renamed));
  }
}

// Locks that are held after the call: at the callee's end, or before and not released by it.
static SetId locks_after(const Call *call, SetId before, SetId at_end) {
  SurveyFacts *facts = call->flow->facts;
  U32Vector all;
  U32Vector_init(&all, facts->account);
  for (uint32_t i = 0; i < set_range(&facts->sets, at_end).count; i++) {
    uint32_t id = set_range(&facts->sets, at_end).data[i];
    Lock lock = *locks_at(facts->locks, id);
    bool left = lock.kind == LOCK_SECTION && is_atomic_function(facts->code, call->callee);
    if (lock.kind == LOCK_PLACE || (lock.kind == LOCK_SECTION && !left)) U32Vector_push(&all, id);
    if (lock.kind == LOCK_RELATIVE) translate_back(call, lock, &all);
  }
  SetId released = released_by(&facts->released, call->callee);
  SetRange range = set_range(&facts->sets, before);
  for (uint32_t i = 0; i < range.count; i++)
    if (!locks_may_be_in(facts->locks, range.data[i], &facts->sets, released)) U32Vector_push(&all, range.data[i]);
  SetId set = set_make(&facts->sets, all.data, all.count);
  U32Vector_free(&all);
  return set;
}

static FlowState outside(const Call *call, FlowState state, const FlowContext *callee) {
  Flow *flow = call->flow;
  assert(callee->function == call->callee);
  if (!callee->exit.reached) return (FlowState){.reached = false};
  state.locks = locks_after(call, state.locks, callee->exit.locks);
  state.running = callee->exit.running;
  for (uint32_t i = 0; i < call->passed; i++) {
    uint32_t reg = parameter(call, i);
    bool kept = set_has(&flow->facts->sets, callee->exit.published, reg) ||
                set_has(&flow->facts->sets, callee->exit.linked, reg);
    if (kept) ownership_publish(&flow->ownership, &state, call->statement->function, argument(call, i));
  }
  ownership_define(&flow->ownership, &state, call->statement->result, !callee->result_published);
  return state;
}

static Call call_of(Flow *flow, uint32_t context, uint32_t statement, uint32_t function, bool with_arguments) {
  const CodeStatement *s = &flow->facts->code->statements[statement];
  assert(s->kind == CODE_CALL && s->operand_count > 0);
  uint32_t parameters = flow->facts->code->functions[function].parameter_count, arguments = s->operand_count - 1;
  uint32_t passed = arguments < parameters ? arguments : parameters;
  return (Call){flow, context, s, function, with_arguments ? passed : 0};
}

static FlowState through_body(Flow *flow, uint32_t context, uint32_t statement, uint32_t function, FlowState state) {
  Call call = call_of(flow, context, statement, function, true);
  publish_arguments(&call, &state);
  uint32_t callee = flow_enter(flow, context, function, inside(&call, &state));
  return outside(&call, state, flow_context(flow, callee));
}

// A library function calls it, any number of times, with anything that it was given.
static FlowState through_callback(Flow *flow, uint32_t context, uint32_t statement, uint32_t function,
                                  FlowState state) {
  Call call = call_of(flow, context, statement, function, false);
  publish_arguments(&call, &state);
  for (;;) {
    uint32_t callee = flow_enter(flow, context, function, inside(&call, &state));
    FlowState called = outside(&call, state, flow_context(flow, callee));
    FlowState joined = flow_join(&flow->facts->sets, state, called);
    if (flow_equal(joined, state)) return state;
    state = joined;
  }
}

// --- threads ---

static FlowState through_creation(Flow *flow, uint32_t context, uint32_t statement, uint32_t routine, FlowState state) {
  SurveyFacts *facts = flow->facts;
  const CodeStatement *s = &facts->code->statements[statement];
  const CodeFunction *f = &facts->code->functions[routine];
  uint32_t template_id = templates_created(facts->templates, statement, routine);
  assert(templates_at(facts->templates, template_id)->routine == routine);
  uint32_t at = s->operand_count == 4 ? 3 : 4; // thrd_create has three arguments
  FlowState begin = {.reached = true};
  for (uint32_t i = 0; i < f->parameter_count; i++) {
    CodeOperand value = at < s->operand_count ? code_operand(facts->code, s, at) : (CodeOperand){CODE_NOTHING, 0, 0};
    uint32_t root = ownership_root(&flow->ownership, value);
    bool nothing = value.kind == CODE_NUMBER;
    bool given =
        i == 0 &&
        (nothing || (ownership_holds(&flow->ownership, &state, value) && !set_has(&facts->sets, state.linked, root)));
    ownership_define(&flow->ownership, &begin, f->first_parameter + i, given);
  }
  flow_begin_thread(flow, template_id, begin);
  flow_note_creation(flow, flow_context(flow, context)->template_id, state.running, template_id);
  state.running = set_with(&facts->sets, state.running, flow_running(template_id));
  state.running = set_with(&facts->sets, state.running, flow_created(template_id));
  const Bitset *offspring = templates_offspring(facts->templates, template_id);
  for (size_t i = bitset_next(offspring, 0); i < offspring->bits; i = bitset_next(offspring, i + 1))
    state.running = set_with(&facts->sets, state.running, flow_created((uint32_t)i));
  return state;
}

static FlowState through(Flow *flow, uint32_t context, uint32_t statement, CallTarget target, FlowState state) {
  switch (target.kind) {
  case CALL_BODY: return through_body(flow, context, statement, target.function, state);
  case CALL_BACK:
  case CALL_ONCE: return through_callback(flow, context, statement, target.function, state);
  case CALL_CREATE: return through_creation(flow, context, statement, target.function, state);
  case CALL_UNKNOWN: return flow_through_unknown(flow, context, statement, state);
  case CALL_KEPT: return flow_through_kept(flow, context, state);
  default: return state;
  }
}

// A library function, and what it calls or starts.
static FlowState through_library(Flow *flow, uint32_t context, uint32_t statement, uint32_t function, FlowState state) {
  CallTargets targets = calls_of(flow->facts->calls, statement);
  for (uint32_t i = 0; i < targets.count; i++) // before it: locks and arguments are as in the call
    if (targets.data[i].kind != CALL_BODY && targets.data[i].kind != CALL_LIBRARY &&
        targets.data[i].kind != CALL_UNKNOWN)
      state = through(flow, context, statement, targets.data[i], state);
  return flow_through_library(flow, context, statement, function, state);
}

void flow_step_call(Flow *flow, uint32_t context, uint32_t statement, FlowState *state) {
  CallTargets targets = calls_of(flow->facts->calls, statement);
  FlowState after = {.reached = false};
  for (uint32_t i = 0; i < targets.count; i++) {
    CallTarget target = targets.data[i];
    FlowState one = {.reached = false};
    if (target.kind == CALL_LIBRARY)
      one = through_library(flow, context, statement, target.function, *state);
    else if (target.kind == CALL_BODY || target.kind == CALL_UNKNOWN)
      one = through(flow, context, statement, target, *state);
    after = flow_join(&flow->facts->sets, after, one);
  }
  *state = after;
}
