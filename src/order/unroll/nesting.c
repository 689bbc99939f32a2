#include "order/unroll/nesting.h"

// Tarjan's algorithm finds the strongly connected components, which are listed topologically. Inside a component, the
// first location that the search met becomes the head. The edges to the head are removed, and the rest is ordered the
// same way.
typedef struct Nesting {
  const Program *program;
  NestingVector *order;
  uint32_t *number, *low; // per location: of the current search; 0: not met
  uint32_t *level;        // per location: the innermost subset that it belongs to
  U32Vector stack;
  uint32_t next_number, next_level;
} Nesting;

typedef struct Frame {
  LocationId location;
  uint32_t next_edge;
} Frame;
VECTOR(FrameVector, Frame);
VECTOR(ComponentVector, U32Vector);

static LocationId target_of(const Program *p, const Location *location, uint32_t i) {
  return p->edges.data[location_out_edge(p, location, i)].to;
}

static void enter(Nesting *n, FrameVector *frames, LocationId location) {
  n->number[location] = n->low[location] = ++n->next_number;
  U32Vector_push(&n->stack, location);
  FrameVector_push(frames, (Frame){.location = location});
}

// Takes a finished component off the stack.
static void leave(Nesting *n, LocationId root, ComponentVector *components) {
  U32Vector component;
  U32Vector_init(&component, n->stack.account);
  LocationId location;
  do {
    location = U32Vector_pop(&n->stack);
    n->low[location] = UINT32_MAX; // finished
    U32Vector_push(&component, location);
  } while (location != root);
  ComponentVector_push(components, component);
}

// Appends the components that are reachable from `root` inside the subset `level`, the last ones first. In each
// component, the location that the search met first comes last.
static void search(Nesting *n, LocationId root, uint32_t level, LocationId excluded, ComponentVector *components) {
  const Program *p = n->program;
  FrameVector frames;
  FrameVector_init(&frames, n->stack.account);
  enter(n, &frames, root);
  while (frames.count > 0) {
    Frame *frame = FrameVector_last(&frames);
    LocationId from = frame->location;
    const Location *location = &p->locations.data[from];
    if (frame->next_edge < location->out_count) {
      LocationId to = target_of(p, location, frame->next_edge++);
      if (n->level[to] != level || to == excluded) continue;
      if (n->number[to] == 0)
        enter(n, &frames, to);
      else if (n->low[to] != UINT32_MAX && n->number[to] < n->low[from])
        n->low[from] = n->number[to];
      continue;
    }
    FrameVector_pop(&frames);
    uint32_t low = n->low[from];
    if (low == n->number[from]) leave(n, from, components);
    if (frames.count > 0 && low < n->low[FrameVector_last(&frames)->location])
      n->low[FrameVector_last(&frames)->location] = low;
  }
  FrameVector_free(&frames);
}

static bool has_self_edge(const Program *p, LocationId id) {
  const Location *location = &p->locations.data[id];
  for (uint32_t i = 0; i < location->out_count; i++)
    if (target_of(p, location, i) == id) return true;
  return false;
}

static void order_subset(Nesting *n, const U32Vector *roots, uint32_t level, LocationId excluded);

static void order_component(Nesting *n, const U32Vector *component) {
  assert(component->count > 0);
  LocationId head = component->data[component->count - 1];
  size_t place = n->order->count;
  NestingVector_push(n->order, (NestingEntry){.location = head});
  if (component->count == 1 && !has_self_edge(n->program, head)) return;
  uint32_t level = ++n->next_level;
  for (size_t i = 0; i < component->count; i++) {
    n->level[component->data[i]] = level;
    n->number[component->data[i]] = 0;
    n->low[component->data[i]] = 0;
  }
  // The search starts at the successors of the head, so that it meets inner loops at their own heads first.
  U32Vector roots;
  U32Vector_init(&roots, component->account);
  const Location *location = &n->program->locations.data[head];
  for (uint32_t i = 0; i < location->out_count; i++) U32Vector_push(&roots, target_of(n->program, location, i));
  order_subset(n, &roots, level, head);
  U32Vector_free(&roots);
  n->order->data[place].end = (uint32_t)n->order->count;
}

static void order_subset(Nesting *n, const U32Vector *roots, uint32_t level, LocationId excluded) {
  ComponentVector components;
  ComponentVector_init(&components, n->stack.account);
  for (size_t i = 0; i < roots->count; i++) {
    LocationId root = roots->data[i];
    if (n->level[root] == level && root != excluded && n->number[root] == 0)
      search(n, root, level, excluded, &components);
  }
  // Locations of a later search are not reachable from those of an earlier one, so they come before them: the order is
  // the reverse of the order of completion.
  for (size_t i = components.count; i-- > 0;) {
    order_component(n, &components.data[i]);
    U32Vector_free(&components.data[i]);
  }
  ComponentVector_free(&components);
}

void nesting_of_thread(const Program *p, ThreadId thread, NestingVector *order, uint32_t *place, Account *account) {
  assert(thread < p->threads.count);
  size_t bytes = p->locations.count * sizeof(uint32_t);
  Nesting n = {.program = p, .order = order};
  n.number = memory_allocate_zeroed(account, bytes);
  n.low = memory_allocate_zeroed(account, bytes);
  n.level = memory_allocate_zeroed(account, bytes);
  U32Vector_init(&n.stack, account);
  U32Vector roots;
  U32Vector_init(&roots, account);
  U32Vector_push(&roots, p->threads.data[thread].entry);
  NestingVector_clear(order);
  order_subset(&n, &roots, 0, NO_ID);
  for (size_t i = 0; i < order->count; i++) place[order->data[i].location] = (uint32_t)i;
  U32Vector_free(&roots);
  U32Vector_free(&n.stack);
  memory_free(account, n.number, bytes);
  memory_free(account, n.low, bytes);
  memory_free(account, n.level, bytes);
}
