#include "witness/guided_plan.h"

#include <assert.h>

// --- which edges pass a waypoint ---

// Can the property be violated by taking (or standing before) this step?
static bool may_violate(Property property, const Step *step) {
  bool access = step->access.address != TERM_NONE;
  switch (property) {
  case PROPERTY_UNREACH_CALL: return step->kind == STEP_ERROR;
  case PROPERTY_NO_DATA_RACE: return access && !step->access.synchronises && !step->access.innocent;
  case PROPERTY_NO_DEADLOCK: return step->kind == STEP_WAIT || step->kind == STEP_LOCK;
  case PROPERTY_VALID_MEMSAFETY: return access || step->kind == STEP_FREE;
  case PROPERTY_NO_DIVISION_BY_ZERO: return step->kind == STEP_DIVIDE;
  case PROPERTY_NO_OVERFLOW:
  case PROPERTY_VALID_MEMTRACK:
  case PROPERTY_VALID_MEMCLEANUP: return step->kind == STEP_CHECK && property_has_check(property, step->check);
  case PROPERTY_LTL: // no single step violates a formula
  case PROPERTY_COUNT: break;
  }
  return false;
}

static bool in_statement(const GuidedPlan *plan, const WaypointPlace *place, EdgeId e) {
  const EdgeEvent *event = &plan->events->edges[e];
  if (event->file != place->file || event->statement == NO_ID) return false;
  const Statements *statements = &plan->events->statements.data[event->file];
  if (place->at.column == 0) return statements_start(statements, event->statement).line == place->at.line;
  return statements_at(statements, place->at) == event->statement;
}

static bool at_call(const EdgeEvent *event, const WaypointPlace *place) {
  bool line = event->file == place->file && event->call.line != 0 && event->call.line == place->at.line;
  return line && (place->at.column == 0 || event->call.column == place->at.column);
}

// An error step in a function that comes from a macro or the library has only the line of the macro's or function's
// use, so the line of the step counts as well as its statement.
static bool at_target(const GuidedPlan *plan, const WaypointPlace *place, EdgeId e) {
  const Step *step = edge_first_step(plan->program, e);
  if (!may_violate(plan->property, step)) return false;
  if (in_statement(plan, place, e)) return true;
  return plan->events->edges[e].file == place->file && step->position.line == place->at.line &&
         (place->at.column == 0 || step->position.column == place->at.column);
}

static bool passes_exactly(const GuidedPlan *plan, const WaypointPlace *place, EdgeId e) {
  const EdgeEvent *event = &plan->events->edges[e];
  switch (place->type) {
  case WAYPOINT_ASSUMPTION: return event->begins && in_statement(plan, place, e);
  case WAYPOINT_BRANCHING: return event->way == place->way && event->way != BRANCH_NONE && in_statement(plan, place, e);
  case WAYPOINT_FUNCTION_ENTER: return event->creates && at_call(event, place);
  case WAYPOINT_FUNCTION_RETURN: return event->input && at_call(event, place);
  case WAYPOINT_TARGET: return at_target(plan, place, e);
  default: return false;
  }
}

// Fills the edges of a place. True if each of them passes the waypoint; false if they are all edges of its statement.
static bool find_edges(const GuidedPlan *plan, WaypointPlace *place) {
  const Program *p = plan->program;
  bool found = false, conditions = false;
  for (EdgeId e = 0; e < p->edges.count; e++) {
    if (passes_exactly(plan, place, e)) {
      bitset_set(&place->edges, e);
      found = true;
    }
    if (place->type == WAYPOINT_BRANCHING && plan->events->edges[e].way != BRANCH_NONE && in_statement(plan, place, e))
      conditions = true;
  }
  if (found || conditions || place->type == WAYPOINT_TARGET || place->type == WAYPOINT_ASSUMPTION) return true;
  for (EdgeId e = 0; e < p->edges.count; e++)
    if (in_statement(plan, place, e)) bitset_set(&place->edges, e);
  return false;
}

// Fills the locations from which an edge of the place can be reached, in a backward search. Code that the model leaves
// out may follow a cut, so a location from which a cut can be reached counts as well.
static void find_sources(const GuidedPlan *plan, WaypointPlace *place) {
  const Program *p = plan->program;
  U32Vector work;
  U32Vector_init(&work, plan->account);
  for (EdgeId e = 0; e < p->edges.count; e++) {
    if (!bitset_get(&place->edges, e) && edge_first_step(p, e)->kind != STEP_CUT) continue;
    LocationId from = p->edges.data[e].from;
    if (bitset_get(&place->from, from)) continue;
    bitset_set(&place->from, from);
    U32Vector_push(&work, from);
  }
  while (work.count > 0) {
    const Location *location = &p->locations.data[U32Vector_pop(&work)];
    for (uint32_t i = 0; i < location->in_count; i++) {
      LocationId from = p->edges.data[location_in_edge(p, location, i)].from;
      if (bitset_get(&place->from, from)) continue;
      bitset_set(&place->from, from);
      U32Vector_push(&work, from);
    }
  }
  U32Vector_free(&work);
}

static uint32_t add_place(GuidedPlan *plan, WaypointPlace wanted, bool *exact) {
  for (uint32_t i = 0; i < plan->places.count; i++) {
    const WaypointPlace *place = &plan->places.data[i];
    if (place->type == wanted.type && place->file == wanted.file && points_equal(place->at, wanted.at) &&
        place->way == wanted.way) {
      for (uint32_t w = 0; w < plan->waypoints.count; w++)
        if (plan->waypoints.data[w].place == i) *exact = plan->waypoints.data[w].exact;
      return i;
    }
  }
  assert(wanted.file < plan->events->statements.count);
  bitset_init(&wanted.edges, plan->program->edges.count, plan->account);
  bitset_init(&wanted.from, plan->program->locations.count, plan->account);
  *exact = find_edges(plan, &wanted);
  find_sources(plan, &wanted);
  WaypointPlaceVector_push(&plan->places, wanted);
  return (uint32_t)plan->places.count - 1;
}

// --- waypoints ---

static bool refuse(Text *misfit, const Waypoint *waypoint, const char *what) {
  text_format(misfit, "%s:%u: %s (line %u of the witness)", waypoint->file, waypoint->at.line, what,
              waypoint->yaml_line);
  return false;
}

static BranchWay wanted_way(const Waypoint *waypoint) {
  if (waypoint->type != WAYPOINT_BRANCHING) return BRANCH_NONE;
  return strcmp(waypoint->constraint, "true") == 0    ? BRANCH_TRUE
         : strcmp(waypoint->constraint, "false") == 0 ? BRANCH_FALSE
                                                      : BRANCH_NONE;
}

static bool plan_waypoint(GuidedPlan *plan, const Waypoint *waypoint, Text *misfit, Text *notes) {
  WaypointPlan row = {.place = NO_ID};
  uint32_t file = event_map_file(plan->events, waypoint->file);
  if (file == NO_ID) return refuse(misfit, waypoint, "this file is not part of the program");
  const Statements *statements = &plan->events->statements.data[file];
  if (waypoint->at.line > statements_lines(statements)) return refuse(misfit, waypoint, "the file has no such line");
  WaypointPlace wanted = {.type = waypoint->type, .file = file, .at = waypoint->at, .way = wanted_way(waypoint)};
  row.place = add_place(plan, wanted, &row.exact);
  const WaypointPlace *place = &plan->places.data[row.place];
  if (bitset_empty(&place->edges)) {
    if (waypoint->type == WAYPOINT_TARGET) {
      // With larger limits the model may have steps here, if the source has a statement here.
      bool code = statements_at(statements, waypoint->at) != UINT32_MAX;
      plan->limited = code && plan->program->cuts.count > 0;
      return refuse(misfit, waypoint, "the property cannot be violated here");
    }
    if (!waypoint->avoid)
      text_format(notes, "line %u: no code is left of %s:%u; the waypoint is skipped\n", waypoint->yaml_line,
                  waypoint->file, waypoint->at.line);
    row.place = NO_ID;
  }
  row.registers = row.place != NO_ID && row.exact && waypoint->type == WAYPOINT_FUNCTION_ENTER && !waypoint->avoid;
  plan->registering = plan->registering || row.registers;
  plan->avoiding = plan->avoiding || waypoint->avoid;
  if (waypoint->thread >= 0 && (uint32_t)waypoint->thread >= plan->thread_ids)
    plan->thread_ids = (uint32_t)waypoint->thread + 1;
  WaypointPlanVector_push(&plan->waypoints, row);
  return true;
}

static bool may_have_more_threads(const Program *p) {
  for (size_t i = 0; i < p->cuts.count; i++)
    if (p->cuts.data[i].kind == CUT_THREADS) return true;
  return false;
}

// False if a waypoint names a thread that cannot exist when the waypoint is passed.
static bool check_threads(const GuidedPlan *plan, Text *misfit) {
  assert(plan->waypoints.count == plan->witness->waypoints.count);
  uint32_t created = 0;
  for (uint32_t w = 0; w < plan->waypoints.count; w++) {
    const Waypoint *waypoint = &plan->witness->waypoints.data[w];
    if (waypoint->thread >= 0 && plan->registering && (uint32_t)waypoint->thread > created)
      return refuse(misfit, waypoint, "this thread was not created before");
    if (waypoint->thread >= 0 && (size_t)waypoint->thread >= plan->program->threads.count &&
        !may_have_more_threads(plan->program))
      return refuse(misfit, waypoint, "the program has no such thread");
    created += plan->waypoints.data[w].registers;
  }
  return true;
}

static void fill_next_places(GuidedPlan *plan) {
  size_t ids = plan->thread_ids, segments = plan->witness->segments.count;
  U32Vector_resize(&plan->next_place, (segments + 1) * ids);
  for (size_t i = 0; i < ids; i++) plan->next_place.data[segments * ids + i] = NO_ID;
  for (size_t s = segments; s-- > 0;) {
    uint32_t *row = plan->next_place.data + s * ids;
    memcpy(row, row + ids, ids * sizeof *row);
    const Segment *segment = &plan->witness->segments.data[s];
    for (uint32_t i = 0; i < segment->follow_count; i++) {
      uint32_t w = segment->first + segment->avoid_count + i;
      int32_t thread = plan->witness->waypoints.data[w].thread;
      assert(thread < (int32_t)ids);
      if (thread >= 0 && plan->waypoints.data[w].place != NO_ID) row[thread] = plan->waypoints.data[w].place;
    }
  }
}

bool plan_init(GuidedPlan *plan, const Program *program, const EventMap *events, const Witness *witness,
               Property property, Text *misfit, Text *notes, Account *account) {
  *plan = (GuidedPlan){.program = program,
                       .events = events,
                       .witness = witness,
                       .property = property,
                       .thread_ids = 1,
                       .account = account};
  WaypointPlanVector_init(&plan->waypoints, account);
  WaypointPlaceVector_init(&plan->places, account);
  U32Vector_init(&plan->next_place, account);
  for (size_t w = 0; w < witness->waypoints.count; w++)
    if (!plan_waypoint(plan, &witness->waypoints.data[w], misfit, notes)) return false;
  if (!check_threads(plan, misfit)) return false;
  fill_next_places(plan);
  return true;
}

void plan_free(GuidedPlan *plan) {
  for (size_t i = 0; i < plan->places.count; i++) {
    bitset_free(&plan->places.data[i].edges);
    bitset_free(&plan->places.data[i].from);
  }
  WaypointPlaceVector_free(&plan->places);
  WaypointPlanVector_free(&plan->waypoints);
  U32Vector_free(&plan->next_place);
}
