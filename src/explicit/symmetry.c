#include "explicit/symmetry.h"

#include "explicit/symmetry_layout.h"

bool symmetry_init(Symmetry *symmetry, Mover *mover, SymmetryCare care, Account *account) {
  const StateLayout *layout = mover->machine.layout;
  *symmetry = (Symmetry){.mover = mover, .care = care, .owners = {.account = account}, .account = account};
  equal_threads_init(&symmetry->equal, layout->program, &layout->live, account);
  MainViewVector_init(&symmetry->mains, account);
  if (!symmetry_layout_find(symmetry)) equal_threads_forget(&symmetry->equal);
  uint32_t largest = 0, moved = 0;
  for (ThreadId t = 0; t < layout->program->threads.count; t++) {
    if (layout->size[1 + t] > largest) largest = layout->size[1 + t];
    if (symmetry->control.moved_count[t] > moved) moved = symmetry->control.moved_count[t];
  }
  symmetry->key_bytes = 8 + largest + 8 * (size_t)moved + 8;
  symmetry->keys = memory_allocate_zeroed(account, MOST_MASKED_THREADS * symmetry->key_bytes);
  symmetry->old = memory_allocate_zeroed(account, layout->vector_bytes);
  return care != SYMMETRY_NONE && equal_threads_any(&symmetry->equal);
}

void symmetry_free(Symmetry *symmetry) {
  memory_free(symmetry->account, symmetry->old, symmetry->mover->machine.layout->vector_bytes);
  memory_free(symmetry->account, symmetry->keys, MOST_MASKED_THREADS * symmetry->key_bytes);
  MainViewVector_free(&symmetry->mains);
  U32Vector_free(&symmetry->owners);
  control_cells_free(&symmetry->control);
  equal_threads_free(&symmetry->equal);
}

// --- groups ---

static const uint8_t *state_vector(const Symmetry *symmetry) { return symmetry->mover->machine.vector; }

// The workers that main has created and has not joined.
static ThreadMask unjoined(const Symmetry *symmetry, ThreadMask joined) {
  ThreadMask group = 0;
  for (ThreadMask rest = symmetry->control.workers & ~joined; rest != 0; rest &= rest - 1) {
    const Place *status = &symmetry->control.status[first_thread(rest)];
    if (vector_read(state_vector(symmetry) + status->offset, status->bytes) != THREAD_UNBORN) group |= rest & -rest;
  }
  return group;
}

static bool same_fixed(const Symmetry *symmetry, ThreadId a, ThreadId b) {
  const ControlCells *control = &symmetry->control;
  const uint8_t *vector = state_vector(symmetry);
  for (uint32_t i = 0; i < control->fixed_count[a]; i++) {
    const FieldPlace *x = &control->fixed[a][i], *y = &control->fixed[b][i];
    if (memcmp(vector + x->offset, vector + y->offset, x->bytes) != 0) return false;
  }
  return true;
}

// Divides the threads: `subgroup` becomes the first thread of each one's subgroup.
static void divide(const Symmetry *symmetry, ThreadMask threads, ThreadId *subgroup) {
  for (ThreadMask rest = threads; rest != 0; rest &= rest - 1) {
    ThreadId t = first_thread(rest);
    subgroup[t] = t;
    for (ThreadMask before = threads & thread_mask_below(t); before != 0 && subgroup[t] == t; before &= before - 1) {
      ThreadId other = first_thread(before);
      bool equal = subgroup[other] == other && symmetry->equal.like[other] == symmetry->equal.like[t];
      if (equal && same_fixed(symmetry, other, t)) subgroup[t] = other;
    }
  }
}

// --- contents as keys ---

static void write_key(const Symmetry *symmetry, ThreadId t, uint8_t *key) {
  const StateLayout *layout = symmetry->mover->machine.layout;
  const uint8_t *vector = state_vector(symmetry);
  uint32_t rank = symmetry->equal.locations.rank[vector_location(layout, vector, t)];
  uint32_t size = layout->size[1 + t];
  memset(key, 0, symmetry->key_bytes);
  memcpy(key, &rank, sizeof rank);
  memcpy(key + 8, vector + layout->base[1 + t], size);
  memset(key + 8 + (layout->location[t] - layout->base[1 + t]), 0, 4);
  uint8_t *at = key + 8 + size;
  for (uint32_t i = 0; i < symmetry->control.moved_count[t]; i++, at += 8)
    memcpy(at, vector + symmetry->control.moved[t][i].offset, symmetry->control.moved[t][i].bytes);
  uint64_t owned = 0;
  for (size_t i = 0; i < symmetry->owners.count; i++)
    if (vector_read(vector + symmetry->owners.data[i], 4) == t + 1) owned |= UINT64_C(1) << i;
  memcpy(symmetry->key_bytes + key - 8, &owned, sizeof owned);
}

static uint8_t *key_of(const Symmetry *symmetry, ThreadId t) { return symmetry->keys + t * symmetry->key_bytes; }

static void write_keys(const Symmetry *symmetry, ThreadMask threads) {
  for (; threads != 0; threads &= threads - 1) {
    ThreadId t = first_thread(threads);
    write_key(symmetry, t, key_of(symmetry, t));
  }
}

// --- main ---

static MainView *view_of(Symmetry *symmetry, uint32_t main) {
  while (symmetry->mains.count <= main) MainViewVector_push(&symmetry->mains, (MainView){.known = false});
  return &symmetry->mains.data[main];
}

// Does main step over these joins at once?
static bool joins_at_once(const Symmetry *symmetry, const JoinAhead *ahead, ThreadMask group) {
  if (symmetry->care == SYMMETRY_EARLY) return ahead->threads == group;
  const ThreadId *like = symmetry->equal.like;
  for (ThreadMask rest = ahead->threads; rest != 0; rest &= rest - 1)
    for (ThreadMask others = rest & (rest - 1); others != 0; others &= others - 1)
      if (like[first_thread(rest)] == like[first_thread(others)]) return true;
  return false;
}

// The vector holds the present state, and main's view is known: looks ahead and finds the group.
static void enter(Symmetry *symmetry, uint32_t main) {
  MainView *view = view_of(symmetry, main);
  ThreadMask group = unjoined(symmetry, view->joined);
  if (view->ahead.group != group || view->ahead.moves == UINT32_MAX) {
    view->ahead = join_ahead(symmetry->mover, &symmetry->control, group, symmetry->account);
    if (view->ahead.threads && !joins_at_once(symmetry, &view->ahead, group)) {
      symmetry->told_apart |= symmetry->care == SYMMETRY_EARLY;
      view->ahead = (JoinAhead){.group = group};
    }
  }
  symmetry->main = main;
  symmetry->group = symmetry->care == SYMMETRY_EARLY ? group : view->ahead.threads;
  divide(symmetry, symmetry->group, symmetry->subgroup);
}

static void learn(Symmetry *symmetry, uint32_t main, ThreadMask joined) {
  MainView *view = view_of(symmetry, main);
  if (!view->known) {
    *view = (MainView){.known = true, .joined = joined, .ahead.moves = UINT32_MAX};
  } else if (view->joined != joined)
    symmetry->told_apart |= symmetry->care == SYMMETRY_EARLY;
}

void symmetry_begin(Symmetry *symmetry, uint32_t main) {
  for (ThreadId t = 0; t < MOST_MASKED_THREADS; t++) symmetry->twins[t] = thread_bit(t);
  learn(symmetry, main, 0);
  enter(symmetry, main);
}

void symmetry_at(Symmetry *symmetry, uint32_t main) { enter(symmetry, main); }

ThreadMask symmetry_awaited(const Symmetry *symmetry) {
  const JoinAhead *ahead = symmetry_joins(symmetry);
  ThreadMask awaited = 0;
  for (ThreadMask rest = ahead->threads; rest != 0; rest &= rest - 1) {
    unsigned state = worker_end_state(&symmetry->control, state_vector(symmetry), first_thread(rest));
    if (!(ahead->passes >> state & 1)) awaited |= rest & -rest;
  }
  return awaited;
}

void symmetry_before_joins(Symmetry *symmetry) {
  write_keys(symmetry, symmetry->group);
  for (ThreadMask rest = symmetry->group; rest != 0; rest &= rest - 1) {
    ThreadId t = first_thread(rest);
    if (memcmp(key_of(symmetry, t), key_of(symmetry, symmetry->subgroup[t]), symmetry->key_bytes) != 0)
      symmetry->told_apart = true;
  }
}

static bool is_moved(const Symmetry *symmetry, ThreadId t, const Place *place) {
  for (uint32_t i = 0; i < symmetry->control.moved_count[t]; i++)
    if (symmetry->control.moved[t][i].offset == place->offset) return true;
  return false;
}

// Joined threads whose `status` or `ended` main has written: they are created again.
static ThreadMask created_again(const Symmetry *symmetry, ThreadMask joined) {
  const Mover *mover = symmetry->mover;
  const Program *p = mover->machine.program;
  ThreadMask again = 0;
  for (size_t i = 0; i < mover->accesses.count; i++) {
    const LoggedAccess *access = &mover->accesses.data[i];
    const Object *object = &p->objects.data[p->cells.data[access->cell].object];
    if (object->storage != STORAGE_CONTROL || !access->writes) continue;
    uint64_t field = p->cells.data[access->cell].address - object->address;
    if (field == CONTROL_STATUS || field == CONTROL_ENDED) again |= thread_bit(object->owner);
  }
  return again & joined;
}

// The vector already holds the state after the step; which threads were in the group does not depend on it.
void symmetry_after_main(Symmetry *symmetry) {
  const Mover *mover = symmetry->mover;
  const Program *p = mover->machine.program;
  MainView *view = &symmetry->mains.data[symmetry->main];
  for (size_t i = 0; i < mover->accesses.count; i++) {
    const LoggedAccess *access = &mover->accesses.data[i];
    for (uint32_t c = 0; c < access->count; c++) {
      const Object *object = &p->objects.data[p->cells.data[access->cell + c].object];
      if (object->storage != STORAGE_CONTROL || !(view->ahead.group & thread_bit(object->owner))) continue;
      if (symmetry->care == SYMMETRY_EARLY &&
          is_moved(symmetry, object->owner, &mover->machine.layout->cells[access->cell + c]))
        symmetry->told_apart = true;
    }
  }
  symmetry->again = created_again(symmetry, view->joined);
}

// --- exchanging ---

// Sorts the threads of each subgroup by their contents.
static bool sort_contents(const Symmetry *symmetry, Exchange *exchange) {
  bool moved = false;
  for (ThreadMask rest = symmetry->group; rest != 0; rest &= rest - 1) {
    ThreadId t = first_thread(rest);
    if (symmetry->subgroup[t] != t) continue;
    ThreadId slots[MOST_MASKED_THREADS], sorted[MOST_MASKED_THREADS];
    uint32_t count = 0;
    for (ThreadMask members = rest; members != 0; members &= members - 1) {
      ThreadId member = first_thread(members);
      if (symmetry->subgroup[member] != t) continue;
      uint32_t at = count;
      while (at > 0 && memcmp(key_of(symmetry, sorted[at - 1]), key_of(symmetry, member), symmetry->key_bytes) > 0) {
        sorted[at] = sorted[at - 1];
        at--;
      }
      sorted[at] = member;
      slots[count++] = member;
    }
    for (uint32_t i = 0; i < count; i++) {
      exchange->from[slots[i]] = (uint8_t)sorted[i];
      moved |= slots[i] != sorted[i];
    }
  }
  return moved;
}

static void move_content(Symmetry *symmetry, ThreadId from, ThreadId to) {
  const StateLayout *layout = symmetry->mover->machine.layout;
  const ThreadLists *locations = &symmetry->equal.locations;
  uint8_t *vector = symmetry->mover->machine.vector;
  const uint8_t *old = symmetry->old;
  memcpy(vector + layout->base[1 + to], old + layout->base[1 + from], layout->size[1 + to]);
  uint32_t rank = locations->rank[vector_location(layout, old, from)];
  vector_write(vector + layout->location[to], 4, thread_list_at(locations, to, rank));
  for (uint32_t i = 0; i < symmetry->control.moved_count[to]; i++) {
    const FieldPlace *source = &symmetry->control.moved[from][i], *target = &symmetry->control.moved[to][i];
    memcpy(vector + target->offset, old + source->offset, target->bytes);
  }
}

static void move_contents(Symmetry *symmetry, const Exchange *exchange) {
  const StateLayout *layout = symmetry->mover->machine.layout;
  uint8_t *vector = symmetry->mover->machine.vector;
  memcpy(symmetry->old, vector, layout->state_bytes);
  uint64_t number[MOST_MASKED_THREADS + 1] = {0}; // of owners: new by old
  for (ThreadMask rest = symmetry->group; rest != 0; rest &= rest - 1) {
    ThreadId t = first_thread(rest);
    number[exchange->from[t] + 1] = t + 1;
    if (exchange->from[t] != t) move_content(symmetry, exchange->from[t], t);
  }
  for (size_t i = 0; i < symmetry->owners.count; i++) {
    uint8_t *cell = vector + symmetry->owners.data[i];
    uint64_t owner = vector_read(cell, 4);
    if (owner <= MOST_MASKED_THREADS && number[owner] != 0) vector_write(cell, 4, number[owner]);
  }
}

// `keys` are those before the exchange.
static void find_twins(Symmetry *symmetry, const Exchange *exchange) {
  ThreadId first[MOST_MASKED_THREADS]; // of its set
  for (ThreadId t = 0; t < MOST_MASKED_THREADS; t++) symmetry->twins[t] = thread_bit(t);
  for (ThreadMask rest = symmetry->group; rest != 0; rest &= rest - 1) {
    ThreadId t = first_thread(rest);
    first[t] = t;
    for (ThreadMask before = symmetry->group & thread_mask_below(t); before != 0; before &= before - 1) {
      ThreadId other = first_thread(before);
      if (first[other] != other || symmetry->subgroup[other] != symmetry->subgroup[t]) continue;
      const uint8_t *x = key_of(symmetry, exchange->from[other]), *y = key_of(symmetry, exchange->from[t]);
      if (memcmp(x, y, symmetry->key_bytes) == 0) first[t] = other;
    }
    symmetry->twins[first[t]] |= thread_bit(t);
  }
  for (ThreadMask rest = symmetry->group; rest != 0; rest &= rest - 1)
    symmetry->twins[first_thread(rest)] = symmetry->twins[first[first_thread(rest)]];
}

void symmetry_arrive(Symmetry *symmetry, ThreadId thread, bool joined, uint32_t main, Exchange *exchange) {
  *exchange = exchange_none();
  if (thread == 0) {
    ThreadMask group = symmetry->group, gone = symmetry->mains.data[symmetry->main].joined;
    ThreadId subgroup[MOST_MASKED_THREADS];
    memcpy(subgroup, symmetry->subgroup, sizeof subgroup);
    if (joined)
      gone |= symmetry_joins(symmetry)->threads;
    else
      gone &= ~symmetry->again;
    learn(symmetry, main, gone);
    enter(symmetry, main);
    ThreadMask stayed = symmetry->care == SYMMETRY_EARLY ? group & symmetry->group : 0;
    for (; stayed != 0; stayed &= stayed - 1) {
      ThreadId t = first_thread(stayed);
      if (symmetry->subgroup[t] != symmetry->subgroup[subgroup[t]]) symmetry->told_apart = true;
    }
  } else
    enter(symmetry, main);
  write_keys(symmetry, symmetry->group);
  if (sort_contents(symmetry, exchange)) move_contents(symmetry, exchange);
  find_twins(symmetry, exchange);
}

ThreadMask symmetry_representatives(const Symmetry *symmetry, ThreadMask threads, ThreadMask preferred) {
  assert((preferred & ~threads) == 0);
  ThreadMask chosen = 0;
  for (ThreadMask rest = threads; rest != 0;) {
    ThreadMask twins = symmetry->twins[first_thread(rest)] & threads;
    ThreadMask best = twins & preferred ? twins & preferred : twins;
    chosen |= best & -best;
    rest &= ~twins;
  }
  return chosen;
}
