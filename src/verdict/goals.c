#include "verdict/goals.h"

#include "program/facts/facts.h"
#include "program/settled.h"
#include "verdict/json.h"
#include "verdict/question.h"

#include <assert.h>

// --- life ---

void goals_init(Goals *goals) {
  *goals = (Goals){0};
  interner_init(&goals->names, NULL);
  map_init(&goals->numbers, NULL);
}

void goals_free(Goals *goals) {
  PropertyGoalVector_free(&goals->rows);
  map_free(&goals->numbers);
  interner_free(&goals->names);
}

// The row of the goal, which is new if no goal has this name yet.
static PropertyGoal *goal_row(Goals *goals, const char *name) {
  uint64_t key = (uint64_t)(uintptr_t)(name = intern(&goals->names, name));
  uint64_t row = map_get_or(&goals->numbers, key, goals->rows.count);
  if (row < goals->rows.count) return &goals->rows.data[row];
  map_put(&goals->numbers, key, row);
  return PropertyGoalVector_push(&goals->rows, (PropertyGoal){.name = name, .safe = true});
}

void goals_add(Goals *goals, const char *name, bool safe) {
  PropertyGoal *goal = goal_row(goals, name);
  goal->safe = goal->safe && safe;
}

void goals_distrust(Goals *goals) {
  for (size_t i = 0; i < goals->rows.count; i++) goals->rows.data[i].safe = false;
}

bool goals_have(const Goals *goals, const char *name) {
  for (size_t i = 0; i < goals->rows.count; i++)
    if (strcmp(goals->rows.data[i].name, name) == 0) return true;
  return false;
}

// --- names ---

void goal_name_of_place(const Position *position, Text *out) {
  text_format(out, "%s:%u", position->file ? position->file : "?", (unsigned)position->line);
}

void goal_name_of_cell(const Program *program, CellId cell, Text *out) {
  assert(cell < program->cells.count);
  settled_object_name(program, program->cells.data[cell].object, out);
}

// --- steps ---

static void add_place(Goals *goals, const Step *step, Text *name) {
  SettledPlace place = settled_step_place(step);
  text_clear(name);
  goal_name_of_place(&(Position){.file = place.file, .line = place.line}, name);
  goals_add(goals, name->data, false);
}

static void find_waits(Goals *goals, const Program *p) {
  Text name;
  text_init(&name, NULL);
  for (size_t i = 0; i < p->steps.count; i++)
    if (step_waits(&p->steps.data[i]) && !p->steps.data[i].excused) add_place(goals, &p->steps.data[i], &name);
  text_free(&name);
}

static void find_failures(Goals *goals, Program *p, Property property) {
  Program *view = question_marked_view(p, property);
  Text name;
  text_init(&name, NULL);
  for (size_t i = 0; i < view->steps.count; i++) {
    const Step *step = &view->steps.data[i];
    if (step_is_error(step) || step->fault) add_place(goals, step, &name);
  }
  for (size_t i = 0; i < p->steps.count; i++) {
    const Step *step = &p->steps.data[i];
    if (step->kind == STEP_CHECK && !step->excused && property_has_check(property, step->check))
      add_place(goals, step, &name);
  }
  text_free(&name);
  program_free_view(view);
}

// --- shared objects ---

// What the accesses to each object have in common.
typedef struct Sharing {
  const Program *program;
  LockFacts locks;
  Bitset racy;    // per object: an ordinary access of a shared cell
  Bitset *common; // per racy object: the locks that are held at all those accesses
} Sharing;

static void sharing_init(Sharing *sharing, const Program *p) {
  *sharing = (Sharing){.program = p};
  lock_facts(p, &sharing->locks, NULL);
  bitset_init(&sharing->racy, p->objects.count, NULL);
  sharing->common = memory_allocate_zeroed(NULL, p->objects.count * sizeof *sharing->common);
}

static void sharing_free(Sharing *sharing) {
  for (size_t i = 0; i < sharing->program->objects.count; i++)
    if (bitset_get(&sharing->racy, i)) bitset_free(&sharing->common[i]);
  memory_free(NULL, sharing->common, sharing->program->objects.count * sizeof *sharing->common);
  bitset_free(&sharing->racy);
  lock_facts_free(&sharing->locks);
}

static void see_access(Sharing *sharing, LocationId at, const Access *access) {
  const Program *p = sharing->program;
  uint32_t count;
  const CellId *cells = access_cells(p, access, &count);
  ObjectId last = NO_ID;
  for (uint32_t i = 0; i < count; i++) {
    ObjectId object = p->cells.data[cells[i]].object;
    if (object == last || !p->cells.data[cells[i]].shared) continue;
    last = object;
    Bitset *common = &sharing->common[object];
    if (bitset_add(&sharing->racy, object)) {
      bitset_init(common, sharing->locks.held[at].bits, NULL);
      bitset_copy(common, &sharing->locks.held[at]);
    } else {
      bitset_intersect(common, &sharing->locks.held[at]);
    }
  }
}

static void find_objects(Goals *goals, const Program *p) {
  Sharing sharing;
  sharing_init(&sharing, p);
  for (size_t e = 0; e < p->edges.count; e++) {
    const Access *access = &edge_first_step(p, (EdgeId)e)->access;
    bool ordinary = access->address != TERM_NONE && !access->synchronises && !access->innocent;
    if (ordinary) see_access(&sharing, p->edges.data[e].from, access);
  }
  Text name;
  text_init(&name, NULL);
  for (size_t i = bitset_next(&sharing.racy, 0); i < p->objects.count; i = bitset_next(&sharing.racy, i + 1)) {
    text_clear(&name);
    goal_name_of_cell(p, p->objects.data[i].first_cell, &name);
    goals_add(goals, name.data, p->objects.data[i].storage != STORAGE_HEAP && !bitset_empty(&sharing.common[i]));
  }
  text_free(&name);
  sharing_free(&sharing);
}

// --- all ---

void goals_find(Goals *goals, Program *program, Property property) {
  switch (property) {
  case PROPERTY_NO_DATA_RACE: find_objects(goals, program); break;
  case PROPERTY_NO_DEADLOCK: find_waits(goals, program); break;
  case PROPERTY_LTL: goals_add(goals, GOAL_FORMULA, false); break;
  default: find_failures(goals, program, property); break;
  }
}

// --- JSON ---

void goals_write_json(const Goals *goals, Text *out) {
  text_add_char(out, '[');
  for (size_t i = 0; i < goals->rows.count; i++) {
    text_add(out, i ? ", {\"name\": " : "{\"name\": ");
    json_add_string(out, goals->rows.data[i].name);
    text_add(out, goals->rows.data[i].safe ? ", \"safe\": true}" : "}");
  }
  text_add_char(out, ']');
}

bool goals_read_json(const cJSON *list, Goals *goals, Text *error) {
  const cJSON *item;
  bool good = cJSON_IsArray(list);
  cJSON_ArrayForEach(item, list) {
    const char *name = json_string(item, "name");
    good = good && name;
    if (!good) continue;
    goals_add(goals, name, cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(item, "safe")));
  }
  if (!good) text_add(error, "not a list of goals");
  return good;
}
