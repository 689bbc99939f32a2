#include "fuzz/configurations.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

// The judge tries all interleavings, without any reduction; bytes are enumerated. More states than this are left
// undecided: such programs cost more than they teach.
#define ALL_INPUTS "--input-bits 16"
#define EXHAUSTIVE "--exhaustive --max-states 200000 " ALL_INPUTS

// The rows of one engine stand together.
static const Configuration table[] = {
    {.name = "replay/none", .engine = "replay", .options = EXHAUSTIVE " --reduction none"},
    {.name = "replay/persistent", .engine = "replay", .options = EXHAUSTIVE " --reduction persistent"},
    {.name = "replay/told-apart", .engine = "replay", .options = EXHAUSTIVE " --symmetry none"},
    {.name = "replay/sleep", .engine = "replay", .options = EXHAUSTIVE " --reduction sleep"},
    {.name = "replay/auto", .engine = "replay", .options = "--search auto " ALL_INPUTS},
    {.name = "replay/random", .engine = "replay", .options = "--random 100"},
    {.name = "order/graph", .engine = "order", .options = "--refine graph --unwind 0"},
    {.name = "order/solver", .engine = "order", .options = "--refine solver --unwind 0"},
    {.name = "order/eager", .engine = "order", .options = "--refine eager --unwind 0"},
    {.name = "order/told-apart", .engine = "order", .options = "--refine graph --unwind 0 --symmetry none"},
    {.name = "order/graph/3", .engine = "order", .options = "--refine graph --unwind 3"},
    {.name = "order/solver/1", .engine = "order", .options = "--refine solver --unwind 1"},
    {.name = "order/eager/2", .engine = "order", .options = "--refine eager --unwind 2"},
    {.name = "reach/local", .engine = "reach", .options = "--reduction local --force-cover no"},
    {.name = "reach/monotone", .engine = "reach", .options = "--reduction monotone --force-cover no"},
    {.name = "reach/monotone/cover", .engine = "reach", .options = "--reduction monotone"},
    {.name = "reach/monotone/single", .engine = "reach", .options = "--reduction monotone --block single --search bfs"},
    {.name = "reach/checked", .engine = "reach", .options = "--reduction monotone --check-reduction"},
    {.name = "reach/persistent", .engine = "reach", .options = "--reduction persistent --check-reduction"},
    {.name = "reach/aware", .engine = "reach", .options = "--reduction aware --check-reduction"},
    {.name = "reach/blocks", .engine = "reach", .options = "--domain predicate --block loop --check-reduction"},
    {.name = "reach/explicit/aware", .engine = "reach", .options = "--domain explicit --reduction aware"},
    {.name = "reach/predicate/aware", .engine = "reach", .options = "--domain predicate --reduction aware"},
    {.name = "reach/explicit", .engine = "reach", .options = "--domain explicit"},
    {.name = "reach/explicit/full", .engine = "reach", .options = "--domain explicit --prune full --enumerate 0"},
    {.name = "reach/explicit/places",
     .engine = "reach",
     .options = "--domain explicit --precision location --enumerate 32 --reduction none"},
    {.name = "reach/predicate", .engine = "reach", .options = "--domain predicate"},
    {.name = "reach/predicate/places",
     .engine = "reach",
     .options = "--domain predicate --precision location --abstraction boolean --prune full --reduction local"},
    {.name = "reach/product", .engine = "reach", .options = "--domain explicit+predicate --enumerate 3"},
    {.name = "reach/bdd", .engine = "reach", .options = "--domain bdd --reduction local --block single"},
    {.name = "reach/bdd/persistent", .engine = "reach", .options = "--domain bdd --reduction persistent"},
    {.name = "reach/path", .engine = "reach", .options = "--domain path --check-reduction"},
    {.name = "reach/path/simplify", .engine = "reach", .options = "--domain path --reduction local --simplify yes"},
    {.name = "reach/none", .engine = "reach", .options = "--reduction none --symmetry none"},
    {.name = "circuit/bmc/interleaved", .engine = "circuit", .options = "--method bmc --schedule interleaved"},
    {.name = "circuit/bmc/stubborn", .engine = "circuit", .options = "--method bmc --schedule stubborn"},
    {.name = "circuit/bmc/transactions", .engine = "circuit", .options = "--method bmc --schedule transactions"},
    {.name = "circuit/bdd/interleaved", .engine = "circuit", .options = "--method bdd --schedule interleaved"},
    {.name = "circuit/bdd/stubborn", .engine = "circuit", .options = "--method bdd --schedule stubborn"},
    {.name = "circuit/bdd/transactions", .engine = "circuit", .options = "--method bdd --schedule transactions"},
    {.name = "circuit/induction/interleaved",
     .engine = "circuit",
     .options = "--method induction --schedule interleaved"},
    {.name = "circuit/induction/stubborn", .engine = "circuit", .options = "--method induction --schedule stubborn"},
    {.name = "circuit/induction/transactions",
     .engine = "circuit",
     .options = "--method induction --schedule transactions"},
    {.name = "circuit/pdr/told-apart",
     .engine = "circuit",
     .options = "--method pdr --schedule interleaved --symmetry none"},
    {.name = "circuit/pdr/stubborn", .engine = "circuit", .options = "--method pdr --schedule stubborn"},
    {.name = "circuit/pdr/transactions", .engine = "circuit", .options = "--method pdr --schedule transactions"},
    {.name = "auto/together", .engine = "auto", .options = "--jobs 2 --agree 2"},
    {.name = "auto/turns", .engine = "auto", .options = "--jobs 1"},
};
enum { TABLE_COUNT = sizeof table / sizeof *table };
_Static_assert((int)TABLE_COUNT <= (int)MOST_CONFIGURATIONS, "every row has a bit of a mask");

// With fairness or NEXT, circuit takes all threads in every state, whatever the scheduler.
static const Configuration formula_table[] = {
    {.name = "replay", .engine = "replay", .options = EXHAUSTIVE},
    {.name = "circuit/bmc", .engine = "circuit", .options = "--method bmc --schedule interleaved"},
    {.name = "circuit/bdd", .engine = "circuit", .options = "--method bdd --schedule interleaved"},
    {.name = "circuit/pdr", .engine = "circuit", .options = "--method pdr --schedule interleaved"},
    {.name = "circuit/induction", .engine = "circuit", .options = "--method induction --schedule interleaved"},
    {.name = "circuit/bmc/stubborn", .engine = "circuit", .options = "--method bmc --schedule stubborn"},
    {.name = "circuit/bmc/transactions", .engine = "circuit", .options = "--method bmc --schedule transactions"},
    {.name = "circuit/bdd/stubborn", .engine = "circuit", .options = "--method bdd --schedule stubborn"},
    {.name = "circuit/bdd/transactions", .engine = "circuit", .options = "--method bdd --schedule transactions"},
    {.name = "circuit/pdr/stubborn", .engine = "circuit", .options = "--method pdr --schedule stubborn"},
    {.name = "circuit/pdr/transactions", .engine = "circuit", .options = "--method pdr --schedule transactions"},
    {.name = "circuit/induction/stubborn", .engine = "circuit", .options = "--method induction --schedule stubborn"},
    {.name = "circuit/induction/transactions",
     .engine = "circuit",
     .options = "--method induction --schedule transactions"},
    {.name = "circuit/auto", .engine = "circuit", .options = ""},
    {.name = "auto", .engine = "auto", .options = "--jobs 1"},
};

typedef struct Table {
  const Configuration *rows;
  unsigned count;
} Table;

static Table table_for(bool formulas) {
  if (formulas) return (Table){formula_table, sizeof formula_table / sizeof *formula_table};
  return (Table){table, TABLE_COUNT};
}

void configurations_print(bool formulas) {
  Table rows = table_for(formulas);
  for (unsigned i = 0; i < rows.count; i++)
    printf("%-20s --engine %s %s\n", rows.rows[i].name, rows.rows[i].engine, rows.rows[i].options);
}

static bool read_help(const char *heddle, Text *help) {
  Text command;
  text_init(&command, NULL);
  text_format(&command, "'%s' check --help", heddle);
  FILE *pipe = popen(command.data, "r");
  text_free(&command);
  if (!pipe) return false;
  char buffer[1024];
  size_t got;
  while ((got = fread(buffer, 1, sizeof buffer, pipe)) > 0) text_add_bytes(help, buffer, got);
  int status = pclose(pipe);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// The names in the section `engines:` of the help text, each at the start of an indented line.
static unsigned find_engines(Arena *arena, const Text *help, const char *names[MOST_CONFIGURATIONS]) {
  unsigned count = 0;
  const char *line = strstr(help->data, "\nengines:\n");
  if (!line) return 0;
  for (line += strlen("\nengines:\n"); strncmp(line, "  ", 2) == 0 && count < MOST_CONFIGURATIONS;) {
    size_t length = strcspn(line + 2, " \n");
    // A longer indentation continues the line before.
    if (length) names[count++] = arena_format(arena, "%.*s", (int)length, line + 2);
    line += strcspn(line, "\n");
    line += *line == '\n';
  }
  return count;
}

static bool has_name(const char *const *names, unsigned count, const char *name) {
  for (unsigned i = 0; i < count; i++)
    if (strcmp(names[i], name) == 0) return true;
  return false;
}

static bool in_table(const char *engine) {
  for (unsigned i = 0; i < TABLE_COUNT; i++)
    if (strcmp(table[i].engine, engine) == 0) return true;
  return false;
}

static void add(Configurations *all, const Configuration *configuration, const char *only) {
  bool wanted = all->count == 0 || !only || strstr(configuration->name, only);
  if (wanted && all->count < MOST_CONFIGURATIONS) all->list[all->count++] = *configuration;
}

bool configurations_find(Configurations *all, Arena *arena, const char *heddle, const char *only, bool formulas) {
  Table rows = table_for(formulas);
  const char *engines[MOST_CONFIGURATIONS];
  Text help;
  text_init(&help, NULL);
  bool runs = read_help(heddle, &help);
  unsigned count = runs ? find_engines(arena, &help, engines) : 0;
  text_free(&help);
  if (!has_name(engines, count, rows.rows[0].engine)) {
    fprintf(stderr, "heddle-fuzz: %s check --help does not list the engine %s, which is the judge\n", heddle,
            rows.rows[0].engine);
    return false;
  }
  *all = (Configurations){0};
  for (unsigned i = 0; i < rows.count; i++) {
    const Configuration *row = &rows.rows[i];
    if (has_name(engines, count, row->engine)) {
      add(all, row, only);
    } else if (strcmp(row->engine, row[-1].engine) != 0) { // the judge's engine is there
      printf("fuzz: the configurations of engine %s are left out: heddle does not have it\n", row->engine);
    }
  }
  for (unsigned i = 0; i < count && !formulas; i++)
    if (!in_table(engines[i]) && strcmp(engines[i], "auto") != 0)
      add(all, &(Configuration){.name = engines[i], .engine = engines[i], .options = ""}, only);
  return true;
}

bool configurations_add_command(Configurations *all, Arena *arena, const char *text) {
  const char *equals = strchr(text, '=');
  if (!equals || equals == text || all->count == MOST_CONFIGURATIONS) return false;
  all->list[all->count++] = (Configuration){.name = arena_format(arena, "%.*s", (int)(equals - text), text),
                                            .command = arena_string(arena, equals + 1)};
  return true;
}
