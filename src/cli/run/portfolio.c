#include "cli/run/portfolio.h"

#include "cli/lanes/lane_state.h"

#include <assert.h>

// What a lane is at, as far as it has said; its trail begins with its name.
static void add_lane_progress(const PortfolioRun *run, size_t lane, Text *out) {
  const LaneState *state = &run->lanes[lane];
  const char *trail = run->phases[lane].text, *name = state->lane->members[state->member].engine->name;
  text_format(out, "; %s", trail && *trail ? trail : name);
}

// What the lane's settings have covered in their last attempts.
static void add_settled(const LaneState *state, Text *out) {
  for (size_t k = 0; k < state->lane->count; k++) {
    const Result *said = state->last[k];
    if (!said || !said->covered.length) continue;
    text_format(out, "; settled by %s: %s", state->lane->members[k].engine->name, said->covered.data);
  }
}

// The round, how long it takes, what the engines that run are at, and what has been covered before.
static void show_progress(const PortfolioRun *run) {
  if (run->count < 2 || !run->p->log->terminal) return;
  Text text;
  text_init(&text, NULL);
  for (size_t i = 0; i < run->count; i++)
    if (run->children[i].running) add_lane_progress(run, i, &text);
  for (size_t i = 0; i < run->count; i++) add_settled(&run->lanes[i], &text);
  log_progress(run->p->log, "round %u: %.0f s%s", run->p->round + 1, clock_now() - run->started, text.data);
  text_free(&text);
}

static double sooner(double a, double b) { return a <= 0 || (b > 0 && b < a) ? b : a; }

Result *portfolio_run(const Portfolio *p) {
  assert(p->plan->count <= MOST_LANES && p->agree >= 1 && p->jobs >= 1);
  PortfolioRun run = {
      .p = p, .count = p->plan->count, .started = clock_now(), .at_once = p->jobs > 1 ? 2 * p->jobs : 1};
  arena_init(&run.arena, NULL);
  for (size_t i = 0; i < run.count; i++) {
    lane_begin(&run.lanes[i], &p->plan->lanes[i]);
    if (i == 0 && p->phase)
      run.phases[i] = *p->phase;
    else
      phase_init(&run.phases[i]);
  }
  while (!run.ended && !*p->interrupt->flag) {
    double later;
    size_t lane = lane_next(&run, &later);
    if (lane != NO_CHILD && (p->deadline <= 0 || clock_now() < p->deadline)) {
      lane_start_attempt(&run, lane);
      if (run.children[lane].running) continue;
    } else {
      show_progress(&run);
      // A progress line wants to be drawn again.
      double redraw = p->log->terminal && run.count > 1 ? clock_now() + 0.5 : 0;
      double until = sooner(later, redraw);
      lane = children_wait(run.children, run.count, p->interrupt, until);
      if (lane == NO_CHILD && until > 0 && clock_now() >= until) continue;
      if (lane == NO_CHILD) break; // no lane is running, and none can begin
    }
    lane_receive(&run, lane);
  }
  for (size_t i = 0; i < run.count; i++) {
    child_dismiss(&run.children[i]);
    child_report_free(&run.children[i].report);
  }
  log_progress_end(p->log);
  Result *result = run.verdict ? result_copy(run.verdict, NULL) : lane_sum_up(&run);
  for (size_t i = 0; i < run.count; i++)
    for (size_t k = 0; k < MOST_SETTINGS; k++) result_free(run.lanes[i].last[k]);
  for (size_t i = p->phase ? 1 : 0; i < run.count; i++) phase_free(&run.phases[i]);
  ToldFindingVector_free(&run.told);
  arena_free(&run.arena);
  return result;
}
