#include "explicit/random_search.h"
#include "base/random.h"

void random_search_init(RandomSearch *search, Mover *mover, uint64_t seed, Budget *budget, Log *log, Path *path,
                        Account *account) {
  *search = (RandomSearch){.mover = mover, .budget = budget, .log = log, .path = path, .account = account};
  search->seed = seed;
  search->saved = memory_allocate(account, mover->machine.layout->vector_bytes);
  search->initial = memory_allocate(account, mover->machine.layout->vector_bytes);
  state_layout_initial(mover->machine.layout, search->initial);
  race_init(&search->races, mover->machine.layout, account);
}

void random_search_free(RandomSearch *search) {
  race_free(&search->races, search->mover->machine.layout);
  memory_free(search->account, search->saved, search->mover->machine.layout->vector_bytes);
  memory_free(search->account, search->initial, search->mover->machine.layout->vector_bytes);
}

void random_search_guide(RandomSearch *search, CoverageArchive *archive) { search->archive = archive; }

typedef enum Policy { POLICY_UNIFORM, POLICY_PRIORITIES, POLICY_PREEMPTIONS, POLICY_COUNT } Policy;

// One run in progress.
typedef struct Run {
  Policy policy;
  uint64_t most_moves;
  uint64_t change_points[4]; // PRIORITIES: moves after which the running thread falls back; PREEMPTIONS: switches
  ThreadId last;             // thread that moved last
} Run;

static uint64_t draw(RandomSearch *search, uint64_t below) {
  assert(below > 0);
  return random_next(&search->seed) % below;
}

static void plan_run(RandomSearch *search, Run *run) {
  *run = (Run){.policy = (Policy)(search->runs % POLICY_COUNT)};
  uint64_t doublings = search->runs / 64;                 // runs get longer
  if (search->archive) doublings = search->runs / 16 % 7; // short and long ones in turn: each begins further on
  run->most_moves = UINT64_C(200) << (doublings > 8 ? 8 : doublings);
  // Bugs need few switches, but where is unknown: spread them over different spans.
  uint64_t span = UINT64_C(8) << draw(search, 8);
  for (size_t i = 0; i < sizeof run->change_points / sizeof *run->change_points; i++)
    run->change_points[i] = draw(search, span);
  for (size_t t = 0; t < MOST_MASKED_THREADS; t++) search->priorities[t] = (random_next(&search->seed) >> 1) | 1;
}

static bool is_change_point(const Run *run, uint64_t move) {
  for (size_t i = 0; i < sizeof run->change_points / sizeof *run->change_points; i++) {
    if (run->change_points[i] == move) return true;
  }
  return false;
}

// The thread to try next, of those in `untried`.
static ThreadId pick(RandomSearch *search, const Run *run, ThreadMask untried) {
  assert(untried != 0);
  if (run->policy == POLICY_PREEMPTIONS && run->last != NO_ID && untried >> run->last & 1) return run->last;
  if (run->policy == POLICY_PRIORITIES) {
    ThreadId best = (ThreadId)__builtin_ctzll(untried);
    for (ThreadMask rest = untried; rest != 0; rest &= rest - 1) {
      ThreadId t = (ThreadId)__builtin_ctzll(rest);
      if (search->priorities[t] > search->priorities[best]) best = t;
    }
    return best;
  }
  uint64_t skip = draw(search, (uint64_t)__builtin_popcountll(untried));
  while (skip-- > 0) untried &= untried - 1;
  return (ThreadId)__builtin_ctzll(untried);
}

typedef enum MoveResult { MOVED, STUCK, FOUND } MoveResult;

static bool found_race(RandomSearch *search, ThreadId thread) {
  FoundRace race;
  if (!race_after_move(&search->races, search->mover, thread, &race)) return false;
  path_add_race(search->path, &race, &search->races);
  return true;
}

static void note_state(RandomSearch *search, ThreadId thread) {
  const Machine *machine = &search->mover->machine;
  if (!search->archive) return;
  LocationId location = vector_location(machine->layout, machine->vector, thread);
  coverage_archive_note(search->archive, location, machine->vector, search->path);
}

static void begin_run(RandomSearch *search) {
  Machine *machine = &search->mover->machine;
  path_clear(search->path);
  if (search->archive && coverage_archive_resume(search->archive, &search->seed, machine->vector, search->path)) return;
  memcpy(machine->vector, search->initial, machine->layout->vector_bytes);
}

// Lets one thread move; those that cannot are passed over.
static MoveResult move(RandomSearch *search, Run *run) {
  Mover *mover = search->mover;
  const StateLayout *layout = mover->machine.layout;
  Chooser *chooser = mover->machine.chooser;
  ThreadMask untried = thread_mask_below(layout->component_count - 1);
  memcpy(search->saved, mover->machine.vector, layout->state_bytes);
  while (untried != 0) {
    ThreadId t = pick(search, run, untried);
    untried &= ~thread_bit(t);
    chooser->digits.count = 0;
    chooser->base = 0;
    chooser_restart(chooser);
    TransitionResult result = mover_run(mover, t);
    if (result != TRANSITION_DONE && result != TRANSITION_VIOLATES) {
      memcpy(mover->machine.vector, search->saved, layout->state_bytes);
      continue;
    }
    path_add(search->path, t, chooser->digits.data, chooser->digits.count);
    run->last = t;
    search->moves++;
    if (result == TRANSITION_VIOLATES) return FOUND;
    note_state(search, t);
    if (mover->machine.property == PROPERTY_NO_DATA_RACE && found_race(search, t)) return FOUND;
    return MOVED;
  }
  return STUCK;
}

static bool is_deadlock(RandomSearch *search) {
  if (search->mover->machine.property != PROPERTY_NO_DEADLOCK) return false;
  ThreadViews views;
  search->mover->machine.chooser->digits.count = 0;
  views_fill(&views, search->mover);
  return views_violate(search->mover->machine.program, &views);
}

static bool end_run(RandomSearch *search, bool found) { return found || (search->ask && search->ask(search->context)); }

static bool run_once(RandomSearch *search) {
  Run run;
  plan_run(search, &run);
  run.last = NO_ID;
  begin_run(search);
  for (uint64_t i = 0; i < run.most_moves; i++) {
    if (budget_exhausted(search->budget, "replay random")) return false;
    if (is_change_point(&run, i) && run.last != NO_ID) {
      search->priorities[run.last] = draw(search, 1024); // below all others
      if (run.policy == POLICY_PREEMPTIONS) run.last = NO_ID;
    }
    switch (move(search, &run)) {
    case MOVED: break;
    case STUCK: return end_run(search, is_deadlock(search));
    case FOUND: return true;
    }
  }
  return end_run(search, false);
}

bool random_search_run(RandomSearch *search, uint64_t most_runs, double seconds) {
  double start = clock_now();
  Chooser *chooser = search->mover->machine.chooser;
  chooser->random = true;
  chooser->seed = random_next(&search->seed);
  search->mover->log_accesses = search->mover->machine.property == PROPERTY_NO_DATA_RACE;
  bool found = false;
  while (!found && (most_runs == 0 || search->runs < most_runs)) {
    if (budget_exhausted(search->budget, "replay random runs")) break;
    if (seconds > 0 && clock_now() - start > seconds) break;
    found = run_once(search);
    search->runs++;
    if (search->log != NULL && search->runs % 64 == 0)
      log_progress(search->log, "replay: %llu random runs", (unsigned long long)search->runs);
  }
  chooser->random = false;
  return found;
}
