// Which steps are visible, which fragments have an effect, where handlers may have to run (interrupts.h).
#include "program/passes/interrupts.h"
#include "program/passes/rewrite.h"

static const Step *step_of(const Program *p, const Edge *edge) {
  assert(edge->step_count == 1 && "before large blocks");
  return edge_step(p, edge, 0);
}

// --- fragments ---

// Moves the entry past steps that do nothing. Otherwise a thread could stand behind them with the signal not delivered.
static void skip_to_section(const Program *p, Interruption *interrupt) {
  for (;;) {
    const Location *entry = &p->locations.data[interrupt->entry];
    if (entry->out_count != 1) return;
    const Edge *edge = location_edge(p, interrupt->entry, 0);
    const Step *step = step_of(p, edge);
    bool nothing = step->kind == STEP_PLAIN && step->access.address == TERM_NONE && step->assignment_count == 0 &&
                   term_is_true(p->terms, step->guard);
    if (!nothing) return;
    interrupt->entry = edge->to;
  }
}

static void collect_members(InterruptPlan *plan, uint32_t index) {
  const Program *p = plan->program;
  Fragment *fragment = &plan->fragments.data[index];
  LocationId exit = fragment->interrupt.exit;
  U32Vector_push(&fragment->members, fragment->interrupt.entry);
  plan->fragment_of[fragment->interrupt.entry] = index;
  plan->accepting[fragment->interrupt.entry] = true;
  for (size_t next = 0; next < fragment->members.count; next++) {
    LocationId from = fragment->members.data[next];
    for (uint32_t i = 0; i < p->locations.data[from].out_count; i++) {
      LocationId to = location_edge(p, from, i)->to;
      if (plan->accepting[from] && p->locations.data[to].atomic) plan->accepting[to] = true;
      if (to == exit || p->locations.data[to].final || plan->fragment_of[to] == index) continue;
      plan->fragment_of[to] = index;
      U32Vector_push(&fragment->members, to);
    }
  }
}

static void find_fragments(InterruptPlan *plan) {
  const Program *p = plan->program;
  for (size_t i = 0; i < p->interrupts.count; i++) {
    Fragment fragment = {.interrupt = p->interrupts.data[i]};
    skip_to_section(p, &fragment.interrupt);
    U32Vector_init(&fragment.members, plan->account);
    U32Vector_init(&fragment.points, plan->account);
    FragmentVector_push(&plan->fragments, fragment);
    collect_members(plan, (uint32_t)i);
  }
}

// --- what a thread and its handlers touch ---

typedef struct Touched {
  Bitset reads, writes;
  Map lists; // long lists of cells -> bits: read (1), written (2)
} Touched;

typedef struct ThreadView {
  InterruptPlan *plan;
  ThreadId thread;
  Touched body, handlers; // handlers: with the sections that accept signals
  Map relevant;           // large sets of cells that were looked at
} ThreadView;

enum { MANY_CELLS = 16 };

static void touch(const Program *p, Touched *touched, const Access *access) {
  const uint32_t *cells = cell_set_cells(p, access->cells);
  if (access->cells.count > MANY_CELLS) {
    uint64_t how = (uint64_t)access->reads | (uint64_t)access->writes << 1;
    uint64_t known = map_get_or(&touched->lists, cell_set_key(access->cells), 0);
    if ((known & how) == how) return;
    map_put(&touched->lists, cell_set_key(access->cells), known | how);
  }
  for (uint32_t i = 0; i < access->cells.count; i++) {
    if (access->reads) bitset_set(&touched->reads, cells[i]);
    if (access->writes) bitset_set(&touched->writes, cells[i]);
  }
}

static void look_at_thread(ThreadView *view) {
  const InterruptPlan *plan = view->plan;
  const Program *p = plan->program;
  for (size_t e = 0; e < p->edges.count; e++) {
    const Edge *edge = &p->edges.data[e];
    const Step *step = step_of(p, edge);
    if (p->locations.data[edge->from].thread != view->thread || step->access.address == TERM_NONE) continue;
    touch(p, plan->fragment_of[edge->from] == NO_ID ? &view->body : &view->handlers, &step->access);
  }
}

// --- visible steps ---

static bool cell_is_relevant(const ThreadView *view, CellId cell, bool writes) {
  return view->plan->program->cells.data[cell].shared || bitset_get(&view->handlers.writes, cell) ||
         (writes && bitset_get(&view->handlers.reads, cell));
}

static bool access_is_relevant(ThreadView *view, const Access *access) {
  if (access->address == TERM_NONE) return false;
  uint64_t key = (uint64_t)access->cells.first << 32 | access->cells.count << 1 | access->writes, known;
  bool many = access->cells.count > 16;
  if (many && map_get(&view->relevant, key, &known)) return known;
  const uint32_t *cells = cell_set_cells(view->plan->program, access->cells);
  bool relevant = false;
  for (uint32_t i = 0; i < access->cells.count && !relevant; i++)
    relevant = cell_is_relevant(view, cells[i], access->writes);
  if (many) map_put(&view->relevant, key, relevant);
  return relevant;
}

// The life of an object is relevant if one of its cells is.
static bool object_is_relevant(const ThreadView *view, ObjectId id) {
  const Object *object = &view->plan->program->objects.data[id];
  for (uint32_t i = 0; i < object->cell_count; i++)
    if (cell_is_relevant(view, object->first_cell + i, true)) return true;
  return false;
}

static bool step_is_visible(ThreadView *view, const Step *step) {
  switch (step->kind) {
  case STEP_WAIT:
  case STEP_LOCK:
  case STEP_ASSUME:
  case STEP_HALT:
  case STEP_EXIT:
  case STEP_FREE: return true;
  case STEP_ALLOCATE:
  case STEP_END: return object_is_relevant(view, step->target);
  default: return access_is_relevant(view, &step->access);
  }
}

// A thread that has not begun, or has ended, runs no handler.
static bool is_beginning(const Step *step) { return step->kind == STEP_START || step->kind == STEP_AGAIN; }

// Marks the edges of the section that `entering` begins, if one of its steps is visible. `seen` is scratch.
static void mark_section(ThreadView *view, EdgeId entering, U32Vector *edges, Bitset *seen) {
  InterruptPlan *plan = view->plan;
  const Program *p = plan->program;
  bool visible = false;
  U32Vector_clear(edges);
  U32Vector_push(edges, entering);
  for (size_t next = 0; next < edges->count; next++) {
    const Edge *edge = &p->edges.data[edges->data[next]];
    const Step *step = step_of(p, edge);
    visible |= step_is_visible(view, step);
    if (step_waits(step)) plan->waits[p->edges.data[entering].from] = true;
    if (!p->locations.data[edge->to].atomic || !bitset_add(seen, edge->to)) continue;
    uint32_t count;
    const EdgeId *following = location_edges(p, edge->to, &count);
    for (uint32_t i = 0; i < count; i++) U32Vector_push(edges, following[i]);
  }
  for (size_t i = 0; i < edges->count; i++) {
    if (visible) plan->visible[edges->data[i]] = true;
    bitset_reset(seen, p->edges.data[edges->data[i]].to);
  }
}

static void mark_visible(ThreadView *view) {
  InterruptPlan *plan = view->plan;
  const Program *p = plan->program;
  U32Vector edges;
  Bitset seen;
  U32Vector_init(&edges, plan->account);
  bitset_init(&seen, p->locations.count, plan->account);
  for (EdgeId e = 0; e < p->edges.count; e++) {
    const Edge *edge = &p->edges.data[e];
    const Location *from = &p->locations.data[edge->from];
    const Step *step = step_of(p, edge);
    if (from->thread != view->thread || from->atomic || is_beginning(step)) continue;
    if (p->locations.data[edge->to].atomic) {
      mark_section(view, e, &edges, &seen);
      continue;
    }
    plan->visible[e] = step_is_visible(view, step);
    if (step_waits(step)) plan->waits[edge->from] = true;
  }
  bitset_free(&seen);
  U32Vector_free(&edges);
}

// --- effects ---

// Does the access concern only what accepting a signal changes? That is the set of accepted signals, which is restored,
// or the handler, if it is for one signal only. (What sigaction returns for such a handler does not depend on it.)
static bool is_bookkeeping(const ThreadView *view, const Access *access, bool accepting) {
  const Program *p = view->plan->program;
  if (access->cells.count != 1) return false;
  CellId cell = cell_set_cells(p, access->cells)[0];
  const Object *control = &p->objects.data[p->threads.data[view->thread].control];
  return p->cells.data[cell].address == control->address + CONTROL_ACCEPTED ||
         (accepting && bitset_get(&view->plan->handlers, cell));
}

static bool access_has_effect(const ThreadView *view, const Access *access, bool accepting) {
  const Program *p = view->plan->program;
  if (access->address == TERM_NONE || is_bookkeeping(view, access, accepting)) return false;
  if (!access_is_certain(p, access)) return true; // it may be invalid
  const uint32_t *cells = cell_set_cells(p, access->cells);
  for (uint32_t i = 0; i < access->cells.count; i++) {
    bool shared = p->cells.data[cells[i]].shared, written = bitset_get(&view->body.writes, cells[i]);
    bool touched = shared || written || bitset_get(&view->body.reads, cells[i]);
    if (access->writes ? touched : !access->synchronises && (shared || written)) return true;
  }
  return false;
}

static bool step_has_effect(const ThreadView *view, const Step *step, bool accepting) {
  switch (step->kind) {
  case STEP_PLAIN:
  case STEP_ATOMIC_BEGIN:
  case STEP_ATOMIC_END:
  case STEP_ALLOCATE:
  case STEP_END:
  case STEP_HALT: return access_has_effect(view, &step->access, accepting);
  default: return true;
  }
}

static void find_effect(const ThreadView *view, Fragment *fragment) {
  const InterruptPlan *plan = view->plan;
  const Program *p = plan->program;
  for (size_t m = 0; m < fragment->members.count && !fragment->effective; m++) {
    LocationId from = fragment->members.data[m];
    for (uint32_t i = 0; i < p->locations.data[from].out_count; i++)
      fragment->effective |= step_has_effect(view, step_of(p, location_edge(p, from, i)), plan->accepting[from]);
  }
}

// --- points ---

// The locations of the thread from which invisible edges lead to a loop of invisible edges. They are what is left after
// locations that no invisible edge leaves have been removed, again and again.
static void find_quiet_loops(const ThreadView *view, Bitset *loops) {
  const InterruptPlan *plan = view->plan;
  const Program *p = plan->program;
  U32Vector ways, gone;
  U32Vector_init(&ways, plan->account);
  U32Vector_init(&gone, plan->account);
  U32Vector_resize(&ways, p->locations.count);
  for (EdgeId e = 0; e < p->edges.count; e++)
    if (!plan->visible[e]) ways.data[p->edges.data[e].from]++;
  for (LocationId l = 0; l < p->locations.count; l++) {
    if (p->locations.data[l].thread != view->thread) continue;
    bitset_set(loops, l);
    if (ways.data[l] == 0) U32Vector_push(&gone, l);
  }
  for (size_t next = 0; next < gone.count; next++) {
    uint32_t count;
    const EdgeId *entering = location_edges_in(p, gone.data[next], &count);
    bitset_reset(loops, gone.data[next]);
    for (uint32_t i = 0; i < count; i++) {
      EdgeId id = entering[i];
      LocationId from = p->edges.data[id].from;
      if (!plan->visible[id] && --ways.data[from] == 0) U32Vector_push(&gone, from);
    }
  }
  U32Vector_free(&ways);
  U32Vector_free(&gone);
}

static void find_points(const ThreadView *view) {
  InterruptPlan *plan = view->plan;
  const Program *p = plan->program;
  Bitset loops;
  bitset_init(&loops, p->locations.count, plan->account);
  find_quiet_loops(view, &loops);
  for (EdgeId e = 0; e < p->edges.count; e++) {
    const Edge *edge = &p->edges.data[e];
    if (p->locations.data[edge->from].thread != view->thread) continue;
    bool leads = plan->visible[e] || is_beginning(step_of(p, edge));
    if (plan->visible[e] && !p->locations.data[edge->from].atomic) plan->point[edge->from] = true;
    if (leads && !p->locations.data[edge->to].atomic && bitset_get(&loops, edge->to)) plan->point[edge->to] = true;
  }
  bitset_free(&loops);
}

// Removes the points between an AGAIN step and the beginning of the new thread: there the slot is only initialised
// again.
static void drop_points_of_renewal(const ThreadView *view) {
  InterruptPlan *plan = view->plan;
  const Program *p = plan->program;
  U32Vector work;
  U32Vector_init(&work, plan->account);
  LocationId begin = NO_ID;
  for (size_t e = 0; e < p->edges.count; e++) {
    const Edge *edge = &p->edges.data[e];
    if (p->locations.data[edge->from].thread != view->thread) continue;
    if (step_of(p, edge)->kind == STEP_START) begin = edge->to;
    if (step_of(p, edge)->kind == STEP_AGAIN && work.count == 0) U32Vector_push(&work, edge->to);
  }
  for (size_t next = 0; next < work.count; next++) {
    LocationId from = work.data[next];
    if (from == begin) continue;
    plan->point[from] = false;
    for (uint32_t i = 0; i < p->locations.data[from].out_count; i++)
      U32Vector_push(&work, location_edge(p, from, i)->to); // one way, without a loop
  }
  U32Vector_free(&work);
}

// --- where handlers are installed ---

// The first access of each fragment reads which function is the handler.
static void find_handler_cells(InterruptPlan *plan) {
  const Program *p = plan->program;
  for (size_t f = 0; f < plan->fragments.count; f++) {
    const Fragment *fragment = &plan->fragments.data[f];
    bool found = false;
    for (size_t m = 0; m < fragment->members.count && !found; m++) {
      LocationId from = fragment->members.data[m];
      for (uint32_t i = 0; i < p->locations.data[from].out_count; i++) {
        const Access *access = &step_of(p, location_edge(p, from, i))->access;
        if (access->address == TERM_NONE) continue;
        found = true;
        const uint32_t *cells = cell_set_cells(p, access->cells);
        for (uint32_t c = 0; c < access->cells.count; c++) bitset_set(&plan->handlers, cells[c]);
      }
    }
  }
}

static bool holds_handler(const InterruptPlan *plan, CellSet set, Map *known) {
  uint64_t holds;
  if (set.count > MANY_CELLS && map_get(known, cell_set_key(set), &holds)) return holds;
  const uint32_t *cells = cell_set_cells(plan->program, set);
  holds = false;
  for (uint32_t i = 0; i < set.count && !holds; i++) holds = bitset_get(&plan->handlers, cells[i]);
  if (set.count > MANY_CELLS) map_put(known, cell_set_key(set), holds);
  return holds;
}

static void find_installing(InterruptPlan *plan) {
  const Program *p = plan->program;
  Map known;
  map_init(&known, plan->account);
  for (size_t e = 0; e < p->edges.count; e++) {
    const Edge *edge = &p->edges.data[e];
    const Access *access = &step_of(p, edge)->access;
    if (plan->accepting[edge->from] || access->address == TERM_NONE || !access->writes) continue;
    plan->installs[e] = holds_handler(plan, access->cells, &known);
  }
  map_free(&known);
}

// If only this thread installs handlers, removes the points of its body that it reaches only before it installs one.
static void drop_early_points(const ThreadView *view) {
  InterruptPlan *plan = view->plan;
  const Program *p = plan->program;
  U32Vector work;
  Bitset later;
  U32Vector_init(&work, plan->account);
  bitset_init(&later, p->locations.count, plan->account);
  bool alone = true;
  for (size_t e = 0; e < p->edges.count && alone; e++) {
    const Edge *edge = &p->edges.data[e];
    if (!plan->installs[e]) continue;
    alone = p->locations.data[edge->from].thread == view->thread;
    if (bitset_add(&later, edge->to)) U32Vector_push(&work, edge->to);
  }
  while (work.count) {
    LocationId from = U32Vector_pop(&work);
    for (uint32_t i = 0; i < p->locations.data[from].out_count; i++) {
      LocationId to = location_edge(p, from, i)->to;
      if (bitset_add(&later, to)) U32Vector_push(&work, to);
    }
  }
  for (LocationId l = 0; l < p->locations.count && alone; l++)
    if (p->locations.data[l].thread == view->thread && plan->fragment_of[l] == NO_ID && !bitset_get(&later, l))
      plan->point[l] = false;
  bitset_free(&later);
  U32Vector_free(&work);
}

// --- points inside handlers ---

// The locations that are reached from the section that accepts the signal without a visible step in between.
static void find_beginning(const InterruptPlan *plan, const Fragment *fragment, Bitset *beginning) {
  const Program *p = plan->program;
  bool changed = true;
  while (changed) {
    changed = false;
    for (size_t m = 0; m < fragment->members.count; m++) {
      LocationId from = fragment->members.data[m];
      uint32_t count;
      const EdgeId *edges = location_edges(p, from, &count);
      for (uint32_t i = 0; i < count; i++) {
        LocationId to = p->edges.data[edges[i]].to;
        bool along =
            plan->accepting[from] ? !plan->accepting[to] : bitset_get(beginning, from) && !plan->visible[edges[i]];
        if (along) changed |= bitset_add(beginning, to);
      }
    }
  }
}

// A handler that installs handlers cannot be moved past the section that accepts a signal.
static bool handlers_install(const InterruptPlan *plan) {
  const Program *p = plan->program;
  for (size_t e = 0; e < p->edges.count; e++)
    if (plan->fragment_of[p->edges.data[e].from] != NO_ID && plan->installs[e]) return true;
  return false;
}

static void find_inner_points(InterruptPlan *plan) {
  const Program *p = plan->program;
  bool all = handlers_install(plan);
  Bitset beginning;
  bitset_init(&beginning, p->locations.count, plan->account);
  for (size_t f = 0; f < plan->fragments.count; f++) {
    Fragment *fragment = &plan->fragments.data[f];
    bitset_clear_all(&beginning);
    find_beginning(plan, fragment, &beginning);
    for (size_t m = 0; m < fragment->members.count; m++) {
      LocationId location = fragment->members.data[m];
      bool kept = all || !bitset_get(&beginning, location) || (p->waiting_counts && plan->waits[location]);
      bool outer = plan->accepting[location] || location == fragment->interrupt.leave;
      if (plan->point[location] && !outer && kept) U32Vector_push(&fragment->points, location);
    }
  }
  bitset_free(&beginning);
}

// --- all ---

static void plan_thread(InterruptPlan *plan, ThreadId thread) {
  const Program *p = plan->program;
  ThreadView view = {.plan = plan, .thread = thread};
  Bitset *sets[] = {&view.body.reads, &view.body.writes, &view.handlers.reads, &view.handlers.writes};
  for (size_t i = 0; i < 4; i++) bitset_init(sets[i], p->cells.count, plan->account);
  Map *maps[] = {&view.relevant, &view.body.lists, &view.handlers.lists};
  for (size_t i = 0; i < 3; i++) map_init(maps[i], plan->account);
  look_at_thread(&view);
  mark_visible(&view);
  find_points(&view);
  drop_points_of_renewal(&view);
  drop_early_points(&view);
  for (size_t f = 0; f < plan->fragments.count; f++)
    if (plan->fragments.data[f].interrupt.thread == thread) find_effect(&view, &plan->fragments.data[f]);
  for (size_t i = 0; i < 4; i++) bitset_free(sets[i]);
  for (size_t i = 0; i < 3; i++) map_free(maps[i]);
}

void interrupt_plan_init(InterruptPlan *plan, Program *p) {
  *plan = (InterruptPlan){.program = p, .account = p->account};
  size_t locations = plan->location_count = p->locations.count;
  plan->edge_count = p->edges.count;
  FragmentVector_init(&plan->fragments, p->account);
  plan->fragment_of = memory_allocate(p->account, locations * sizeof *plan->fragment_of);
  for (size_t l = 0; l < locations; l++) plan->fragment_of[l] = NO_ID;
  plan->accepting = memory_allocate_zeroed(p->account, locations);
  plan->waits = memory_allocate_zeroed(p->account, locations);
  plan->point = memory_allocate_zeroed(p->account, locations);
  plan->visible = memory_allocate_zeroed(p->account, p->edges.count);
  plan->installs = memory_allocate_zeroed(p->account, p->edges.count);
  bitset_init(&plan->handlers, p->cells.count, p->account);
  find_fragments(plan);
  find_handler_cells(plan);
  find_installing(plan);
  for (ThreadId t = 0; t < p->threads.count; t++) plan_thread(plan, t);
  find_inner_points(plan);
}

void interrupt_plan_free(InterruptPlan *plan) {
  for (size_t f = 0; f < plan->fragments.count; f++) {
    U32Vector_free(&plan->fragments.data[f].members);
    U32Vector_free(&plan->fragments.data[f].points);
  }
  FragmentVector_free(&plan->fragments);
  memory_free(plan->account, plan->fragment_of, plan->location_count * sizeof *plan->fragment_of);
  memory_free(plan->account, plan->accepting, plan->location_count);
  memory_free(plan->account, plan->waits, plan->location_count);
  memory_free(plan->account, plan->point, plan->location_count);
  memory_free(plan->account, plan->visible, plan->edge_count);
  memory_free(plan->account, plan->installs, plan->edge_count);
  bitset_free(&plan->handlers);
}
