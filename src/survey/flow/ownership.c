#include "survey/flow/ownership.h"

static bool is_own_block(const SurveyFacts *facts, uint32_t area) {
  const Area *a = pointing_area(facts->pointing, area);
  return (a->kind == AREA_HEAP || a->kind == AREA_AUTOMATIC) && !a->exposed;
}

static bool refers_to_blocks(const SurveyFacts *facts, uint32_t reg) {
  PlaceRange range = pointing_of(facts->pointing, (CodeOperand){CODE_REGISTER, reg, 0});
  for (uint32_t i = 0; i < range.count; i++)
    if (!is_own_block(facts, range.data[i].area)) return false;
  return range.count > 0;
}

static bool makes_owner(const CodeStatement *s) {
  return s->result != NO_CODE_ID && (s->kind == CODE_LOCAL || s->kind == CODE_CALL || s->kind == CODE_CHOICE);
}

static bool has_a_block(const SurveyFacts *facts, PlaceRange range) {
  for (uint32_t i = 0; i < range.count; i++)
    if (is_own_block(facts, range.data[i].area)) return true;
  return false;
}

static bool may_refer_to_a_block(const SurveyFacts *facts, uint32_t reg) {
  return has_a_block(facts, pointing_of(facts->pointing, (CodeOperand){CODE_REGISTER, reg, 0}));
}

static bool may_be_part_of_one(const SurveyFacts *facts, uint32_t reg) { // of the address of a block
  return has_a_block(facts, pointing_in_part(facts->pointing, (CodeOperand){CODE_REGISTER, reg, 0}));
}

void ownership_init(Ownership *ownership, SurveyFacts *facts) {
  *ownership = (Ownership){.facts = facts};
  map_init(&ownership->found, facts->account);
  const Code *code = facts->code;
  bitset_init(&ownership->owners, code->register_count, facts->account);
  bitset_init(&ownership->blocks, code->register_count, facts->account);
  for (uint32_t r = 0; r < code->register_count; r++)
    if (may_refer_to_a_block(facts, r) || may_be_part_of_one(facts, r)) bitset_set(&ownership->blocks, r);
  for (uint32_t f = 0; f < code->function_count; f++)
    for (uint32_t i = 0; code->functions[f].defined && i < code->functions[f].parameter_count; i++)
      if (may_refer_to_a_block(facts, code->functions[f].first_parameter + i))
        bitset_set(&ownership->owners, code->functions[f].first_parameter + i);
  for (uint32_t s = 0; s < code->statement_count; s++)
    if (makes_owner(&code->statements[s]) && refers_to_blocks(facts, code->statements[s].result))
      bitset_set(&ownership->owners, code->statements[s].result);
}

void ownership_free(Ownership *ownership) {
  bitset_free(&ownership->owners);
  bitset_free(&ownership->blocks);
  map_free(&ownership->found);
}

uint32_t ownership_root(const Ownership *ownership, CodeOperand address) {
  const Code *code = ownership->facts->code;
  while (address.kind == CODE_REGISTER) {
    assert(address.id < code->register_count);
    if (bitset_get(&ownership->owners, address.id)) return address.id;
    uint32_t made = code->register_statements[address.id];
    if (made == NO_CODE_ID || code->statements[made].kind != CODE_MOVE) return NO_CODE_ID;
    address = code_operand(code, &code->statements[made], 0);
  }
  return NO_CODE_ID;
}

static bool is_owned(const Ownership *ownership, const FlowState *state, uint32_t root) {
  return root != NO_CODE_ID && !set_has(&ownership->facts->sets, state->published, root);
}

bool ownership_holds(const Ownership *ownership, const FlowState *state, CodeOperand address) {
  return is_owned(ownership, state, ownership_root(ownership, address));
}

void ownership_define(Ownership *ownership, FlowState *state, uint32_t result, bool owned) {
  if (result == NO_CODE_ID || !bitset_get(&ownership->owners, result)) return;
  NumberSets *sets = &ownership->facts->sets;
  state->published = owned ? set_without(sets, state->published, result) : set_with(sets, state->published, result);
  state->linked = set_without(sets, state->linked, result);
  assert(set_has(sets, state->published, result) == !owned);
}

static bool share_an_area(PlaceRange a, PlaceRange b) {
  for (uint32_t i = 0, k = 0; i < a.count && k < b.count;) {
    if (a.data[i].area == b.data[k].area) return true;
    if (a.data[i].area < b.data[k].area)
      i++;
    else
      k++;
  }
  return false;
}

static bool refers_to_a_block(const Ownership *ownership, CodeOperand value) {
  return value.kind == CODE_REGISTER && bitset_get(&ownership->blocks, value.id); // objects with addresses are statics
}

static SetId find_owners(Ownership *ownership, uint32_t function, CodeOperand value) {
  SurveyFacts *facts = ownership->facts;
  assert(value.kind == CODE_REGISTER && facts->code->functions[function].defined);
  PlaceRange range = pointing_of(facts->pointing, value), parts = pointing_in_part(facts->pointing, value);
  U32Vector found;
  U32Vector_init(&found, facts->account);
  const CodeFunction *f = &facts->code->functions[function];
  size_t end = (size_t)f->first_register + f->register_count;
  for (size_t r = bitset_next(&ownership->owners, f->first_register); r < end;
       r = bitset_next(&ownership->owners, r + 1)) {
    PlaceRange own = pointing_of(facts->pointing, (CodeOperand){CODE_REGISTER, (uint32_t)r, 0});
    if (share_an_area(range, own) || share_an_area(parts, own)) U32Vector_push(&found, (uint32_t)r);
  }
  SetId set = set_make(&facts->sets, found.data, found.count);
  U32Vector_free(&found);
  return set;
}

// The owners in the function whose block the value may refer to.
static SetId owners_of(Ownership *ownership, uint32_t function, CodeOperand value) {
  if (!refers_to_a_block(ownership, value)) return SET_EMPTY;
  uint64_t key = (uint64_t)function << 32 | value.id, known;
  if (map_get(&ownership->found, key, &known)) return (SetId)known;
  SetId owners = find_owners(ownership, function, value);
  map_put(&ownership->found, key, owners);
  return owners;
}

void ownership_publish_linked(Ownership *ownership, FlowState *state) {
  state->published = set_unite(&ownership->facts->sets, state->published, state->linked);
  state->linked = SET_EMPTY;
}

void ownership_publish(Ownership *ownership, FlowState *state, uint32_t function, CodeOperand value) {
  if (!refers_to_a_block(ownership, value)) return;
  SetId owners = owners_of(ownership, function, value);
  state->published = set_unite(&ownership->facts->sets, state->published, owners);
  ownership_publish_linked(ownership, state);
}

void ownership_link(Ownership *ownership, FlowState *state, uint32_t function, CodeOperand value) {
  SetId owners = owners_of(ownership, function, value);
  state->linked = set_unite(&ownership->facts->sets, state->linked, owners);
}
