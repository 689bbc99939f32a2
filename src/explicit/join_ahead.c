#include "explicit/join_ahead.h"

enum { END_STATES = 4, ENDED_BIT = 1, FINISHED_BIT = 2 };

typedef struct Looking {
  Recorder recorder; // is called for every step that main attempts in a run
  Mover *mover;
  const ControlCells *control;
  ThreadMask group;
  uint8_t *before, *after; // copies of what main's transitions change
  // Of the last run:
  ThreadId worker; // at whose end main looked, or NO_ID
  bool foreign;    // main looked at anything else that other threads may change, or changed it
} Looking;

// --- the two components that main changes ---

static size_t saved_bytes(const StateLayout *layout) { return (size_t)layout->size[0] + layout->size[1]; }

static void save(const Looking *looking, uint8_t *to) {
  const StateLayout *layout = looking->mover->machine.layout;
  memcpy(to, looking->mover->machine.vector + layout->base[0], layout->size[0]);
  memcpy(to + layout->size[0], looking->mover->machine.vector + layout->base[1], layout->size[1]);
}

static void restore(const Looking *looking, const uint8_t *from) {
  const StateLayout *layout = looking->mover->machine.layout;
  memcpy(looking->mover->machine.vector + layout->base[0], from, layout->size[0]);
  memcpy(looking->mover->machine.vector + layout->base[1], from + layout->size[0], layout->size[1]);
}

// --- ends ---

unsigned worker_end_state(const ControlCells *control, const uint8_t *vector, ThreadId worker) {
  const Place *status = &control->status[worker], *ended = &control->ended[worker];
  unsigned state = 0;
  if (status->offset != NO_ID && vector_read(vector + status->offset, status->bytes) == THREAD_FINISHED)
    state |= FINISHED_BIT;
  if (ended->offset != NO_ID && vector_read(vector + ended->offset, ended->bytes) != 0) state |= ENDED_BIT;
  return state;
}

static void set_end_state(const Looking *looking, ThreadId worker, unsigned state) {
  uint8_t *vector = looking->mover->machine.vector;
  const Place *status = &looking->control->status[worker], *ended = &looking->control->ended[worker];
  uint64_t value = state & FINISHED_BIT ? THREAD_FINISHED : THREAD_RUNNING;
  if (status->offset != NO_ID) vector_write(vector + status->offset, status->bytes, value);
  if (ended->offset != NO_ID) vector_write(vector + ended->offset, ended->bytes, state & ENDED_BIT ? 1 : 0);
}

// --- one transition of main ---

// The worker at whose end the access looks; NO_ID: main alone touches the cell; MOST_MASKED_THREADS: anything else.
static ThreadId looks_at(const Looking *looking, CellId cell, const Access *access) {
  const StateLayout *layout = looking->mover->machine.layout;
  const Program *p = layout->program;
  const Object *object = &p->objects.data[p->cells.data[cell].object];
  bool shared_life = object->dynamic && layout->heap_toucher[p->cells.data[cell].object] != 0;
  if (layout->cell_toucher[cell] == 0) return shared_life ? MOST_MASKED_THREADS : NO_ID;
  bool constant = !layout->cell_written[cell] && p->cells.data[cell].initial != TERM_NONE;
  if (constant && !shared_life) return NO_ID;
  bool looks = object->storage == STORAGE_CONTROL && !access->writes && access->synchronises;
  if (!looks || !(looking->group & thread_bit(object->owner))) return MOST_MASKED_THREADS;
  uint64_t field = p->cells.data[cell].address - object->address;
  return field == CONTROL_STATUS || field == CONTROL_ENDED ? object->owner : MOST_MASKED_THREADS;
}

static void note_cell(Looking *looking, CellId cell, const Access *access) {
  ThreadId seen = looks_at(looking, cell, access);
  if (seen == NO_ID) return;
  bool other = looking->worker != NO_ID && seen != looking->worker;
  if (seen == MOST_MASKED_THREADS || other)
    looking->foreign = true;
  else
    looking->worker = seen;
}

static void note_edge(Looking *looking, const EdgeCode *edge) {
  Machine *machine = &looking->mover->machine;
  const LocationCode *from = &machine->code->locations[edge->from];
  const Step *step = &machine->program->steps.data[edge->step];
  bool lives = step->kind == STEP_ALLOCATE || step->kind == STEP_END;
  if (lives && machine->layout->heap_toucher[step->target] != 0) looking->foreign = true;
  if (step->kind == STEP_FREE || step->kind == STEP_CREATE) looking->foreign = true;
  if (!from->exclusive && from->edge_count > 1) looking->foreign = true;
  if (step->access.address == TERM_NONE) return;
  CellId first;
  uint32_t count;
  if (!machine_locate(machine, edge, &first, &count)) {
    looking->foreign = true;
    return;
  }
  for (uint32_t c = 0; c < count; c++) note_cell(looking, first + c, &step->access);
}

static void record_attempt(Recorder *recorder, EdgeId edge) {
  Looking *looking = (Looking *)recorder;
  const MachineCode *code = looking->mover->machine.code;
  note_edge(looking, &code->edges[code->edge_index[edge]]);
}
static void record_value(Recorder *recorder, ChoiceKind kind, uint32_t id, uint64_t value) {
  (void)recorder, (void)kind, (void)id, (void)value;
}
static void record_taken(Recorder *recorder, ThreadId thread, EdgeId edge) { (void)recorder, (void)thread, (void)edge; }

// Main cannot go on: notes everything that it looked at here.
static void note_blocked_at(Looking *looking) {
  const Machine *machine = &looking->mover->machine;
  const LocationCode *at = &machine->code->locations[vector_location(machine->layout, machine->vector, 0)];
  for (uint32_t i = 0; i < at->edge_count; i++) note_edge(looking, &machine->code->edges[at->first_edge + i]);
}

// Did a run come to the end of the model or of the process? Then it would be wrong to put it off: other threads may
// never finish, and nothing would be reported.
static bool has_notes(const Mover *mover) {
  bool any = mover->bounded || !bitset_empty(&mover->machine.ended) || !bitset_empty(&mover->machine.unforeseen);
  for (CutId c = 0; !any && c < mover->machine.program->cuts.count; c++) any = mover->cuts_met[c];
  return any;
}

// Runs one transition of main and notes what it looks at.
static TransitionResult run(Looking *looking) {
  Chooser *chooser = looking->mover->machine.chooser;
  chooser->digits.count = chooser->position = chooser->base;
  looking->mover->waits = looking->mover->assumes = looking->foreign = false;
  looking->worker = NO_ID;
  TransitionResult result = mover_run(looking->mover, 0);
  if (result == TRANSITION_BLOCKED) note_blocked_at(looking);
  looking->foreign |= has_notes(looking->mover);
  bool chooses = chooser->position > chooser->base;
  chooser->digits.count = chooser->position = chooser->base;
  return chooses ? TRANSITION_ENDLESS : result; // anything but what a join does
}

// Runs main with this end of the worker. False: it is no join.
static bool try_end(Looking *looking, ThreadId worker, unsigned state, EndStates *passes) {
  restore(looking, looking->before);
  set_end_state(looking, worker, state);
  TransitionResult result = run(looking);
  if (looking->foreign || looking->worker != worker) return false;
  if (result == TRANSITION_BLOCKED) return looking->mover->waits && !looking->mover->assumes;
  if (result != TRANSITION_DONE) return false;
  *passes |= (EndStates)(1 << state);
  set_end_state(looking, worker, FINISHED_BIT | ENDED_BIT);
  const StateLayout *layout = looking->mover->machine.layout;
  const uint8_t *vector = looking->mover->machine.vector;
  return memcmp(vector + layout->base[0], looking->after, layout->size[0]) == 0 &&
         memcmp(vector + layout->base[1], looking->after + layout->size[0], layout->size[1]) == 0;
}

// Main has just taken a transition from `before` to `after`: is it a join of this worker?
static bool is_join(Looking *looking, ThreadId worker, EndStates *passes) {
  *passes = 0;
  for (unsigned state = 0; state < END_STATES; state++) {
    if (!try_end(looking, worker, state, passes)) return false;
    for (unsigned less = 0; less < state; less++) // what has passed passes when the thread has gone further
      if ((less & ~state) == 0 && *passes >> less & 1 && !(*passes >> state & 1)) return false;
  }
  return !(*passes & 1) && *passes >> (FINISHED_BIT | ENDED_BIT) & 1;
}

// May main's next transition look at the end of a worker?
static bool at_watched(const Looking *looking) {
  const Machine *machine = &looking->mover->machine;
  const Footprint *footprint = looking->mover->footprint;
  const StopInfo *info = &footprint->locations[vector_location(machine->layout, machine->vector, 0)];
  if (!info->stop || info->cut) return false;
  for (uint32_t i = 0; i < info->next_count; i++)
    if (bitset_get(&looking->control->watched, footprint->next.data[info->first_next + i].resource)) return true;
  return false;
}

static JoinAhead look(Looking *looking) {
  JoinAhead ahead = {.group = looking->group};
  for (;;) {
    save(looking, looking->before);
    if (!at_watched(looking) || run(looking) != TRANSITION_DONE) break;
    ThreadId worker = looking->worker;
    if (looking->foreign || worker == NO_ID || ahead.threads & thread_bit(worker)) break;
    save(looking, looking->after);
    EndStates passes;
    if (!is_join(looking, worker, &passes) || (ahead.threads && passes != ahead.passes)) break;
    ahead.passes = passes;
    ahead.threads |= thread_bit(worker);
    ahead.moves++;
    restore(looking, looking->after);
  }
  return ahead;
}

// What the runs must not leave behind in the mover besides the state.
typedef struct MoverNotes {
  Bitset ended, unforeseen;
  bool *cuts_met;
  bool bounded;
} MoverNotes;

static void notes_keep(MoverNotes *notes, Mover *mover, Account *account) {
  const Program *p = mover->machine.program;
  bitset_init(&notes->ended, mover->machine.ended.bits, account);
  bitset_init(&notes->unforeseen, mover->machine.unforeseen.bits, account);
  bitset_copy(&notes->ended, &mover->machine.ended);
  bitset_copy(&notes->unforeseen, &mover->machine.unforeseen);
  notes->cuts_met = memory_allocate(account, p->cuts.count * sizeof(bool));
  if (p->cuts.count) memcpy(notes->cuts_met, mover->cuts_met, p->cuts.count * sizeof(bool));
  notes->bounded = mover->bounded;
  bitset_clear_all(&mover->machine.ended);
  bitset_clear_all(&mover->machine.unforeseen);
  if (p->cuts.count) memset(mover->cuts_met, 0, p->cuts.count * sizeof(bool));
  mover->bounded = false;
}

static void notes_put_back(MoverNotes *notes, Mover *mover, Account *account) {
  const Program *p = mover->machine.program;
  bitset_copy(&mover->machine.ended, &notes->ended);
  bitset_copy(&mover->machine.unforeseen, &notes->unforeseen);
  if (p->cuts.count) memcpy(mover->cuts_met, notes->cuts_met, p->cuts.count * sizeof(bool));
  mover->bounded = notes->bounded;
  memory_free(account, notes->cuts_met, p->cuts.count * sizeof(bool));
  bitset_free(&notes->unforeseen);
  bitset_free(&notes->ended);
}

JoinAhead join_ahead(Mover *mover, const ControlCells *control, ThreadMask group, Account *account) {
  const StateLayout *layout = mover->machine.layout;
  Looking looking = {.recorder = {record_value, record_attempt, record_taken},
                     .mover = mover,
                     .control = control,
                     .group = group & control->workers};
  if (looking.group == 0 || !at_watched(&looking)) return (JoinAhead){.group = group};
  size_t bytes = saved_bytes(layout);
  uint8_t *start = memory_allocate(account, bytes);
  looking.before = memory_allocate(account, bytes);
  looking.after = memory_allocate(account, bytes);
  Chooser saved = *mover->machine.chooser;
  MoverNotes notes;
  notes_keep(&notes, mover, account);
  mover->machine.chooser->base = mover->machine.chooser->digits.count;
  mover->machine.chooser->random = false;
  mover->machine.chooser->recorder = &looking.recorder;
  mover->machine.chooser->sampled = NULL;
  save(&looking, start);
  for (ThreadMask rest = looking.group; rest != 0; rest &= rest - 1)
    set_end_state(&looking, first_thread(rest), FINISHED_BIT | ENDED_BIT);
  JoinAhead ahead = look(&looking);
  restore(&looking, start);
  Chooser *chooser = mover->machine.chooser;
  assert(chooser->digits.count == saved.digits.count);
  chooser->base = saved.base;
  chooser->position = saved.position;
  chooser->random = saved.random;
  chooser->recorder = saved.recorder;
  chooser->sampled = saved.sampled;
  notes_put_back(&notes, mover, account);
  memory_free(account, looking.after, bytes);
  memory_free(account, looking.before, bytes);
  memory_free(account, start, bytes);
  ahead.group = group;
  return ahead;
}
