#include "survey/orders/lock_nodes.h"

// --- building ---

// Operands that are waited for, by their bits.
static unsigned waiting_operands(SynchronisationKind kind) {
  switch (kind) {
  case SYNC_LOCK:
  case SYNC_TRY_LOCK:
  case SYNC_TIMED_LOCK:
  case SYNC_READ_LOCK:
  case SYNC_TRY_READ_LOCK:
  case SYNC_ONCE:
  case SYNC_SIGNAL:
  case SYNC_SEMAPHORE_WAIT:
  case SYNC_SEMAPHORE_TRY:
  case SYNC_SEMAPHORE_POST:
  case SYNC_BARRIER_WAIT: return 1u << 1;
  case SYNC_WAIT: return 1u << 1 | 1u << 2;
  default: return 0;
  }
}

static bool same_place(AreaPlace a, AreaPlace b) {
  return a.area == b.area && a.offset == b.offset && a.stride == b.stride && a.extent == b.extent;
}

static void add_place(LockNodes *nodes, AreaPlace place) {
  uint32_t first = (uint32_t)map_get_or(&nodes->by_area, place.area, 0);
  for (uint32_t i = first; i; i = nodes->places.data[i - 1].next)
    if (same_place(nodes->places.data[i - 1].place, place)) return;
  NodePlaceVector_push(&nodes->places, (NodePlace){place, NO_CODE_ID, first});
  map_put(&nodes->by_area, place.area, nodes->places.count);
}

// No lock is in a function or in a constant.
static bool can_be_lock(const LockNodes *nodes, uint32_t area) {
  const Area *a = pointing_area(nodes->facts->pointing, area);
  return a->kind != AREA_FUNCTION &&
         (a->object == NO_CODE_ID || a->kind == AREA_HEAP || !nodes->facts->code->objects[a->object].constant);
}

static void add_operand(LockNodes *nodes, CodeOperand operand) {
  const Pointing *pointing = nodes->facts->pointing;
  PlaceRange range = pointing_of(pointing, operand);
  nodes->outside_is_used |= range.count == 0;
  for (uint32_t i = 0; i < range.count; i++) {
    uint32_t area = range.data[i].area;
    if (!can_be_lock(nodes, area)) continue;
    bool outside = area == pointing_outside(pointing) || pointing_area(pointing, area)->kind == AREA_OUTSIDE;
    nodes->outside_is_used |= outside || pointing_area(pointing, area)->exposed;
    if (!outside) add_place(nodes, range.data[i]);
  }
}

static void collect(LockNodes *nodes) {
  const Code *code = nodes->facts->code;
  for (uint32_t s = 0; s < code->statement_count; s++) {
    CallTargets targets = calls_of(nodes->facts->calls, s);
    for (uint32_t i = 0; i < targets.count; i++) {
      if (targets.data[i].kind != CALL_LIBRARY) continue;
      unsigned bits = waiting_operands(calls_effect(nodes->facts->calls, targets.data[i].function)->synchronisation);
      for (uint32_t k = 1; k <= 2 && k < code->statements[s].operand_count; k++)
        if (bits >> k & 1) add_operand(nodes, code_operand(code, &code->statements[s], k));
    }
  }
}

// All that overlaps with the place is in the node.
static void spread(LockNodes *nodes, uint32_t place, uint32_t node) {
  U32Vector work;
  U32Vector_init(&work, nodes->facts->account);
  nodes->places.data[place].node = node;
  U32Vector_push(&work, place);
  while (work.count > 0) {
    AreaPlace at = nodes->places.data[U32Vector_pop(&work)].place;
    for (uint32_t i = (uint32_t)map_get_or(&nodes->by_area, at.area, 0); i; i = nodes->places.data[i - 1].next) {
      NodePlace *other = &nodes->places.data[i - 1];
      if (other->node != NO_CODE_ID || !pointing_overlap(at, 1, other->place, 1)) continue;
      other->node = node;
      LockNode *n = LockNodeVector_at(&nodes->all, node);
      n->one = false;
      if (other->place.stride > n->place.stride) n->place = other->place;
      U32Vector_push(&work, i - 1);
    }
  }
  U32Vector_free(&work);
}

static void divide(LockNodes *nodes) {
  LockNodeVector_push(&nodes->all, (LockNode){.one = false});
  LockNodeVector_push(&nodes->all, (LockNode){.one = true});
  for (uint32_t i = 0; i < nodes->places.count; i++) {
    NodePlace *p = &nodes->places.data[i];
    if (p->node != NO_CODE_ID) continue;
    if (pointing_area(nodes->facts->pointing, p->place.area)->exposed) {
      p->node = NODE_OUTSIDE;
      continue;
    }
    bool one = p->place.stride == 0 && calls_single_area(nodes->facts->calls, p->place.area);
    LockNodeVector_push(&nodes->all, (LockNode){p->place, one});
    spread(nodes, i, (uint32_t)nodes->all.count - 1);
  }
}

void lock_nodes_init(LockNodes *nodes, SurveyFacts *facts) {
  *nodes = (LockNodes){.facts = facts};
  LockNodeVector_init(&nodes->all, facts->account);
  NodePlaceVector_init(&nodes->places, facts->account);
  map_init(&nodes->by_area, facts->account);
  map_init(&nodes->of_locks, facts->account);
  collect(nodes);
  divide(nodes);
}

void lock_nodes_free(LockNodes *nodes) {
  LockNodeVector_free(&nodes->all);
  NodePlaceVector_free(&nodes->places);
  map_free(&nodes->by_area);
  map_free(&nodes->of_locks);
}

// --- looking up ---

static SetId of_place(LockNodes *nodes, AreaPlace place) {
  SetId set = SET_EMPTY;
  const Area *area = pointing_area(nodes->facts->pointing, place.area);
  if (!can_be_lock(nodes, place.area)) return set;
  if (area->kind == AREA_OUTSIDE || area->exposed) return set_with(&nodes->facts->sets, set, NODE_OUTSIDE);
  for (uint32_t i = (uint32_t)map_get_or(&nodes->by_area, place.area, 0); i; i = nodes->places.data[i - 1].next)
    if (pointing_overlap(place, 1, nodes->places.data[i - 1].place, 1))
      set = set_with(&nodes->facts->sets, set, nodes->places.data[i - 1].node);
  return set;
}

static SetId of_places(LockNodes *nodes, CodeOperand operand, int64_t offset) {
  PlaceRange range = pointing_of(nodes->facts->pointing, operand);
  SetId set = range.count == 0 ? set_with(&nodes->facts->sets, SET_EMPTY, NODE_OUTSIDE) : SET_EMPTY;
  for (uint32_t i = 0; i < range.count; i++) {
    AreaPlace place = range.data[i];
    place.offset += offset;
    set = set_unite(&nodes->facts->sets, set, of_place(nodes, place));
  }
  return set;
}

SetId lock_nodes_of(LockNodes *nodes, CodeOperand operand) { return of_places(nodes, operand, 0); }

SetId lock_nodes_of_lock(LockNodes *nodes, uint32_t lock) {
  uint64_t known = map_get_or(&nodes->of_locks, lock, 0);
  if (known) return (SetId)(known - 1);
  Lock l = *locks_at(nodes->facts->locks, lock);
  NumberSets *sets = &nodes->facts->sets;
  SetId set = SET_EMPTY;
  switch (l.kind) {
  case LOCK_SECTION: set = set_with(sets, set, NODE_SECTION); break;
  case LOCK_PLACE: set = of_place(nodes, (AreaPlace){.area = l.id, .offset = l.offset}); break;
  case LOCK_RELATIVE: set = of_places(nodes, (CodeOperand){CODE_REGISTER, l.id, 0}, l.offset); break;
  case LOCK_TRIED: set = lock_nodes_of_lock(nodes, (uint32_t)l.offset); break;
  case LOCK_ONE:
  case LOCK_SOME: set = set_with(sets, set, l.id); break;
  case LOCK_OWN: assert(false); break;
  }
  map_put(&nodes->of_locks, lock, (uint64_t)set + 1);
  return set;
}
