#include "cli/run/lowering.h"

#include "cli/options/option_files.h"
#include "command/limits.h"
#include "program/facts/places.h"
#include "transition/observers.h"
#include "verdict/json.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>

enum {
  FIRST_LIMIT = 2,
  LARGEST_HEAP = 1024,
  LARGEST_RECURSION = 32,
  LARGEST_THREADS = 1001,
  LARGEST_BLOCK = 1 << 16,
  BLOCK_GROWTH = 4
};

// In programs of at most EDGES_ALL_INLINED edges all calls are inlined. In larger ones only small calls are, and calls
// that executions reach.
enum { EDGES_ALL_INLINED = 50000, EDGES_ON_DEMAND = 400000 };
// On demand: the number of calls that are inlined before executions reach them is chosen such that there are about
// EDGES_WANTED edges, or half as many edges more as without. The number doubles after each OPENINGS_TO_DOUBLE rounds in
// which executions reached new calls.
enum { EDGES_WANTED = 25000, OPENINGS_TO_DOUBLE = 10, SMALL_CALL = 64, MOST_AHEAD = 8 };

// How many threads per creation site the atoms at(...) of a formula need: at(label, 0.2) needs three.
static unsigned named_threads(const LtlProperty *formula) {
  unsigned long most = 0;
  for (size_t i = 0; formula && i < formula->atoms.count; i++) {
    const char *path = formula->atoms.data[i].place ? strchr(formula->atoms.data[i].text, ',') : NULL;
    for (const char *dot = path ? strchr(path, '.') : NULL; dot; dot = strchr(dot + 1, '.')) {
      unsigned long number = strtoul(dot + 1, NULL, 10);
      if (number >= most && number < UINT_MAX) most = number + 1;
    }
  }
  return (unsigned)most;
}

static const char *const volatile_readings[] = {
    [VOLATILE_RACY] = "racy", [VOLATILE_ATOMIC] = "atomic", [VOLATILE_IGNORE] = "ignore"};

static bool read_volatile(const char *name, VolatileReading *reading) {
  for (*reading = VOLATILE_RACY; *reading <= VOLATILE_IGNORE; ++*reading)
    if (strcmp(name, volatile_readings[*reading]) == 0) return true;
  return false;
}

// The option's value is one of its choices.
static VolatileReading volatile_reading(const Options *options) {
  VolatileReading reading;
  bool known = read_volatile(options->volatile_accesses, &reading);
  assert(known);
  return known ? reading : VOLATILE_RACY;
}

FrontView lowering_view(const Options *options) {
  Property property = options->property_value;
  bool memory = property == PROPERTY_VALID_MEMSAFETY, races = property == PROPERTY_NO_DATA_RACE;
  return (FrontView){.exact_conditions = property == PROPERTY_NO_DEADLOCK || property == PROPERTY_LTL,
                     .lifetimes = memory,
                     .failures = races,
                     .every_access = memory || races,
                     .leaks = property == PROPERTY_VALID_MEMCLEANUP || property == PROPERTY_VALID_MEMTRACK,
                     .overflows = property == PROPERTY_NO_OVERFLOW,
                     .volatile_reading = races ? volatile_reading(options) : VOLATILE_RACY,
                     .launch = &options->launch->front,
                     .slice = options->slice};
}

LoweringSettings lowering_first(const Options *options) {
  LoweringSettings lowering = {.view = lowering_view(options),
                               .limits = front_default_limits(),
                               .formula = options->formula,
                               .launch = options->launch};
  lowering.limits.threads_total = (unsigned)options->threads_limit + 1; // main has a slot, too
  unsigned named = named_threads(options->formula), most = (unsigned)options->threads_limit;
  unsigned wanted = named > FIRST_LIMIT ? named : FIRST_LIMIT;
  lowering.limits.threads_per_site = wanted < most ? wanted : most;
  lowering.limits.heap_per_site = FIRST_LIMIT;
  lowering.limits.recursion = FIRST_LIMIT;
  lowering.limits.edges = EDGES_ALL_INLINED;
  return lowering;
}

void lowering_free(LoweringSettings *lowering) { U64Vector_free(&lowering->calls); }

static bool grow(unsigned *limit, unsigned factor, unsigned largest) {
  assert(factor > 1);
  if (*limit >= largest) return false;
  *limit = *limit * factor < largest ? *limit * factor : largest;
  return true;
}

bool lowering_grow(LoweringSettings *lowering, const Options *options, unsigned cuts) {
  FrontLimits *limits = &lowering->limits;
  bool grown = false;
  if (cuts >> CUT_THREADS & 1) grown |= grow(&limits->threads_per_site, 2, (unsigned)options->threads_limit);
  if (cuts >> CUT_HEAP & 1) grown |= grow(&limits->heap_per_site, 2, LARGEST_HEAP);
  if (cuts >> CUT_BLOCK & 1) grown |= grow(&limits->object_bytes, BLOCK_GROWTH, LARGEST_BLOCK);
  if (cuts >> CUT_RECURSION & 1) grown |= grow(&limits->recursion, 2, LARGEST_RECURSION);
  return grown;
}

// --- inlining on demand ---

void lowering_inline_on_demand(LoweringSettings *lowering) {
  assert(!lowering->limits.small_call_edges);
  lowering->limits.small_call_edges = SMALL_CALL;
  lowering->wanted = EDGES_WANTED;
  lowering->limits.edges = EDGES_ON_DEMAND;
}

static int compare_calls(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static void sort_calls(LoweringSettings *lowering) {
  U64Vector *calls = &lowering->calls;
  if (calls->count) qsort(calls->data, calls->count, sizeof *calls->data, compare_calls);
  for (size_t i = 1; i < calls->count; i++) assert(calls->data[i - 1] <= calls->data[i]);
  lowering->limits.requested_calls = calls->data;
  lowering->limits.requested_call_count = calls->count;
}

bool lowering_open_calls(LoweringSettings *lowering, const U64Vector *calls) {
  U64Vector *opened = &lowering->calls;
  size_t before = opened->count;
  for (size_t i = 0; i < calls->count; i++) {
    bool known = before && bsearch(&calls->data[i], opened->data, before, sizeof *calls->data, compare_calls);
    if (!known) U64Vector_push(opened, calls->data[i]);
  }
  bool grown = opened->count > before;
  sort_calls(lowering);
  if (grown && ++lowering->openings % OPENINGS_TO_DOUBLE == 0 && lowering->wanted < EDGES_ON_DEMAND / 2)
    lowering->wanted *= 2;
  return grown;
}

static const char *atom_position(const LtlProperty *formula, const LtlAtom *atom, Arena *arena) {
  Text position;
  text_init(&position, arena->account);
  ltl_property_position(formula, atom->column, &position);
  const char *kept = arena_string(arena, position.data);
  text_free(&position);
  return kept;
}

// The files of the project that clang may add to the program, because they define functions that it calls.
typedef struct Others {
  size_t count;
  const char **files;
  const StringVector **options;
} Others;

static void others_init(Others *others, const Project *project, Account *account) {
  others->count = project ? project->others.count : 0;
  others->files = memory_allocate_zeroed(account, others->count * sizeof *others->files);
  others->options = memory_allocate_zeroed(account, others->count * sizeof *others->options);
  for (size_t i = 0; i < others->count; i++) {
    others->files[i] = project->others.data[i].name;
    others->options[i] = &project->others.data[i].options.kept;
  }
}

static void others_free(Others *others, Account *account) {
  memory_free(account, others->files, others->count * sizeof *others->files);
  memory_free(account, others->options, others->count * sizeof *others->options);
}

static void log_added(const Options *options, const FrontUnit *unit) {
  Log log;
  log_init(&log, options->quiet ? LOG_QUIET : LOG_NORMAL);
  for (const char *line = front_notes(unit); *line;) {
    size_t length = strcspn(line, "\n");
    log_note(&log, "%.*s", (int)length, line);
    line += length + (line[length] == '\n');
  }
}

// No output replaces what clang reads for the files that are named, or for those that were added to them.
static bool outputs_are_apart(const Options *options, const FrontOptions *front, Text *error) {
  for (size_t i = 0; i < front->file_count; i++)
    if (!option_files_keep_headers(options, front, i, error)) return false;
  return true;
}

static bool added_are_apart(const Options *options, const FrontOptions *front, const FrontUnit *unit, Text *error) {
  const StringVector *added = front_added(unit);
  FrontOptions others = *front;
  others.files = front->candidates;
  others.file_count = front->candidate_count;
  others.file_options = front->candidate_options;
  for (size_t i = 0; i < front->candidate_count; i++)
    for (size_t k = 0; k < added->count; k++)
      if (added->data[k] == others.files[i] && !option_files_keep_headers(options, &others, i, error)) return false;
  return true;
}

FrontUnit *lowering_open(const Options *options, const char *const *files, size_t count, FrontView view, Text *error,
                         Account *account) {
  Others others;
  others_init(&others, options->project, account);
  const StringVector **own = memory_allocate_zeroed(account, count * sizeof *own);
  for (size_t i = 0; options->project && i < count; i++) own[i] = project_options(options->project, files[i]);
  size_t atom_count = options->formula ? options->formula->atoms.count : 0, expressions = 0;
  FrontAtom *atoms = memory_allocate_zeroed(account, atom_count * sizeof *atoms);
  Arena positions;
  arena_init(&positions, account);
  for (size_t i = 0; i < atom_count; i++) {
    const LtlAtom *atom = &options->formula->atoms.data[i];
    if (!atom->place) atoms[expressions++] = (FrontAtom){atom->text, atom_position(options->formula, atom, &positions)};
  }
  FrontOptions front = {.files = files,
                        .file_options = own,
                        .file_count = count,
                        .clang_options = options->clang_options.data,
                        .clang_option_count = options->clang_options.count,
                        .pointer_width = options_pointer_width(options),
                        .memory = options->memory_limit ? options->memory_limit : limits_default_memory(),
                        .atoms = atoms,
                        .atom_count = expressions,
                        .candidates = others.files,
                        .candidate_options = others.options,
                        .candidate_count = others.count,
                        .deadline = options->time_limit > 0 ? clock_now() + options->time_limit : 0,
                        .leaks = view.leaks,
                        .overflows = view.overflows,
                        .look_at_asserts = options->command == COMMAND_CHECK &&
                                           properties_have(options->properties, PROPERTY_UNREACH_CALL)};
  FrontUnit *unit = outputs_are_apart(options, &front, error) ? front_open(&front, error, account) : NULL;
  if (unit && !added_are_apart(options, &front, unit, error)) {
    front_close(unit);
    unit = NULL;
  }
  if (unit) log_added(options, unit);
  others_free(&others, account);
  arena_free(&positions);
  memory_free(account, atoms, atom_count * sizeof *atoms);
  memory_free(account, own, count * sizeof *own);
  return unit;
}

static void complain(const LtlProperty *formula, const LtlAtom *atom, const char *what, Text *error) {
  text_add(error, "heddle: ");
  ltl_property_position(formula, atom->column, error);
  text_add(error, ": ");
  text_add_flat(error, atom->text);
  text_format(error, ": %s\n", what);
}

// Adds the atoms of the formula to the program as observations, in their order.
static bool observe(Program *program, const LtlProperty *formula, Text *error, Account *account) {
  size_t expressions = 0, next = 0, bad = 0;
  for (size_t i = 0; i < formula->atoms.count; i++) expressions += !formula->atoms.data[i].place;
  TermVector conditions;
  TermVector_init(&conditions, account);
  if (formula->fair) program->assumptions |= 1u << ASSUME_FAIR;
  Text what;
  text_init(&what, account);
  bool good = observers_take(program, expressions, &conditions, &bad, &what, account);
  for (uint32_t i = 0, k = 0; i < formula->atoms.count; i++) {
    const LtlAtom *atom = &formula->atoms.data[i];
    bool wrong = !good && !atom->place && k++ == bad;
    if (good) TermVector_push(&program->observations, atom->place ? TERM_NONE : conditions.data[next++]);
    if (good && atom->place) wrong = !program_observe_place(program, i, atom->text, &what);
    if (wrong) complain(formula, atom, what.data, error);
    if (wrong && good) good = false, bad = formula->atoms.count;
  }
  text_free(&what);
  TermVector_free(&conditions);
  return good;
}

// Lowers the program with more and more calls inlined, as long as it stays small enough.
static Program *lower_on_demand(FrontUnit *unit, LoweringSettings *lowering, Text *error, Account *account) {
  FrontLimits limits = lowering->limits;
  Program *best = front_lower(unit, &limits, lowering->view, error, account);
  size_t most = best ? best->edges.count / 2 * 3 : 0;
  if (most < lowering->wanted) most = lowering->wanted;
  if (limits.edges > most) limits.edges = most;
  while (best && best->edges.count < most / 4 * 3 && limits.calls_ahead < MOST_AHEAD) {
    limits.calls_ahead++;
    limits.small_call_edges *= 2;
    Program *larger = front_lower(unit, &limits, lowering->view, error, account);
    bool fits = larger && !larger->too_large;
    program_free(fits ? best : larger);
    if (!fits) break;
    best = larger;
  }
  return best;
}

static Program *lower_fitting(FrontUnit *unit, LoweringSettings *lowering, Text *error, Account *account) {
  if (lowering->limits.small_call_edges) return lower_on_demand(unit, lowering, error, account);
  Program *program = front_lower(unit, &lowering->limits, lowering->view, error, account);
  if (!program || !program->too_large) return program;
  program_free(program);
  lowering_inline_on_demand(lowering);
  return lower_on_demand(unit, lowering, error, account);
}

Program *lowering_program(FrontUnit *unit, LoweringSettings *lowering, const PassWatch *watch, Text *error,
                          Account *account) {
  Program *program = lower_fitting(unit, lowering, error, account);
  if (!program) return NULL;
  assert(!program->too_large || lowering->limits.small_call_edges);
  program->infinite = lowering->formula != NULL;
  program->every_access = lowering->view.every_access;
  program->whole_blocks = lowering->view.every_access && !lowering->view.lifetimes;
  passes_prepare(program, watch);
  if (!lowering->formula || observe(program, lowering->formula, error, account)) return program;
  program_free(program);
  return NULL;
}

// --- in schedule files ---

typedef struct Member {
  const char *name;
  size_t offset;
  unsigned largest; // the largest value of a limit; 1 for a flag
} Member;

static const Member members[] = {
    {"threads_per_site", offsetof(FrontLimits, threads_per_site), LARGEST_THREADS},
    {"threads_total", offsetof(FrontLimits, threads_total), LARGEST_THREADS},
    {"heap_per_site", offsetof(FrontLimits, heap_per_site), LARGEST_HEAP},
    {"recursion", offsetof(FrontLimits, recursion), LARGEST_RECURSION},
    {"object_bytes", offsetof(FrontLimits, object_bytes), LARGEST_BLOCK},
};
enum { MEMBER_COUNT = sizeof members / sizeof *members };

static const Member views[] = {
    {"exact_conditions", offsetof(FrontView, exact_conditions), 1},
    {"lifetimes", offsetof(FrontView, lifetimes), 1},
    {"failures", offsetof(FrontView, failures), 1},
    {"every_access", offsetof(FrontView, every_access), 1},
    {"overflows", offsetof(FrontView, overflows), 1},
    {"leaks", offsetof(FrontView, leaks), 1},
};
enum { VIEW_COUNT = sizeof views / sizeof *views };

void lowering_add_member(const LoweringSettings *lowering, Text *schedule) {
  text_add(schedule, ",\n  \"lowering\": {");
  for (size_t i = 0; i < VIEW_COUNT; i++) {
    const bool *wanted = (const bool *)((const char *)&lowering->view + views[i].offset);
    text_format(schedule, "%s \"%s\": %s", i ? "," : "", views[i].name, *wanted ? "true" : "false");
  }
  for (size_t i = 0; i < MEMBER_COUNT; i++) {
    const unsigned *limit = (const unsigned *)((const char *)&lowering->limits + members[i].offset);
    text_format(schedule, ", \"%s\": %u", members[i].name, *limit);
  }
  text_format(schedule, ", \"volatile\": \"%s\"", volatile_readings[lowering->view.volatile_reading]);
  if (lowering->limits.small_call_edges) {
    text_format(schedule, ", \"edges_wanted\": %u, \"on_demand\": ", (unsigned)lowering->wanted);
    json_add_words(schedule, &lowering->calls);
  }
  launch_add_json(lowering->launch, ", ", true, schedule);
  text_add(schedule, " }");
}

static bool read_volatile_member(const cJSON *object, LoweringSettings *lowering, Text *error) {
  const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, "volatile"));
  if (name && read_volatile(name, &lowering->view.volatile_reading)) return true;
  text_add(error, "not a schedule: \"volatile\" of \"lowering\" is missing or malformed");
  return false;
}

static bool read_members(const cJSON *root, LoweringSettings *lowering, Launch *launch, Text *error) {
  const cJSON *object = cJSON_GetObjectItemCaseSensitive(root, "lowering");
  *lowering =
      (LoweringSettings){.view = {.launch = &launch->front}, .limits = front_default_limits(), .launch = launch};
  bool good = cJSON_IsObject(object);
  for (size_t i = 0; good && i < VIEW_COUNT; i++) {
    const cJSON *wanted = cJSON_GetObjectItemCaseSensitive(object, views[i].name);
    good = cJSON_IsBool(wanted);
    *(bool *)((char *)&lowering->view + views[i].offset) = cJSON_IsTrue(wanted);
  }
  if (!good) {
    text_add(error, "not a schedule: \"lowering\" is missing or malformed");
    return false;
  }
  for (size_t i = 0; i < MEMBER_COUNT; i++) {
    uint32_t value;
    if (!json_index(object, members[i].name, &value) || value < 1 || value > members[i].largest) {
      text_format(error, "not a schedule: \"%s\" of \"lowering\" is missing or malformed", members[i].name);
      return false;
    }
    *(unsigned *)((char *)&lowering->limits + members[i].offset) = value;
  }
  if (!read_volatile_member(object, lowering, error) || !launch_read_json(launch, object, error)) return false;
  const cJSON *calls = cJSON_GetObjectItemCaseSensitive(object, "on_demand");
  if (!calls) return true;
  lowering_inline_on_demand(lowering);
  good = json_words(calls, &lowering->calls) && json_index(object, "edges_wanted", &lowering->wanted) &&
         lowering->wanted <= EDGES_ON_DEMAND;
  if (!good) text_add(error, "not a schedule: \"on_demand\" of \"lowering\" is malformed");
  sort_calls(lowering);
  return good;
}

bool lowering_read_json(const char *schedule, LoweringSettings *lowering, Launch *launch, Text *error) {
  cJSON *root = json_parse(schedule, strlen(schedule), error);
  bool good = root && read_members(root, lowering, launch, error);
  if (root && !good) lowering_free(lowering);
  cJSON_Delete(root);
  return good;
}
