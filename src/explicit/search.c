#include "explicit/search.h"

#include "judge/wording.h"
#include "verdict/verdict.h"

enum { MOST_SLEEPERS = 32 }; // components: threads and one more; a note has 31 bits for sleepers

void search_init(Search *search, Mover *mover, bool reduce, bool sleeps, uint64_t max_states, Budget *budget, Log *log,
                 Path *path, Account *account) {
  const StateLayout *layout = mover->machine.layout;
  *search = (Search){.mover = mover,
                     .property = mover->machine.property,
                     .reduce = reduce,
                     .sleeps = sleeps && layout->component_count <= MOST_SLEEPERS,
                     .max_states = max_states,
                     .budget = budget,
                     .log = log,
                     .path = path,
                     .account = account};
  store_init(&search->store, layout->size, layout->component_count, account);
  FrameVector_init(&search->frames, account);
  FrameExchangeVector_init(&search->exchanges, account);
  search->arrival = exchange_none();
  search->tuple = memory_allocate_zeroed(account, layout->component_count * sizeof(uint32_t));
  race_init(&search->races, layout, account);
  state_sources_init(&search->sources, mover->machine.program, account);
  sampled_choices_init(&search->sampled, mover->machine.program, account);
  mover->machine.chooser->sampled = &search->sampled; // trials of readiness count, too
  mover->log_accesses = search->property == PROPERTY_NO_DATA_RACE;
}

void search_free(Search *search) {
  search->mover->machine.chooser->sampled = NULL;
  sampled_choices_free(&search->sampled);
  state_sources_free(&search->sources);
  race_free(&search->races, search->mover->machine.layout);
  memory_free(search->account, search->tuple, search->store.component_count * sizeof(uint32_t));
  FrameExchangeVector_free(&search->exchanges);
  FrameVector_free(&search->frames);
  store_free(&search->store);
}

void search_exchange(Search *search, Symmetry *symmetry) {
  assert(!search->sleeps && search->statistics.states == 0);
  search->symmetry = symmetry;
  search->mover->log_accesses = true;
}

// --- vector and store ---

// Interns one component of the vector, whose content was `old` before.
static uint32_t intern_component(Search *search, size_t component, uint32_t old) {
  const StateLayout *layout = search->mover->machine.layout;
  const uint8_t *content = search->mover->machine.vector + layout->base[component];
  return component_insert(&search->store.components[component], content, old);
}

static void restore_component(Search *search, size_t component, uint32_t id, uint32_t from) {
  const StateLayout *layout = search->mover->machine.layout;
  uint8_t *content = search->mover->machine.vector + layout->base[component];
  component_load(&search->store.components[component], id, from, content);
}

// Puts the vector back to the frame's state after a transition of its thread. `from`: the tuple of the state in the
// vector, or NULL: what is there was not stored.
static void restore(Search *search, const Frame *frame, const uint32_t *from) {
  assert(frame->thread != NO_ID && 1 + frame->thread < search->store.component_count);
  const uint32_t *tuple = store_tuple(&search->store, frame->state);
  size_t own = 1 + frame->thread;
  for (size_t c = 0; search->symmetry && from && c < search->store.component_count; c++)
    restore_component(search, c, tuple[c], from[c]);
  if (search->symmetry && from) return;
  restore_component(search, 0, tuple[0], from ? from[0] : NO_CONTENT);
  restore_component(search, own, tuple[own], from ? from[own] : NO_CONTENT);
}

// --- violations ---

// `real` says which slot of the execution has the content that a slot has in the state of frame `i`. Updates it on the
// way from the frame below.
static void undo_exchange(const Search *search, size_t i, Exchange *real) {
  if (!search->symmetry || i == 0) return;
  const FrameExchange *below = &search->exchanges.data[i - 1];
  for (ThreadMask rest = below->join_moves ? below->joined : 0; rest != 0; rest &= rest - 1)
    real->from[first_thread(rest)] = (uint8_t)first_thread(rest); // their contents are equal
  Exchange old = *real;
  for (ThreadId t = 0; t < MOST_MASKED_THREADS; t++)
    real->from[t] = old.from[search->exchanges.data[i].arrival.from[t]];
}

// The path to the top frame, or including its transition. Returns the slots of the execution at the end.
static Exchange build_path(Search *search, bool with_top) {
  Path *path = search->path;
  const DigitVector *digits = &search->mover->machine.chooser->digits;
  assert(search->frames.count > 0 && !search->found);
  path_clear(path);
  size_t count = search->frames.count - (with_top ? 0 : 1);
  Exchange real = exchange_none();
  for (size_t i = 0; i < count; i++) {
    const Frame *frame = &search->frames.data[i];
    undo_exchange(search, i, &real);
    ThreadId thread = real.from[frame->thread];
    uint32_t joins = search->symmetry ? search->exchanges.data[i].join_moves : 0;
    if (!joins) path_add(path, thread, digits->data + frame->first_digit, frame->digit_count);
    for (uint32_t k = 0; k < joins; k++) path_add(path, thread, NULL, 0);
  }
  search->found = true;
  return real;
}

// The last state is a deadlock. Main may stand before joins of which some are possible.
static void build_deadlock(Search *search) {
  build_path(search, false);
  search->path->onward = search->symmetry ? symmetry_joins(search->symmetry)->moves : 0;
}

// The path including the top frame's transition, and the event that races with it.
static void build_race(Search *search, const FoundRace *race) {
  Exchange real = build_path(search, true);
  FoundRace found = *race;
  found.second = real.from[race->second];
  if (found.second != race->second && race->edge != NO_ID) {
    const ThreadLists *edges = &search->symmetry->equal.edges;
    found.edge = thread_list_at(edges, found.second, edges->rank[race->edge]);
  }
  path_add_race(search->path, &found, &search->races);
}

// --- pushing states ---

static void choose_threads(Search *search, Frame *frame, const ThreadViews *views) {
  frame->enabled = views->enabled;
  uint64_t chosen = search->reduce ? persistent_set(views, search->mover) : views->enabled;
  assert((chosen & ~views->enabled) == 0 && (chosen != 0 || views->enabled == 0));
  if (search->symmetry) {
    frame->enabled = symmetry_representatives(search->symmetry, views->enabled, chosen);
    chosen &= frame->enabled;
  }
  frame->sleep &= frame->enabled;
  frame->todo = chosen & ~frame->sleep;
  frame->progressed = (chosen & frame->sleep) != 0; // elsewhere
  frame->reduced = chosen != frame->enabled;
  store_note(&search->store, frame->state)->slept = (uint32_t)(chosen & frame->sleep);
  if (frame->reduced && (chosen & (chosen - 1)) == 0) search->statistics.single++;
}

static void push_frame(Search *search, Frame *frame) {
  Chooser *chooser = search->mover->machine.chooser;
  assert((frame->todo & frame->sleep) == 0 && (frame->todo & ~frame->enabled) == 0);
  frame->thread = NO_ID;
  frame->first_digit = (uint32_t)chooser->digits.count;
  chooser->base = chooser->position = frame->first_digit;
  StateNote *note = store_note(&search->store, frame->state);
  frame->was_on_stack = note->on_stack;
  note->on_stack = 1;
  FrameVector_push(&search->frames, *frame);
  if (search->symmetry) FrameExchangeVector_push(&search->exchanges, (FrameExchange){.arrival = search->arrival});
  if (search->frames.count > search->statistics.max_depth) search->statistics.max_depth = search->frames.count;
}

// Main stands before joins that it takes at once: it waits until all of them are possible.
static void wait_for_joins(Search *search, ThreadViews *views) {
  if (!search->symmetry || !symmetry_joins(search->symmetry)->threads) return;
  ThreadMask main = thread_bit(0);
  views->enabled &= ~main;
  views->ending &= ~main;
  views->waiting &= ~main;
  views->assumed &= ~main;
  views->dead &= ~main;
  views->awaited = symmetry_awaited(search->symmetry);
  if (views->awaited)
    views->waiting |= main;
  else
    views->enabled |= main;
}

// The vector holds a state that was not visited before; `sleep`: the threads that sleep there.
static void push_state(Search *search, StateId state, uint64_t sleep) {
  Frame frame = {.state = state, .sleep = sleep};
  search->statistics.states++;
  Chooser *chooser = search->mover->machine.chooser;
  chooser->base = chooser->position = chooser->digits.count;
  ThreadViews views;
  views_fill(&views, search->mover);
  wait_for_joins(search, &views);
  choose_threads(search, &frame, &views);
  push_frame(search, &frame);
  if (search->property == PROPERTY_NO_DEADLOCK && views_violate(search->mover->machine.program, &views))
    build_deadlock(search);
}

// The vector holds a visited state at which `awake` slept before and does not now.
static void push_again(Search *search, StateId state, uint64_t awake, uint64_t sleep) {
  StateNote *note = store_note(&search->store, state);
  assert(search->sleeps && awake != 0 && (awake & sleep) == 0);
  Frame frame = {.state = state, .again = true, .todo = awake, .enabled = awake, .progressed = true};
  frame.sleep = note->slept & sleep;
  note->slept &= (uint32_t)sleep;
  search->statistics.woken++;
  push_frame(search, &frame);
}

static void push_initial(Search *search) {
  const StateLayout *layout = search->mover->machine.layout;
  Chooser *chooser = search->mover->machine.chooser;
  state_layout_initial(layout, search->mover->machine.vector);
  chooser->digits.count = 0;
  chooser->random = false;
  bool is_new;
  for (size_t c = 0; c < layout->component_count; c++)
    search->tuple[c] =
        component_insert(&search->store.components[c], search->mover->machine.vector + layout->base[c], NO_CONTENT);
  if (search->symmetry) symmetry_begin(search->symmetry, search->tuple[1]);
  push_state(search, records_insert(&search->store.states, search->tuple, &is_new), 0);
}

// --- expanding ---

// Exchanges the state in the vector to its representative.
static void exchange_equal(Search *search, const Frame *frame, const uint32_t *tuple) {
  uint32_t main = intern_component(search, 1, tuple[1]);
  bool joined = FrameExchangeVector_last(&search->exchanges)->join_moves != 0;
  symmetry_arrive(search->symmetry, frame->thread, joined, main, &search->arrival);
  for (size_t c = 1; c < search->store.component_count; c++)
    if (search->arrival.from[c - 1] != c - 1) search->tuple[c] = intern_component(search, c, tuple[c]);
}

// The state in the vector is new: notes where it comes from.
static void count_source(Search *search, const Frame *frame) {
  const Machine *machine = &search->mover->machine;
  const Chooser *chooser = machine->chooser;
  bool other = false;
  for (size_t i = frame->first_digit; i < chooser->position; i++) other |= chooser->digits.data[i].value != 0;
  state_sources_count(&search->sources, vector_location(machine->layout, machine->vector, frame->thread),
                      other ? chooser->step : NO_ID);
}

// A transition of the top frame's thread led to the state in the vector: visit it or go back.
static void arrive(Search *search) {
  Frame *frame = FrameVector_last(&search->frames);
  StateStore *store = &search->store;
  const uint32_t *tuple = store_tuple(store, frame->state);
  memcpy(search->tuple, tuple, store->tuple_bytes);
  if (search->symmetry) exchange_equal(search, frame, tuple);
  search->tuple[0] = intern_component(search, 0, tuple[0]);
  search->tuple[1 + frame->thread] = intern_component(search, 1 + frame->thread, tuple[1 + frame->thread]);
  bool is_new;
  StateId next = records_insert(&store->states, search->tuple, &is_new);
  frame->progressed = true;
  frame->moved |= UINT64_C(1) << frame->thread;
  uint64_t sleep = frame->child_sleep;
  if (is_new) {
    count_source(search, frame);
    push_state(search, next, sleep);
    return;
  }
  search->statistics.revisits++;
  const StateNote *note = store_note(store, next);
  if (note->on_stack) {
    frame->cycle = true;
    frame->cycling |= UINT64_C(1) << frame->thread;
  }
  uint64_t awake = note->slept & ~sleep;
  if (awake)
    push_again(search, next, awake, sleep);
  else
    restore(search, frame, search->tuple);
}

static bool told_apart(const Search *search) { return search->symmetry && search->symmetry->told_apart; }

// Main takes all its joins.
static TransitionResult run_joins(Search *search) {
  const JoinAhead *ahead = symmetry_joins(search->symmetry);
  FrameExchange *top = FrameExchangeVector_last(&search->exchanges);
  top->joined = ahead->threads;
  top->join_moves = ahead->moves;
  symmetry_before_joins(search->symmetry);
  TransitionResult result = TRANSITION_DONE;
  for (uint32_t i = 0; i < top->join_moves && result == TRANSITION_DONE && !told_apart(search); i++)
    result = mover_run(search->mover, 0);
  assert(result == TRANSITION_DONE);
  search->mover->accesses.count = 0; // nothing races with a join
  return result;
}

static TransitionResult run_top(Search *search, const Frame *frame) {
  Symmetry *symmetry = search->symmetry;
  if (!symmetry) return mover_run(search->mover, frame->thread);
  FrameExchangeVector_last(&search->exchanges)->join_moves = 0;
  symmetry_at(symmetry, store_tuple(&search->store, frame->state)[1]);
  if (frame->thread == 0 && symmetry_joins(symmetry)->threads) return run_joins(search);
  TransitionResult result = mover_run(search->mover, frame->thread);
  if (frame->thread == 0) symmetry_after_main(symmetry);
  return result;
}

// Runs the transition that the top frame's digits describe.
static void run_transition(Search *search) {
  Frame *frame = FrameVector_last(&search->frames);
  Chooser *chooser = search->mover->machine.chooser;
  TransitionResult result = run_top(search, frame);
  if (told_apart(search)) return;
  search->statistics.transitions++;
  assert(chooser->position >= frame->first_digit && chooser->position <= chooser->digits.count);
  frame->digit_count = (uint32_t)(chooser->position - frame->first_digit);
  FoundRace race;
  if (result == TRANSITION_DONE && search->property == PROPERTY_NO_DATA_RACE &&
      race_after_move(&search->races, search->mover, frame->thread, &race)) {
    build_race(search, &race);
    return;
  }
  if (result == TRANSITION_VIOLATES)
    build_path(search, true);
  else if (result == TRANSITION_DONE)
    arrive(search);
  else
    restore(search, frame, NULL);
}

void search_go_on(Search *search) {
  assert(search->found && search->frames.count > 0);
  search->found = false;
  const Frame *frame = FrameVector_last(&search->frames);
  if (frame->thread == NO_ID) return; // a deadlock: the state was pushed, and has no transition
  restore(search, frame, NULL);
  search->repeats = true;
  search->statistics.transitions--;
}

// Prepares the transition of the top frame once more, with the same choices.
static void repeat(Search *search) {
  const Frame *frame = FrameVector_last(&search->frames);
  Chooser *chooser = search->mover->machine.chooser;
  chooser->base = chooser->position = frame->first_digit;
  chooser->digits.count = frame->first_digit + frame->digit_count;
  search->repeats = false;
}

// The proviso: all enabled threads, but for those that sleep.
static void expand_fully(Search *search, Frame *frame) {
  assert(frame->reduced && frame->todo == 0);
  uint64_t missing = frame->enabled & ~frame->explored;
  frame->todo = missing & ~frame->sleep;
  frame->reduced = false;
  store_note(&search->store, frame->state)->slept |= (uint32_t)(missing & frame->sleep);
  search->statistics.full++;
}

// Moves the top frame on to its next transition; false if it has none left.
static bool advance(Search *search) {
  Frame *frame = FrameVector_last(&search->frames);
  Chooser *chooser = search->mover->machine.chooser;
  chooser->base = frame->first_digit;
  if (frame->thread != NO_ID) {
    chooser->digits.count = frame->first_digit + frame->digit_count;
    chooser->position = chooser->digits.count;
    if (chooser_next(chooser)) return true;
  }
  if (frame->todo == 0 && frame->reduced && (frame->cycle || !frame->progressed)) {
    expand_fully(search, frame);
  }
  if (frame->todo == 0) return false;
  frame->thread = (ThreadId)__builtin_ctzll(frame->todo);
  frame->todo &= frame->todo - 1;
  uint64_t others = frame->sleep | (frame->moved & ~frame->cycling);
  frame->child_sleep = search->sleeps ? independent_threads(search->mover, frame->thread, others) : 0;
  frame->explored |= UINT64_C(1) << frame->thread;
  frame->digit_count = 0;
  chooser->digits.count = frame->first_digit;
  chooser_restart(chooser);
  return true;
}

static void pop_state(Search *search) {
  Frame frame = FrameVector_pop(&search->frames);
  if (search->symmetry) FrameExchangeVector_pop(&search->exchanges);
  store_note(&search->store, frame.state)->on_stack = frame.was_on_stack;
  if (search->frames.count > 0)
    restore(search, FrameVector_last(&search->frames), store_tuple(&search->store, frame.state));
}

// Why a proof is out of reach already: the first limit of the model that was met.
static void tell_first_cut(const Search *search, Text *out) {
  const Program *p = search->mover->machine.program;
  for (CutId c = 0; c < p->cuts.count; c++) {
    if (!search->mover->cuts_met[c] || p->cuts.data[c].call_count) continue;
    text_add(out, ", met: ");
    cut_tell(p, c, out);
    return;
  }
}

static void show_progress(const Search *search, double seconds) {
  double rate = seconds > 0 ? (double)search->statistics.states / seconds : 0;
  Text source;
  text_init(&source, search->account);
  state_sources_tell(&search->sources, &source);
  tell_first_cut(search, &source);
  log_progress(search->log, "replay: %llu states, depth %zu, %.0f states/s%s",
               (unsigned long long)search->statistics.states, search->frames.count, rate, source.data);
  text_free(&source);
}

// Once in a while: shows progress, and stops in time before memory runs out. True: stop.
static bool looks_up(Search *search, double seconds) {
  const Account *account = search->account;
  if (account != NULL && account->limit != 0 && account->bytes > account->limit / 4 * 3) {
    search->budget->reason = STOP_MEMORY;
    return true;
  }
  if (search->log != NULL) show_progress(search, seconds);
  return false;
}

static bool same_place(const Program *p, const SampledChoice *a, const SampledChoice *b) {
  const Position *x = &p->steps.data[a->step].position, *y = &p->steps.data[b->step].position;
  return x->file == y->file && x->line == y->line && a->width == b->width;
}

static bool was_told(const Search *search, size_t index) {
  const SampledChoice *choices = search->sampled.list.data;
  for (size_t i = 0; i < index; i++)
    if (same_place(search->mover->machine.program, &choices[i], &choices[index])) return true;
  return false;
}

// Says at once that a proof is out of reach.
static void tell_sampled(Search *search) {
  const Program *p = search->mover->machine.program;
  for (; search->told < search->sampled.list.count; search->told++) {
    const SampledChoice *choice = &search->sampled.list.data[search->told];
    if (search->log == NULL || search->notes == 0 || was_told(search, search->told)) continue;
    Text text;
    text_init(&text, search->account);
    sampled_choice_print(&text, p, choice);
    log_note(search->log, "%s decide what happens, and only some values are tried: the answer cannot be SAFE; try %s",
             text.data, cut_hint(CUT_INPUT));
    text_free(&text);
    search->notes--;
  }
}

static bool gives_up(const Search *search) {
  return search->sampled_until > 0 && search->sampled.list.count > 0 && clock_now() > search->sampled_until;
}

bool search_should_grow(const Search *search) {
  if (!search->growing) return false;
  const Program *p = search->mover->machine.program;
  bool late = search->grow_at > 0 && clock_now() >= search->grow_at;
  for (CutId c = 0; c < p->cuts.count; c++) {
    const Cut *cut = &p->cuts.data[c];
    bool met = search->mover->cuts_met[c] || (search->also_met && search->also_met[c]);
    if (met && (search->growing >> cut->kind & 1) && (late || cut->call_count)) return true;
  }
  return false;
}

static SearchEnd run_until(Search *search, uint64_t pause_at, double started) {
  uint64_t turns = 0;
  while (search->frames.count > 0 && !search->found) {
    if (budget_exhausted(search->budget, "replay search")) return SEARCH_STOPPED;
    if (search->max_states != 0 && search->statistics.states >= search->max_states) return SEARCH_LIMIT;
    if (pause_at != 0 && search->statistics.states >= pause_at) return SEARCH_PAUSED;
    if ((++turns & 0xfff) == 0 && looks_up(search, search->seconds + clock_now() - started)) return SEARCH_STOPPED;
    if ((turns & 0xff) == 0 && gives_up(search)) return SEARCH_GAVE_UP;
    if (search->sampled.list.count > search->told) tell_sampled(search);
    if ((turns & 0x3fff) == 0 && search_should_grow(search)) return SEARCH_GROWS;
    if (search->repeats)
      repeat(search), run_transition(search);
    else if (advance(search))
      run_transition(search);
    else
      pop_state(search);
    if (told_apart(search)) return SEARCH_TOLD_APART;
  }
  return search->found ? SEARCH_VIOLATION : SEARCH_COMPLETE;
}

SearchEnd search_run(Search *search, uint64_t pause_at) {
  double started = clock_now();
  if (search->statistics.states == 0) push_initial(search);
  SearchEnd end = run_until(search, pause_at, started);
  search->seconds += clock_now() - started;
  return end;
}
