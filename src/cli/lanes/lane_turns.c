// Which lane begins next, with which setting, and for how long.
#include "cli/lanes/lane_state.h"

#include <assert.h>

// The first slice of a lane with several settings when there is no time limit, in slices of turns.
static const double LONG_SLICE = 20;
// What a setting of a lane may take of the time that is left when further ones follow.
static const double SHARE_OF_SETTING = 0.5;

// Lanes beyond the number of processors give way: a lane that begins early is more likely to decide.
enum { LATER_LANE_NICE = 3 };

void lane_begin(LaneState *state, const Lane *lane) {
  assert(lane->count > 0 && lane->count <= MOST_SETTINGS);
  *state = (LaneState){.lane = lane, .safe = lane->said_safe};
  if (lane->said_safe) state->spent = (1u << lane->count) - 1;
}

static size_t unspent(const LaneState *state) {
  size_t count = 0;
  for (size_t i = 0; i < state->lane->count; i++) count += !(state->spent >> i & 1);
  return count;
}

static size_t all_unspent(const PortfolioRun *run) {
  size_t count = 0;
  for (size_t i = 0; i < run->count; i++) count += unspent(&run->lanes[i]);
  return count;
}

// When the lane's next attempt has to end; 0: it has all the time there is.
static double slice_end(const PortfolioRun *run, const LaneState *state) {
  double now = clock_now(), deadline = run->p->deadline, growth = 1;
  for (size_t i = 0; i < state->turns / state->lane->count && i < 30; i++) growth *= 2;
  if (all_unspent(run) <= 1) return 0;
  double end;
  if (run->at_once == 1) {
    end = now + run->p->slice * growth;
  } else {
    if (unspent(state) <= 1) return 0;
    end = deadline > 0 ? now + (deadline - now) * SHARE_OF_SETTING : now + run->p->slice * LONG_SLICE * growth;
  }
  return deadline > 0 && end >= deadline ? 0 : end;
}

void lane_start_attempt(PortfolioRun *run, size_t lane) {
  const Portfolio *p = run->p;
  LaneState *state = &run->lanes[lane];
  assert(lane < run->count && !run->children[lane].running && unspent(state) > 0);
  size_t first = state->turns ? state->member + !state->repeats : 0;
  state->repeats = false;
  for (size_t i = 0; i < state->lane->count; i++) {
    state->member = (first + i) % state->lane->count;
    if (!(state->spent >> state->member & 1)) break;
  }
  assert(!(state->spent >> state->member & 1));
  double end = slice_end(run, state);
  state->whole = end <= 0;
  size_t sharing = run->count < run->at_once ? run->count : run->at_once;
  EngineJob job = {.run = run,
                   .member = &state->lane->members[state->member],
                   .again = state->again,
                   .deadline = state->whole ? p->deadline : end,
                   .memory = p->memory / sharing,
                   .trail = run->phases[lane].text,
                   .line = &run->lines[lane]};
  if (lane == 0 && p->phase) // the parent of this process reads it, too
    phase_set(p->phase, "%s: %zu edges", job.member->engine->name, p->program->edges.count);
  else
    phase_set(&run->phases[lane], "%s", "");
  ChildLimits limits = {.deadline = job.deadline > 0 ? job.deadline + ENGINE_GRACE : 0,
                        .grace = ENGINE_GRACE,
                        .nice = run->at_once > 1 && lane >= p->jobs ? LATER_LANE_NICE : 0,
                        .memory = job.memory,
                        .line = &run->lines[lane]};
  if (run->count > 1)
    log_detail(p->log, "%s%s: begins after %.2f s", job.member->engine->name, job.member->settings,
               clock_now() - run->started);
  state->turns++;
  state->heard = run->told.count;
  state->started = clock_now();
  child_start(&run->children[lane], p->interrupt, &limits, lane_run_engine, &job);
}

// The lane that should begin next: the one with the fewest turns; NO_CHILD if there is none. `later` becomes the time
// when one may begin that has to wait for its moment.
size_t lane_next(const PortfolioRun *run, double *later) {
  size_t best = NO_CHILD, running = 0;
  *later = 0;
  for (size_t i = 0; i < run->count; i++) running += run->children[i].running;
  if (running >= run->at_once) return NO_CHILD;
  for (size_t i = 0; i < run->count; i++) {
    const LaneState *state = &run->lanes[i];
    if (run->children[i].running || unspent(state) == 0) continue;
    double begins = run->started + state->lane->delay;
    if (running > 0 && begins > clock_now()) {
      if (*later <= 0 || begins < *later) *later = begins;
    } else if (best == NO_CHILD || state->turns < run->lanes[best].turns) {
      best = i;
    }
  }
  return best;
}
