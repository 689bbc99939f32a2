// What a term may point to, given what its variables may point to.
#include "program/points_to/points_to_value.h"

// --- pointers ---

static SetId near_object(PointsToEvaluator *evaluator, size_t object, uint64_t value) {
  int64_t offset = (int64_t)(value - evaluator->program->objects.data[object].address);
  return set_single(evaluator->table, (PointsToItem){.object = (ObjectId)object, .offset = offset});
}

// An address beside a counter in the upper bits, or above one in the lower bits.
static SetId evaluate_packed(PointsToEvaluator *evaluator, uint64_t value) {
  const Program *p = evaluator->program;
  ObjectId below = program_object_at(p, value & ((UINT64_C(1) << ADDRESS_BITS) - 1));
  ObjectId above = program_object_at(p, value >> (64 - ADDRESS_BITS));
  SetId set = below != NO_ID ? near_object(evaluator, below, value) : SET_EMPTY;
  if (above == NO_ID) return set;
  return set_union(evaluator->table, set, set_anywhere(evaluator->table, near_object(evaluator, above, 0)));
}

// An address constant in the gap between two objects may have been made from either by a folded index.
static SetId evaluate_constant(PointsToEvaluator *evaluator, Term t) {
  const Program *p = evaluator->program;
  const ObjectVector *objects = &p->objects;
  uint64_t value = (uint64_t)term_constant_value(p->terms, t);
  if (term_width(p->terms, t) < 32 || objects->count == 0) return SET_EMPTY; // an int may hold an address: they are low
  ObjectId inside = program_object_at(p, value);
  if (inside != NO_ID) return near_object(evaluator, inside, value);
  uint64_t margin = UINT64_C(1) << 16; // around the first and the last object
  if (value + margin < objects->data[0].address) return SET_EMPTY;
  if (value > p->next_address + margin) return is_address_wide(p, t) ? evaluate_packed(evaluator, value) : SET_EMPTY;
  size_t low = 0, high = objects->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (objects->data[middle].address <= value)
      low = middle + 1;
    else
      high = middle;
  }
  SetId before = low > 0 ? near_object(evaluator, low - 1, value) : SET_EMPTY;
  SetId after = low < objects->count ? near_object(evaluator, low, value) : SET_EMPTY;
  return set_union(evaluator->table, before, after);
}

static bool share_an_object(const PointsToSet *a, const PointsToSet *b) {
  for (uint32_t i = 0, j = 0; i < a->count && j < b->count;) {
    if (a->items[i].object == b->items[j].object) return true;
    if (a->items[i].object < b->items[j].object)
      i++;
    else
      j++;
  }
  return false;
}

// What `t` is minus the address of, if it is: `p - &x` is `p + -&x`.
static SetId negated_address(PointsToEvaluator *evaluator, Term t) {
  const Program *p = evaluator->program;
  if (!term_is_constant(p->terms, t) || term_width(p->terms, t) != p->pointer_width) return SET_EMPTY;
  uint64_t value = (uint64_t)(-term_constant_value(p->terms, t) & bits_mask(p->pointer_width));
  ObjectId object = program_object_at(p, value);
  return object != NO_ID ? near_object(evaluator, object, value) : SET_EMPTY;
}

// Both sets, at any place: for odd arithmetic that may take pointers apart and put them together.
static SetId both_anywhere(PointsToEvaluator *evaluator, SetId a, SetId b) {
  return set_union(evaluator->table, set_anywhere(evaluator->table, a), set_anywhere(evaluator->table, b));
}

static SetId shifted(PointsToEvaluator *evaluator, SetId set, Shape by) {
  return set_shifted(evaluator->table, set, by.constant, by.stride);
}

static uint64_t apply_bits(TermOperator op, uint64_t a, uint64_t b) {
  switch (op) {
  case TERM_AND: return a & b;
  case TERM_OR: return a | b;
  case TERM_XOR: return a ^ b;
  case TERM_SUB: return a - b;
  default: return a + b;
  }
}

// An item after `op` with one constant, exactly; far outside its object it is anywhere.
static PointsToItem item_with_bits(const Program *p, PointsToItem item, TermOperator op, uint64_t bits) {
  const Object *object = &p->objects.data[item.object];
  uint64_t address = object->address + (uint64_t)item.offset;
  int64_t offset = (int64_t)(apply_bits(op, address, bits) - object->address);
  bool near = magnitude(offset) <= object->size + 4096;
  bool packed = p->pointer_width == 64 && magnitude(offset) >> ADDRESS_BITS; // a counter in the upper bits
  return near || packed ? (PointsToItem){item.object, offset, 0} : (PointsToItem){.object = item.object, .stride = 1};
}

// `a | s` is `a` and a multiple of the lowest bit that `s` may have; so are `a ^ s`, `a + s` and `a - s`. Of few bits,
// all combinations are tried.
static SetId tagged(PointsToEvaluator *evaluator, TermOperator op, SetId set, Bits bits) {
  const Program *p = evaluator->program;
  Arena *scratch = &evaluator->table->scratch;
  uint64_t mask = (uint64_t)bits; // bits above 64 do not touch an address
  if (mask == 0) return set;
  PointsToSet out = {0};
  ArenaMark mark = arena_mark(scratch);
  for (uint32_t i = 0; i < set_items(evaluator->table, set)->count; i++) {
    PointsToItem item = set_items(evaluator->table, set)->items[i];
    if (item.stride > 0 || count_bits(mask) > MOST_TAG_BITS) {
      item.stride = greatest_common_divisor(item.stride, lowest_bit(mask));
      points_to_insert(scratch, &out, item);
      continue;
    }
    uint64_t some = 0;
    do {
      points_to_insert(scratch, &out, item_with_bits(p, item, op, some));
      some = (some - mask) & mask; // the next combination
    } while (some);
  }
  SetId interned = set_intern(evaluator->table, &out);
  arena_rollback(scratch, mark);
  return interned;
}

// A place of a family after a mask: `a & m` is `a` minus a multiple of the lowest bit that `m` lacks, and a multiple of
// the lowest bit that `m` has. The better of the two.
static PointsToItem masked_family(const Program *p, PointsToItem item, uint64_t mask) {
  uint64_t kept = greatest_common_divisor(item.stride, lowest_bit(~mask));
  uint64_t aligned = lowest_bit(mask), base = lowest_bit(p->objects.data[item.object].address);
  if (base < aligned) aligned = base;
  if (aligned > kept) return (PointsToItem){.object = item.object, .stride = aligned};
  return (PointsToItem){item.object, item.offset, kept};
}

// Tagged and aligned pointers: `p | 1`, `p & ~7`.
static SetId evaluate_bits_constant(PointsToEvaluator *evaluator, TermOperator op, SetId set, uint64_t bits) {
  const Program *p = evaluator->program;
  PointsToSet out = {0};
  ArenaMark mark = arena_mark(&evaluator->table->scratch);
  for (uint32_t i = 0; i < set_items(evaluator->table, set)->count; i++) {
    PointsToItem item = set_items(evaluator->table, set)->items[i];
    if (item.stride == 0)
      item = item_with_bits(p, item, op, bits);
    else if (op == TERM_AND)
      item = masked_family(p, item, bits);
    else
      item.stride = greatest_common_divisor(item.stride, lowest_bit(bits));
    points_to_insert(&evaluator->table->scratch, &out, item);
  }
  SetId interned = set_intern(evaluator->table, &out);
  arena_rollback(&evaluator->table->scratch, mark);
  return interned;
}

// A mask that leaves no address: of a tag in the lowest bits, or of a counter in the highest.
static bool leaves_no_address(const Program *p, Term mask) {
  Bits bits = term_constant_value(p->terms, mask);
  if (p->objects.count == 0 || bits < p->objects.data[0].address) return true;
  return is_address_wide(p, mask) && lowest_bit((uint64_t)bits) >> ADDRESS_BITS;
}

// With a constant. That may be the pointer: `flags | &x`.
static SetId evaluate_bits_with(PointsToEvaluator *evaluator, TermOperator op, Term other, SetId set, Term constant) {
  const Program *p = evaluator->program;
  SetId own = evaluate_constant(evaluator, constant);
  if (set == SET_EMPTY && own != SET_EMPTY) {
    if (op == TERM_AND) return set_anywhere(evaluator->table, own);
    return tagged(evaluator, op, own, integer_bits(evaluator, other));
  }
  if (set == SET_EMPTY || (op == TERM_AND && leaves_no_address(p, constant))) return SET_EMPTY;
  uint64_t bits = (uint64_t)integer_constant(p->terms, constant);
  SetId result = evaluate_bits_constant(evaluator, op, set, bits);
  if (own == SET_EMPTY || op == TERM_AND) return result;
  return set_union(evaluator->table, result, both_anywhere(evaluator, set, own));
}

static SetId evaluate_bits(PointsToEvaluator *evaluator, Term t) {
  const TermStore *terms = evaluator->program->terms;
  Term a = term_child(terms, t, 0), b = term_child(terms, t, 1);
  TermOperator op = term_operator(terms, t);
  SetId left = points_to_evaluate(evaluator, a);
  if (term_is_constant(terms, b) && term_width(terms, b) <= 64) return evaluate_bits_with(evaluator, op, a, left, b);
  SetId right = points_to_evaluate(evaluator, b);
  if (op == TERM_AND || (left == SET_EMPTY) == (right == SET_EMPTY)) return both_anywhere(evaluator, left, right);
  Bits bits = integer_bits(evaluator, left == SET_EMPTY ? a : b);
  return tagged(evaluator, op, left == SET_EMPTY ? right : left, bits);
}

// The difference of two pointers into one object is an integer; other sums of pointers may be anything.
static SetId evaluate_sum(PointsToEvaluator *evaluator, Term t) {
  const TermStore *terms = evaluator->program->terms;
  SetTable *table = evaluator->table;
  Term a = term_child(terms, t, 0), b = term_child(terms, t, 1);
  SetId left = points_to_evaluate(evaluator, a), right = SET_EMPTY;
  bool minus = term_operator(terms, t) == TERM_SUB;
  if (!minus && left != SET_EMPTY) {
    right = negated_address(evaluator, b);
    minus = right != SET_EMPTY;
  }
  if (right == SET_EMPTY) right = points_to_evaluate(evaluator, b);
  if (left != SET_EMPTY && right != SET_EMPTY) {
    if (minus && share_an_object(set_items(table, left), set_items(table, right))) return SET_EMPTY;
    return both_anywhere(evaluator, left, right);
  }
  if (left == SET_EMPTY && right == SET_EMPTY) return SET_EMPTY;
  if (left == SET_EMPTY && minus) return set_anywhere(table, right);
  SetId pointer = left != SET_EMPTY ? left : right;
  Term integer = left != SET_EMPTY ? b : a;
  Shape by = integer_shape(evaluator, integer);
  Bits bits = by.stride == 0 ? 0 : integer_bits(evaluator, integer);
  if (by.stride && count_bits(bits) <= MOST_TAG_BITS)
    return tagged(evaluator, minus ? TERM_SUB : TERM_ADD, pointer, bits);
  return shifted(evaluator, pointer, minus ? shape_scaled(by, -1) : by);
}

static SetId evaluate_odd(PointsToEvaluator *evaluator, Term t) {
  const TermStore *terms = evaluator->program->terms;
  SetId all = SET_EMPTY;
  for (unsigned i = 0; i < term_arity(terms, t); i++)
    all = both_anywhere(evaluator, all, points_to_evaluate(evaluator, term_child(terms, t, i)));
  return all;
}

// Moved by whole pointers, a pointer stays what it is; by other amounts, what is done to the rest scales.
static SetId evaluate_shift(PointsToEvaluator *evaluator, Term t) {
  const Program *p = evaluator->program;
  Term moved = term_child(p->terms, t, 0), amount = term_child(p->terms, t, 1);
  SetId set = points_to_evaluate(evaluator, moved);
  if (!term_is_constant(p->terms, amount)) return both_anywhere(evaluator, set, points_to_evaluate(evaluator, amount));
  Bits by = term_constant_value(p->terms, amount);
  if (by % p->pointer_width == 0) return set;
  bool counter = term_operator(p->terms, t) != TERM_SHL && is_address_wide(p, t) && by >= ADDRESS_BITS;
  return counter ? SET_EMPTY : set_anywhere(evaluator->table, set);
}

// The lower bits, or a whole pointer of several, are it; other parts may be put together again in another way.
static SetId evaluate_extract(PointsToEvaluator *evaluator, Term t) {
  const Program *p = evaluator->program;
  SetId set = points_to_evaluate(evaluator, term_child(p->terms, t, 0));
  unsigned low = term_parameter(p->terms, t, 1);
  if (low % p->pointer_width == 0) return set;
  bool counter = is_address_wide(p, term_child(p->terms, t, 0)) && low >= ADDRESS_BITS;
  return counter ? SET_EMPTY : set_anywhere(evaluator->table, set);
}

// A remainder below the first address is no pointer.
static bool remainder_is_small(const Program *p, Term divisor) {
  return term_is_constant(p->terms, divisor) && p->objects.count > 0 &&
         term_constant_value(p->terms, divisor) <= p->objects.data[0].address;
}

// Every leaf below `t`, coarsely; for terms too large to visit as trees.
static SetId evaluate_coarsely(PointsToEvaluator *evaluator, Term t) {
  const Program *p = evaluator->program;
  SetId all = SET_EMPTY;
  Map seen;
  U32Vector stack;
  map_init(&seen, p->account);
  U32Vector_init(&stack, p->account);
  U32Vector_push(&stack, t);
  while (stack.count) {
    Term at = U32Vector_pop(&stack);
    if (map_contains(&seen, at)) continue;
    map_put(&seen, at, 1);
    SetId leaf = SET_EMPTY;
    if (term_is_constant(p->terms, at)) {
      leaf = evaluate_constant(evaluator, at);
    } else if (term_operator(p->terms, at) == TERM_VARIABLE) {
      VariableId variable = program_variable_of_term(p, at);
      if (variable != NO_ID) leaf = evaluator->variables[variable];
    }
    all = both_anywhere(evaluator, all, leaf);
    for (unsigned i = 0; i < term_arity(p->terms, at); i++) U32Vector_push(&stack, term_child(p->terms, at, i));
  }
  U32Vector_free(&stack);
  map_free(&seen);
  return all;
}

static SetId evaluate_child(PointsToEvaluator *evaluator, Term t, unsigned i) {
  return points_to_evaluate(evaluator, term_child(evaluator->program->terms, t, i));
}

static SetId evaluate_operator(PointsToEvaluator *evaluator, Term t) {
  const TermStore *terms = evaluator->program->terms;
  TermOperator op = term_operator(terms, t);
  switch (op) {
  case TERM_ADD:
  case TERM_SUB: return evaluate_sum(evaluator, t);
  case TERM_AND:
  case TERM_OR:
  case TERM_XOR: return evaluate_bits(evaluator, t);
  case TERM_ITE: return set_union(evaluator->table, evaluate_child(evaluator, t, 1), evaluate_child(evaluator, t, 2));
  case TERM_ZEXT:
  case TERM_SEXT: return evaluate_child(evaluator, t, 0);
  case TERM_EXTRACT: return evaluate_extract(evaluator, t);
  case TERM_CONCAT: // the parts of a pointer, put together again
    return set_union(evaluator->table, evaluate_child(evaluator, t, 0), evaluate_child(evaluator, t, 1));
  case TERM_SHL:
  case TERM_LSHR:
  case TERM_ASHR: return evaluate_shift(evaluator, t);
  case TERM_UREM:
    return remainder_is_small(evaluator->program, term_child(terms, t, 1)) ? SET_EMPTY : evaluate_odd(evaluator, t);
  default: return op < TERM_FP_ADD ? evaluate_odd(evaluator, t) : SET_EMPTY;
  }
}

SetId points_to_evaluate(PointsToEvaluator *evaluator, Term t) {
  const Program *p = evaluator->program;
  if (!sort_is_array(term_sort(p->terms, t)) && term_width(p->terms, t) < 8) return SET_EMPTY; // comparisons, flags
  if (term_is_constant(p->terms, t)) return evaluate_constant(evaluator, t);
  if (term_operator(p->terms, t) == TERM_VARIABLE) {
    VariableId variable = program_variable_of_term(p, t);
    return variable != NO_ID ? evaluator->variables[variable] : SET_EMPTY;
  }
  if (++evaluator->visits > POINTS_TO_VISITS) return evaluate_coarsely(evaluator, t);
  return evaluate_operator(evaluator, t);
}
