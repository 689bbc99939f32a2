#include "symbolic/live_words.h"

enum { UNREAD = UINT32_MAX - 1 }; // no reader was found yet

static void add_read(void *context, Term variable) {
  LiveWords *live = context;
  uint32_t word = words_find(live->words, variable);
  if (word != NO_ID && !live->words->words.data[word].fresh) U32Vector_push(&live->reads, word);
}

static ThreadId thread_of(const LiveWords *live, EdgeId edge) {
  const Program *p = live->words->transitions->program;
  return p->locations.data[p->edges.data[edge].from].thread;
}

// --- what is read ---

static void list_touches(LiveWords *live, TouchSet set) {
  for (uint32_t i = 0; i < set.count; i++) {
    Term when = live->words->transitions->touches.data[set.first + i].when;
    if (when != TERM_NONE) term_each_variable(live->words->terms, when, add_read, live);
  }
}

static void list_reads(LiveWords *live, bool touches) {
  const Words *w = live->words;
  const Transitions *t = w->transitions;
  for (EdgeId e = 0; e < w->edges.count; e++) {
    const Transition *transition = &t->edges.data[e];
    U32Vector_push(&live->by_edge, (uint32_t)live->reads.count);
    if (w->edges.data[e] & EDGE_TAKEN) term_each_variable(w->terms, transition->guard, add_read, live);
    if (transition->missed != TERM_NONE) term_each_variable(w->terms, transition->missed, add_read, live);
    if (touches) {
      list_touches(live, transition->reads);
      list_touches(live, transition->writes);
    }
  }
  U32Vector_push(&live->by_edge, (uint32_t)live->reads.count);
  U32Vector_resize(&live->by_update, t->updates.count + 1);
  for (size_t i = 0; i < t->updates.count; i++) {
    live->by_update.data[i] = (uint32_t)live->reads.count;
    if (words_find(w, t->updates.data[i].variable) != NO_ID)
      term_each_variable(w->terms, t->updates.data[i].value, add_read, live);
  }
  live->by_update.data[t->updates.count] = (uint32_t)live->reads.count;
}

static void note_reader(LiveWords *live, uint32_t from, uint32_t to, ThreadId thread) {
  for (uint32_t i = from; i < to; i++) {
    uint32_t *reader = &live->reader.data[live->reads.data[i]];
    *reader = *reader == UNREAD || *reader == thread ? thread : NO_ID;
  }
}

// The only reader of each word.
static void find_readers(LiveWords *live) {
  const Words *w = live->words;
  for (size_t i = 0; i < w->words.count; i++) U32Vector_push(&live->reader, UNREAD);
  for (EdgeId e = 0; e < w->edges.count; e++) {
    const Transition *transition = &w->transitions->edges.data[e];
    note_reader(live, live->by_edge.data[e], live->by_edge.data[e + 1], thread_of(live, e));
    for (uint32_t i = 0; w->edges.data[e] & EDGE_CHANGES && i < transition->update_count; i++) {
      uint32_t update = transition->first_update + i;
      note_reader(live, live->by_update.data[update], live->by_update.data[update + 1], thread_of(live, e));
    }
  }
  for (size_t i = 0; i < w->words.count; i++)
    if (live->reader.data[i] == UNREAD) live->reader.data[i] = NO_ID;
}

// --- what is live ---

// The location of the word's only reader after the edge, if the edge determines it; else NO_ID.
static LocationId reader_location_after(const LiveWords *live, EdgeId edge, uint32_t word) {
  const Program *p = live->words->transitions->program;
  ThreadId reader = live->reader.data[word];
  if (reader == NO_ID) return NO_ID;
  if (reader == thread_of(live, edge)) return p->edges.data[edge].to;
  EdgeId start;
  if (transitions_births(live->words->transitions, edge) & thread_bit(reader))
    return thread_beginning(p, reader, &start);
  return NO_ID;
}

bool live_words_dead_after(const LiveWords *live, EdgeId edge, uint32_t word) {
  assert(word < live->reader.count);
  LocationId location = reader_location_after(live, edge, word);
  return location != NO_ID && !bitset_get(&live->at[location], word);
}

// Adds the words of a range of `reads` that only this thread reads.
static void need(LiveWords *live, Bitset *needed, uint32_t from, uint32_t to, ThreadId thread) {
  for (uint32_t i = from; i < to; i++) {
    uint32_t word = live->reads.data[i];
    if (live->reader.data[word] == thread) bitset_set(needed, word);
  }
}

// The words of the edge's thread that are live before the edge.
static void need_before(LiveWords *live, EdgeId e, Bitset *needed) {
  const Words *w = live->words;
  const Transition *transition = &w->transitions->edges.data[e];
  ThreadId thread = thread_of(live, e);
  bitset_clear_all(needed);
  uint32_t count = w->edges.data[e] & EDGE_CHANGES ? transition->update_count : 0;
  if (w->edges.data[e] & EDGE_CHANGES) bitset_copy(needed, &live->at[w->transitions->program->edges.data[e].to]);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t word = words_find(w, words_update(w, transition, i)->variable);
    if (word != NO_ID && live->reader.data[word] == thread) bitset_reset(needed, word);
  }
  for (uint32_t i = 0; i < count; i++) {
    uint32_t update = transition->first_update + i, word = words_find(w, words_update(w, transition, i)->variable);
    if (word != NO_ID && !live_words_dead_after(live, e, word))
      need(live, needed, live->by_update.data[update], live->by_update.data[update + 1], thread);
  }
  need(live, needed, live->by_edge.data[e], live->by_edge.data[e + 1], thread);
}

static void find_live(LiveWords *live) {
  const Words *w = live->words;
  const Program *p = w->transitions->program;
  Bitset needed;
  bitset_init(&needed, w->words.count, live->account);
  for (bool changed = true; changed;) {
    changed = false;
    for (EdgeId e = (EdgeId)w->edges.count; e-- > 0;) {
      need_before(live, e, &needed);
      changed |= bitset_union(&live->at[p->edges.data[e].from], &needed);
    }
  }
  bitset_free(&needed);
}

void live_words_forgotten(const LiveWords *live, EdgeId edge, U32Vector *words) {
  const Program *p = live->words->transitions->program;
  const Bitset *before = &live->at[p->edges.data[edge].from], *after = &live->at[p->edges.data[edge].to];
  for (size_t i = bitset_next(before, 0); i < before->bits; i = bitset_next(before, i + 1))
    if (!bitset_get(after, i)) U32Vector_push(words, (uint32_t)i);
}

// --- all ---

void live_words_init(LiveWords *live, const Words *words, bool touches, Account *account) {
  *live = (LiveWords){.words = words, .account = account};
  U32Vector_init(&live->reader, account);
  U32Vector_init(&live->reads, account);
  U32Vector_init(&live->by_edge, account);
  U32Vector_init(&live->by_update, account);
  live->location_count = words->transitions->program->locations.count;
  live->at = memory_allocate(account, live->location_count * sizeof *live->at);
  for (size_t i = 0; i < live->location_count; i++) bitset_init(&live->at[i], words->words.count, account);
  list_reads(live, touches);
  assert(live->by_edge.count == words->edges.count + 1);
  find_readers(live);
  find_live(live);
}

void live_words_free(LiveWords *live) {
  for (size_t i = 0; i < live->location_count; i++) bitset_free(&live->at[i]);
  memory_free(live->account, live->at, live->location_count * sizeof *live->at);
  U32Vector_free(&live->by_update);
  U32Vector_free(&live->by_edge);
  U32Vector_free(&live->reads);
  U32Vector_free(&live->reader);
}
