// What a term may point to, given what its variables may point to.
#include "program/points_to.h"

// Beyond this many visited nodes a term (a large shared graph) is treated coarsely: any place in any object below it.
enum { VISIT_LIMIT = 4000 };

// An integer as constant + k * stride; stride 0: exactly the constant.
typedef struct Shape {
  int64_t constant;
  uint64_t stride;
} Shape;

static const Shape ANY_INTEGER = {0, 1};

static int64_t signed_constant(const TermStore *terms, Term t) {
  unsigned width = term_width(terms, t);
  uint64_t value = (uint64_t)term_constant_value(terms, t);
  if (width < 64 && value >> (width - 1) & 1) value |= ~UINT64_C(0) << width;
  return (int64_t)value;
}

static uint64_t magnitude(int64_t x) { return x < 0 ? -(uint64_t)x : (uint64_t)x; }

// An overflowing product is still a multiple of the power of two in its factors: so is what is left of it here.
static Shape shape_scaled(Shape shape, int64_t factor) {
  uint64_t stride;
  if (factor == 0) return (Shape){0, 0};
  if (__builtin_mul_overflow(shape.stride, magnitude(factor), &stride)) stride = magnitude(factor) & -magnitude(factor);
  return (Shape){(int64_t)((uint64_t)shape.constant * (uint64_t)factor), stride};
}

static Shape shape_sum(Shape a, Shape b) {
  return (Shape){(int64_t)((uint64_t)a.constant + (uint64_t)b.constant), greatest_common_divisor(a.stride, b.stride)};
}

// After wrapping at a narrower width only the common power of two survives.
static Shape shape_wrapped(Shape shape) {
  if (shape.stride == 0) return shape;
  uint64_t common = greatest_common_divisor(shape.stride, magnitude(shape.constant));
  return (Shape){0, common & -common};
}

static Shape shape_of(PointsToEvaluator *evaluator, Term t, unsigned depth);

static Shape shape_of_binary(PointsToEvaluator *evaluator, Term t, unsigned depth) {
  const TermStore *terms = evaluator->program->terms;
  Term a = term_child(terms, t, 0), b = term_child(terms, t, 1);
  switch (term_operator(terms, t)) {
  case TERM_ADD: return shape_sum(shape_of(evaluator, a, depth + 1), shape_of(evaluator, b, depth + 1));
  case TERM_SUB:
    return shape_sum(shape_of(evaluator, a, depth + 1), shape_scaled(shape_of(evaluator, b, depth + 1), -1));
  case TERM_MUL:
    if (term_is_constant(terms, a)) return shape_scaled(shape_of(evaluator, b, depth + 1), signed_constant(terms, a));
    if (term_is_constant(terms, b)) return shape_scaled(shape_of(evaluator, a, depth + 1), signed_constant(terms, b));
    return ANY_INTEGER;
  case TERM_SHL:
    if (!term_is_constant(terms, b) || term_constant_value(terms, b) > 62) return ANY_INTEGER;
    return shape_scaled(shape_of(evaluator, a, depth + 1), INT64_C(1) << (unsigned)term_constant_value(terms, b));
  case TERM_AND: { // with a mask: a multiple of the mask's lowest bit
    if (!term_is_constant(terms, b)) return ANY_INTEGER;
    uint64_t mask = (uint64_t)term_constant_value(terms, b);
    return mask ? (Shape){0, mask & -mask} : ANY_INTEGER;
  }
  case TERM_CONCAT: {
    unsigned low_width = term_width(terms, b);
    if (low_width > 62) return ANY_INTEGER;
    Shape low = shape_of(evaluator, b, depth + 1);
    if (low.stride == 0)
      low.constant = (int64_t)(uint64_t)term_constant_value(terms, b);
    else
      low = shape_wrapped(low);
    return shape_sum(shape_scaled(shape_of(evaluator, a, depth + 1), INT64_C(1) << low_width), low);
  }
  default: return ANY_INTEGER;
  }
}

// What is known of the integer `t`, for use as an offset.
static Shape shape_of(PointsToEvaluator *evaluator, Term t, unsigned depth) {
  const TermStore *terms = evaluator->program->terms;
  if (term_width(terms, t) > 64 || depth > 24 || ++evaluator->visits > VISIT_LIMIT) return ANY_INTEGER;
  if (term_is_constant(terms, t)) return (Shape){signed_constant(terms, t), 0};
  switch (term_operator(terms, t)) {
  case TERM_ZEXT:
  case TERM_SEXT: return shape_wrapped(shape_of(evaluator, term_child(terms, t, 0), depth + 1));
  case TERM_NEG: return shape_scaled(shape_of(evaluator, term_child(terms, t, 0), depth + 1), -1);
  case TERM_ITE: {
    Shape a = shape_of(evaluator, term_child(terms, t, 1), depth + 1);
    Shape b = shape_of(evaluator, term_child(terms, t, 2), depth + 1);
    uint64_t between = magnitude((int64_t)((uint64_t)a.constant - (uint64_t)b.constant));
    uint64_t stride = greatest_common_divisor(greatest_common_divisor(a.stride, b.stride), between);
    return (Shape){a.constant, stride};
  }
  default: return term_arity(terms, t) == 2 ? shape_of_binary(evaluator, t, depth) : ANY_INTEGER;
  }
}

// --- pointers ---

static SetId near_object(PointsToEvaluator *evaluator, size_t object, uint64_t value) {
  int64_t offset = (int64_t)(value - evaluator->program->objects.data[object].address);
  return set_single(evaluator->table, (PointsToItem){.object = (ObjectId)object, .offset = offset});
}

// An address constant in the gap between two objects may have been made from either by a folded index.
static SetId evaluate_constant(PointsToEvaluator *evaluator, Term t) {
  const Program *p = evaluator->program;
  const ObjectVector *objects = &p->objects;
  uint64_t value = (uint64_t)term_constant_value(p->terms, t);
  if (term_width(p->terms, t) < p->pointer_width || objects->count == 0) return SET_EMPTY;
  ObjectId inside = program_object_at(p, value);
  if (inside != NO_ID) return near_object(evaluator, inside, value);
  uint64_t margin = UINT64_C(1) << 16; // around the first and the last object
  if (value + margin < objects->data[0].address || value > p->next_address + margin) return SET_EMPTY;
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
  if (left != SET_EMPTY) {
    Shape by = shape_of(evaluator, b, 0);
    return shifted(evaluator, left, minus ? shape_scaled(by, -1) : by);
  }
  if (right == SET_EMPTY) return SET_EMPTY;
  return minus ? set_anywhere(table, right) : shifted(evaluator, right, shape_of(evaluator, a, 0));
}

static uint64_t apply_bits(TermOperator op, uint64_t a, uint64_t b) {
  return op == TERM_AND ? a & b : op == TERM_OR ? a | b : a ^ b;
}

// Tagged and aligned pointers: `p | 1`, `p & ~7`. Objects are aligned to 16.
static SetId evaluate_bits_constant(PointsToEvaluator *evaluator, TermOperator op, SetId set, Term mask) {
  const Program *p = evaluator->program;
  uint64_t bits = (uint64_t)signed_constant(p->terms, mask);
  uint64_t smallest = p->objects.count ? p->objects.data[0].address : 0;
  if (op == TERM_AND && (uint64_t)term_constant_value(p->terms, mask) < smallest) return SET_EMPTY;
  PointsToSet out = {0};
  ArenaMark mark = arena_mark(&evaluator->table->scratch);
  for (uint32_t i = 0; i < set_items(evaluator->table, set)->count; i++) {
    PointsToItem item = set_items(evaluator->table, set)->items[i];
    const Object *object = &p->objects.data[item.object];
    PointsToItem result = {.object = item.object, .stride = 1};
    if (item.stride == 0) {
      int64_t offset = (int64_t)(apply_bits(op, object->address + (uint64_t)item.offset, bits) - object->address);
      if (magnitude(offset) <= object->size + 4096) result = (PointsToItem){item.object, offset, 0};
    } else if (op == TERM_AND) {
      uint64_t aligned = bits & -bits;
      result.stride = aligned < 16 ? aligned : 16;
    }
    points_to_insert(&evaluator->table->scratch, &out, result);
  }
  SetId interned = set_intern(evaluator->table, &out);
  arena_rollback(&evaluator->table->scratch, mark);
  return interned;
}

static SetId evaluate_bits(PointsToEvaluator *evaluator, Term t) {
  const TermStore *terms = evaluator->program->terms;
  Term a = term_child(terms, t, 0), b = term_child(terms, t, 1);
  SetId left = points_to_evaluate(evaluator, a);
  if (term_is_constant(terms, b) && term_width(terms, b) <= 64) {
    if (left == SET_EMPTY) return SET_EMPTY;
    return evaluate_bits_constant(evaluator, term_operator(terms, t), left, b);
  }
  return both_anywhere(evaluator, left, points_to_evaluate(evaluator, b));
}

static SetId evaluate_odd(PointsToEvaluator *evaluator, Term t) {
  const TermStore *terms = evaluator->program->terms;
  SetId all = SET_EMPTY;
  for (unsigned i = 0; i < term_arity(terms, t); i++)
    all = both_anywhere(evaluator, all, points_to_evaluate(evaluator, term_child(terms, t, i)));
  return all;
}

static bool moves_whole_bytes(const TermStore *terms, Term amount) {
  return term_is_constant(terms, amount) && term_constant_value(terms, amount) % 8 == 0;
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
  case TERM_SEXT:
  case TERM_EXTRACT: return evaluate_child(evaluator, t, 0);
  case TERM_CONCAT: // the parts of a pointer, put together again
    return set_union(evaluator->table, evaluate_child(evaluator, t, 0), evaluate_child(evaluator, t, 1));
  case TERM_SHL:
  case TERM_LSHR:
  case TERM_ASHR:
    if (moves_whole_bytes(terms, term_child(terms, t, 1))) return evaluate_child(evaluator, t, 0);
    return evaluate_odd(evaluator, t);
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
  if (++evaluator->visits > VISIT_LIMIT) return evaluate_coarsely(evaluator, t);
  return evaluate_operator(evaluator, t);
}
