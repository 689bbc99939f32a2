#include "judge/shorten.h"

#include "judge/judge.h"

#include <assert.h>

typedef struct Shortener {
  const Program *program;
  Schedule *schedule; // the best counterexample so far, owned
  Budget *budget;
  double until;  // the end of the time limit, on clock_now's clock
  bool accepted; // a candidate replaced the schedule, perhaps only until the next candidate
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

// Takes over `candidate`. It replaces the schedule if it violates the property; else it is freed.
static bool accept(Shortener *s, Schedule *candidate) {
  assert(candidate != s->schedule && candidate->steps.count <= s->schedule->steps.count);
  Text message;
  text_init(&message, s->account);
  bool good = judge_schedule(s->program, candidate, NULL, &message, s->account) == JUDGE_VIOLATION;
  text_free(&message);
  schedule_free(good ? s->schedule : candidate);
  if (good) s->schedule = candidate;
  s->accepted = s->accepted || good;
  return good;
}

// Tries the schedule without the steps that `thread` takes from position `from` on. The last step of the schedule
// stays.
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

// For each thread: drops all its steps, or else its steps after the half, the three quarters and so on of the schedule.
static void drop_suffixes(Shortener *s) {
  for (ThreadId t = 0; t < s->program->threads.count && !out_of_time(s); t++) {
    size_t from = 0;
    for (size_t width = s->schedule->steps.count; width > 0 && !out_of_time(s); width /= 2) {
      if (try_dropping(s, t, from)) break;
      from += (s->schedule->steps.count - from) / 2;
    }
  }
}

// The end of the block of consecutive steps of one thread that begins at `start`.
static size_t block_end(const Schedule *schedule, size_t start) {
  size_t end = start;
  while (end < schedule->steps.count && schedule->steps.data[end].thread == schedule->steps.data[start].thread) end++;
  return end;
}

// Tries the schedule with the steps [a, b) and [b, c) exchanged.
static bool try_exchanging(Shortener *s, size_t a, size_t b, size_t c) {
  assert(a < b && b < c && c <= s->schedule->steps.count);
  Schedule *candidate = empty_like(s->schedule, s->account);
  for (size_t i = 0; i < a; i++) add_step(s->schedule, i, candidate);
  for (size_t i = b; i < c; i++) add_step(s->schedule, i, candidate);
  for (size_t i = a; i < b; i++) add_step(s->schedule, i, candidate);
  for (size_t i = c; i < s->schedule->steps.count; i++) add_step(s->schedule, i, candidate);
  return accept(s, candidate);
}

// For each block that lies between two blocks of one other thread: tries to move it before or after both of them.
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

// Moves the block at `a` next to the next block of its thread, or that block next to it, over the blocks of several
// other threads in between. Kept only if there are fewer switches then.
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
  if (joined && !better) { // no fewer switches
    schedule_free(s->schedule);
    s->schedule = old;
    return false;
  }
  schedule_free(old);
  return better;
}

// Tries try_gathering for every block in turn.
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
  if (schedule->loop_start != NO_ID) return schedule;          // a lasso: its loop would have to close again
  bool droppable = schedule->property != PROPERTY_NO_DEADLOCK; // without its last steps a thread would be enabled
  if (droppable) drop_suffixes(&s);
  bool gathered = true;
  while (gathered && !out_of_time(&s)) {
    while (!out_of_time(&s) && join_blocks_once(&s)) {}
    gathered = gather_blocks_once(&s);
  }
  // Some steps were only needed for the order of steps that has changed since.
  if (droppable && !out_of_time(&s)) drop_suffixes(&s);
  *changed = s.accepted;
  return s.schedule;
}
