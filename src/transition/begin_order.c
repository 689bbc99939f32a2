#include "transition/begin_order.h"

#include "dependence/equal_threads.h"

typedef struct Finder {
  const Transitions *transitions;
  const Program *program;
  EqualThreads equal;
  EdgeId created[MOST_MASKED_THREADS]; // main's only edge that creates the thread, or NO_ID
  EdgeId joined[MOST_MASKED_THREADS];  // main's only edge that reads whether the thread has ended, or NO_ID
  EdgeId run[MOST_MASKED_THREADS];     // the first join of the run with the thread's join, or NO_ID
  ThreadMask refused;
  Bitset others_read, others_write; // the things that threads other than main may touch
  LiveVariables live;
  Account *account;
} Finder;

static const Transition *transition_of(const Finder *f, EdgeId e) { return &f->transitions->edges.data[e]; }

// May the edge, which is not a joint one, be taken?
static bool counts(const Finder *f, EdgeId e) {
  const Transition *transition = transition_of(f, e);
  return transition->missed != TERM_NONE || !term_is_false(f->program->terms, transition->guard);
}

static uint32_t count_leaving(const Finder *f, LocationId at) {
  uint32_t count, counting = 0;
  const EdgeId *edges = location_edges(f->program, at, &count);
  for (uint32_t i = 0; i < count; i++) counting += counts(f, edges[i]);
  return counting;
}

static uint32_t count_entering(const Finder *f, LocationId at) {
  uint32_t count, counting = 0;
  const EdgeId *edges = location_edges_in(f->program, at, &count);
  for (uint32_t i = 0; i < count; i++) counting += counts(f, edges[i]);
  return counting;
}

// The locations that can be reached from `from` without the edge.
static Bitset reach_without(const Finder *f, LocationId from, EdgeId without) {
  const Program *p = f->program;
  Bitset seen;
  U32Vector waiting;
  bitset_init(&seen, p->locations.count, f->account);
  U32Vector_init(&waiting, f->account);
  bitset_set(&seen, from);
  U32Vector_push(&waiting, from);
  while (waiting.count > 0) {
    uint32_t count;
    const EdgeId *edges = location_edges(p, U32Vector_pop(&waiting), &count);
    for (uint32_t i = 0; i < count; i++)
      if (edges[i] != without && counts(f, edges[i]) && bitset_add(&seen, p->edges.data[edges[i]].to))
        U32Vector_push(&waiting, p->edges.data[edges[i]].to);
  }
  U32Vector_free(&waiting);
  return seen;
}

static bool is_on_cycle(const Finder *f, EdgeId e) {
  const Edge *edge = &f->program->edges.data[e];
  Bitset seen = reach_without(f, edge->to, e);
  bool cycle = bitset_get(&seen, edge->from);
  bitset_free(&seen);
  return cycle;
}

// --- what threads do with control blocks ---

static void refuse(Finder *f, ThreadId t) { f->refused |= thread_bit(t); }

static void note_births(Finder *f, EdgeId e, ThreadId creator) {
  for (ThreadMask rest = transitions_births(f->transitions, e); rest != 0; rest &= rest - 1) {
    ThreadId t = first_thread(rest);
    if (creator != 0 || f->created[t] != NO_ID) refuse(f, t);
    f->created[t] = e;
  }
}

// The thread whose control block has the thing, or NO_ID; `field`: where in it.
static ThreadId thread_of_control(const Program *p, uint32_t thing, uint64_t *field) {
  if (thing >= p->cells.count) return NO_ID; // the life of an object
  const Object *object = &p->objects.data[p->cells.data[thing].object];
  *field = p->cells.data[thing].address - object->address;
  return object->storage == STORAGE_CONTROL ? object->owner : NO_ID;
}

static void note_touch(Finder *f, EdgeId e, ThreadId toucher, uint32_t thing, bool writes) {
  uint64_t field = 0;
  if (toucher != 0) bitset_set(writes ? &f->others_write : &f->others_read, thing);
  ThreadId t = thread_of_control(f->program, thing, &field);
  if (t == NO_ID || (t == toucher && writes)) return;
  bool says_end = field == CONTROL_STATUS || field == CONTROL_ENDED;
  if (toucher != 0) {
    refuse(f, t); // itself reads it, or another thread looks at it
  } else if (writes) {
    if (says_end && !(transitions_births(f->transitions, e) & thread_bit(t))) refuse(f, t);
  } else {
    if (!says_end || (f->joined[t] != NO_ID && f->joined[t] != e)) refuse(f, t);
    f->joined[t] = e;
  }
}

static void note_edge(Finder *f, EdgeId e) {
  const TouchVector *touches = &f->transitions->touches;
  TouchSet reads = transition_of(f, e)->reads, writes = transition_of(f, e)->writes;
  ThreadId thread = f->program->locations.data[f->program->edges.data[e].from].thread;
  note_births(f, e, thread);
  for (uint32_t i = 0; i < reads.count; i++) note_touch(f, e, thread, touches->data[reads.first + i].cell, false);
  for (uint32_t i = 0; i < writes.count; i++) note_touch(f, e, thread, touches->data[writes.first + i].cell, true);
}

// --- joins ---

static Term cell_term(const Program *p, ThreadId t, uint64_t field) {
  CellId cell = program_cell_at(p, p->objects.data[p->threads.data[t].control].address + field);
  return cell == NO_ID ? TERM_NONE : p->cells.data[cell].term;
}

// The states of a thread as far as its join sees them: bit 0: `ended` is set; bit 1: `status` is THREAD_FINISHED.
enum { END_STATES = 4 };

static void put_end_state(const Finder *f, ThreadId t, unsigned state, Map *values) {
  const Program *p = f->program;
  Term ended = cell_term(p, t, CONTROL_ENDED), status = cell_term(p, t, CONTROL_STATUS);
  unsigned says = state & 2 ? THREAD_FINISHED : THREAD_RUNNING;
  map_clear(values);
  if (ended != TERM_NONE) map_put(values, ended, term_constant(p->terms, term_width(p->terms, ended), state & 1));
  if (status != TERM_NONE) map_put(values, status, term_constant(p->terms, term_width(p->terms, status), says));
}

static bool is_dead(const Finder *f, EdgeId e, Term variable) {
  VariableId v = program_variable_of_term(f->program, variable);
  return v != NO_ID && !live_at(&f->live, f->program->edges.data[e].to, v);
}

// Is it a function of the end of the thread whether the edge can be taken, which no state of the thread takes back, and
// does the edge do the same in all states in which it can be taken?
static bool waits_for_end(const Finder *f, ThreadId t, EdgeId e) {
  TermStore *terms = f->program->terms;
  const Transition *transition = transition_of(f, e);
  Map values[END_STATES];
  bool passes[END_STATES], fine = true;
  for (unsigned state = 0; state < END_STATES; state++) {
    map_init(&values[state], f->account);
    put_end_state(f, t, state, &values[state]);
    Term guard = term_substitute(terms, transition->guard, &values[state], NULL);
    fine &= term_is_constant(terms, guard);
    passes[state] = term_is_true(terms, guard);
  }
  fine &= !passes[0] && passes[3];
  for (uint32_t i = 0; i < transition->update_count && fine; i++) {
    const Update *update = &f->transitions->updates.data[transition->first_update + i];
    if (is_dead(f, e, update->variable)) continue;
    Term value = update->value;
    Term last = term_substitute(terms, value, &values[3], NULL);
    for (unsigned state = 1; state < 3; state++)
      fine &= !passes[state] || term_substitute(terms, value, &values[state], NULL) == last;
  }
  for (unsigned state = 0; state < END_STATES; state++) map_free(&values[state]);
  return fine;
}

// Apart from the control block of `t`: does the edge commute with all steps of other threads?
static bool is_private(const Finder *f, ThreadId t, EdgeId e) {
  const TouchVector *touches = &f->transitions->touches;
  TouchSet reads = transition_of(f, e)->reads, writes = transition_of(f, e)->writes;
  uint64_t field;
  for (uint32_t i = 0; i < reads.count; i++) {
    uint32_t thing = touches->data[reads.first + i].cell;
    bool joined = t != NO_ID && thread_of_control(f->program, thing, &field) == t;
    if (!joined && bitset_get(&f->others_write, thing)) return false;
  }
  for (uint32_t i = 0; i < writes.count; i++) {
    uint32_t thing = touches->data[writes.first + i].cell;
    if (bitset_get(&f->others_write, thing) || bitset_get(&f->others_read, thing)) return false;
  }
  return true;
}

static bool is_excused(const Finder *f, EdgeId e) {
  uint32_t count;
  const Step *steps = edge_steps(f->program, e, &count);
  for (uint32_t i = 0; i < count; i++)
    if (steps[i].excused) return true;
  return false;
}

static bool is_asked_for_race(const Finder *f, LocationId at) {
  const Program *p = f->program;
  for (uint32_t k = 0; k < p->joints.count; k++) {
    const JointEdge *joint = &p->joints.data[k];
    if (joint->kind != JOINT_RACE) continue;
    if (joint->partner == at || p->edges.data[p->edges.count - p->joints.count + k].from == at) return true;
  }
  return false;
}

// May main put the edge off, if it is the only one at its source? `t`: the thread that it joins, or NO_ID.
static bool can_be_put_off(const Finder *f, ThreadId t, EdgeId e) {
  const Program *p = f->program;
  const Transition *transition = transition_of(f, e);
  const Edge *edge = &p->edges.data[e];
  bool plain = transition->end == ENDS_NOT && transition->missed == TERM_NONE && transition->birth_count == 0 &&
               !p->locations.data[edge->from].atomic && !p->locations.data[edge->to].atomic;
  return plain && !is_excused(f, e) && count_leaving(f, edge->from) == 1 && is_private(f, t, e) &&
         !is_asked_for_race(f, edge->from);
}

static bool is_join(const Finder *f, ThreadId t, EdgeId e) {
  return transition_of(f, e)->waits && can_be_put_off(f, t, e) && waits_for_end(f, t, e) && !is_on_cycle(f, e);
}

// The edge by which alone main comes to the location, or NO_ID.
static EdgeId only_entering(const Finder *f, LocationId at) {
  uint32_t count;
  const EdgeId *edges = location_edges_in(f->program, at, &count);
  for (uint32_t i = 0; i < count; i++)
    if (counts(f, edges[i])) return count_entering(f, at) == 1 ? edges[i] : NO_ID;
  return NO_ID;
}

// The join before this one in its run, or NO_ID.
static EdgeId join_before(const Finder *f, EdgeId join) {
  const Program *p = f->program;
  EdgeId e = join;
  for (size_t steps = 0; steps < p->edges.count; steps++) { // more than that is a cycle that main does not come to
    e = only_entering(f, p->edges.data[e].from);
    if (e == NO_ID) return NO_ID;
    for (ThreadId t = 0; t < p->threads.count; t++)
      if (f->run[t] != NO_ID && f->joined[t] == e) return e;
    if (transition_of(f, e)->waits || !can_be_put_off(f, NO_ID, e)) return NO_ID;
  }
  return NO_ID;
}

static void find_runs(Finder *f) {
  for (ThreadId t = 0; t < f->program->threads.count; t++) {
    bool ends = f->equal.workers & ~f->refused & thread_bit(t); // what it says of its end stays
    if (f->joined[t] == NO_ID || !ends) continue;
    if (!is_join(f, t, f->joined[t]))
      refuse(f, t);
    else
      f->run[t] = f->joined[t]; // for now
  }
  for (ThreadId t = 0; t < f->program->threads.count; t++) {
    if (f->run[t] == NO_ID) continue;
    EdgeId first = f->joined[t];
    for (EdgeId before; (before = join_before(f, first)) != NO_ID;) first = before;
    f->run[t] = first;
  }
}

// --- groups ---

// Where the thread stands from its creation until it begins; NO_ID: it may come back there.
static LocationId beginning_of(const Finder *f, ThreadId t) {
  const Program *p = f->program;
  EdgeId start;
  LocationId at = thread_beginning(p, t, &start);
  if (p->locations.data[at].atomic || p->locations.data[at].final) return NO_ID;
  LocationId entry = p->threads.data[t].entry;
  if (start == NO_ID) return count_entering(f, at) == 0 ? at : NO_ID;
  return count_entering(f, entry) == 0 && count_entering(f, at) <= 1 ? at : NO_ID;
}

typedef struct Group {
  ThreadId threads[MOST_MASKED_THREADS]; // in the order of their creation
  unsigned count;
} Group;

// Does main come to the creation of `b` only by that of `a`? `without`: the locations that main reaches without it.
static bool is_created_before(const Finder *f, ThreadId a, ThreadId b, const Bitset *without) {
  if (f->created[a] != f->created[b]) return !bitset_get(without, f->program->edges.data[f->created[b]].from);
  const Transition *both = transition_of(f, f->created[a]);
  const uint32_t *births = f->transitions->births.data + both->first_birth;
  for (uint32_t i = 0; i < both->birth_count; i++)
    if (births[i] == a || births[i] == b) return births[i] == a;
  return false;
}

// The longest row of the threads in which each is created before the next.
static void find_row(const Finder *f, ThreadMask threads, Group *group) {
  ThreadMask before[MOST_MASKED_THREADS] = {0};
  for (ThreadMask rest = threads; rest != 0; rest &= rest - 1) {
    ThreadId a = first_thread(rest);
    Bitset without = reach_without(f, f->program->threads.data[0].entry, f->created[a]);
    for (ThreadMask others = threads & ~thread_bit(a); others != 0; others &= others - 1)
      if (is_created_before(f, a, first_thread(others), &without)) before[first_thread(others)] |= thread_bit(a);
    bitset_free(&without);
  }
  ThreadId previous[MOST_MASKED_THREADS], last = NO_ID;
  unsigned length[MOST_MASKED_THREADS] = {0};
  for (ThreadMask left = threads; left != 0;) { // those first that come after none of the others that are left
    ThreadId t = NO_ID;
    for (ThreadMask rest = left; rest != 0 && t == NO_ID; rest &= rest - 1)
      if (!(before[first_thread(rest)] & left)) t = first_thread(rest);
    if (t == NO_ID) break; // these are never created
    left &= ~thread_bit(t);
    previous[t] = NO_ID;
    for (ThreadMask rest = before[t]; rest != 0; rest &= rest - 1)
      if (previous[t] == NO_ID || length[first_thread(rest)] > length[previous[t]]) previous[t] = first_thread(rest);
    length[t] = 1 + (previous[t] == NO_ID ? 0 : length[previous[t]]);
    if (last == NO_ID || length[t] > length[last]) last = t;
  }
  group->count = last == NO_ID ? 0 : length[last];
  for (unsigned k = group->count; k-- > 0; last = previous[last]) group->threads[k] = last;
}

static void find_group(const Finder *f, ThreadMask threads, BeginOrder *order) {
  Group group;
  if (thread_mask_count(threads) < 2) return;
  find_row(f, threads, &group);
  for (unsigned k = 1; k < group.count; k++) {
    order->previous[group.threads[k]] = group.threads[k - 1];
    order->held_first |= thread_bit(group.threads[k]);
  }
}

// The threads that are equal to this one, itself among them, and joined in the same run; and their beginnings.
static ThreadMask find_like(const Finder *f, ThreadId first, ThreadMask done, BeginOrder *order) {
  ThreadMask like = 0;
  for (ThreadId t = first; t < f->program->threads.count; t++) {
    bool equal = f->equal.like[t] == f->equal.like[first] && f->run[t] == f->run[first];
    if (!equal || f->created[t] == NO_ID || (f->refused | done) & thread_bit(t)) continue;
    order->beginning[t] = beginning_of(f, t);
    if (order->beginning[t] != NO_ID && !is_on_cycle(f, f->created[t])) like |= thread_bit(t);
  }
  return like;
}

static void find_groups(Finder *f, BeginOrder *order) {
  ThreadMask done = 0;
  for (ThreadId t = 1; t < f->program->threads.count; t++) {
    if (f->equal.like[t] == NO_ID || done & thread_bit(t)) continue;
    ThreadMask like = find_like(f, t, done, order);
    done |= like;
    find_group(f, like, order);
  }
}

BeginOrder begin_order_find(const Transitions *transitions, Account *account) {
  const Program *p = transitions->program;
  assert(p->threads.count <= MOST_MASKED_THREADS && transitions->edges.count == p->edges.count);
  BeginOrder order = begin_order_none();
  Finder f = {.transitions = transitions, .program = p, .account = account};
  for (ThreadId t = 0; t < MOST_MASKED_THREADS; t++) f.created[t] = f.joined[t] = f.run[t] = NO_ID;
  live_variables(p, &f.live, account);
  equal_threads_init(&f.equal, p, &f.live, account);
  if (equal_threads_any(&f.equal)) {
    bitset_init(&f.others_read, p->cells.count + p->objects.count, account);
    bitset_init(&f.others_write, p->cells.count + p->objects.count, account);
    for (EdgeId e = 0; e < p->edges.count - p->joints.count; e++)
      if (counts(&f, e)) note_edge(&f, e);
    find_runs(&f);
    find_groups(&f, &order);
    bitset_free(&f.others_write);
    bitset_free(&f.others_read);
  }
  equal_threads_free(&f.equal);
  live_variables_free(&f.live);
  return order;
}
