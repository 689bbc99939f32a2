// Large, single and section blocks: this pass joins the steps of several edges into one edge, a block.
//
//   large blocks     a block is one visible step (a shared access, or a step that synchronises) or one atomic section,
//                    with the local steps before and after it;
//   single blocks    as large blocks, but every access to memory counts as visible and sections stay as they are: a
//                    block has at most one access;
//   whole sections   a block is one step, or one path through an atomic section. Loops of a section that count are
//                    unrolled. A section with too many paths stays as it is.
//
// Why reachability is preserved. A local step is independent of every step of every other thread, so it may be taken
// right after the visible step before it, or right before the visible step after it. Two kinds of steps are not joined
// to a visible write before them. The first is a second visible step. The second is a step that may fail (an assume
// step, an invalid dereference, a gap between guards): if it failed, the block could not be taken and the write would
// be lost, although another thread could have seen it. Nothing is joined across a loop head, so cycles stay as they
// are. Nothing is joined after a step that starts, ends or blocks a thread, so waiting stays as it is. An access to a
// block of memory that another thread may free can be made earlier, but not later: no visible step follows it in its
// block, unless that step needs the same block of memory.
//
// Infinite executions (Program.infinite) need more. In them a thread may wait for ever. A thread that waits at a step
// in the middle of a block stands, in the blocks, where the block begins. Its situation there must be the same as at
// the waiting step. docs/program.md ("Large blocks and infinite executions") has the whole argument; the rules are:
//   - A step that may wait is not joined to a choice before it: from the beginning of the block, the thread must come
//     to the waiting step whatever is chosen.
//   - An assume step or a division is not joined to a visible step before it, be it a read or a wait. A thread can be
//     disabled for ever at such a step; as a block it would seem to stand before the visible step for ever instead.
//   - No block ends with a local step behind a visible one at a location where the thread may be disabled for ever. A
//     thread could stand before that local step for ever without being disabled.
//   - An access to memory that another thread may free is visible, and no step that may stop the thread is joined to
//     it. After the memory is freed, a thread that has already made its access continues; a thread that has not is
//     disabled for ever.
#include "program/facts/life.h"
#include "program/facts/path_constants.h"
#include "program/passes/pass_list.h"
#include "program/passes/rewrite.h"

#define SEVERAL_OBJECTS (NO_ID - 1)
enum { LONGEST_BLOCK = 64, MOST_PATHS = 256, MOST_SECTION_STEPS = 8192 };
enum { LONGEST_UNROLLED = 256, MOST_UNROLLED_PATHS = 16 }; // in sections with loops

// What the block holds so far. CHOSE and FRAGILE are for infinite executions only.
enum {
  BLOCK_VISIBLE = 1, // a visible step
  BLOCK_WROTE = 2,   // a visible step after which no step may stop the thread: a write, for example
  BLOCK_CLOSED = 4,  // a step after which nothing is joined
  BLOCK_CHOSE = 8,   // a choice
  BLOCK_FRAGILE = 16 // an access to memory that another thread may free
};

// The paths through an atomic section, from a location inside to its end. The numbers saturate; 0 paths: not yet
// counted.
typedef struct SectionSize {
  uint32_t paths, longest;
  bool open;   // it is being counted: a path that meets it again is a cycle
  bool cyclic; // a cycle was met
} SectionSize;

typedef enum BlockKind {
  KIND_LARGE,
  KIND_SINGLE,  // one access to memory of any kind, and sections stay as they are
  KIND_SECTIONS // one step or one section
} BlockKind;

typedef struct LargeBlocks {
  Program *view;
  BlockKind kind;
  bool *shared;          // per step
  ObjectId *fragile;     // per step: the object that it accesses and another thread may free, SEVERAL_OBJECTS or NO_ID
  Bitset lives;          // objects whose life other threads may depend on
  SectionSize *sections; // per location
  PathConstants known;   // constants along the path, inside a section only
  bool *kept;            // per location: blocks start here
  bool *waiting; // per location of a section: in its rest the thread may wait, be disabled for ever, or loop for ever
  U32Vector starts; // locations whose blocks are still to be built
  U32Vector path;   // edges of the block that is being built
  LocationId start; // where that block begins
  StepVector steps;
  EdgeVector edges;
} LargeBlocks;

// Does the step start or end something? Such a step begins its block, and nothing is joined after it.
static bool stands_alone(const Step *step) {
  switch (step->kind) {
  case STEP_START:
  case STEP_CREATE:
  case STEP_EXIT:
  case STEP_ERROR:
  case STEP_HALT:
  case STEP_CUT: return true;
  default: return false;
  }
}

// Can a formula observe that the edge is taken, because an observation holds at only one of its ends?
static bool is_observed(const LargeBlocks *blocks, const Edge *edge) {
  const Location *locations = blocks->view->locations.data;
  return locations[edge->from].observed != locations[edge->to].observed;
}

static bool is_visible(const LargeBlocks *blocks, const Edge *edge) {
  StepId id = edge->first_step;
  const Step *step = &blocks->view->steps.data[id];
  switch (step->kind) {
  case STEP_WAIT:
  case STEP_LOCK:
  case STEP_TRYLOCK:
  case STEP_UNLOCK:
  case STEP_AGAIN:
  case STEP_FREE:
  case STEP_ATOMIC_BEGIN: return true;
  // Another thread may free the memory: the fault depends on when the step is taken.
  case STEP_FAULT: return step->access.address == TERM_NONE || blocks->shared[id] || blocks->fragile[id] != NO_ID;
  case STEP_END: return bitset_get(&blocks->lives, step->target);
  case STEP_ALLOCATE: // a heap block is handed out once, and no thread can have a pointer to it before
    return blocks->view->objects.data[step->target].storage == STORAGE_STACK &&
           bitset_get(&blocks->lives, step->target);
  default: break;
  }
  bool access = step->access.address != TERM_NONE;
  if (blocks->view->infinite && blocks->fragile[id] != NO_ID) return true;
  return blocks->shared[id] || stands_alone(step) || is_observed(blocks, edge) ||
         (blocks->kind == KIND_SINGLE && access);
}

// May the thread be disabled for ever at the step?
static bool may_be_disabled(const Program *p, const Step *step) {
  if (step->kind == STEP_ASSUME || step->kind == STEP_DIVIDE || step->kind == STEP_FREE) return true;
  if (step->kind == STEP_FAULT) return true;
  return step->access.address != TERM_NONE && !access_is_certain(p, &step->access);
}

// May the thread stop at the step, blocked or disabled for ever? Other threads then see what it did before.
static bool may_stop(const Program *p, const Step *step) { return step_may_block(step) || may_be_disabled(p, step); }

static bool enters_section(const Program *p, const Edge *edge) {
  return p->locations.data[edge->to].atomic && !p->locations.data[edge->from].atomic;
}

static bool may_wait(const LargeBlocks *blocks, const Edge *edge) {
  return step_may_block(edge_step(blocks->view, edge, 0)) || blocks->waiting[edge->to];
}

// Does the step make a choice: is a value that it assigns or stores fresh, or may it read memory that was never
// written?
static bool chooses(const Program *p, const Step *step) {
  for (uint32_t i = 0; i < step->assignment_count; i++)
    if (value_is_fresh(step->assignments[i].value)) return true;
  for (uint32_t i = 0; step->access.reads && i < step->access.cells.count; i++)
    if (p->cells.data[cell_set_cells(p, step->access.cells)[i]].initial == TERM_NONE) return true;
  return step->access.stored == VALUE_INDETERMINATE;
}

// May this visible step follow the accesses of the block so far? A block makes them as late as the step. So the step
// has to need the memory that they need: if another thread frees it in between, the step cannot be taken, either.
static bool needs_same_memory(const LargeBlocks *blocks, StepId step) {
  ObjectId own = blocks->fragile[step];
  for (size_t i = 0; i < blocks->path.count; i++) {
    ObjectId needed = blocks->fragile[blocks->view->edges.data[blocks->path.data[i]].first_step];
    if (needed != NO_ID && (needed != own || needed == SEVERAL_OBJECTS)) return false;
  }
  return true;
}

// May the edge follow a block in this state?
static bool may_follow(const LargeBlocks *blocks, const Edge *edge, unsigned state) {
  const Program *p = blocks->view;
  const Step *step = edge_step(p, edge, 0);
  if ((state & BLOCK_CLOSED) || stands_alone(step)) return false;
  if (((state & BLOCK_CHOSE) || p->waits_begin_blocks) && may_wait(blocks, edge)) return false;
  if (enters_section(p, edge) || is_visible(blocks, edge))
    return !(state & BLOCK_VISIBLE) && needs_same_memory(blocks, edge->first_step);
  bool stops = step->kind == STEP_ASSUME || step->kind == STEP_DIVIDE;
  if (state & BLOCK_FRAGILE) stops |= may_stop(p, step);
  if (p->infinite && (state & BLOCK_VISIBLE) && stops) return false;
  return !(state & BLOCK_WROTE) || !may_stop(p, step);
}

static unsigned state_after(const LargeBlocks *blocks, const Edge *edge, unsigned state) {
  const Step *step = edge_step(blocks->view, edge, 0);
  if (stands_alone(step) || step->kind == STEP_LOCK) state |= BLOCK_CLOSED;
  if (is_visible(blocks, edge)) {
    state |= BLOCK_VISIBLE;
    bool ends = step->kind == STEP_FREE || step->kind == STEP_END || step->kind == STEP_ALLOCATE;
    if (step->access.writes || ends || is_observed(blocks, edge)) state |= BLOCK_WROTE;
  }
  if (!blocks->view->infinite) return state;
  if (step->kind == STEP_WAIT) state |= BLOCK_WROTE; // no step after it may stop the thread
  if (chooses(blocks->view, step)) state |= BLOCK_CHOSE;
  if (blocks->fragile[edge->first_step] != NO_ID) state |= BLOCK_FRAGILE;
  return state;
}

// --- atomic sections ---

static SectionSize section_size(LargeBlocks *blocks, LocationId id) {
  const SectionSize endless = {.paths = MOST_PATHS + 1, .longest = MOST_SECTION_STEPS, .cyclic = true};
  const Program *p = blocks->view;
  SectionSize *size = &blocks->sections[id];
  if (!p->locations.data[id].atomic) return (SectionSize){.paths = 1};
  if (size->open) return endless;
  if (size->paths > 0) return *size;
  size->open = true;
  SectionSize sum = {0};
  uint32_t count;
  const EdgeId *edges = location_edges(p, id, &count);
  for (uint32_t i = 0; i < count && sum.paths <= MOST_PATHS; i++) {
    const Edge *edge = &p->edges.data[edges[i]];
    SectionSize rest = section_size(blocks, edge->to);
    sum.paths += rest.paths;
    sum.cyclic |= rest.cyclic;
    if (rest.longest + 1 > sum.longest) sum.longest = rest.longest + 1;
  }
  if (sum.longest > MOST_SECTION_STEPS) sum.longest = MOST_SECTION_STEPS;
  if (sum.paths == 0) sum.paths = 1; // a dead end
  *size = sum;
  assert(size->paths > 0 && !size->open);
  return sum;
}

static bool ends_execution(const Step *step) {
  return step->kind == STEP_ERROR || step->kind == STEP_FAULT || step->kind == STEP_HALT || step->kind == STEP_CUT;
}

// Counts the paths from a location inside a section that the known constants permit, and all their steps. False: too
// many.
static bool count_known_paths(LargeBlocks *blocks, LocationId id, uint32_t length, uint32_t *paths, uint32_t *steps) {
  const Program *p = blocks->view;
  const Location *location = &p->locations.data[id];
  if (!location->atomic) return ++*paths <= MOST_UNROLLED_PATHS;
  if (length == LONGEST_UNROLLED) return false;
  bool few = true;
  uint32_t count;
  const EdgeId *edges = location_edges(p, id, &count);
  for (uint32_t i = 0; i < count && few; i++) {
    const Edge *edge = &p->edges.data[edges[i]];
    const Step *step = edge_step(p, edge, 0);
    size_t mark = path_constants_mark(&blocks->known);
    if (path_constants_step(&blocks->known, step)) {
      few = ++*steps <= MOST_SECTION_STEPS;
      if (few && !ends_execution(step)) few = count_known_paths(blocks, edge->to, length + 1, paths, steps);
    }
    path_constants_undo(&blocks->known, mark);
  }
  return few;
}

static bool can_enumerate(LargeBlocks *blocks, LocationId inside) {
  SectionSize size = section_size(blocks, inside);
  uint32_t paths = 0, steps = 0;
  if (size.cyclic) return count_known_paths(blocks, inside, 0, &paths, &steps);
  return size.paths <= MOST_PATHS && (uint64_t)size.paths * size.longest <= MOST_SECTION_STEPS;
}

// Fills `waiting`, for infinite executions only.
static void find_waiting(LargeBlocks *blocks) {
  const Program *p = blocks->view;
  bool changed = p->infinite;
  while (changed) {
    changed = false;
    for (size_t e = p->edges.count; e-- > 0;) { // most edges lead to higher numbers
      const Edge *edge = &p->edges.data[e];
      if (!p->locations.data[edge->from].atomic || blocks->waiting[edge->from]) continue;
      bool stops = may_stop(p, edge_step(p, edge, 0));
      if (!edge->back && !stops && !may_wait(blocks, edge)) continue;
      blocks->waiting[edge->from] = changed = true;
    }
  }
}

// --- blocks ---

static void keep(LargeBlocks *blocks, LocationId location) {
  if (blocks->kept[location]) return;
  blocks->kept[location] = true;
  U32Vector_push(&blocks->starts, location);
}

// Emits the present path as a block that leads to `to`.
static void emit(LargeBlocks *blocks, LocationId to) {
  const Program *p = blocks->view;
  assert(blocks->path.count > 0);
  Edge block = {.from = blocks->start, .to = to, .first_step = (StepId)blocks->steps.count};
  for (size_t i = 0; i < blocks->path.count; i++) {
    const Edge *edge = &p->edges.data[blocks->path.data[i]];
    StepVector_push(&blocks->steps, *edge_step(p, edge, 0));
    block.back = edge->back; // that of the last one
  }
  block.step_count = (uint32_t)blocks->path.count;
  assert(block.first_step + block.step_count == blocks->steps.count);
  EdgeVector_push(&blocks->edges, block);
  keep(blocks, to);
}

// Emits a path of a section that can never be finished, as a block that ends in a false assume step. No thread takes
// the block, but a thread may wait on the path, or stand before the local steps at its beginning.
static void emit_dead_end(LargeBlocks *blocks, LocationId end) {
  const Program *p = blocks->view;
  if (!p->infinite) return;
  emit(blocks, end);
  Step stop = step_plain(p, p->locations.data[end].position);
  stop.kind = STEP_ASSUME;
  stop.guard = term_false(p->terms);
  StepVector_push(&blocks->steps, stop);
  EdgeVector_last(&blocks->edges)->step_count++;
}

// Can an edge that leaves the location be taken in every state? If the guards leave a gap, the thread may stop there.
static bool is_complete(const Program *p, LocationId location) {
  Term any = term_false(p->terms);
  uint32_t count;
  const EdgeId *edges = location_edges(p, location, &count);
  for (uint32_t i = 0; i < count; i++) {
    const Step *step = edge_first_step(p, edges[i]);
    if (step->access.address != TERM_NONE && !term_is_true(p->terms, step->guard)) return false;
    any = term_or(p->terms, any, step->guard);
  }
  return term_is_true(p->terms, any);
}

// May a thread at the location be disabled for ever, rather than blocked?
static bool may_be_disabled_at(const LargeBlocks *blocks, LocationId id) {
  const Program *p = blocks->view;
  bool waits = p->locations.data[id].final;
  uint32_t count;
  const EdgeId *edges = location_edges(p, id, &count);
  for (uint32_t i = 0; i < count; i++) {
    const Edge *edge = &p->edges.data[edges[i]];
    const Step *step = edge_step(p, edge, 0);
    if (may_be_disabled(p, step) || blocks->waiting[edge->to]) return true;
    waits |= step_may_block(step);
  }
  return !waits && !is_complete(p, id);
}

// May the block in this state be extended past the location, with `more` steps after the present path?
static bool can_go_through(const LargeBlocks *blocks, LocationId id, unsigned state, size_t more) {
  const Program *p = blocks->view;
  const Location *location = &p->locations.data[id];
  if (location->in_count != 1 || location->out_count == 0 || location->loop_head || location->final ||
      location->atomic || p->threads.data[location->thread].entry == id || blocks->path.count + more >= LONGEST_BLOCK)
    return false;
  uint32_t count;
  const EdgeId *edges = location_edges(p, id, &count);
  for (uint32_t i = 0; i < count; i++) {
    const Edge *edge = &p->edges.data[edges[i]];
    if (!may_follow(blocks, edge, state)) return false;
    if (!p->infinite || !(state & BLOCK_VISIBLE) || !may_be_disabled_at(blocks, edge->to)) continue;
    if (!can_go_through(blocks, edge->to, state_after(blocks, edge, state), more + 1)) return false;
  }
  return !(state & BLOCK_WROTE) || is_complete(p, id);
}

// Do the guards of the edges that leave the location exclude each other? False if that cannot be shown.
static bool is_decided(const Program *p, LocationId location) {
  Term before = term_false(p->terms);
  uint32_t count;
  const EdgeId *edges = location_edges(p, location, &count);
  for (uint32_t i = 0; i < count; i++) {
    Term guard = edge_first_step(p, edges[i])->guard;
    if (!term_is_false(p->terms, term_and(p->terms, before, guard))) return false;
    before = term_or(p->terms, before, guard);
  }
  return true;
}

// False: the edge cannot be taken.
static bool extend(LargeBlocks *blocks, EdgeId edge, unsigned state, bool in_section);

// Extends the block by every edge that leaves the location. False: none can be taken.
static bool extend_all(LargeBlocks *blocks, LocationId id, unsigned state, bool in_section) {
  const Program *p = blocks->view;
  bool some = false;
  if (p->infinite && !is_decided(p, id)) state |= BLOCK_CHOSE;
  uint32_t count;
  const EdgeId *edges = location_edges(p, id, &count);
  for (uint32_t i = 0; i < count; i++) some |= extend(blocks, edges[i], state, in_section);
  return some;
}

// Adds the edge `id` to the block and extends it as far as the rules permit, on every path; emits the blocks so made.
static bool extend(LargeBlocks *blocks, EdgeId id, unsigned state, bool in_section) {
  const Program *p = blocks->view;
  const Edge *edge = &p->edges.data[id];
  const Step *step = edge_step(p, edge, 0);
  size_t mark = path_constants_mark(&blocks->known);
  bool possible = !in_section || path_constants_step(&blocks->known, step);
  if (!possible && !step_may_block(step)) {
    path_constants_undo(&blocks->known, mark);
    return false;
  }
  bool atomic = p->locations.data[edge->to].atomic;
  bool whole =
      in_section || (blocks->kind != KIND_SINGLE && enters_section(p, edge) && can_enumerate(blocks, edge->to));
  U32Vector_push(&blocks->path, id);
  if (!possible) {
    emit_dead_end(blocks, edge->to); // the thread is blocked there for ever
  } else if (ends_execution(step)) {
    emit(blocks, edge->to); // also inside a section, where nothing follows
  } else if (whole && atomic) {
    if (!extend_all(blocks, edge->to, BLOCK_VISIBLE | BLOCK_WROTE, true)) emit_dead_end(blocks, edge->to);
  } else if (atomic) {
    emit(blocks, edge->to); // a section that is left as it is
  } else {
    state = whole ? BLOCK_VISIBLE | BLOCK_WROTE : state_after(blocks, edge, state);
    if (stands_alone(step)) state |= BLOCK_CLOSED;
    if (blocks->kind != KIND_SECTIONS && can_go_through(blocks, edge->to, state, 0))
      extend_all(blocks, edge->to, state, false);
    else
      emit(blocks, edge->to);
  }
  U32Vector_pop(&blocks->path);
  path_constants_undo(&blocks->known, mark);
  return true;
}

// Each edge that leaves the location becomes a block of its own.
static void emit_single(LargeBlocks *blocks, LocationId id) {
  assert(blocks->path.count == 0);
  uint32_t count;
  const EdgeId *edges = location_edges(blocks->view, id, &count);
  for (uint32_t i = 0; i < count; i++) {
    EdgeId edge = edges[i];
    U32Vector_push(&blocks->path, edge);
    emit(blocks, blocks->view->edges.data[edge].to);
    U32Vector_pop(&blocks->path);
  }
}

static void build(LargeBlocks *blocks) {
  Program *p = blocks->view;
  for (size_t t = 0; t < p->threads.count; t++)
    if (p->threads.data[t].entry != NO_ID) keep(blocks, p->threads.data[t].entry);
  while (blocks->starts.count) {
    assert(blocks->path.count == 0 && path_constants_mark(&blocks->known) == 0);
    blocks->start = U32Vector_pop(&blocks->starts);
    if (p->locations.data[blocks->start].atomic)
      emit_single(blocks, blocks->start);
    else
      extend_all(blocks, blocks->start, 0, false);
  }
}

// --- memory that another thread may free ---

static ObjectId dynamic_object(const Program *p, CellSet set, ThreadId thread) {
  const uint32_t *cells = cell_set_cells(p, set);
  ObjectId first = NO_ID;
  bool dynamic = false, several = false;
  for (uint32_t i = 0; i < set.count; i++) {
    ObjectId object = p->cells.data[cells[i]].object;
    if (first == NO_ID) first = object;
    several |= object != first;
    const Object *o = &p->objects.data[object];
    dynamic |= o->dynamic && (o->storage != STORAGE_STACK || o->owner != thread);
  }
  if (!dynamic) return NO_ID;
  return several ? SEVERAL_OBJECTS : first;
}

// The only thread that frees memory or ends the life of an object. NO_ID: none does, or several do (`several`).
static ThreadId freeing_thread(const Program *p, bool *several) {
  ThreadId only = NO_ID;
  *several = false;
  for (size_t e = 0; e < p->edges.count; e++) {
    const Edge *edge = &p->edges.data[e];
    StepKind kind = edge_step(p, edge, 0)->kind;
    if (kind != STEP_FREE && kind != STEP_END) continue;
    ThreadId thread = p->locations.data[edge->from].thread;
    *several |= only != NO_ID && only != thread;
    only = thread;
  }
  return *several ? NO_ID : only;
}

static void find_fragile(LargeBlocks *blocks) {
  const Program *p = blocks->view;
  for (size_t s = 0; s < p->steps.count; s++) blocks->fragile[s] = NO_ID;
  bool several;
  ThreadId only = freeing_thread(p, &several);
  if (only == NO_ID && !several) return;
  for (size_t e = 0; e < p->edges.count; e++) {
    const Edge *edge = &p->edges.data[e];
    const Access *access = &edge_step(p, edge, 0)->access;
    ThreadId thread = p->locations.data[edge->from].thread;
    if (access->address == TERM_NONE || thread == only) continue;
    blocks->fragile[edge->first_step] = dynamic_object(p, access->cells, thread);
  }
}

static void join(Program *view, BlockKind kind) {
  Account *account = view->account;
  size_t locations = view->locations.count, steps = view->steps.count;
  LargeBlocks blocks = {.view = view, .kind = kind};
  blocks.shared = program_shared_steps(view, account);
  blocks.fragile = memory_allocate(account, steps * sizeof *blocks.fragile);
  blocks.sections = memory_allocate_zeroed(account, locations * sizeof *blocks.sections);
  blocks.kept = memory_allocate_zeroed(account, locations * sizeof *blocks.kept);
  blocks.waiting = memory_allocate_zeroed(account, locations * sizeof *blocks.waiting);
  life_shared_objects(view, &blocks.lives, account);
  path_constants_init(&blocks.known, view, account);
  U32Vector_init(&blocks.starts, account);
  U32Vector_init(&blocks.path, account);
  StepVector_init(&blocks.steps, account);
  EdgeVector_init(&blocks.edges, account);
  for (size_t e = 0; e < view->edges.count; e++) assert(view->edges.data[e].step_count == 1);
  find_fragile(&blocks);
  find_waiting(&blocks);
  build(&blocks);
  memory_free(account, blocks.fragile, steps * sizeof *blocks.fragile);
  memory_free(account, blocks.shared, steps * sizeof *blocks.shared);
  memory_free(account, blocks.sections, locations * sizeof *blocks.sections);
  memory_free(account, blocks.kept, locations * sizeof *blocks.kept);
  memory_free(account, blocks.waiting, locations * sizeof *blocks.waiting);
  path_constants_free(&blocks.known);
  bitset_free(&blocks.lives);
  U32Vector_free(&blocks.starts);
  U32Vector_free(&blocks.path);
  StepVector_free(&view->steps);
  EdgeVector_free(&view->edges);
  view->steps = blocks.steps;
  view->edges = blocks.edges;
  program_sweep(view);
  pass_loops(view); // the head of a loop may lie inside a section that is one edge now; its backward edges were lost
}

void pass_large_blocks(Program *view) { join(view, KIND_LARGE); }

void pass_single_blocks(Program *view) { join(view, KIND_SINGLE); }

void pass_whole_sections(Program *view) { join(view, KIND_SECTIONS); }
