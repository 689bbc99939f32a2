#include "survey/races.h"

#include "base/budget.h"

enum { MOST_PARTS = 6000, MOST_KEPT_PAIRS = 200 };

typedef struct Race {
  Races *races;
  const Accesses *accesses;
  SurveyFacts *facts;
  const Flow *flow;
  ByteVector sure; // per class: Sureness
} Race;

static const AccessClass *class_at(const Race *r, uint32_t index) {
  return AccessClassVector_at(&r->accesses->classes, index);
}

// --- pairs of classes ---

// `own` is the lock of one of many elements, `exact` one at a known place, and `c`, which holds it, stays in one
// element: is it the lock of that element?
static bool is_lock_of_element(const Lock *own, const Lock *exact, const AccessClass *c) {
  if (own->kind != LOCK_OWN || own->stride == 0 || exact->kind != LOCK_PLACE || own->id != exact->id) return false;
  if (own->id != c->place.area || c->place.stride != 0 || c->size == 0 || (own->shared && exact->shared)) return false;
  int64_t stride = own->stride, from_base = c->place.offset - own->base;
  int64_t inside = (from_base % stride + stride) % stride;
  return c->size <= (uint64_t)(stride - inside) && exact->offset == c->place.offset - inside + own->offset;
}

static uint32_t lock_of_element(const Race *r, const AccessClass *one, const AccessClass *many) {
  SetRange x = set_range(&r->facts->sets, one->locks), y = set_range(&r->facts->sets, many->locks);
  for (uint32_t i = 0; i < x.count; i++)
    for (uint32_t k = 0; k < y.count; k++)
      if (is_lock_of_element(locks_at(r->facts->locks, y.data[k]), locks_at(r->facts->locks, x.data[i]), one))
        return y.data[k];
  return NO_CODE_ID;
}

// A lock that both hold, at least one of them not only for reading; NO_CODE_ID: none.
static uint32_t common_lock(const Race *r, const AccessClass *a, const AccessClass *b) {
  if (a->locks == SET_EMPTY || b->locks == SET_EMPTY) return NO_CODE_ID;
  for (uint32_t i = 0; i < set_range(&r->facts->sets, a->locks).count; i++) {
    uint32_t lock = set_range(&r->facts->sets, a->locks).data[i];
    bool shared = locks_at(r->facts->locks, lock)->shared;
    if (!shared && set_has(&r->facts->sets, b->locks, lock)) return lock;
    uint32_t other = locks_other_side(r->facts->locks, lock);
    if (set_has(&r->facts->sets, b->locks, other)) return shared ? other : lock;
  }
  uint32_t lock = lock_of_element(r, a, b);
  return lock != NO_CODE_ID ? lock : lock_of_element(r, b, a);
}

// A block that was handed to a thread may still be used by its creator, which may hand it to yet another thread. But
// the blocks of two accesses that were both given are different ones, or were given to one thread.
static bool is_owner(const AccessClass *owner, const AccessClass *other) {
  if (owner->kind.owned == OWNED_MADE) return true;
  return owner->kind.owned == OWNED_GIVEN && other->kind.owned == OWNED_GIVEN;
}

static SurveyProtection phase(const Race *r, const AccessClass *a, const AccessClass *b) {
  const Templates *t = r->facts->templates;
  bool above = templates_dominates(t, a->template_id, b->template_id);
  if (!above && !templates_dominates(t, b->template_id, a->template_id)) return SURVEY_JOINED;
  const AccessClass *creator = above ? a : b, *created = above ? b : a;
  return set_has(&r->facts->sets, creator->running, flow_created(created->template_id)) ? SURVEY_JOINED
                                                                                        : SURVEY_BEFORE_THREADS;
}

typedef struct Judgement {
  bool races;
  SurveyProtection protection; // if not
  uint32_t lock;
} Judgement;

static Judgement judge(const Race *r, const AccessClass *a, const AccessClass *b) {
  assert(a->place.area == b->place.area);
  Judgement j = {false, SURVEY_ONE_THREAD, NO_CODE_ID};
  if (!a->kind.writes && !b->kind.writes) return (Judgement){false, SURVEY_READ_ONLY, NO_CODE_ID};
  if (templates_one_thread(r->facts->templates, a->template_id, b->template_id)) return j;
  j.protection = SURVEY_ATOMIC;
  if (a->kind.atomic && b->kind.atomic) return j;
  j.lock = common_lock(r, a, b);
  j.protection = SURVEY_LOCK;
  if (j.lock != NO_CODE_ID) return j;
  j.protection = SURVEY_OWNED;
  if (is_owner(a, b) || is_owner(b, a)) return j;
  j.protection = phase(r, a, b);
  j.races = flow_concurrent(r->flow, a->template_id, a->running, b->template_id, b->running);
  return j;
}

// --- objects ---

uint32_t races_object_of(const Races *races, uint32_t part) {
  assert(races->parts.data[part].object <= part); // the first part stands for the object
  while (races->parts.data[part].object != part) part = races->parts.data[part].object;
  return part;
}

static void unite(Races *races, uint32_t a, uint32_t b) {
  a = races_object_of(races, a);
  b = races_object_of(races, b);
  races->parts.data[a > b ? a : b].object = a > b ? b : a;
}

uint32_t races_part_of_class(const Races *races, uint32_t class_index) {
  size_t low = 0, high = races->parts.count;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (races->parts.data[middle].first_class <= class_index)
      low = middle;
    else
      high = middle;
  }
  assert(class_index - races->parts.data[low].first_class < races->parts.data[low].class_count);
  return (uint32_t)low;
}

// --- ranks ---

typedef enum Sureness { SURENESS_UNKNOWN, IS_SURE, IS_UNSURE } Sureness;
enum { FEW_PLACES = 8 };

static uint32_t first_statement(const Race *r, const AccessClass *c) {
  return AccessSiteVector_at(&r->accesses->sites, c->first_site)->statement;
}

// In how many areas the operand's address may be, if it may be in this one; 0: it is not.
static uint32_t count_places_with(const Race *r, CodeOperand operand, uint32_t area) {
  PlaceRange range = pointing_of(r->facts->pointing, operand);
  bool found = false;
  for (uint32_t i = 0; i < range.count; i++) {
    found |= range.data[i].area == area;
    if (range.data[i].area == pointing_outside(r->facts->pointing)) return UINT32_MAX;
  }
  return found ? range.count : 0;
}

// Does the pointer refer to few things? One that may refer to very many was not understood.
static bool find_sureness(const Race *r, const AccessClass *c) {
  const Code *code = r->facts->code;
  const CodeStatement *s = &code->statements[first_statement(r, c)];
  uint32_t least = UINT32_MAX;
  for (uint32_t i = 0; i < s->operand_count; i++) {
    uint32_t places = count_places_with(r, code_operand(code, s, i), c->place.area);
    if (places > 0 && places < least) least = places;
  }
  return least <= FEW_PLACES;
}

static bool is_sure(const Race *r, uint32_t class_index) {
  uint8_t *sureness = ByteVector_at(&r->sure, class_index);
  if (*sureness == SURENESS_UNKNOWN) *sureness = find_sureness(r, class_at(r, class_index)) ? IS_SURE : IS_UNSURE;
  return *sureness == IS_SURE;
}

static unsigned locks_count(const Race *r, const AccessClass *c) { return set_range(&r->facts->sets, c->locks).count; }

// One function, called in different ways: a lock that is held at one of the accesses is that of a caller, which may be
// about something else.
static bool of_callers(const Race *r, const AccessClass *a, const AccessClass *b) {
  const AccessSite *x = AccessSiteVector_at(&r->accesses->sites, a->first_site);
  const AccessSite *y = AccessSiteVector_at(&r->accesses->sites, b->first_site);
  const CodeStatement *statements = r->facts->code->statements;
  return statements[x->statement].function == statements[y->statement].function && x->context != y->context;
}

// Blocks and automatic objects often have one owner, all the more if threads with the same routine touch them.
static unsigned usual_ownership(const Race *r, const AccessClass *a, const AccessClass *b) {
  if (pointing_area(r->facts->pointing, a->place.area)->kind == AREA_STATIC) return 0;
  return a->template_id == b->template_id ? 15 : 10;
}

static unsigned rank_of(const Race *r, uint32_t first, uint32_t second) {
  const AccessClass *a = class_at(r, first), *b = class_at(r, second);
  if (a->kind.opaque || b->kind.opaque) return 5;
  if (pointing_area(r->facts->pointing, a->place.area)->kind == AREA_OUTSIDE) return 5;
  bool one_held =
      (locks_count(r, a) > 0) != (locks_count(r, b) > 0) && !of_callers(r, a, b) && !a->kind.locks && !b->kind.locks;
  bool both_held = locks_count(r, a) > 0 && locks_count(r, b) > 0;
  unsigned rank = one_held ? 80 : both_held ? 60 : 40;
  rank += a->kind.writes && b->kind.writes ? 5 : 0;
  rank += a->kind.frees || b->kind.frees ? 5 : 0;
  rank -= a->kind.atomic || b->kind.atomic ? 10 : 0;
  rank -= usual_ownership(r, a, b);
  bool vague = a->place.stride != 0 || b->place.stride != 0 || a->size == 0 || b->size == 0;
  if (vague) rank -= rank / 4;
  if (rank < SURVEY_RANK_SURE) rank = SURVEY_RANK_SURE;
  assert(rank >= SURVEY_RANK_SURE);
  return is_sure(r, first) && is_sure(r, second) ? rank : rank / 5;
}

static void judge_pair(Race *r, uint32_t a, uint32_t b, RacePart *p, RacePart *q) {
  const AccessClass *x = class_at(r, a), *y = class_at(r, b);
  bool same_thread = templates_one_thread(r->facts->templates, x->template_id, y->template_id);
  if (!same_thread) p->several_threads = q->several_threads = true;
  p->written |= x->kind.writes || y->kind.writes;
  q->written |= x->kind.writes || y->kind.writes;
  Judgement j = judge(r, x, y);
  if (j.races) {
    p->pairs++;
    if (p->pairs <= MOST_KEPT_PAIRS) RacePairVector_push(&r->races->pairs, (RacePair){a, b, rank_of(r, a, b)});
    return;
  }
  if (j.protection == SURVEY_READ_ONLY || j.protection == SURVEY_ONE_THREAD) return;
  bool own = j.lock != NO_CODE_ID && locks_at(r->facts->locks, j.lock)->kind == LOCK_OWN;
  unsigned bit = 1u << (own ? SURVEY_OWN_LOCK : j.protection);
  assert(j.lock == NO_CODE_ID || j.protection == SURVEY_LOCK);
  p->protections |= bit;
  q->protections |= bit;
  if (j.lock == NO_CODE_ID) return;
  p->locks = set_with(&r->facts->sets, p->locks, j.lock);
  q->locks = set_with(&r->facts->sets, q->locks, j.lock);
}

static void judge_parts(Race *r, uint32_t a, uint32_t b) {
  assert(a <= b && b < r->races->parts.count);
  RacePart *p = RacePartVector_at(&r->races->parts, a), *q = RacePartVector_at(&r->races->parts, b);
  uint32_t before = p->pairs;
  for (uint32_t i = 0; i < p->class_count; i++)
    for (uint32_t k = a == b ? i : 0; k < q->class_count; k++)
      judge_pair(r, p->first_class + i, q->first_class + k, p, q);
  if (p->pairs != before) unite(r->races, a, b);
}

static const AccessClass *of_part(const Race *r, uint32_t part) {
  return class_at(r, RacePartVector_at(&r->races->parts, part)->first_class);
}

static bool overlap(const AccessClass *a, const AccessClass *b) {
  return pointing_overlap(a->place, a->size, b->place, b->size);
}

static bool is_exact(const AccessClass *c) { return c->place.stride == 0 && c->size > 0; }

static void note_covering(Race *r, uint32_t a, uint32_t b) {
  const AccessClass *x = of_part(r, a), *y = of_part(r, b);
  bool smaller_y = is_exact(y) && (!is_exact(x) || (x->size > y->size && x->place.offset <= y->place.offset));
  bool smaller_x = is_exact(x) && (!is_exact(y) || (y->size > x->size && y->place.offset <= x->place.offset));
  if (smaller_y) r->races->parts.data[a].covers = true;
  if (smaller_x) r->races->parts.data[b].covers = true;
}

// What races in two parts may race in a third that both overlap.
static void unite_between(Race *r, uint32_t first, uint32_t end, uint32_t a, uint32_t b) {
  for (uint32_t c = first; c < end; c++)
    if (overlap(of_part(r, c), of_part(r, a)) && overlap(of_part(r, c), of_part(r, b))) unite(r->races, a, c);
}

static bool is_late(const Race *r) { return r->facts->deadline > 0 && clock_now() > r->facts->deadline; }

// False: the deadline has passed.
static bool judge_area(Race *r, uint32_t first, uint32_t end) {
  assert(first < end && end <= r->races->parts.count);
  if (end - first > MOST_PARTS) {
    bitset_set(&r->races->limited, of_part(r, first)->place.area);
    return true;
  }
  for (uint32_t a = first; a < end; a++) {
    if (is_late(r)) return false;
    for (uint32_t b = a; b < end; b++) {
      if (!overlap(of_part(r, a), of_part(r, b))) continue;
      uint32_t before = RacePartVector_at(&r->races->parts, a)->pairs;
      judge_parts(r, a, b);
      if (a == b) continue;
      note_covering(r, a, b);
      if (r->races->parts.data[a].pairs != before) unite_between(r, first, end, a, b);
    }
  }
  return true;
}

static bool same_part(const AccessClass *a, const AccessClass *b) {
  return a->place.area == b->place.area && a->place.offset == b->place.offset && a->place.stride == b->place.stride &&
         a->place.extent == b->place.extent && a->size == b->size;
}

static void find_parts(Race *r) {
  RacePartVector *parts = &r->races->parts;
  for (uint32_t i = 0; i < r->accesses->classes.count; i++) {
    bool same = parts->count > 0 && same_part(class_at(r, i), of_part(r, (uint32_t)parts->count - 1));
    if (!same) RacePartVector_push(parts, (RacePart){.first_class = i, .object = (uint32_t)parts->count});
    RacePartVector_last(parts)->class_count++;
  }
}

static bool judge_areas(Race *r) {
  const RacePartVector *parts = &r->races->parts;
  find_parts(r);
  assert(parts->count == 0 || parts->data[parts->count - 1].first_class + parts->data[parts->count - 1].class_count ==
                                  r->accesses->classes.count);
  for (uint32_t first = 0, end; first < parts->count; first = end) {
    uint32_t area = of_part(r, first)->place.area;
    for (end = first + 1; end < parts->count && of_part(r, end)->place.area == area;) end++;
    if (!judge_area(r, first, end)) return false;
  }
  return true;
}

bool races_find(Races *races, const Accesses *accesses, SurveyFacts *facts, const Flow *flow, Account *account) {
  RacePartVector_init(&races->parts, account);
  RacePairVector_init(&races->pairs, account);
  bitset_init(&races->limited, pointing_area_count(facts->pointing), account);
  Race r = {.races = races, .accesses = accesses, .facts = facts, .flow = flow};
  ByteVector_init(&r.sure, account);
  ByteVector_resize(&r.sure, accesses->classes.count);
  bool in_time = judge_areas(&r);
  ByteVector_free(&r.sure);
  return in_time;
}

void races_free(Races *races) {
  RacePartVector_free(&races->parts);
  RacePairVector_free(&races->pairs);
  bitset_free(&races->limited);
}
