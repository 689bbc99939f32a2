#include "witness/guided.h"

#include "judge/input_samples.h"
#include "judge/judge.h"
#include "witness/guided_doubts.h"
#include "witness/guided_scope.h"

#include <assert.h>

enum {
  MOST_COMBINATIONS = 4096,  // of the values chosen in one step
  FULL_WIDTH = 8,            // inputs of at most this many bits: all values are tried
  MOST_RACE_TRIALS = 2000,   // schedules that the judge executes in search of a race
  MOST_DENSE_STEPS = 2000000 // of the dense search
};

// A step that may be taken from a state.
typedef struct Candidate {
  ThreadId thread;
  EdgeId edge;
  uint32_t first_choice, choice_count; // in GuidedSearch.choices
  bool expanded;                       // the choices are those of the step
  bool pass_by;                        // the step does not pass a waypoint that it could pass
} Candidate;
VECTOR(CandidateVector, Candidate);

typedef struct Frame {
  size_t log_mark;                        // of the state before the step that led here
  size_t choice_mark;                     // of GuidedSearch.choices when the frame began
  size_t first_candidate, next_candidate; // those of this state
  Candidate taken;                        // the step that led here
  bool moved;                             // some thread is enabled
  size_t doubt_mark;                      // of GuidedSearch.doubts before the step that led here
} GuidedFrame;
VECTOR(GuidedFrameVector, GuidedFrame);

typedef struct GuidedSearch {
  const Program *program;
  const GuidedPlan *plan;
  GuidedState state;
  GuidedFrameVector frames;
  CandidateVector candidates;
  BitsVector choices;
  Map visited;
  bool *unobserved; // per location: no step there can be seen by another thread or passes a waypoint
  InputSamples samples;
  U64Vector constants; // of the witness's expressions
  DoubtVector doubts;  // of the path from the initial state to here
  Budget *budget;
  GuidedResult *result;
  bool dense;   // assume that statements that the witness does not name touch nothing shared
  bool sampled; // not all values of inputs were tried
  bool unsure;  // the judge looked at some of the paths only
  unsigned race_trials;
  Account *account;
} GuidedSearch;

// --- what is computed before the search ---

static bool touches_shared(const Program *p, const Step *step) {
  if (step->access.address == TERM_NONE) return false;
  if (step->access.invalid) return true;
  for (uint32_t i = 0; i < step->access.cells.count; i++) {
    const Cell *cell = &p->cells.data[access_cell(p, &step->access, i)];
    if (cell->shared || p->objects.data[cell->object].dynamic) return true;
  }
  return false;
}

static bool touches_only_shared(const Program *p, const Step *step) {
  if (step->access.address == TERM_NONE || step->access.invalid || step->access.cells.count == 0) return false;
  for (uint32_t i = 0; i < step->access.cells.count; i++)
    if (!p->cells.data[access_cell(p, &step->access, i)].shared) return false;
  return true;
}

static bool is_unobserved(const GuidedSearch *s, EdgeId e) {
  const Program *p = s->program;
  const Step *step = edge_first_step(p, e);
  if (step->kind != STEP_PLAIN && step->kind != STEP_ASSUME) return false;
  if (p->edges.data[e].back || p->locations.data[p->edges.data[e].to].atomic || touches_shared(p, step)) return false;
  for (size_t i = 0; i < s->plan->places.count; i++)
    if (bitset_get(&s->plan->places.data[i].edges, e)) return false;
  return true;
}

static void find_unobserved(GuidedSearch *s) {
  const Program *p = s->program;
  s->unobserved = memory_allocate_zeroed(s->account, p->locations.count * sizeof(bool));
  for (LocationId l = 0; l < p->locations.count; l++) {
    const Location *location = &p->locations.data[l];
    s->unobserved[l] = location->out_count > 0 && !location->atomic;
    for (uint32_t i = 0; i < location->out_count && s->unobserved[l]; i++)
      s->unobserved[l] = is_unobserved(s, location_out_edge(p, location, i));
  }
}

// Collects the numbers in the witness's expressions: an input that equals one of them may lead along the witness.
static void find_constants(GuidedSearch *s) {
  const WaypointVector *waypoints = &s->plan->witness->waypoints;
  for (size_t w = 0; w < waypoints->count; w++) {
    for (const char *c = waypoints->data[w].constraint; c && *c; c++) {
      bool starts = *c >= '0' && *c <= '9' && (c == waypoints->data[w].constraint || c[-1] < '0' || c[-1] > 'z');
      if (!starts || s->constants.count >= 64) continue;
      bool negative = c > waypoints->data[w].constraint && c[-1] == '-';
      uint64_t number = 0;
      for (; *c >= '0' && *c <= '9'; c++) number = number * 10 + (uint64_t)(*c - '0');
      c--;
      number = negative ? -number : number;
      bool known = false;
      for (size_t i = 0; i < s->constants.count; i++) known |= s->constants.data[i] == number;
      if (!known) U64Vector_push(&s->constants, number);
    }
  }
}

// --- waypoints ---

static const Segment *segment_now(const GuidedSearch *s) {
  assert(s->state.position[0] < s->plan->witness->segments.count);
  return &s->plan->witness->segments.data[s->state.position[0]];
}

static bool at_last_segment(const GuidedSearch *s) {
  return s->state.position[0] + 1 == s->plan->witness->segments.count;
}

static bool is_thread(const GuidedSearch *s, const Waypoint *waypoint, ThreadId thread) {
  return waypoint->thread < 0 || s->state.numbers[thread] == (uint32_t)waypoint->thread + 1;
}

static GuidedScope scope_of(const GuidedSearch *s, ThreadId thread, EdgeId edge, const Bits *result) {
  GuidedScope scope = {.state = &s->state, .thread = thread, .location = s->program->edges.data[edge].from};
  const Step *step = edge_first_step(s->program, edge);
  for (uint32_t i = 0; result && i < step->assignment_count && !scope.has_result; i++) {
    if (step->assignments[i].value != VALUE_INPUT) continue;
    scope.has_result = true;
    scope.result = (uint64_t)*result;
    scope.result_width = term_width(s->program->terms, variable_term(s->program, step->assignments[i].variable));
  }
  return scope;
}

// Does the step pass the waypoint? Called before the step is taken. `result`: the value chosen for the step's input, or
// NULL.
static Truth passes(const GuidedSearch *s, uint32_t w, ThreadId thread, EdgeId edge, const Bits *result) {
  const Waypoint *waypoint = &s->plan->witness->waypoints.data[w];
  if (!plan_passes(s->plan, w, edge) || !is_thread(s, waypoint, thread)) return TRUTH_FALSE;
  if (waypoint->type == WAYPOINT_BRANCHING) return s->plan->waypoints.data[w].exact ? TRUTH_TRUE : TRUTH_UNKNOWN;
  if (!waypoint->constraint) return TRUTH_TRUE;
  if (waypoint->format_unknown) return TRUTH_UNKNOWN;
  if (waypoint->type == WAYPOINT_FUNCTION_RETURN && !s->plan->waypoints.data[w].exact) return TRUTH_UNKNOWN;
  GuidedScope scope = scope_of(s, thread, edge, result);
  return guided_scope_truth(&scope, waypoint->constraint);
}

// Records that the waypoint's constraint was neither true nor false here.
static void record_doubt(GuidedSearch *s, uint32_t w, const Candidate *c, const Bits *result) {
  const Waypoint *waypoint = &s->plan->witness->waypoints.data[w];
  if (!waypoint->constraint) return;
  GuidedScope scope = scope_of(s, c->thread, c->edge, result);
  bool read = !waypoint->format_unknown && waypoint->type != WAYPOINT_BRANCHING;
  Doubt row = {.waypoint = w, .no_value = read && guided_scope_has_no_value(&scope, waypoint->constraint)};
  DoubtVector_push(&s->doubts, row);
}

static void skip_unknown_waypoints(GuidedSearch *s) {
  while (!at_last_segment(s)) {
    const Segment *segment = segment_now(s);
    if (s->plan->waypoints.data[segment->first + segment->avoid_count].place != NO_ID) break;
    guided_state_set(&s->state, ITEM_POSITION, 0, s->state.position[0] + 1);
  }
  if (s->state.position[0] > s->result->furthest) s->result->furthest = s->state.position[0];
}

static bool must_avoid(GuidedSearch *s, const Candidate *c, const Bits *result) {
  const Segment *segment = segment_now(s);
  for (uint32_t i = 0; i < segment->avoid_count; i++) {
    Truth passed = passes(s, segment->first + i, c->thread, c->edge, result);
    if (passed == TRUTH_TRUE) return true;
    if (passed == TRUTH_UNKNOWN) record_doubt(s, segment->first + i, c, result);
  }
  return false;
}

static void number_thread(GuidedSearch *s, EdgeId edge) {
  assert(edge_first_step(s->program, edge)->kind == STEP_CREATE);
  ThreadId created = edge_first_step(s->program, edge)->target;
  uint32_t threads = (uint32_t)s->program->threads.count;
  guided_state_set(&s->state, ITEM_NUMBER, created, s->state.numbers[threads] + 1);
  guided_state_set(&s->state, ITEM_NUMBER, threads, s->state.numbers[threads] + 1);
}

// May one step pass both waypoints, one after the other? Their types must be in the order of WaypointType; two
// waypoints of one type must have different constraints.
static bool may_follow(const Waypoint *before, const Waypoint *after) {
  if (!before || before->type < after->type) return true;
  return before->type == after->type && before->constraint && after->constraint &&
         strcmp(before->constraint, after->constraint) != 0;
}

// Moves the position over the waypoints that the step passes, before it is executed. False if the step passes a
// waypoint that must be avoided.
static bool pass_waypoints(GuidedSearch *s, const Candidate *c, const Bits *result, bool *passed) {
  const Waypoint *before = NULL;
  *passed = false;
  if (must_avoid(s, c, result)) return false;
  while (!c->pass_by && !at_last_segment(s)) {
    const Segment *segment = segment_now(s);
    uint32_t w = segment->first + segment->avoid_count;
    const Waypoint *waypoint = &s->plan->witness->waypoints.data[w];
    Truth truth = may_follow(before, waypoint) ? passes(s, w, c->thread, c->edge, result) : TRUTH_FALSE;
    if (truth == TRUTH_FALSE) break;
    if (truth == TRUTH_UNKNOWN) record_doubt(s, w, c, result);
    if (s->plan->waypoints.data[w].registers) number_thread(s, c->edge);
    guided_state_set(&s->state, ITEM_POSITION, 0, s->state.position[0] + 1);
    skip_unknown_waypoints(s);
    before = waypoint;
    *passed = true;
  }
  return true;
}

// --- dead ends ---

static bool can_reach(const GuidedSearch *s, ThreadId thread, uint32_t place) {
  return bitset_get(&s->plan->places.data[place].from, s->state.concrete.locations[thread]);
}

static bool some_thread_can_reach(const GuidedSearch *s, uint32_t w) {
  const Waypoint *waypoint = &s->plan->witness->waypoints.data[w];
  uint32_t place = s->plan->waypoints.data[w].place;
  for (ThreadId t = 0; t < s->program->threads.count; t++) {
    bool fits = waypoint->thread < 0 || s->state.numbers[t] == 0 || is_thread(s, waypoint, t);
    if (fits && can_reach(s, t, place)) return true;
  }
  return false;
}

// Is it certain that no execution from here follows the rest of the witness?
static bool is_dead_end(const GuidedSearch *s) {
  const Segment *segment = segment_now(s);
  for (uint32_t i = 0; i < segment->follow_count; i++) {
    bool done = s->state.position[1] >> i & 1;
    if (!done && !some_thread_can_reach(s, segment->first + segment->avoid_count + i)) return true;
  }
  const uint32_t *next = s->plan->next_place.data + (size_t)s->state.position[0] * s->plan->thread_ids;
  for (ThreadId t = 0; t < s->program->threads.count; t++) {
    uint32_t number = s->state.numbers[t];
    if (number == 0 || number > s->plan->thread_ids || next[number - 1] == NO_ID || s->state.position[1]) continue;
    if (!can_reach(s, t, next[number - 1])) return true;
  }
  return false;
}

// --- candidates ---

static void add_thread(GuidedSearch *s, ThreadId thread) {
  const Location *location = &s->program->locations.data[s->state.concrete.locations[thread]];
  for (uint32_t i = location->out_count; i-- > 0;) {
    Candidate candidate = {.thread = thread, .edge = location_out_edge(s->program, location, i)};
    CandidateVector_push(&s->candidates, candidate);
  }
}

// Can one of the steps of this thread be taken if each of its choices is 0?
static bool is_enabled(GuidedSearch *s, ThreadId thread) {
  const Location *location = &s->program->locations.data[s->state.concrete.locations[thread]];
  for (uint32_t i = 0; i < location->out_count; i++) {
    size_t mark = s->state.log.count;
    Choices choices = {.guess = true};
    EdgeId edge = location_out_edge(s->program, location, i);
    bool taken = guided_state_step(&s->state, thread, edge, &choices) == OUTCOME_TAKEN;
    guided_state_undo(&s->state, mark);
    if (taken) return true;
  }
  return false;
}

static bool in_statement(const GuidedSearch *s, ThreadId thread) {
  const Location *location = &s->program->locations.data[s->state.concrete.locations[thread]];
  if (location->out_count == 0) return false;
  return !s->plan->events->edges[location_out_edge(s->program, location, 0)].begins;
}

static ThreadId wanted_thread(const GuidedSearch *s) {
  const Segment *segment = segment_now(s);
  const Waypoint *waypoint = &s->plan->witness->waypoints.data[segment->first + segment->avoid_count];
  for (ThreadId t = 0; t < s->program->threads.count && waypoint->thread >= 0; t++)
    if (is_thread(s, waypoint, t)) return t;
  return NO_ID;
}

// Candidates are taken from the end of the vector: the one that is to be tried first is pushed last.
static void add_candidates(GuidedSearch *s, ThreadId last) {
  const Program *p = s->program;
  ThreadId unobserved = NO_ID;
  for (ThreadId t = 0; t < p->threads.count; t++) {
    LocationId l = s->state.concrete.locations[t];
    if (p->locations.data[l].atomic) {
      add_thread(s, t);
      return;
    }
    if (unobserved == NO_ID && s->unobserved[l] && is_enabled(s, t)) unobserved = t;
  }
  if (unobserved != NO_ID) {
    add_thread(s, unobserved);
    return;
  }
  ThreadId wanted = wanted_thread(s);
  bool in_middle = last != NO_ID && last != wanted && in_statement(s, last);
  for (ThreadId t = (ThreadId)p->threads.count; t-- > 0;)
    if (t != wanted && (t != last || !in_middle)) add_thread(s, t);
  if (wanted != NO_ID) add_thread(s, wanted);
  if (in_middle) add_thread(s, last);
}

// --- values ---

// The value that the next waypoint demands of the input of this step. `only`: no other value can follow the witness.
static bool wanted_value(const GuidedSearch *s, const Candidate *c, uint64_t *value, bool *only) {
  if (at_last_segment(s)) return false;
  for (uint32_t ahead = 0; ahead < 2 && s->state.position[0] + ahead + 1 < s->plan->witness->segments.count; ahead++) {
    const Segment *segment = &s->plan->witness->segments.data[s->state.position[0] + ahead];
    uint32_t w = segment->first + segment->avoid_count;
    const Waypoint *waypoint = &s->plan->witness->waypoints.data[w];
    if (!plan_passes(s->plan, w, c->edge) || !is_thread(s, waypoint, c->thread)) return false;
    int64_t constant;
    if (waypoint->type != WAYPOINT_FUNCTION_RETURN || !waypoint->constraint || !s->plan->waypoints.data[w].exact ||
        !expression_is_equation(waypoint->constraint, "\\result", &constant))
      continue;
    *value = (uint64_t)constant;
    // With any other value the waypoint is not passed here: no other value helps unless the call can be reached again.
    *only = ahead == 0 && !bitset_get(&s->plan->places.data[s->plan->waypoints.data[w].place].from,
                                      s->program->edges.data[c->edge].to);
    for (ThreadId t = 0; t < s->program->threads.count && waypoint->thread < 0; t++)
      *only = *only && (t == c->thread || !can_reach(s, t, s->plan->waypoints.data[w].place));
    return true;
  }
  return false;
}

static void add_value(U64Vector *values, uint64_t value, unsigned width) {
  value &= (uint64_t)bits_mask(width);
  for (size_t i = 0; i < values->count; i++)
    if (values->data[i] == value) return;
  U64Vector_push(values, value);
}

static void collect_values(GuidedSearch *s, const Candidate *c, bool first, unsigned width, U64Vector *values) {
  uint64_t wanted;
  bool only = false;
  U64Vector_clear(values);
  unsigned narrow = width > 64 ? 64 : width;
  if (first && s->plan->events->edges[c->edge].input && wanted_value(s, c, &wanted, &only))
    add_value(values, wanted, narrow);
  if (only) return;
  if (width <= FULL_WIDTH) {
    for (uint64_t v = 0; v < UINT64_C(1) << width; v++) add_value(values, v, narrow);
    return;
  }
  s->sampled = true;
  for (size_t i = 0; i < s->constants.count; i++) add_value(values, s->constants.data[i], narrow);
  for (size_t i = 0; i < s->samples.of_width[narrow].count; i++)
    add_value(values, s->samples.of_width[narrow].data[i], narrow);
}

// Pushes one candidate for each combination of values, the most promising last.
static void expand(GuidedSearch *s, const Candidate *c, const Choices *requested) {
  assert(!c->expanded && requested->guessed > 0);
  size_t count = requested->guessed < MOST_GUESSES ? requested->guessed : MOST_GUESSES;
  U64Vector values[MOST_GUESSES];
  size_t combinations = 1;
  if (requested->guessed > MOST_GUESSES) s->sampled = true;
  for (size_t i = 0; i < count; i++) {
    U64Vector_init(&values[i], s->account);
    collect_values(s, c, i == 0, requested->guessed_widths[i], &values[i]);
    combinations *= values[i].count;
    if (combinations > MOST_COMBINATIONS) {
      combinations = MOST_COMBINATIONS;
      s->sampled = true;
    }
  }
  for (size_t n = combinations; n-- > 0;) {
    Candidate candidate = *c;
    candidate.expanded = true;
    candidate.first_choice = (uint32_t)s->choices.count;
    candidate.choice_count = (uint32_t)requested->guessed;
    size_t rest = n;
    for (size_t i = 0; i < requested->guessed; i++) {
      Bits value = 0;
      if (i < count) {
        value = values[i].data[rest % values[i].count];
        rest /= values[i].count;
      }
      BitsVector_push(&s->choices, value);
    }
    CandidateVector_push(&s->candidates, candidate);
  }
  for (size_t i = 0; i < count; i++) U64Vector_free(&values[i]);
}

// --- the violation ---

static Schedule *make_schedule(const GuidedSearch *s, const Candidate *last) {
  Schedule *schedule = schedule_new(s->account);
  schedule->fingerprint = s->program->fingerprint;
  schedule->property = s->plan->property;
  schedule->loop_start = NO_ID;
  for (size_t i = 1; i <= s->frames.count; i++) {
    const Candidate *c = i < s->frames.count ? &s->frames.data[i].taken : last;
    if (!c) break;
    schedule_add(schedule, c->thread, c->edge, s->choices.data + c->first_choice, c->choice_count);
  }
  return schedule;
}

// A deadlock has no thread inside a section: one that cannot be finished is not entered (judge).
static void leave_section(const GuidedSearch *s, Schedule *schedule) {
  const Program *p = s->program;
  ScheduleStepVector *steps = &schedule->steps;
  while (steps->count && p->locations.data[p->edges.data[steps->data[steps->count - 1].edge].to].atomic) steps->count--;
}

// Asks the judge whether the path to here, followed by step `last` if there is one, violates the property. If so, its
// schedule is the result.
static bool is_confirmed(GuidedSearch *s, const Candidate *last) {
  GuidedResult *result = s->result;
  assert(!result->schedule);
  Schedule *schedule = make_schedule(s, last);
  if (s->plan->property == PROPERTY_NO_DEADLOCK) leave_section(s, schedule);
  trace_free(&result->trace);
  trace_init(&result->trace, s->account);
  if (judge_schedule(s->program, schedule, &result->trace, &result->violation, s->account) == JUDGE_VIOLATION) {
    result->schedule = schedule;
    return true;
  }
  schedule_free(schedule);
  return false;
}

static bool at_target(const GuidedSearch *s, const Candidate *c) {
  if (!at_last_segment(s)) return false;
  const Segment *segment = segment_now(s);
  for (uint32_t i = 0; i < segment->follow_count; i++)
    if (passes(s, segment->first + segment->avoid_count + i, c->thread, c->edge, NULL) != TRUTH_FALSE) return true;
  return false;
}

// For data races: true if the step makes the last access that the targets name and the judge finds a race.
static bool races(GuidedSearch *s, const Candidate *c) {
  const Segment *segment = segment_now(s);
  assert(at_last_segment(s));
  uint32_t passed = s->state.position[1], all = (1u << segment->follow_count) - 1;
  for (uint32_t i = 0; i < segment->follow_count && i < 31; i++) {
    bool other = !(passed >> i & 1);
    if (!other || passes(s, segment->first + segment->avoid_count + i, c->thread, c->edge, NULL) == TRUTH_FALSE)
      continue;
    passed |= 1u << i;
    break; // one access is one target
  }
  if (passed == s->state.position[1]) return false;
  if (passed != all) {
    guided_state_set(&s->state, ITEM_POSITION, 1, passed);
    return false;
  }
  s->unsure = true;
  return s->race_trials++ < MOST_RACE_TRIALS && is_confirmed(s, c);
}

static bool deadlocks(GuidedSearch *s) {
  if (s->plan->property != PROPERTY_NO_DEADLOCK || !at_last_segment(s)) return false;
  for (ThreadId t = 0; t < s->program->threads.count; t++) {
    const Location *location = &s->program->locations.data[s->state.concrete.locations[t]];
    for (uint32_t i = 0; i < location->out_count; i++) {
      Candidate c = {.thread = t, .edge = location_out_edge(s->program, location, i)};
      if (at_target(s, &c)) return is_confirmed(s, NULL);
    }
  }
  return false;
}

static bool is_violation(Property property, StepOutcome outcome) {
  switch (property) {
  case PROPERTY_UNREACH_CALL: return outcome == OUTCOME_ERROR;
  case PROPERTY_VALID_MEMSAFETY: return outcome == OUTCOME_INVALID_ACCESS || outcome == OUTCOME_INVALID_FREE;
  case PROPERTY_NO_DIVISION_BY_ZERO: return outcome == OUTCOME_ZERO_DIVISOR;
  case PROPERTY_NO_OVERFLOW:
  case PROPERTY_VALID_MEMTRACK:
  case PROPERTY_VALID_MEMCLEANUP: return outcome == OUTCOME_TAKEN; // perhaps: the judge knows
  case PROPERTY_NO_DATA_RACE:
  case PROPERTY_NO_DEADLOCK:
  case PROPERTY_LTL:
  case PROPERTY_COUNT: break; // the outcome of one step never violates these
  }
  return false;
}

// --- the search ---

static bool is_new(GuidedSearch *s) {
  uint64_t other;
  if (map_get(&s->visited, s->state.hash[0], &other) && other == s->state.hash[1]) return false;
  map_put(&s->visited, s->state.hash[0], s->state.hash[1]);
  s->result->states++;
  return true;
}

static void push_frame(GuidedSearch *s, const Candidate *taken, size_t log_mark, size_t doubt_mark) {
  GuidedFrame frame = {.log_mark = log_mark,
                       .choice_mark = s->choices.count,
                       .first_candidate = s->candidates.count,
                       .doubt_mark = doubt_mark};
  if (taken) frame.taken = *taken;
  GuidedFrameVector_push(&s->frames, frame);
  add_candidates(s, taken ? taken->thread : NO_ID);
}

static void pop_frame(GuidedSearch *s) {
  GuidedFrame frame = GuidedFrameVector_pop(&s->frames);
  assert(frame.first_candidate <= s->candidates.count && frame.choice_mark <= s->choices.count);
  assert(frame.doubt_mark <= s->doubts.count);
  s->candidates.count = frame.first_candidate;
  s->choices.count = frame.choice_mark;
  s->doubts.count = frame.doubt_mark;
  if (s->frames.count > 0) guided_state_undo(&s->state, frame.log_mark);
}

static bool needs_choices(GuidedSearch *s, const Candidate *c, Choices *requested) {
  size_t mark = s->state.log.count;
  *requested = (Choices){.guess = true};
  (void)guided_state_step(&s->state, c->thread, c->edge, requested);
  guided_state_undo(&s->state, mark);
  return requested->guessed > 0;
}

// Adds the same step as another candidate that does not pass the waypoint, if that may lead elsewhere.
static void pass_by_later(GuidedSearch *s, const Candidate *c, bool passed) {
  bool numbers = s->plan->registering && s->plan->events->edges[c->edge].creates;
  if (!passed || (!s->plan->avoiding && !numbers)) return;
  Candidate again = *c;
  again.pass_by = true;
  CandidateVector_push(&s->candidates, again);
}

// May a dense witness, one that names every statement that touches shared memory, leave out the statement of this step?
static bool may_be_unnamed(GuidedSearch *s, const Candidate *c, bool passed) {
  const EdgeEvent *event = &s->plan->events->edges[c->edge];
  if (event->begins && s->state.named[c->thread] != passed) guided_state_set(&s->state, ITEM_NAMED, c->thread, passed);
  if (s->state.named[c->thread] || event->statement == NO_ID || s->state.position[1] != 0) return true;
  return !touches_only_shared(s->program, edge_first_step(s->program, c->edge)) || at_target(s, c);
}

// Takes one step. True if it leads to the violation; then the result has its schedule.
static bool try_candidate(GuidedSearch *s, Candidate c) {
  const Step *step = edge_first_step(s->program, c.edge);
  if (step->kind == STEP_HALT) return false;
  Choices requested;
  if (!c.expanded && needs_choices(s, &c, &requested)) {
    expand(s, &c, &requested);
    return false;
  }
  assert(c.first_choice + c.choice_count <= s->choices.count);
  size_t mark = s->state.log.count, doubts = s->doubts.count;
  Choices choices = {.values = s->choices.data + c.first_choice, .count = c.choice_count};
  bool passed, allowed = pass_waypoints(s, &c, c.choice_count ? choices.values : NULL, &passed);
  if (s->dense) allowed = allowed && may_be_unnamed(s, &c, passed);
  bool target = allowed && at_target(s, &c);
  if (allowed && target && s->plan->property == PROPERTY_NO_DATA_RACE && races(s, &c)) return true;
  if (!s->plan->registering && step->kind == STEP_CREATE) number_thread(s, c.edge);
  StepOutcome outcome = guided_state_step(&s->state, c.thread, c.edge, &choices);
  s->result->steps++;
  if (outcome == OUTCOME_CUT) s->result->cuts |= 1u << s->program->cuts.data[step->target].kind;
  if (outcome == OUTCOME_UNSUPPORTED) s->unsure = true;
  if (allowed && target && is_violation(s->plan->property, outcome) && is_confirmed(s, &c)) return true;
  if (outcome != OUTCOME_BLOCKED) GuidedFrameVector_last(&s->frames)->moved = true;
  if (!allowed || outcome != OUTCOME_TAKEN || is_dead_end(s) || !is_new(s)) {
    guided_state_undo(&s->state, mark);
    s->doubts.count = doubts;
    if (allowed && outcome == OUTCOME_TAKEN) pass_by_later(s, &c, passed);
    return false;
  }
  pass_by_later(s, &c, passed); // pushed before the new frame's candidates, so that it is tried after them
  push_frame(s, &c, mark, doubts);
  return false;
}

static GuidedEnd search_all(GuidedSearch *s) {
  skip_unknown_waypoints(s);
  if (is_dead_end(s)) return GUIDED_NONE;
  is_new(s);
  push_frame(s, NULL, 0, 0);
  while (s->frames.count > 0) {
    if (budget_exhausted(s->budget, "guided-search")) return GUIDED_STOPPED;
    if (s->dense && s->result->steps > MOST_DENSE_STEPS) break;
    GuidedFrame *frame = GuidedFrameVector_last(&s->frames);
    if (s->candidates.count == frame->first_candidate) {
      if (!frame->moved && deadlocks(s)) return GUIDED_FOUND;
      pop_frame(s);
      continue;
    }
    if (try_candidate(s, CandidateVector_pop(&s->candidates))) return GUIDED_FOUND;
  }
  return s->sampled || s->unsure || s->result->cuts ? GUIDED_BOUNDED : GUIDED_NONE;
}

static void explain_end(GuidedSearch *s) {
  GuidedResult *r = s->result;
  if (r->end == GUIDED_STOPPED) text_add(&r->reason, stop_reason_text(s->budget->reason));
  if (r->end == GUIDED_NONE)
    text_format(&r->reason, "no execution follows it: at most %u of %zu segments can be passed", r->furthest,
                s->plan->witness->segments.count);
  if (r->end != GUIDED_BOUNDED) return;
  if (s->sampled)
    text_add(&r->reason, "no execution was found, but not all values of inputs were tried");
  else if (r->cuts)
    text_add(&r->reason, "no execution was found within the limits of the model");
  else
    text_add(&r->reason, "no execution was found, but not all were looked at");
}

static void search_open(GuidedSearch *s, bool dense) {
  s->dense = dense;
  guided_state_init(&s->state, s->program, s->account);
  GuidedFrameVector_init(&s->frames, s->account);
  CandidateVector_init(&s->candidates, s->account);
  BitsVector_init(&s->choices, s->account);
  U64Vector_init(&s->constants, s->account);
  DoubtVector_init(&s->doubts, s->account);
  map_init(&s->visited, s->account);
  input_samples_init(&s->samples, s->program, s->account);
  find_unobserved(s);
  find_constants(s);
}

static void search_close(GuidedSearch *s) {
  memory_free(s->account, s->unobserved, s->program->locations.count * sizeof(bool));
  input_samples_free(&s->samples);
  map_free(&s->visited);
  U64Vector_free(&s->constants);
  DoubtVector_free(&s->doubts);
  BitsVector_free(&s->choices);
  CandidateVector_free(&s->candidates);
  GuidedFrameVector_free(&s->frames);
  guided_state_free(&s->state);
}

void guided_search(const Program *program, const EventMap *events, const Witness *witness, Property property,
                   Budget *budget, GuidedResult *result, Account *account) {
  *result = (GuidedResult){.end = GUIDED_MISFIT};
  text_init(&result->reason, account);
  text_init(&result->notes, account);
  text_init(&result->unread, account);
  text_init(&result->unchecked, account);
  text_init(&result->violation, account);
  trace_init(&result->trace, account);
  GuidedPlan plan;
  if (plan_init(&plan, program, events, witness, property, &result->reason, &result->notes, account)) {
    GuidedSearch search = {.program = program, .plan = &plan, .budget = budget, .result = result, .account = account};
    for (int dense = 1; dense >= 0; dense--) {
      search_open(&search, dense);
      result->end = search_all(&search);
      if (result->end == GUIDED_FOUND) doubts_report(&plan, &search.doubts, &result->unread, &result->unchecked);
      search_close(&search);
      assert((result->end == GUIDED_FOUND) == (result->schedule != NULL));
      if (result->end == GUIDED_FOUND || result->end == GUIDED_STOPPED) break;
    }
    explain_end(&search);
  } else if (plan.limited) {
    result->end = GUIDED_BOUNDED;
    for (size_t i = 0; i < program->cuts.count; i++) result->cuts |= 1u << program->cuts.data[i].kind;
  }
  plan_free(&plan);
}

void guided_result_free(GuidedResult *result) {
  schedule_free(result->schedule);
  text_free(&result->reason);
  text_free(&result->notes);
  text_free(&result->unread);
  text_free(&result->unchecked);
  text_free(&result->violation);
  trace_free(&result->trace);
}
