#include "cli/lowering.h"

#include "program/passes.h"
#include "program/places.h"
#include "transition/observers.h"
#include "verdict/json.h"

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

// The threads of a site that the places of a formula name: at(label, 0.2) needs three.
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

Lowering lowering_first(const Options *options) {
  bool exact = options->property_value == PROPERTY_NO_DEADLOCK || options->property_value == PROPERTY_LTL;
  Lowering lowering = {.view = {.exact_conditions = exact,
                                .lifetimes = options->property_value == PROPERTY_VALID_MEMSAFETY,
                                .races = options->property_value == PROPERTY_NO_DATA_RACE},
                       .limits = front_default_limits(),
                       .formula = options->formula};
  lowering.limits.threads_total = (unsigned)options->threads_limit + 1; // main has a slot, too
  unsigned named = named_threads(options->formula), most = (unsigned)options->threads_limit;
  unsigned wanted = named > FIRST_LIMIT ? named : FIRST_LIMIT;
  lowering.limits.threads_per_site = wanted < most ? wanted : most;
  lowering.limits.heap_per_site = FIRST_LIMIT;
  lowering.limits.recursion = FIRST_LIMIT;
  return lowering;
}

static bool grow(unsigned *limit, unsigned factor, unsigned largest) {
  if (*limit >= largest) return false;
  *limit = *limit * factor < largest ? *limit * factor : largest;
  return true;
}

bool lowering_grow(Lowering *lowering, const Options *options, unsigned cuts) {
  FrontLimits *limits = &lowering->limits;
  bool grown = false;
  if (cuts >> CUT_THREADS & 1) grown |= grow(&limits->threads_per_site, 2, (unsigned)options->threads_limit);
  if (cuts >> CUT_HEAP & 1) grown |= grow(&limits->heap_per_site, 2, LARGEST_HEAP);
  if (cuts >> CUT_BLOCK & 1) grown |= grow(&limits->object_bytes, BLOCK_GROWTH, LARGEST_BLOCK);
  if (cuts >> CUT_RECURSION & 1) grown |= grow(&limits->recursion, 2, LARGEST_RECURSION);
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

FrontUnit *lowering_open(const Options *options, const char *const *files, size_t count, Text *error,
                         Account *account) {
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
                        .atoms = atoms,
                        .atom_count = expressions};
  FrontUnit *unit = front_open(&front, error, account);
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

// The atoms of the formula become observations of the program, in their order.
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

Program *lowering_program(FrontUnit *unit, const Lowering *lowering, Text *error, Account *account) {
  Program *program = front_lower(unit, &lowering->limits, lowering->view, error, account);
  if (!program) return NULL;
  program->infinite = lowering->formula != NULL;
  passes_prepare(program);
  if (!lowering->formula || observe(program, lowering->formula, error, account)) return program;
  program_free(program);
  return NULL;
}

// --- in schedule files ---

typedef struct LimitMember {
  const char *name;
  size_t offset;
  unsigned largest;
} LimitMember;

static const LimitMember members[] = {
    {"threads_per_site", offsetof(FrontLimits, threads_per_site), LARGEST_THREADS},
    {"threads_total", offsetof(FrontLimits, threads_total), LARGEST_THREADS},
    {"heap_per_site", offsetof(FrontLimits, heap_per_site), LARGEST_HEAP},
    {"recursion", offsetof(FrontLimits, recursion), LARGEST_RECURSION},
    {"object_bytes", offsetof(FrontLimits, object_bytes), LARGEST_BLOCK},
};
enum { MEMBER_COUNT = sizeof members / sizeof *members };

void lowering_add_json(const Lowering *lowering, Text *schedule) {
  while (schedule->length && schedule->data[schedule->length - 1] != '}') schedule->data[--schedule->length] = '\0';
  assert(schedule->length > 1);
  do schedule->data[--schedule->length] = '\0';
  while (schedule->data[schedule->length - 1] == '\n');
  text_format(schedule, ",\n  \"lowering\": { \"exact_conditions\": %s, \"lifetimes\": %s, \"races\": %s",
              lowering->view.exact_conditions ? "true" : "false", lowering->view.lifetimes ? "true" : "false",
              lowering->view.races ? "true" : "false");
  for (size_t i = 0; i < MEMBER_COUNT; i++) {
    const unsigned *limit = (const unsigned *)((const char *)&lowering->limits + members[i].offset);
    text_format(schedule, ", \"%s\": %u", members[i].name, *limit);
  }
  text_add(schedule, " }\n}\n");
}

static bool read_members(const cJSON *root, Lowering *lowering, Text *error) {
  const cJSON *object = cJSON_GetObjectItemCaseSensitive(root, "lowering");
  const cJSON *exact = cJSON_GetObjectItemCaseSensitive(object, "exact_conditions");
  const cJSON *lifetimes = cJSON_GetObjectItemCaseSensitive(object, "lifetimes");
  const cJSON *races = cJSON_GetObjectItemCaseSensitive(object, "races");
  if (!cJSON_IsObject(object) || !cJSON_IsBool(exact) || !cJSON_IsBool(lifetimes) || !cJSON_IsBool(races)) {
    text_add(error, "not a schedule: \"lowering\" is missing or malformed");
    return false;
  }
  *lowering = (Lowering){.view = {.exact_conditions = cJSON_IsTrue(exact),
                                  .lifetimes = cJSON_IsTrue(lifetimes),
                                  .races = cJSON_IsTrue(races)},
                         .limits = front_default_limits()};
  for (size_t i = 0; i < MEMBER_COUNT; i++) {
    uint32_t value;
    if (!json_index(object, members[i].name, &value) || value < 1 || value > members[i].largest) {
      text_format(error, "not a schedule: \"%s\" of \"lowering\" is missing or malformed", members[i].name);
      return false;
    }
    *(unsigned *)((char *)&lowering->limits + members[i].offset) = value;
  }
  return true;
}

bool lowering_read_json(const char *schedule, Lowering *lowering, Text *error) {
  cJSON *root = json_parse(schedule, strlen(schedule), error);
  bool good = root && read_members(root, lowering, error);
  cJSON_Delete(root);
  return good;
}
