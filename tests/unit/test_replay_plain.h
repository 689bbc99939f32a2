// A second opinion on small programs: searched step by step with the judge's interpreter, with no reduction, no merging
// of steps and no bytecode; all choices are tried.
#ifndef HEDDLE_TESTS_REPLAY_PLAIN_H
#define HEDDLE_TESTS_REPLAY_PLAIN_H

#include "explicit/store.h"
#include "judge/interpreter.h"
#include "test_replay_support.h"

// --- the plain search ---

typedef struct Plain {
  const Program *p;
  RecordTable seen;
  U32Vector work;
  uint8_t *key;
  size_t key_bytes;
  Concrete state, next;
  bool races; // look for data races
  bool error, deadlock, race, invalid, zero, too_large;
} Plain;

static inline void pack(const Plain *plain, const Concrete *state, uint8_t *key) {
  const Program *p = plain->p;
  memcpy(key, state->locations, p->threads.count * sizeof(LocationId));
  key += p->threads.count * sizeof(LocationId);
  memcpy(key, state->variables, p->variables.count * sizeof(Bits));
  key += p->variables.count * sizeof(Bits);
  memcpy(key, state->cells, p->cells.count * sizeof(Bits));
  key += p->cells.count * sizeof(Bits);
  memcpy(key, state->indeterminate, p->cells.count);
  key += p->cells.count;
  memcpy(key, state->heap, p->objects.count);
  key += p->objects.count;
  memcpy(key, state->stopped, p->threads.count);
  key += p->threads.count;
  for (ObjectId o = 0; o < p->objects.count; o++, key += sizeof(uint32_t))
    if (p->objects.data[o].sized && state->heap[o] == HEAP_LIVE) memcpy(key, &state->extent[o], sizeof(uint32_t));
}

static inline void unpack(const Plain *plain, const uint8_t *key, Concrete *state) {
  const Program *p = plain->p;
  memcpy(state->locations, key, p->threads.count * sizeof(LocationId));
  key += p->threads.count * sizeof(LocationId);
  memcpy(state->variables, key, p->variables.count * sizeof(Bits));
  key += p->variables.count * sizeof(Bits);
  memcpy(state->cells, key, p->cells.count * sizeof(Bits));
  key += p->cells.count * sizeof(Bits);
  memcpy(state->indeterminate, key, p->cells.count);
  key += p->cells.count;
  memcpy(state->heap, key, p->objects.count);
  key += p->objects.count;
  memcpy(state->stopped, key, p->threads.count);
  key += p->threads.count;
  memcpy(state->extent, key, p->objects.count * sizeof(uint32_t));
}

static inline void plain_add(Plain *plain, const Concrete *state) {
  memset(plain->key, 0, plain->key_bytes);
  pack(plain, state, plain->key);
  bool is_new;
  uint32_t id = records_insert(&plain->seen, plain->key, &is_new);
  if (is_new) U32Vector_push(&plain->work, id);
}

// All choices that a step can be taken with, one by one, as digits of one number.
typedef struct PlainChoices {
  Bits values[MOST_GUESSES];
  unsigned widths[MOST_GUESSES];
  size_t count;
  uint64_t code, end;
} PlainChoices;

static inline PlainChoices plain_choices(const Concrete *state, ThreadId t, EdgeId edge) {
  Concrete trial;
  concrete_init(&trial, state->program, NULL);
  concrete_copy(&trial, state);
  Choices guess = {.guess = true};
  StepEffect effect;
  concrete_step(&trial, t, edge, &guess, &effect);
  concrete_free(&trial);
  PlainChoices choices = {.count = guess.guessed, .end = 1};
  assert_true(guess.guessed <= MOST_GUESSES);
  for (size_t i = 0; i < guess.guessed; i++) {
    choices.widths[i] = guess.guessed_widths[i];
    choices.end <<= guess.guessed_widths[i];
  }
  assert_true(choices.end <= 1 << 16); // the generators make them narrow
  return choices;
}

static inline bool plain_next(PlainChoices *choices) {
  if (choices->code == choices->end) return false;
  uint64_t rest = choices->code++;
  for (size_t i = 0; i < choices->count; i++) {
    choices->values[i] = rest & (uint64_t)bits_mask(choices->widths[i]);
    rest >>= choices->widths[i];
  }
  return true;
}

// Can the thread take a step and, if it is then in an atomic section, finish that? The generators make no loops inside
// sections.
static inline bool plain_can_run(const Concrete *state, ThreadId t) {
  const Program *p = state->program;
  if (state->stopped[t]) return false;
  Concrete next;
  concrete_init(&next, p, NULL);
  bool can = false;
  uint32_t count;
  const EdgeId *edges = location_edges(p, state->locations[t], &count);
  for (uint32_t i = 0; i < count && !can; i++) {
    PlainChoices all = plain_choices(state, t, edges[i]);
    while (!can && plain_next(&all)) {
      concrete_copy(&next, state);
      Choices choices = {.values = all.values, .count = all.count};
      StepEffect effect;
      StepOutcome outcome = concrete_step(&next, t, edges[i], &choices, &effect);
      bool inside = outcome == OUTCOME_TAKEN && p->locations.data[next.locations[t]].atomic;
      can = inside ? plain_can_run(&next, t) : outcome != OUTCOME_BLOCKED;
    }
  }
  concrete_free(&next);
  return can;
}

static inline void plain_try(Plain *plain, ThreadId t, EdgeId edge) {
  PlainChoices all = plain_choices(&plain->state, t, edge);
  while (plain_next(&all)) {
    concrete_copy(&plain->next, &plain->state);
    Choices choices = {.values = all.values, .count = all.count};
    StepEffect effect;
    switch (concrete_step(&plain->next, t, edge, &choices, &effect)) {
    case OUTCOME_TAKEN: plain_add(plain, &plain->next); break;
    case OUTCOME_ERROR: plain->error = true; break;
    case OUTCOME_INVALID_ACCESS:
    case OUTCOME_INVALID_FREE: plain->invalid = true; break;
    case OUTCOME_ZERO_DIVISOR: plain->zero = true; break;
    default: break;
    }
  }
}

// --- races: every event of one thread, followed by every event of another ---

typedef struct Event {
  CellId cells[16];
  bool writes[16], synchronises[16];
  size_t count;
  bool section;
} Event;

typedef struct EventSearch {
  Plain *plain;
  ThreadId thread;
  bool second; // `first` has happened
  Event first;
} EventSearch;

static inline bool events_race(const Event *a, const Event *b) {
  bool conflict = false;
  if (a->section && b->section) return false;
  for (size_t i = 0; i < a->count; i++) {
    for (size_t j = 0; j < b->count; j++) {
      if (a->cells[i] != b->cells[j]) continue;
      if (a->synchronises[i] && b->synchronises[j]) return false;
      conflict |= a->writes[i] || b->writes[j];
    }
  }
  return conflict;
}

static inline void events_from(EventSearch *search, const Concrete *state, const Event *sofar);

static inline void event_complete(EventSearch *search, const Concrete *state, const Event *event,
                                  bool process_goes_on) {
  if (search->second) {
    if (events_race(&search->first, event)) search->plain->race = true;
    return;
  }
  if (!process_goes_on) return;
  for (ThreadId t = 0; t < search->plain->p->threads.count; t++) {
    if (t == search->thread) continue;
    EventSearch next = {.plain = search->plain, .thread = t, .second = true, .first = *event};
    events_from(&next, state, &(Event){0});
  }
}

static inline void event_step(EventSearch *search, const Concrete *state, const Event *sofar, EdgeId edge,
                              const PlainChoices *all) {
  const Program *p = search->plain->p;
  const Access *access = &p->steps.data[p->edges.data[edge].first_step].access;
  Concrete next;
  concrete_init(&next, p, NULL);
  concrete_copy(&next, state);
  Choices choices = {.values = all->values, .count = all->count};
  StepEffect effect;
  StepOutcome outcome = concrete_step(&next, search->thread, edge, &choices, &effect);
  Event event = *sofar;
  bool inside = p->locations.data[p->edges.data[edge].to].atomic;
  event.section |= inside;
  if (outcome == OUTCOME_TAKEN && effect.first_cell != NO_ID) {
    event.cells[event.count] = effect.first_cell;
    event.writes[event.count] = access->writes;
    event.synchronises[event.count++] = access->synchronises;
  }
  if (outcome == OUTCOME_TAKEN && inside)
    events_from(search, &next, &event);
  else if (outcome == OUTCOME_TAKEN)
    event_complete(search, &next, &event, true);
  else if (outcome != OUTCOME_BLOCKED)
    event_complete(search, &next, &event, false);
  concrete_free(&next);
}

// All ways to go on with an event of the search's thread. The generator makes no loops inside sections.
static inline void events_from(EventSearch *search, const Concrete *state, const Event *sofar) {
  const Program *p = search->plain->p;
  const Location *l = &p->locations.data[state->locations[search->thread]];
  for (uint32_t i = 0; i < l->out_count; i++) {
    EdgeId edge = p->out_edges.data[l->first_out + i];
    PlainChoices all = plain_choices(state, search->thread, edge);
    while (plain_next(&all)) event_step(search, state, sofar, edge, &all);
  }
}

static inline void plain_check_race(Plain *plain) {
  for (ThreadId t = 0; t < plain->p->threads.count && !plain->race; t++) {
    EventSearch search = {.plain = plain, .thread = t};
    events_from(&search, &plain->state, &(Event){0});
  }
}

static inline void plain_visit(Plain *plain, uint32_t id) {
  const Program *p = plain->p;
  unpack(plain, records_at(&plain->seen, id), &plain->state);
  ThreadId inside = NO_ID;
  bool runs = false, waits = false;
  for (ThreadId t = 0; t < p->threads.count; t++) {
    if (p->locations.data[plain->state.locations[t]].atomic) inside = t;
  }
  // A section that cannot be finished is not entered, so what happens in it does not count.
  if (inside != NO_ID && !plain_can_run(&plain->state, inside)) return;
  if (inside == NO_ID && plain->races) plain_check_race(plain);
  for (ThreadId t = 0; t < p->threads.count; t++) {
    if (inside != NO_ID && inside != t) continue;
    CanRun alone = concrete_can_wait(&plain->state, t);
    runs |= alone == RUN_YES || alone == RUN_UNKNOWN;
    waits |= alone == RUN_WAITS;
    if (!plain_can_run(&plain->state, t)) continue;
    const Location *l = &p->locations.data[plain->state.locations[t]];
    for (uint32_t i = 0; i < l->out_count; i++) plain_try(plain, t, p->out_edges.data[l->first_out + i]);
  }
  if (!runs && waits) plain->deadlock = true;
}

static inline void plain_search(Plain *plain, const Program *p, bool races, size_t most_states) {
  *plain = (Plain){.p = p, .races = races};
  size_t bytes = p->threads.count * (sizeof(LocationId) + 1) + p->variables.count * sizeof(Bits) +
                 p->cells.count * (sizeof(Bits) + 1) + p->objects.count * (1 + sizeof(uint32_t));
  plain->key_bytes = (bytes + 7) / 8 * 8;
  plain->key = memory_allocate(NULL, plain->key_bytes);
  records_init(&plain->seen, plain->key_bytes, 0, NULL);
  concrete_init(&plain->state, p, NULL);
  concrete_init(&plain->next, p, NULL);
  plain_add(plain, &plain->state);
  while (plain->work.count > 0 && !plain->too_large) {
    plain_visit(plain, U32Vector_pop(&plain->work));
    plain->too_large = plain->seen.count > most_states;
  }
  concrete_free(&plain->state);
  concrete_free(&plain->next);
  records_free(&plain->seen);
  U32Vector_free(&plain->work);
  memory_free(NULL, plain->key, plain->key_bytes);
}

// --- comparing ---

static inline void plain_compare(Build *b, Property property, bool violated, uint64_t seed) {
  static const char *const reductions[] = {"none", "persistent", "sleep"};
  for (size_t i = 0; i < sizeof reductions / sizeof *reductions; i++) {
    EngineOptions options = build_options(reductions[i]);
    Result *result = build_check(b, property, &options);
    Answer expected = violated ? ANSWER_UNSAFE : ANSWER_SAFE;
    if (result->answer != expected)
      print_message("seed %llu, %s, reduction %s: %s instead of %s %s\n", (unsigned long long)seed,
                    property_name(property), reductions[i], answer_text(result->answer), answer_text(expected),
                    result->reason.data);
    assert_int_equal(result->answer, expected);
    result_free(result);
  }
}

#endif
