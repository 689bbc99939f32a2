// The pass "interrupts": copies of signal handlers before the steps of their threads where they can matter
// (interrupts.h says where that is).
//
// Such a location P gets one more edge. It enters the section that decides whether the signal is delivered. The handler
// leads back to P, where the next signal may be delivered. So a handler runs any number of times, and its thread does
// not continue meanwhile. A copy shares the variables and stack objects of its fragment, because no signal interrupts
// its own handler.
//
// If waiting counts (deadlocks), a thread that waits for ever must not seem to be enabled because the environment may
// send a signal. So P gets a twin P' and an edge to it, and all edges that left P leave P' instead. At P' only signals
// that the program sends are delivered; such a signal certainly ends a wait.
//
// The number of copies grows with the depth to which handlers interrupt handlers. The pass takes the largest depth, up
// to DEEPEST_NESTING, with which all copies together have at most MOST_COPIED_EDGES edges. A signal beyond that depth
// is a cut. If not even one handler can be copied, all points share one section for each signal, with the cut behind
// it.
#include "program/passes/interrupts.h"

#include "program/passes/pass_list.h"
#include "program/passes/rewrite.h"

enum { DEEPEST_NESTING = 3, MOST_COPIED_EDGES = 100000 };

typedef struct Splicing {
  Program *program;
  const InterruptPlan *plan;
  unsigned depth;      // of handlers in handlers; 0: no handler is copied at all
  struct Copy *shared; // with depth 0: of each fragment, what all points share; its map is empty before the first point
} Splicing;

// The active handlers, innermost first, by the numbers of their fragments.
typedef struct Active {
  const struct Active *outer;
  uint32_t fragment;
} Active;

static unsigned active_depth(const Active *active) {
  unsigned depth = 0;
  for (; active; active = active->outer) depth++;
  return depth;
}

// No signal interrupts its own handler. The signal of a fragment for any signal (0) is not known.
static bool may_interrupt(const InterruptPlan *plan, const Fragment *fragment, const Active *active) {
  if (!fragment->effective) return false;
  for (; active; active = active->outer) {
    uint32_t signal = plan->fragments.data[active->fragment].interrupt.signal;
    if (signal != 0 && signal == fragment->interrupt.signal) return false;
  }
  return true;
}

static bool is_beyond(const Splicing *splicing, const Fragment *fragment, const Active *active) {
  if (active_depth(active) >= splicing->depth) return true;
  for (; active; active = active->outer)
    if (&splicing->plan->fragments.data[active->fragment] == fragment) return true; // for any signal
  return false;
}

// --- how large it gets ---

static size_t edges_of(const InterruptPlan *plan, const Fragment *fragment) {
  size_t edges = 0;
  for (size_t m = 0; m < fragment->members.count; m++)
    edges += plan->program->locations.data[fragment->members.data[m]].out_count;
  return edges;
}

// The edges of all copies at one point of the thread.
static size_t copied_edges(const Splicing *splicing, ThreadId thread, const Active *active) {
  const InterruptPlan *plan = splicing->plan;
  size_t edges = 0;
  for (uint32_t f = 0; f < plan->fragments.count && edges <= MOST_COPIED_EDGES; f++) {
    const Fragment *fragment = &plan->fragments.data[f];
    if (fragment->interrupt.thread != thread || !may_interrupt(plan, fragment, active)) continue;
    edges += edges_of(plan, fragment);
    if (is_beyond(splicing, fragment, active)) continue;
    Active inner = {active, f};
    if (fragment->points.count) edges += fragment->points.count * copied_edges(splicing, thread, &inner);
  }
  return edges;
}

static bool fits(const Splicing *splicing) {
  const Program *p = splicing->program;
  size_t points = 0, edges = 0;
  for (ThreadId t = 0; t < p->threads.count && edges <= MOST_COPIED_EDGES; t++) {
    points = 0;
    for (size_t l = 0; l < splicing->plan->location_count; l++)
      points += p->locations.data[l].thread == t && splicing->plan->point[l] && splicing->plan->fragment_of[l] == NO_ID;
    if (points) edges += points * copied_edges(splicing, t, NULL);
  }
  return edges <= MOST_COPIED_EDGES;
}

// --- copying ---

typedef struct Copy {
  const Fragment *fragment;
  Active active;
  bool stub; // only the section that accepts the signal, and a cut behind it
  Map map;   // location of the fragment -> of the copy
} Copy;

static LocationId like(Program *p, LocationId location) {
  Location original = p->locations.data[location];
  LocationId copy = program_add_location(p, original.thread, original.position);
  p->locations.data[copy].atomic = original.atomic;
  return copy;
}

static void add_plain_edge(Program *p, LocationId from, LocationId to) {
  Step step = step_plain(p, p->locations.data[from].position);
  program_add_edge(p, from, to, &step);
}

static LocationId cut_location(Splicing *splicing, LocationId location, uint32_t signal) {
  Program *p = splicing->program;
  LocationId from = like(p, location), to = like(p, location);
  Step cut = step_plain(p, p->locations.data[location].position);
  cut.kind = STEP_CUT;
  const char *what = splicing->depth == 0 ? "signal handlers at too many places"
                     : signal == 0
                         ? "signal handlers in one another, for signals whose numbers are not constant"
                         : intern_format(&p->strings, "signal handlers nested more than %u deep", splicing->depth);
  cut.target = program_add_cut(p, CUT_SIZE, what, p->locations.data[location].position);
  program_add_edge(p, from, to, &cut);
  return from;
}

static LocationId copied_location(Splicing *splicing, Copy *copy, LocationId location) {
  Program *p = splicing->program;
  uint64_t known;
  if (map_get(&copy->map, location, &known)) return (LocationId)known;
  bool leaves = splicing->plan->fragment_of[location] == NO_ID && location != copy->fragment->interrupt.exit;
  LocationId made = leaves ? location
                    : copy->stub && !splicing->plan->accepting[location]
                        ? cut_location(splicing, location, copy->fragment->interrupt.signal)
                        : like(p, location);
  map_put(&copy->map, location, made);
  return made;
}

static void splice_at(Splicing *splicing, ThreadId thread, LocationId at, LocationId back, bool waiting,
                      const Active *active);

// Adds handlers at the location. Returns the location that its edges leave from now on: itself, or its twin.
static LocationId interruptible(Splicing *splicing, LocationId original, LocationId location, const Active *active) {
  Program *p = splicing->program;
  ThreadId thread = p->locations.data[location].thread;
  bool twin = p->waiting_counts && splicing->plan->waits[original];
  LocationId waiting = location;
  if (twin) {
    waiting = like(p, location);
    add_plain_edge(p, location, waiting);
    splice_at(splicing, thread, waiting, location, true, active);
  }
  splice_at(splicing, thread, location, location, false, active);
  return waiting;
}

static bool has_point(const Fragment *fragment, LocationId location) {
  for (size_t i = 0; i < fragment->points.count; i++)
    if (fragment->points.data[i] == location) return true;
  return false;
}

static void copy_member(Splicing *splicing, Copy *copy, LocationId member, LocationId at) {
  Program *p = splicing->program;
  assert(member < splicing->plan->location_count);
  bool first = member == copy->fragment->interrupt.entry;
  if (copy->stub && !splicing->plan->accepting[member]) return;
  LocationId from = first ? at : copied_location(splicing, copy, member);
  if (!first && has_point(copy->fragment, member)) from = interruptible(splicing, member, from, &copy->active);
  uint32_t count; // the index stays as it is while edges are added
  const EdgeId *edges = location_edges(p, member, &count);
  for (uint32_t i = 0; i < count; i++) {
    Edge edge = p->edges.data[edges[i]];
    LocationId to = copied_location(splicing, copy, edge.to);
    Step step = *edge_step(p, &edge, 0);
    if (first && step.kind == STEP_ATOMIC_BEGIN) step.target = copy->fragment->interrupt.signal;
    program_add_edge(p, from, to, &step);
  }
}

// The section that accepts the signal, behind its first step, is the same for all points: it leads to a cut, not back.
static void splice_shared(Splicing *splicing, uint32_t index, LocationId at) {
  Copy *copy = &splicing->shared[index];
  const Fragment *fragment = &splicing->plan->fragments.data[index];
  bool first_point = copy->map.count == 0;
  assert(splicing->depth == 0 && fragment->members.count > 0 && fragment->members.data[0] == fragment->interrupt.entry);
  size_t members = first_point ? fragment->members.count : 1;
  for (size_t m = 0; m < members; m++) copy_member(splicing, copy, fragment->members.data[m], at);
}

static void splice(Splicing *splicing, uint32_t index, LocationId at, LocationId back, const Active *active) {
  if (splicing->depth == 0) {
    splice_shared(splicing, index, at);
    return;
  }
  const Fragment *fragment = &splicing->plan->fragments.data[index];
  Copy copy = {.fragment = fragment, .active = {active, index}, .stub = is_beyond(splicing, fragment, active)};
  map_init(&copy.map, splicing->program->account);
  if (fragment->interrupt.exit != NO_ID && !copy.stub) map_put(&copy.map, fragment->interrupt.exit, back);
  for (size_t m = 0; m < fragment->members.count; m++) copy_member(splicing, &copy, fragment->members.data[m], at);
  map_free(&copy.map);
}

// If no thread waits there, or waiting does not count, a signal from outside also stands for one that the program
// sends.
static bool belongs(const Splicing *splicing, const Fragment *fragment, bool waiting) {
  if (waiting) return !fragment->interrupt.outside;
  if (fragment->interrupt.outside) return true;
  for (size_t f = 0; f < splicing->plan->fragments.count; f++) {
    const Interruption *other = &splicing->plan->fragments.data[f].interrupt;
    if (other->outside && other->thread == fragment->interrupt.thread && other->signal == fragment->interrupt.signal)
      return false;
  }
  return true;
}

static void shared_init(Splicing *splicing) {
  Account *account = splicing->program->account;
  const InterruptPlan *plan = splicing->plan;
  splicing->shared = memory_allocate_zeroed(account, plan->fragments.count * sizeof *splicing->shared);
  for (uint32_t f = 0; f < plan->fragments.count; f++) {
    splicing->shared[f] = (Copy){.fragment = &plan->fragments.data[f], .active = {NULL, f}, .stub = true};
    map_init(&splicing->shared[f].map, account);
  }
}

static void shared_free(Splicing *splicing) {
  if (!splicing->shared) return;
  size_t count = splicing->plan->fragments.count;
  for (size_t f = 0; f < count; f++) map_free(&splicing->shared[f].map);
  memory_free(splicing->program->account, splicing->shared, count * sizeof *splicing->shared);
  splicing->shared = NULL;
}

static void splice_at(Splicing *splicing, ThreadId thread, LocationId at, LocationId back, bool waiting,
                      const Active *active) {
  const InterruptPlan *plan = splicing->plan;
  for (uint32_t f = 0; f < plan->fragments.count; f++) {
    const Fragment *fragment = &plan->fragments.data[f];
    if (fragment->interrupt.thread != thread || !may_interrupt(plan, fragment, active)) continue;
    if (belongs(splicing, fragment, waiting)) splice(splicing, f, at, back, active);
  }
}

// Moves the edges that leave a point of the body to its twin.
static void splice_body(Splicing *splicing, LocationId location) {
  Program *p = splicing->program;
  assert(location < splicing->plan->location_count);
  uint32_t count; // the index stays as it is while edges are added
  const EdgeId *edges = location_edges(p, location, &count);
  LocationId from = interruptible(splicing, location, location, NULL);
  for (uint32_t i = 0; from != location && i < count; i++) p->edges.data[edges[i]].from = from;
}

// --- formulas ---

// A handler may run for ever, so that its thread never continues; formulas on such executions are not modelled.
static void cut_main(Program *p) {
  LocationId entry = p->threads.data[0].entry, end = like(p, entry);
  Step cut = step_plain(p, p->locations.data[entry].position);
  cut.kind = STEP_CUT;
  cut.target = program_add_cut(p, CUT_CONSTRUCT, "signal handlers in a formula's program", cut.position);
  program_add_edge(p, entry, end, &cut);
}

static bool any_effect(const InterruptPlan *plan) {
  for (size_t f = 0; f < plan->fragments.count; f++)
    if (plan->fragments.data[f].effective) return true;
  return false;
}

void pass_interrupts(Program *p) {
  if (p->interrupts.count == 0) return;
  InterruptPlan plan;
  interrupt_plan_init(&plan, p);
  Splicing splicing = {.program = p, .plan = &plan, .depth = DEEPEST_NESTING};
  while (splicing.depth > 0 && !fits(&splicing)) splicing.depth--;
  if (splicing.depth == 0) shared_init(&splicing);
  if (p->infinite) {
    if (any_effect(&plan)) cut_main(p);
  } else {
    for (LocationId l = 0; l < plan.location_count; l++)
      if (plan.point[l] && plan.fragment_of[l] == NO_ID) splice_body(&splicing, l);
  }
  shared_free(&splicing);
  interrupt_plan_free(&plan);
  InterruptionVector_clear(&p->interrupts);
  program_sweep(p);
  program_mark_cells(p);
}
