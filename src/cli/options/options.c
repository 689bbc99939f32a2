#include "cli/options/options.h"

#include "base/file.h"
#include "cli/options/clang_options.h"
#include "cli/options/language.h"
#include "cli/options/presets.h"
#include "cli/options/standard_input.h"
#include "cli/run/engines.h"
#include "cli/run/plan.h"
#include "command/spelling.h"
#include "ltl/source.h"

#include <assert.h>
#include <stdlib.h>
#include <sys/stat.h>

// The default in words: numbers and texts are shown, absence and flags are not.
#define SHOWN_FLAG(fallback) NULL
#define SHOWN_INT(fallback) #fallback
#define SHOWN_NUMBER(fallback) NULL
#define SHOWN_STRING(fallback) fallback
#define SHOWN_CHOICE(fallback) fallback
#define SHOWN_DURATION(fallback) NULL
#define SHOWN_SIZE(fallback) NULL
#define SHOWN_WORDS(fallback) NULL
#define SHOWN_LIST(fallback) NULL

// The STRING options of engines list their alternatives, so they are choices here.
#define ENGINE_TYPE_FLAG OPTION_FLAG
#define ENGINE_TYPE_INT OPTION_INT
#define ENGINE_TYPE_STRING OPTION_CHOICE

// What is shown depends on this one, too.
#define SHOWS_BY(field) (offsetof(EngineOptions, field) == offsetof(EngineOptions, schedule))

const OptionRow option_rows[] = {
#define X(field, kind, text, value, standard, which, what)                                                             \
  {.name = text,                                                                                                       \
   .argument = value,                                                                                                  \
   .help = what,                                                                                                       \
   .type = OPTION_##kind,                                                                                              \
   .commands = which,                                                                                                  \
   .offset = offsetof(Options, field),                                                                                 \
   .fallback = SHOWN_##kind(standard)},
    COMMAND_OPTIONS(X)
#undef X
#define X(field, kind, text, value, standard, what)                                                                    \
  {.name = text,                                                                                                       \
   .argument = value,                                                                                                  \
   .help = what,                                                                                                       \
   .type = ENGINE_TYPE_##kind,                                                                                         \
   .commands = COMMAND_CHECK | (SHOWS_BY(field) ? COMMAND_SHOW : 0),                                                   \
   .engine = true,                                                                                                     \
   .offset = offsetof(Options, engine_options.field),                                                                  \
   .fallback = SHOWN_##kind(standard)},
        ENGINE_OPTIONS(X)
#undef X
};
const size_t option_row_count = sizeof option_rows / sizeof *option_rows;
_Static_assert(sizeof option_rows / sizeof *option_rows <= 64, "a bit of Options.given for each option");

static void set_defaults(Options *options, Command command) {
  *options = (Options){.command = command,
#define X(field, type, name, argument, fallback, commands, help) .field = fallback,
                       COMMAND_OPTIONS(X)
#undef X
#define X(field, type, name, argument, fallback, help) .engine_options.field = fallback,
                           ENGINE_OPTIONS(X)
#undef X
  };
}

static OptionReader reader_of(Options *options) {
  return (OptionReader){.rows = option_rows,
                        .count = option_row_count,
                        .commands = options->command,
                        .values = options,
                        .given = options->given};
}

bool options_given(const Options *options, const char *name) {
  for (size_t i = 0; i < option_row_count; i++)
    if (options->given >> i & 1 && strcmp(option_rows[i].name, name) == 0) return true;
  return false;
}

// Sets an option that the command line does not have.
static bool set_unless_given(Options *options, const char *name, const char *value, Text *error) {
  OptionReader reader = reader_of(options);
  const OptionRow *row = option_find(&reader, name, error);
  if (!row) return false;
  bool given = options->given >> (row - option_rows) & 1;
  return given || option_set(&reader, row, value, error);
}

static bool apply_preset(Options *options, Text *error) {
  if (!options->preset) return true;
  const Preset *preset = preset_find(options->preset, error);
  if (!preset || !set_unless_given(options, "engine", preset->engine, error)) return false;
  if (strcmp(options->engine, preset->engine) != 0) {
    text_format(error, "--preset %s is of the engine %s and does not go with --engine %s", preset->name, preset->engine,
                options->engine);
    return false;
  }
  for (const PresetSetting *setting = preset->settings; setting->option; setting++)
    if (!set_unless_given(options, setting->option, setting->value, error)) return false;
  return true;
}

// The operands of these commands that are not files of the program: none for check and survey; what to show stands
// before the files, a schedule or a witness after them.
static size_t other_operands(const Options *options) {
  return options->command & (COMMAND_CHECK | COMMAND_SURVEY) ? 0 : 1;
}

// Puts the files of the database among the operands, if none is named there.
static void insert_files(Options *options, size_t first) {
  const ProjectFileVector *files = &options->project->files;
  StringVector *operands = &options->operands;
  assert(first <= operands->count);
  size_t after = operands->count - first;
  StringVector_resize(operands, operands->count + files->count);
  memmove(operands->data + first + files->count, operands->data + first, after * sizeof *operands->data);
  for (size_t i = 0; i < files->count; i++) operands->data[first + i] = files->data[i].name;
}

static bool open_project(Options *options, Text *error) {
  size_t others = other_operands(options), first = options->command == COMMAND_SHOW ? 1 : 0;
  if (!options->project_directory || options->operands.count < others) return true;
  options->project = project_open(options->project_directory, error);
  if (!options->project) return false;
  size_t named = options->operands.count - others;
  const char *const *names = named ? options->operands.data + first : NULL;
  if (!project_choose(options->project, names, named, error)) return false;
  if (!named)
    insert_files(options, first);
  else if (!options->only_named)
    project_find_others(options->project);
  unsigned width = options->project->pointer_width;
  return !width || set_unless_given(options, "data-model", width == 32 ? "ILP32" : "LP64", error);
}

static bool check_operands(const Options *options, Text *error) {
  size_t count = options->operands.count;
  if (options->command == COMMAND_CHECK && count == 0) {
    text_add(error, "check wants a file; try heddle check --help");
    return false;
  }
  if (options->command == COMMAND_SURVEY && count == 0) {
    text_add(error, "survey wants a file; try heddle survey --help");
    return false;
  }
  if (options->command == COMMAND_REPLAY && count < 2) {
    text_add(error, "replay wants the program's files, then a schedule; try heddle replay --help");
    return false;
  }
  if (options->command == COMMAND_VALIDATE && count < 2) {
    text_add(error, "validate wants the program's files, then a witness; try heddle validate --help");
    return false;
  }
  bool library = count == 1 && strcmp(options->operands.data[0], "library") == 0;
  if (options->command == COMMAND_SHOW && count < 2 && !library) {
    text_add(error, "show wants one of cfa, cells, access, invariants, circuit, library, code, then a file; try heddle "
                    "show --help");
    return false;
  }
  return true;
}

// No formula looks like this, unless an expression is a member that is named as formula files are.
static bool looks_like_file(const char *text) {
  if (strpbrk(text, " \t\r\n")) return false;
  bool absolute = text[0] == '/' && text[1] != '/' && text[1] != '*';
  return ends_with(text, ".ltl") || absolute || starts_with(text, "./") || starts_with(text, "../");
}

// The text of the formula: it stands in a file, if there is one of that name, or is given itself.
static bool read_formula_text(const char *given, Text *text, bool *in_file, Text *error) {
  static const char mark[] = "\xef\xbb\xbf"; // of byte order
  struct stat info;
  *in_file = stat(given, &info) == 0 ? !S_ISDIR(info.st_mode) || looks_like_file(given) : looks_like_file(given);
  if (!*in_file) {
    text_add(text, given);
    return true;
  }
  Text read;
  text_init(&read, NULL);
  bool good = file_read_named(&read, given, FILE_MOST_DATA, error);
  text_add(text, read.data + (starts_with(read.data, mark) ? sizeof mark - 1 : 0));
  if (good && strlen(read.data) < read.length) {
    text_format(error, "%s: ", given);
    source_position(text->data, text->length, error);
    text_add(error, ": there is a zero byte in the formula");
    good = false;
  }
  text_free(&read);
  return good;
}

// A formula, or a file that has one.
static bool read_formula(Options *options, Text *error) {
  if (!options->ltl) {
    if (options->fair) text_add(error, "--fair is for formulas; give one by --ltl");
    return !options->fair;
  }
  if (options_given(options, "property")) {
    text_add(error, "--ltl and --property exclude each other");
    return false;
  }
  if (options->witness) {
    text_add(error,
             "--witness is not for formulas: witnesses have no form for such answers; --save-schedule keeps a lasso");
    return false;
  }
  Text text, what;
  text_init(&text, NULL);
  text_init(&what, NULL);
  bool in_file, good = read_formula_text(options->ltl, &text, &in_file, error);
  if (good) {
    assert(!options->formula);
    options->formula = memory_allocate_zeroed(NULL, sizeof *options->formula);
    good = ltl_property_init(options->formula, text.data, options->fair, &what, NULL);
    Arena *arena = &options->formula->arena;
    options->formula->origin = in_file ? arena_format(arena, "%s: ", options->ltl) : "--ltl, ";
    if (!good) text_format(error, "%s%s", options->formula->origin, what.data);
  }
  text_free(&what);
  text_free(&text);
  return good;
}

// Takes the lists `a,b` apart. The texts that this leaves are owned by the options.
static void split_properties(Options *options) {
  assert(!options->owns_properties && "they are split once");
  StringVector parts = {0};
  for (size_t i = 0; i < options->property.count; i++)
    for (const char *part = options->property.data[i], *end; part; part = end ? end + 1 : NULL) {
      end = strchr(part, ',');
      char *text = strndup(part, end ? (size_t)(end - part) : strlen(part));
      if (!text) memory_exhausted(NULL, strlen(part));
      StringVector_push(&parts, text);
    }
  StringVector_free(&options->property);
  options->property = parts;
  options->owns_properties = true;
}

static bool read_property_name(Options *options, const char *text, Text *error) {
  PropertySet set;
  if (!properties_parse(text, &set, error)) {
    Spelling spelling;
    spelling_init(&spelling, text);
    for (unsigned i = 0; i < PROPERTY_COUNT; i++) spelling_try(&spelling, property_name((Property)i));
    spelling_try(&spelling, "all");
    spelling_suggest(&spelling, "", error);
    return false;
  }
  options->properties |= set;
  if (!properties_have(set, PROPERTY_LTL)) return true;
  text_add(error, "the property ltl wants a formula; give it by --ltl");
  return false;
}

static Property first_property(PropertySet set) {
  assert(set);
  Property property = 0;
  while (!properties_have(set, property)) property++;
  return property;
}

static bool read_properties(Options *options, Text *error) {
  split_properties(options);
  for (size_t i = 0; i < options->property.count; i++)
    if (!read_property_name(options, options->property.data[i], error)) return false;
  bool check = options->command == COMMAND_CHECK;
  if (!options->property.count)
    options->properties = check ? properties_usual() : property_alone(PROPERTY_UNREACH_CALL);
  if (options->command == COMMAND_SURVEY) options->properties = property_alone(PROPERTY_NO_DATA_RACE);
  if (!check && properties_count(options->properties) > 1) {
    text_add(error, "--property asks for several properties, which only heddle check can answer at once");
    return false;
  }
  if (options->ltl) options->properties = property_alone(PROPERTY_LTL);
  if (!read_formula(options, error)) return false;
  options->property_value = first_property(options->properties);
  return true;
}

// Each property has engines that may be asked.
static bool plans_possible(Options *options, Text *error) {
  for (unsigned i = 0; i < PROPERTY_COUNT; i++) {
    options->property_value = (Property)i;
    if (properties_have(options->properties, (Property)i) && !plan_possible(options, error)) return false;
  }
  options->property_value = first_property(options->properties);
  return true;
}

static bool read_launch(Options *options, Text *error) {
  if (options->command == COMMAND_REPLAY) return true; // the schedule says
  assert(!options->launch);
  options->launch = memory_allocate_zeroed(NULL, sizeof *options->launch);
  launch_init(options->launch);
  size_t first = options->command == COMMAND_SHOW ? 1 : 0;
  if (first < options->operands.count) launch_set_name(options->launch, options->operands.data[first]);
  if (options->args && !launch_set_arguments(options->launch, options->args, error)) return false;
  if (options->env.count && !launch_set_environment(options->launch, &options->env, error)) return false;
  return !options->standard_input || launch_set_input(options->launch, options->standard_input, error);
}

// Options that say which search is the only one must not contradict each other.
static bool check_search(const EngineOptions *options, Text *error) {
  bool random = strcmp(options->search, "random") == 0, exhaustive = strcmp(options->search, "exhaustive") == 0;
  const char *one = options->random_runs > 0 ? "--random" : random ? "--search random" : NULL;
  const char *other = options->exhaustive ? "--exhaustive" : exhaustive ? "--search exhaustive" : NULL;
  if (one && other) text_format(error, "%s and %s exclude each other", one, other);
  return !one || !other;
}

static bool check_numbers(const Options *options, Text *error) {
  if (options->threads_limit < 1 || options->threads_limit > 1000) {
    text_format(error, "--threads-limit wants a number from 1 to 1000, not %ld", options->threads_limit);
    return false;
  }
  if (options->width > 10000) {
    text_format(error, "--width wants a number up to 10000, not %ld", options->width);
    return false;
  }
  if (options->jobs > 1000) {
    text_format(error, "--jobs wants a number up to 1000, not %ld", options->jobs);
    return false;
  }
  return true;
}

static bool check_values(Options *options, Text *error) {
  if (options->quiet && options->verbose) {
    text_add(error, "--quiet and --verbose exclude each other");
    return false;
  }
  return check_search(&options->engine_options, error) && clang_options_possible(&options->clang_options, error) &&
         read_properties(options, error) && plans_possible(options, error) && read_launch(options, error);
}

// --- settings of the project ---

static size_t first_file(const Options *options) { return options->command == COMMAND_SHOW ? 1 : 0; }

// The directory of the project or of the first file, to be freed.
static char *program_directory(const Options *options) {
  size_t first = first_file(options), others = other_operands(options);
  bool named = options->operands.count > others;
  const char *file = named ? options->operands.data[first] : ".", *slash = strrchr(file, '/');
  if (options->project_directory || !named)
    return strdup(options->project_directory ? options->project_directory : ".");
  return slash ? strndup(file, (size_t)(slash - file) + (slash == file)) : strdup(".");
}

static bool open_settings(Options *options, Text *error) {
  if (options->config && strcmp(options->config, "none") == 0) return true;
  char *directory = program_directory(options), *found = options->config ? NULL : settings_find(directory);
  const char *path = options->config ? options->config : found;
  if (path) options->settings = settings_read(path, error);
  free(found);
  free(directory);
  return !path || options->settings;
}

static void insert_operands(StringVector *operands, size_t at, const StringVector *files) {
  assert(at <= operands->count);
  size_t after = operands->count - at;
  StringVector_resize(operands, operands->count + files->count);
  if (after) memmove(operands->data + at + files->count, operands->data + at, after * sizeof *operands->data);
  for (size_t i = 0; i < files->count; i++) operands->data[at + i] = files->data[i];
}

// A project may ask for several properties; a command that wants one takes the first of them.
static bool may_ask_by_settings(const Options *options) {
  return options->command == COMMAND_CHECK || !options->property.count;
}

// Sets what the command line does not; what the command has no option for does not matter to it.
static bool apply_limits(Options *options, Text *error) {
  const Settings *settings = options->settings;
  for (size_t i = 0; i < settings->limits.count; i++) {
    const SettingsLimit *limit = &settings->limits.data[i];
    bool property = strcmp(limit->option, "property") == 0, known = false;
    for (size_t k = 0; k < option_row_count; k++)
      known |= strcmp(option_rows[k].name, limit->option) == 0 && option_rows[k].commands & options->command;
    if (!known || (property && (options->ltl || !may_ask_by_settings(options)))) continue;
    Text what;
    text_init(&what, NULL);
    bool good = set_unless_given(options, limit->option, limit->value, &what) && check_numbers(options, &what);
    if (!good) text_format(error, "%s:%zu: %s", settings->path, limit->line, what.data);
    text_free(&what);
    if (!good) return false;
  }
  return true;
}

static bool apply_settings(Options *options, Text *error) {
  if (options->operands.count < other_operands(options)) return true; // an error of its own
  if (!open_settings(options, error)) return false;
  const Settings *settings = options->settings;
  if (!settings) return true;
  size_t first = first_file(options), named = options->operands.count - other_operands(options);
  if (!named && !options->project_directory) insert_operands(&options->operands, first, &settings->files);
  insert_operands(&options->clang_options, 0, &settings->clang.kept);
  for (size_t i = 0; i < settings->suppressions.count; i++)
    SuppressionVector_push(&options->suppressions, settings->suppressions.data[i]);
  unsigned width = settings->clang.pointer_width;
  if (width && !set_unless_given(options, "data-model", width == 32 ? "ILP32" : "LP64", error)) return false;
  return apply_limits(options, error);
}

// Models belong to no project: its database need not know them.
static bool add_models(Options *options) {
  size_t other = options->command & (COMMAND_REPLAY | COMMAND_VALIDATE) ? 1 : 0;
  size_t end = options->operands.count < other ? 0 : options->operands.count - other;
  if (options->settings && end > first_file(options))
    insert_operands(&options->operands, end, &options->settings->models);
  return true;
}

static bool set_data_model(OptionReader *reader, const char *option, Text *error) {
  assert(strcmp(option, "-m32") == 0 || strcmp(option, "-m64") == 0);
  const OptionRow *row = option_find(reader, "data-model", error);
  if (!row) return false;
  reader->given |= UINT64_C(1) << (row - reader->rows);
  return option_set(reader, row, option[2] == '3' ? "ILP32" : "LP64", error);
}

static bool take_files(Options *options, Text *error) {
  const char *input = options->standard_input;
  bool reads = input && (strcmp(input, "-") == 0 || strcmp(input, FRONT_STANDARD_INPUT) == 0);
  for (size_t i = 0; reads && i < options->operands.count; i++) {
    if (strcmp(options->operands.data[i], "-") != 0) continue;
    text_add(error, "standard input (-) is the program; --stdin wants another file");
    return false;
  }
  return language_is_c(&options->operands, &options->clang_options, error) &&
         standard_input_take(&options->operands, &options->standard_input_file, error);
}

bool options_parse(Options *options, Command command, int argc, char **argv, Text *error) {
  set_defaults(options, command);
  OptionReader reader = reader_of(options);
  for (int i = 0; i < argc; i++) {
    if (strcmp(argv[i], "--") == 0) {
      while (++i < argc) StringVector_push(&options->clang_options, argv[i]);
    } else if (language_take_option(&options->clang_options, argc, argv, &i, error)) {
      continue;
    } else if (error->length) {
      return false;
    } else if (strcmp(argv[i], "-m32") == 0 || strcmp(argv[i], "-m64") == 0) {
      if (!set_data_model(&reader, argv[i], error)) return false;
      options->given = reader.given;
    } else if (argv[i][0] == '-' && argv[i][1]) {
      if (!option_read(&reader, argc, argv, &i, error)) return false;
      options->given = reader.given;
      options->help = reader.help;
      if (options->help) return true;
    } else if (!argv[i][0]) {
      text_add(error, "an operand is the empty string: name a file");
      return false;
    } else {
      StringVector_push(&options->operands, argv[i]);
    }
  }
  return apply_preset(options, error) && check_numbers(options, error) && apply_settings(options, error) &&
         take_files(options, error) && open_project(options, error) && add_models(options) &&
         check_operands(options, error) && check_values(options, error);
}

void options_free(Options *options) {
  for (size_t i = 0; options->owns_properties && i < options->property.count; i++)
    free((char *)options->property.data[i]);
  StringVector_free(&options->property);
  StringVector_free(&options->operands);
  StringVector_free(&options->clang_options);
  StringVector_free(&options->env);
  StringVector_free(&options->entry);
  SuppressionVector_free(&options->suppressions);
  settings_free(options->settings);
  project_close(options->project);
  if (options->launch) {
    launch_free(options->launch);
    memory_free(NULL, options->launch, sizeof *options->launch);
  }
  if (options->formula) {
    ltl_property_free(options->formula);
    memory_free(NULL, options->formula, sizeof *options->formula);
  }
}
