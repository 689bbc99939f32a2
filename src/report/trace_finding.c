#include "report/trace_finding.h"

#include "program/settled.h"
#include "report/trace_index.h"
#include "verdict/goals.h"

#include <assert.h>

static void add_step(Finding *finding, const Step *step) {
  SettledPlace place = settled_step_place(step);
  finding_add_place(finding, place.file, place.line);
}

static void add_race(const Program *p, const TraceRace *race, Finding *finding) {
  assert(race->first_thread != race->second_thread);
  add_step(finding, edge_first_step(p, race->first_edge));
  add_step(finding, edge_first_step(p, race->second_edge));
  Text goal;
  text_init(&goal, NULL);
  goal_name_of_cell(p, race->cell, &goal);
  finding_add_goal(finding, goal.data);
  text_free(&goal);
}

static void add_deadlock(const Program *p, const Trace *trace, Finding *finding) {
  TraceIndex index;
  trace_index_init(&index, p, trace);
  size_t bytes = p->threads.count * sizeof(LocationId);
  LocationId *waiting = memory_allocate(NULL, bytes);
  for (ThreadId t = 0; t < p->threads.count; t++)
    waiting[t] = trace_waiting(&index, t).step ? trace_final_location(&index, t) : NO_ID;
  SettledFinding settled;
  deadlock_finding(p, waiting, &settled);
  for (uint32_t i = 0; i < settled.place_count; i++)
    finding_add_place(finding, settled.places[i].file, settled.places[i].line);
  memory_free(NULL, waiting, bytes);
  trace_index_free(&index);
}

// Goals of all properties but no-data-race are places.
static void add_goals_of_places(Finding *finding) {
  Text goal;
  text_init(&goal, NULL);
  for (size_t i = 0; i < finding->places.count; i++) {
    const FindingPlace *place = &finding->places.data[i];
    text_clear(&goal);
    goal_name_of_place(&(Position){.file = place->file, .line = place->line}, &goal);
    finding_add_goal(finding, goal.data);
  }
  text_free(&goal);
}

void trace_finding(const Program *program, const Trace *trace, Finding *finding) {
  finding->kind = trace->violation;
  switch (trace->violation) {
  case VIOLATION_RACE: add_race(program, &trace->race, finding); return;
  case VIOLATION_FORMULA: finding_add_goal(finding, GOAL_FORMULA); return;
  case VIOLATION_DEADLOCK: add_deadlock(program, trace, finding); break;
  default:
    if (trace->steps.count) add_step(finding, &program->steps.data[trace->steps.data[trace->steps.count - 1].step]);
    break;
  }
  add_goals_of_places(finding);
}
