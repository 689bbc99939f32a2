#include "judge/shorten.h"

#include "judge/judge.h"

typedef struct Shortener {
  const Program *program;
  Schedule *schedule; // the best so far
  Budget *budget;
  double until;  // on the clock
  bool accepted; // a candidate took the place of the schedule, perhaps only for a moment
  Account *account;
} Shortener;

enum { MOST_STEPS_SHORTENED = 20000, MOST_GATHERINGS = 1000 };
static const double MOST_SECONDS = 1.0;

static bool out_of_time(Shortener *s) {
  return clock_now() > s->until || budget_exhausted(s->budget, "replay shorten");
}

static void add_step(const Schedule *from, size_t index, Schedule *to) {
  const ScheduleStep *step = &from->steps.data[index];
  const Bits *choices = step->choice_count > 0 ? from->choices.data + step->first_choice : NULL;
  schedule_add(to, step->thread, step->edge, choices, step->choice_count);
}

static Schedule *empty_like(const Schedule *schedule, Account *account) {
  Schedule *result = schedule_new(account);
  result->fingerprint = schedule->fingerprint;
  result->property = schedule->property;
  result->loop_start = schedule->loop_start;
  return result;
}

// Keeps `candidate` (taken over) if it still violates the property.
static bool accept(Shortener *s, Schedule *candidate) {
  Text message;
  text_init(&message, s->account);
  bool good = judge_schedule(s->program, candidate, NULL, &message, s->account) == JUDGE_VIOLATION;
  text_free(&message);
  schedule_free(good ? s->schedule : candidate);
  if (good) s->schedule = candidate;
  s->accepted = s->accepted || good;
  return good;
}

// Without the steps that `thread` takes from position `from` on (the last step of all always stays).
static bool try_dropping(Shortener *s, ThreadId thread, size_t from) {
  Schedule *candidate = empty_like(s->schedule, s->account);
  size_t last = s->schedule->steps.count - 1;
  for (size_t i = 0; i <= last; i++) {
    if (i < from || i == last || s->schedule->steps.data[i].thread != thread) add_step(s->schedule, i, candidate);
  }
  if (candidate->steps.count == s->schedule->steps.count) {
    schedule_free(candidate);
    return false;
  }
  return accept(s, candidate);
}

// Drops as many steps as possible at the end of each thread's own sequence: all of them, or a later and later part.
static void drop_suffixes(Shortener *s) {
  for (ThreadId t = 0; t < s->program->threads.count && !out_of_time(s); t++) {
    size_t from = 0;
    for (size_t width = s->schedule->steps.count; width > 0 && !out_of_time(s); width /= 2) {
      if (try_dropping(s, t, from)) break;
      from += (s->schedule->steps.count - from) / 2;
    }
  }
}

// The end of the run of steps by one thread that starts at `start`.
static size_t block_end(const Schedule *schedule, size_t start) {
  size_t end = start;
  while (end < schedule->steps.count && schedule->steps.data[end].thread == schedule->steps.data[start].thread) end++;
  return end;
}

// With the blocks [a, b) and [b, c) exchanged.
static bool try_exchanging(Shortener *s, size_t a, size_t b, size_t c) {
  Schedule *candidate = empty_like(s->schedule, s->account);
  for (size_t i = 0; i < a; i++) add_step(s->schedule, i, candidate);
  for (size_t i = b; i < c; i++) add_step(s->schedule, i, candidate);
  for (size_t i = a; i < b; i++) add_step(s->schedule, i, candidate);
  for (size_t i = c; i < s->schedule->steps.count; i++) add_step(s->schedule, i, candidate);
  return accept(s, candidate);
}

// Where a thread is interrupted by one other and then goes on, lets the other go before or after both parts.
static bool join_blocks_once(Shortener *s) {
  bool changed = false;
  size_t a = 0;
  while (!out_of_time(s)) {
    size_t b = block_end(s->schedule, a);
    if (b >= s->schedule->steps.count) break;
    size_t c = block_end(s->schedule, b);
    if (c >= s->schedule->steps.count) break;
    if (s->schedule->steps.data[a].thread == s->schedule->steps.data[c].thread) {
      size_t d = block_end(s->schedule, c);
      bool joined = try_exchanging(s, a, b, c) || (d < s->schedule->steps.count && try_exchanging(s, b, c, d));
      changed |= joined;
      if (joined) continue; // look again from the same place
    }
    a = b;
  }
  return changed;
}

// Brings the block at `a` to the next block of its thread, or that one to it, past the blocks of several other threads
// that lie between. Kept only if that saves a switch.
static bool try_gathering(Shortener *s, size_t a) {
  const Schedule *schedule = s->schedule;
  size_t b = block_end(schedule, a), c = b;
  while (c < schedule->steps.count && schedule->steps.data[c].thread != schedule->steps.data[a].thread)
    c = block_end(schedule, c);
  if (c >= schedule->steps.count) return false;
  size_t d = block_end(schedule, c), switches = schedule_switches(schedule);
  Schedule *old = schedule_copy(schedule, s->account);
  bool joined = try_exchanging(s, a, b, c) || (d < s->schedule->steps.count && try_exchanging(s, b, c, d));
  bool better = joined && schedule_switches(s->schedule) < switches;
  if (joined && !better) { // as many switches in another place: not worth it
    schedule_free(s->schedule);
    s->schedule = old;
    return false;
  }
  schedule_free(old);
  return better;
}

// Tries this for every block in turn.
static bool gather_blocks_once(Shortener *s) {
  bool changed = false;
  size_t a = 0;
  for (unsigned tries = 0; tries < MOST_GATHERINGS && !out_of_time(s); tries++) {
    bool joined = try_gathering(s, a);
    changed |= joined;
    if (joined) continue; // look again from the same place
    a = block_end(s->schedule, a);
    if (a >= s->schedule->steps.count) break;
  }
  return changed;
}

Schedule *schedule_shorten(const Program *program, Schedule *schedule, Budget *budget, bool *changed,
                           Account *account) {
  Shortener s = {.program = program, .schedule = schedule, .budget = budget, .account = account};
  s.until = clock_now() + MOST_SECONDS;
  *changed = false;
  if (schedule->steps.count < 2 || schedule->steps.count > MOST_STEPS_SHORTENED) return schedule;
  if (schedule->loop_start != NO_ID) return schedule;          // its steps have their places
  bool droppable = schedule->property != PROPERTY_NO_DEADLOCK; // nobody may run at the end of a deadlock
  if (droppable) drop_suffixes(&s);
  bool gathered = true;
  while (gathered && !out_of_time(&s)) {
    while (!out_of_time(&s) && join_blocks_once(&s)) {}
    gathered = gather_blocks_once(&s);
  }
  // What was needed only for an order that is gone can go, too.
  if (droppable && !out_of_time(&s)) drop_suffixes(&s);
  *changed = s.accepted;
  return s.schedule;
}
