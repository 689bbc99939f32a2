// Blocks that are not freed: how many blocks of each place that allocates them live is counted in an object of the
// model, and CHECK steps look at it where the process ends.
//
// A block is counted by a step behind its ALLOCATE step and taken off by a step before its FREE step. So at least as
// many blocks of the place live as are counted, and each violation that is found is one. (Taking off what is no block,
// or a block for a second time, makes the count smaller; the execution ends at the FREE step that follows.) None is
// missed: a thread that ends the process between the two steps of an allocation may end it after them, too, and one
// that ends it between the two steps of a deallocation may end it before them.
//
// All places, blocks and ends are known when all code is lowered; so these steps are completed then. Where there are so
// many places and ends that there would be too many checks, all places share one count.
#include "front/objects/objects.h"
#include "front/sites/sites.h"
#include "program/passes/rewrite.h"

#include <string.h>

enum { COUNT_BYTES = 4, MOST_CHECKS = 4000 };

// --- while code is lowered ---

static bool counts(const Lowering *l) { return l->view.leaks && l->current != NO_ID; }

static Step count_step(Lowering *l, Term address) {
  Step step = builder_step(l);
  step.access.address = address;
  step.access.bytes = COUNT_BYTES;
  step.access.reads = step.access.synchronises = step.access.unordered = true;
  step.access.into = builder_temporary(l, 8 * COUNT_BYTES, "blocks");
  return step;
}

// Adds one for a pointer that is not null, or takes one off.
static void change_count(Lowering *l, const char *site, Term pointer, TermOperator change) {
  assert(pointer != TERM_NONE && (change == TERM_ADD || change == TERM_SUB));
  builder_flush(l);
  Step step = count_step(l, constant_address(l, 0));
  Term one = term_resize_unsigned(l->terms, term_is_nonzero(l->terms, pointer), 8 * COUNT_BYTES);
  step.access.writes = true;
  step.access.stored = term_binary(l->terms, change, variable_term(l->program, step.access.into), one);
  BlockCount count = {.edge = (EdgeId)l->program->edges.count, .site = site, .pointer = pointer};
  BlockCountVector_push(&l->block_counts, count);
  builder_emit(l, &step);
}

static BlockSite *find_site(const Lowering *l, const char *name) {
  for (size_t i = 0; i < l->block_sites.count; i++)
    if (l->block_sites.data[i].name == name) return &l->block_sites.data[i];
  return NULL;
}

static void add_site(Lowering *l, const char *name) {
  const char *slash = strrchr(name, '/');
  const char *what = intern_format(&l->program->strings, "unfreed blocks of %s", slash ? slash + 1 : name);
  BlockSite site = {.name = name, .position = l->position};
  site.count = lower_object(l, COUNT_BYTES, COUNT_BYTES, STORAGE_GLOBAL, NO_ID, what);
  if (site.count != NO_ID) BlockSiteVector_push(&l->block_sites, site);
}

void leaks_allocated(Lowering *l, LLVMValueRef call) {
  if (!counts(l)) return;
  builder_save_values_here(l);
  Term pointer = value_term(l, call);
  if (pointer == TERM_NONE) return;
  const char *name = site_origin(l);
  if (!find_site(l, name)) add_site(l, name);
  change_count(l, name, pointer, TERM_ADD);
}

void leaks_freed(Lowering *l, Term pointer) {
  if (counts(l)) change_count(l, NULL, pointer, TERM_SUB);
}

// The CHECK_SCOPE of the innermost activation, if it has pointers. What the function returns may be one of them; so all
// values are saved before the step that clears them.
void leaks_return(Lowering *l) {
  if (!counts(l) || l->top->info->library) return;
  builder_save_values_here(l);
  U32Vector ended;
  AssignmentVector cleared;
  U32Vector_init(&ended, l->account);
  AssignmentVector_init(&cleared, l->account);
  for (size_t i = l->top->first_binding; i < l->bindings.count; i++) {
    const Binding *binding = &l->bindings.data[i];
    if (binding->address && binding->object != NO_ID) U32Vector_push(&ended, binding->object);
    if (binding->variable != NO_ID && l->program->variables.data[binding->variable].pointer)
      AssignmentVector_push(&cleared, (Assignment){binding->variable, constant_address(l, 0)});
  }
  if (cleared.count || ended.count) {
    const PropertyCheck scope = {.subject = CHECK_SCOPE,
                                 .ended = arena_copy(&l->program->arena, ended.data, ended.count * sizeof *ended.data),
                                 .ended_count = (uint32_t)ended.count};
    Step step = builder_step(l);
    step.kind = STEP_CHECK;
    step.operand = term_false(l->terms);
    step.check = arena_copy(&l->program->arena, &scope, sizeof scope);
    step.assignments = cleared.data;
    step.assignment_count = (uint32_t)cleared.count;
    builder_emit(l, &step);
  }
  AssignmentVector_free(&cleared);
  U32Vector_free(&ended);
}

// Has main returned, or is the thread past its routine?
static bool has_no_stack(const Lowering *l) {
  const Activation *at = l->top;
  while (at && at->info->library && strcmp(at->info->name, "__heddle_thread_end") != 0) at = at->caller;
  return !at || at->info->library;
}

void leaks_check(Lowering *l) {
  if (!counts(l)) return;
  builder_save_values_here(l);
  builder_flush(l);
  ProcessEnd end = {.thread = l->thread, .from = l->current, .position = l->position, .no_stack = has_no_stack(l)};
  end.to = l->current = builder_location(l);
  ProcessEndVector_push(&l->process_ends, end);
}

// --- counts ---

// The count of the first place becomes that of all.
static void share_count(Lowering *l) {
  BlockSite all = {.count = l->block_sites.data[0].count};
  l->program->objects.data[all.count].name = intern(&l->program->strings, "blocks that are not freed");
  BlockSiteVector_clear(&l->block_sites);
  BlockSiteVector_push(&l->block_sites, all);
}

// The address of the count of the blocks of a place.
static Term count_of(Lowering *l, const char *name) {
  const BlockSite *site = find_site(l, name);
  if (!site) site = &l->block_sites.data[0]; // that of all places, or a block that is not counted
  return object_address(l, site->count);
}

// The address of the count of the block that the pointer points to. The blocks that a place hands out one after the
// other have addresses one after the other.
static Term count_at(Lowering *l, Term pointer) {
  Term address = count_of(l, NULL);
  const Program *p = l->program;
  for (ObjectId o = 0; o < p->objects.count; o++) {
    const Object *first = &p->objects.data[o], *last = first;
    if (first->storage != STORAGE_HEAP || first->own) continue;
    for (; o + 1 < p->objects.count; o++) {
      const Object *next = &p->objects.data[o + 1];
      bool counted = next->storage == STORAGE_HEAP && !next->own;
      if (counted && next->origin != first->origin) break;
      if (counted) last = next;
    }
    Term size = constant_address(l, last->address - first->address);
    Term offset = term_sub(l->terms, pointer, constant_address(l, first->address));
    address = term_ite(l->terms, term_binary(l->terms, TERM_ULE, offset, size), count_of(l, first->origin), address);
  }
  return address;
}

static void complete_count(Lowering *l, const BlockCount *count) {
  Step *step = edge_only_step(l->program, count->edge);
  assert(step->access.writes && step->access.bytes == COUNT_BYTES);
  if (l->block_sites.count == 0) // only null pointers are freed
    step_drop_access(step);
  else
    step->access.address = count->site ? count_of(l, count->site) : count_at(l, count->pointer);
}

// --- checks ---

static void add_checks(Lowering *l, const BlockSite *site, bool no_stack) {
  Step look = count_step(l, object_address(l, site->count));
  Term count = variable_term(l->program, look.access.into);
  builder_emit(l, &look);
  for (CheckSubject subject = CHECK_CLEANUP; subject <= CHECK_TRACK; subject++) {
    const PropertyCheck left = {.subject = subject,
                                .no_stack = no_stack,
                                .site = site->name,
                                .file = site->position.file,
                                .line = site->position.line};
    Step check = builder_step(l);
    check.kind = STEP_CHECK;
    check.operand = term_binary(l->terms, TERM_SLT, term_constant(l->terms, 8 * COUNT_BYTES, 0), count);
    check.check = arena_copy(&l->program->arena, &left, sizeof left);
    if (subject == CHECK_TRACK)
      check.target =
          program_add_cut(l->program, CUT_CONSTRUCT, "pointers to blocks that are left at the end", l->position);
    builder_emit(l, &check);
  }
}

static void complete_end(Lowering *l, const ProcessEnd *end) {
  lower_thread_resume(l, end->thread);
  l->position = end->position;
  l->atomic_depth = l->program->locations.data[end->from].atomic;
  l->current = end->from;
  for (size_t i = 0; i < l->block_sites.count; i++) add_checks(l, &l->block_sites.data[i], end->no_stack);
  Step step = builder_step(l);
  builder_emit_to(l, &step, end->to, true);
}

void leaks_finish(Lowering *l) {
  if (!l->view.leaks) return;
  if (l->block_sites.count * l->process_ends.count > MOST_CHECKS) share_count(l);
  for (size_t i = 0; i < l->block_counts.count; i++) complete_count(l, &l->block_counts.data[i]);
  for (size_t i = 0; i < l->process_ends.count; i++) complete_end(l, &l->process_ends.data[i]);
}
