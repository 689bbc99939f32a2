#include "survey/flow/internal.h"

#include "base/budget.h"

enum {
  MOST_CONTEXTS = 12,  // of one function in one template, before states are joined
  MOST_TEMPLATES = 256 // beyond, all threads but the main thread may run at the same time
};

const FlowContext *flow_context(const Flow *flow, uint32_t id) { return FlowContextVector_at(&flow->contexts, id); }

uint32_t flow_context_count(const Flow *flow) { return (uint32_t)flow->contexts.count; }

const Ownership *flow_ownership(const Flow *flow) { return &flow->ownership; }

uint32_t flow_joined(const Flow *flow, uint32_t join) { return handles_joined(&flow->handles, join); }

static void put_to_work(Flow *flow, uint32_t context) {
  FlowContext *c = FlowContextVector_at(&flow->contexts, context);
  if (!c->waits) U32Vector_push(&flow->work, context);
  c->waits = true;
}

static uint64_t function_key(uint32_t template_id, uint32_t function) { return (uint64_t)template_id << 32 | function; }

static uint32_t new_context(Flow *flow, uint32_t template_id, uint32_t function, FlowState entry, bool fixed) {
  uint32_t id = (uint32_t)flow->contexts.count;
  assert(entry.reached && flow->facts->code->functions[function].defined);
  assert(flow->same.count == id && flow->first_dependents.count == id);
  uint64_t key = function_key(template_id, function);
  FlowContextVector_push(
      &flow->contexts,
      (FlowContext){
          .function = function, .template_id = template_id, .entry = entry, .fixed = fixed, .caller = NO_CODE_ID});
  U32Vector_push(&flow->same, (uint32_t)map_get_or(&flow->by_function, key, 0));
  U32Vector_push(&flow->first_dependents, 0);
  map_put(&flow->by_function, key, id + 1);
  put_to_work(flow, id);
  return id;
}

static void widen(Flow *flow, uint32_t context, FlowState entry) {
  FlowContext *c = FlowContextVector_at(&flow->contexts, context);
  assert(!c->fixed);
  FlowState joined = flow_join(&flow->facts->sets, c->entry, entry);
  if (flow_equal(joined, c->entry)) return;
  c->entry = joined;
  put_to_work(flow, context);
}

static uint32_t find_context(Flow *flow, uint32_t template_id, uint32_t function, FlowState entry) {
  uint64_t key = function_key(template_id, function);
  uint32_t count = 0;
  for (uint32_t i = (uint32_t)map_get_or(&flow->by_function, key, 0); i; i = flow->same.data[i - 1], count++)
    if (flow->contexts.data[i - 1].fixed && flow_equal(flow->contexts.data[i - 1].entry, entry)) return i - 1;
  if (count < MOST_CONTEXTS) return new_context(flow, template_id, function, entry, true);
  uint64_t joined;
  if (!map_get(&flow->joined, key, &joined)) {
    joined = new_context(flow, template_id, function, entry, false);
    map_put(&flow->joined, key, joined);
  }
  assert(flow_context(flow, (uint32_t)joined)->function == function);
  widen(flow, (uint32_t)joined, entry);
  return (uint32_t)joined;
}

static void depend(Flow *flow, uint32_t caller, uint32_t callee) {
  assert(caller < flow->contexts.count && callee < flow->contexts.count);
  uint64_t key = (uint64_t)caller << 32 | callee;
  if (map_contains(&flow->known_dependents, key)) return;
  map_put(&flow->known_dependents, key, 1);
  DependentVector_push(&flow->dependents, (Dependent){caller, flow->first_dependents.data[callee]});
  flow->first_dependents.data[callee] = (uint32_t)flow->dependents.count - 1;
}

uint32_t flow_enter(Flow *flow, uint32_t caller, uint32_t function, FlowState entry) {
  assert(entry.reached && flow->facts->code->functions[function].defined);
  uint32_t callee = find_context(flow, flow_context(flow, caller)->template_id, function, entry);
  FlowContext *c = FlowContextVector_at(&flow->contexts, callee);
  if (c->caller == NO_CODE_ID && callee != caller) c->caller = caller;
  depend(flow, caller, callee);
  U32Vector_push(&flow->entered, callee);
  return callee;
}

// Calls at any time are alike, by what thread they are in: their contexts are all of the first such template.
static uint32_t shared_template(const Flow *flow, uint32_t template_id) {
  const Templates *templates = flow->facts->templates;
  const Template *own = templates_at(templates, template_id);
  if (!own->any_time) return template_id;
  uint32_t first = 0;
  while (!templates_at(templates, first)->any_time || templates_at(templates, first)->in_main != own->in_main) first++;
  assert(first <= template_id);
  return first;
}

void flow_begin_thread(Flow *flow, uint32_t template_id, FlowState entry) {
  uint32_t *root = U32Vector_at(&flow->roots, template_id);
  uint32_t routine = templates_at(flow->facts->templates, template_id)->routine;
  assert(template_id != 0); // the main thread begins by itself
  if (*root != NO_CODE_ID)
    widen(flow, *root, entry);
  else
    *root = new_context(flow, shared_template(flow, template_id), routine, entry, false);
}

// --- threads ---

static void call_again(Flow *flow, uint32_t callee) {
  for (uint32_t i = flow->first_dependents.data[callee]; i; i = flow->dependents.data[i].next)
    put_to_work(flow, flow->dependents.data[i].context);
}

void flow_note_end(Flow *flow, uint32_t context, FlowState state) {
  uint32_t root = *U32Vector_at(&flow->roots, flow_context(flow, context)->template_id);
  if (root == NO_CODE_ID) return; // of the main thread, which is not joined
  FlowContext *c = FlowContextVector_at(&flow->contexts, root);
  FlowState joined = flow_join(&flow->facts->sets, c->exit, state);
  if (flow_equal(joined, c->exit)) return;
  c->exit = joined;
  call_again(flow, root);
}

FlowState flow_end_of_thread(Flow *flow, uint32_t context, uint32_t template_id) {
  uint32_t root = *U32Vector_at(&flow->roots, template_id);
  if (root == NO_CODE_ID) return (FlowState){.reached = false};
  depend(flow, context, root);
  return flow_context(flow, root)->exit;
}

// May the template run, if these do?
static bool may_run(const Flow *flow, SetId running, uint32_t template_id) {
  SetRange range = set_range(&flow->facts->sets, running);
  for (uint32_t i = 0; i < range.count; i++) {
    if (range.data[i] % 2 != 0) continue; // was created
    uint32_t root = range.data[i] / 2;
    if (root == template_id || bitset_get(templates_offspring(flow->facts->templates, root), template_id)) return true;
  }
  return false;
}

void flow_note_creation(Flow *flow, uint32_t creator, SetId running, uint32_t template_id) {
  const Templates *templates = flow->facts->templates;
  Bitset begins;
  bitset_init(&begins, templates_count(templates), flow->facts->account);
  bitset_copy(&begins, templates_offspring(templates, template_id));
  bitset_set(&begins, template_id);
  size_t count = templates_count(templates);
  if (flow->overlaps.count == 0) {
    bitset_free(&begins);
    return;
  }
  Bitset *pairs = BitsetVector_at(&flow->overlaps, creator);
  assert(pairs->bits == count * count);
  for (size_t i = bitset_next(&begins, 0); i < count; i = bitset_next(&begins, i + 1)) {
    for (size_t k = bitset_next(&begins, 0); k < count; k = bitset_next(&begins, k + 1))
      bitset_set(pairs, i * count + k);
    for (uint32_t k = 0; k < count; k++) {
      if (!may_run(flow, running, k)) continue;
      bitset_set(pairs, i * count + k);
      bitset_set(pairs, k * count + i);
    }
  }
  bitset_free(&begins);
}

bool flow_concurrent(const Flow *flow, uint32_t a, SetId a_running, uint32_t b, SetId b_running) {
  const Templates *templates = flow->facts->templates;
  const Template *x = templates_at(templates, a), *y = templates_at(templates, b);
  if (a == b) return x->many;
  if (x->any_time || y->any_time) return true;
  if (templates_dominates(templates, a, b)) return may_run(flow, a_running, b);
  if (templates_dominates(templates, b, a)) return may_run(flow, b_running, a);
  size_t count = templates_count(templates);
  for (uint32_t above = 0; above < flow->overlaps.count; above++)
    if (templates_dominates(templates, above, a) && templates_dominates(templates, above, b) &&
        !bitset_get(&flow->overlaps.data[above], a * count + b))
      return false;
  return true;
}

static bool argument_is_given(const Flow *flow, uint32_t template_id) {
  uint32_t root = *U32Vector_at(&flow->roots, template_id);
  const Template *t = templates_at(flow->facts->templates, template_id);
  if (root == NO_CODE_ID || t->kind != TEMPLATE_CREATED) return false;
  const CodeFunction *f = &flow->facts->code->functions[t->routine];
  return f->parameter_count > 0 &&
         !set_has(&flow->facts->sets, flow_context(flow, root)->entry.published, f->first_parameter);
}

bool flow_may_be_given(const Flow *flow, uint32_t template_id, CodeOperand address) {
  const SurveyFacts *facts = flow->facts;
  if (!argument_is_given(flow, template_id)) return false;
  uint32_t routine = templates_at(facts->templates, template_id)->routine;
  assert(facts->code->functions[routine].parameter_count > 0);
  CodeOperand given = {CODE_REGISTER, facts->code->functions[routine].first_parameter, 0};
  PlaceRange a = pointing_of(facts->pointing, address), b = pointing_of(facts->pointing, given);
  for (uint32_t i = 0; i < a.count; i++)
    for (uint32_t k = 0; k < b.count; k++)
      if (a.data[i].area == b.data[k].area) return true;
  return false;
}

// --- all of it ---

// The state of a call from nowhere: nothing is held, nothing owned.
static FlowState strange_entry(Flow *flow, uint32_t function) {
  FlowState entry = {.reached = true};
  const CodeFunction *f = &flow->facts->code->functions[function];
  for (uint32_t i = 0; i < f->parameter_count; i++)
    ownership_define(&flow->ownership, &entry, f->first_parameter + i, false);
  return entry;
}

static void begin_main_thread(Flow *flow) {
  const Code *code = flow->facts->code;
  for (uint32_t f = 0; f < code->function_count; f++)
    if (code->functions[f].defined && (code->functions[f].at_start || f == code->main))
      U32Vector_push(&flow->starts, new_context(flow, 0, f, strange_entry(flow, f), false));
}

// What a constructor started may run in the others and in main.
static void carry_to_starts(Flow *flow, FlowState exit) {
  if (!exit.reached || exit.running == SET_EMPTY) return;
  for (size_t i = 0; i < flow->starts.count; i++) {
    FlowState entry = flow_context(flow, flow->starts.data[i])->entry;
    entry.running = exit.running;
    widen(flow, flow->starts.data[i], entry);
  }
}

static void begin_threads(Flow *flow) {
  const Templates *templates = flow->facts->templates;
  begin_main_thread(flow);
  for (uint32_t i = 1; i < templates_count(templates); i++)
    if (templates_at(templates, i)->any_time)
      flow_begin_thread(flow, i, strange_entry(flow, templates_at(templates, i)->routine));
}

Flow *flow_new(SurveyFacts *facts) {
  Flow *flow = memory_allocate_zeroed(facts->account, sizeof *flow);
  flow->facts = facts;
  ownership_init(&flow->ownership, facts);
  handles_init(&flow->handles, facts);
  FlowContextVector_init(&flow->contexts, facts->account);
  U32Vector *vectors[] = {&flow->same, &flow->first_dependents, &flow->roots, &flow->starts,
                          &flow->work, &flow->entered};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) U32Vector_init(vectors[i], facts->account);
  DependentVector_init(&flow->dependents, facts->account);
  DependentVector_push(&flow->dependents, (Dependent){0, 0});
  Map *maps[] = {&flow->by_function, &flow->known_dependents, &flow->joined};
  for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) map_init(maps[i], facts->account);
  BitsetVector_init(&flow->overlaps, facts->account);
  size_t count = templates_count(facts->templates);
  for (size_t i = 0; i < count; i++) {
    U32Vector_push(&flow->roots, NO_CODE_ID);
    if (count > MOST_TEMPLATES) continue;
    Bitset pairs;
    bitset_init(&pairs, count * count, facts->account);
    BitsetVector_push(&flow->overlaps, pairs);
  }
  return flow;
}

void flow_end(Flow *flow) {
  if (!flow) return;
  Account *account = flow->facts->account;
  ownership_free(&flow->ownership);
  handles_free(&flow->handles);
  FlowContextVector_free(&flow->contexts);
  U32Vector *vectors[] = {&flow->same, &flow->first_dependents, &flow->roots, &flow->starts,
                          &flow->work, &flow->entered};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) U32Vector_free(vectors[i]);
  DependentVector_free(&flow->dependents);
  Map *maps[] = {&flow->by_function, &flow->known_dependents, &flow->joined};
  for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) map_free(maps[i]);
  for (size_t i = 0; i < flow->overlaps.count; i++) bitset_free(&flow->overlaps.data[i]);
  BitsetVector_free(&flow->overlaps);
  memory_free(account, flow, sizeof *flow);
}

static void compute(Flow *flow, uint32_t id) {
  FlowContext before = *flow_context(flow, id);
  const CodeFunction *f = &flow->facts->code->functions[before.function];
  FlowState *states = flow_solve(flow, id);
  memory_free(flow->facts->account, states, f->block_count * sizeof *states);
  FlowContext after = *flow_context(flow, id);
  assert(!before.fixed || flow_equal(before.entry, after.entry));
  assert(!before.result_published || after.result_published);
  if (flow_equal(before.exit, after.exit) && before.result_published == after.result_published) return;
  call_again(flow, id);
  if (f->at_start && after.template_id == 0) carry_to_starts(flow, after.exit);
}

bool flow_work(Flow *flow) {
  while (flow->work.count > 0) {
    if (flow->facts->deadline > 0 && clock_now() > flow->facts->deadline) return false;
    uint32_t id = U32Vector_pop(&flow->work);
    assert(flow_context(flow, id)->waits);
    FlowContextVector_at(&flow->contexts, id)->waits = false;
    compute(flow, id);
  }
  return true;
}

bool flow_run(Flow *flow) {
  assert(flow->contexts.count == 0);
  begin_threads(flow);
  return flow_work(flow) && flow_settle(flow);
}
