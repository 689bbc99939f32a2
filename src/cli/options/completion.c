// The completion script for bash, made from the same tables as the help: commands, their options, and the values of
// options that have a list of values. For everything else the shell completes names of files.
#include "bench/bench_options.h"
#include "cli/commands.h"
#include "cli/options/presets.h"
#include "cli/run/engines.h"

#include <assert.h>

// --- lists of words ---

static void add_word(Text *out, const char *word, size_t length) {
  assert(length > 0 && !memchr(word, ' ', length));
  if (out->length) text_add_char(out, ' ');
  text_add_bytes(out, word, length);
}

// Adds the alternatives `a|b|c` as words.
static void add_alternatives(Text *out, const char *alternatives, size_t length) {
  for (const char *word = alternatives, *end = alternatives + length; word < end;) {
    size_t count = strcspn(word, "|");
    if (word + count > end) count = (size_t)(end - word);
    add_word(out, word, count);
    word += count + 1;
  }
}

static void add_engines(Text *out) {
  add_word(out, "auto", strlen("auto"));
  for (size_t i = 0; engines[i]; i++) add_word(out, engines[i]->name, strlen(engines[i]->name));
}

static void add_presets(Text *out) {
  for (size_t i = 0; i < preset_count; i++) add_word(out, presets[i].name, strlen(presets[i].name));
}

static void add_properties(Text *out) {
  for (unsigned i = 0; i < PROPERTY_COUNT; i++) {
    const char *name = property_name((Property)i);
    add_word(out, name, strlen(name));
  }
  add_word(out, "all", strlen("all"));
}

// Options whose values are rows of a table.
static const struct {
  const char *option;
  void (*add)(Text *out);
  bool files; // a name of a file is also possible
} tables[] = {{"engine", add_engines, false}, {"preset", add_presets, false}, {"property", add_properties, true}};

// --- values ---

static void print_case(Text *out, const char *option, const char *words, bool files) {
  text_format(out, "    --%s) %s \"%s\" ;;\n", option, files ? "_heddle_words_or_files" : "_heddle_words", words);
}

static void print_value(const OptionRow *row, Text *out) {
  Text words;
  text_init(&words, NULL);
  bool known = row->type == OPTION_CHOICE;
  bool files = false;
  if (known) add_alternatives(&words, row->argument, strlen(row->argument));
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
    if (strcmp(tables[i].option, row->name) != 0) continue;
    tables[i].add(&words);
    known = true;
    files = tables[i].files;
  }
  if (known)
    print_case(out, row->name, words.data, files);
  else if (strcmp(row->argument, "DIR") == 0)
    text_format(out, "    --%s) _heddle_directories ;;\n", row->name);
  else if (row->type != OPTION_FLAG && row->type != OPTION_NUMBER && row->type != OPTION_STRING) // numbers: no list
    text_format(out, "    --%s) _heddle_nothing ;;\n", row->name);
  else if (row->type == OPTION_STRING)
    text_format(out, "    --%s) _heddle_files ;;\n", row->name);
  text_free(&words);
}

// --- options ---

static void add_options(Text *out, Command command) {
  for (size_t i = 0; i < option_row_count; i++) {
    if (!(option_rows[i].commands & command)) continue;
    text_format(out, "--%s ", option_rows[i].name);
  }
  text_add(out, "--help");
}

static void add_bench_options(Text *out) {
  for (size_t i = 0; i < bench_option_row_count; i++) text_format(out, "--%s ", bench_option_rows[i].name);
  text_add(out, "--help");
}

// Completes the first operand if the synopsis lists its values: `cfa|cells|…`.
static void print_operands(const CommandRow *row, Text *out) {
  size_t length = strcspn(row->synopsis, " ");
  if (!memchr(row->synopsis, '|', length)) return;
  Text words;
  text_init(&words, NULL);
  add_alternatives(&words, row->synopsis, length);
  text_format(out, "      [[ $operands == 0 && $current != -* ]] && { _heddle_words \"%s\"; return; }\n", words.data);
  text_free(&words);
}

static void print_commands(Text *out) {
  for (size_t i = 0; i < command_row_count; i++) {
    text_format(out, "    %s)\n      options=\"", command_rows[i].name);
    add_options(out, command_rows[i].command);
    text_add(out, "\"\n");
    print_operands(&command_rows[i], out);
    text_add(out, "      ;;\n");
  }
  text_add(out, "    bench) options=\"");
  add_bench_options(out);
  text_add(out, "\" ;;\n");
}

// --- the script ---

static const char head[] =
    "# bash completion for heddle(1); printed by `heddle --completion bash`.\n"
    "# `current` is the word being completed; without an answer in COMPREPLY the shell completes names of files.\n"
    "_heddle_words() { COMPREPLY=($(compgen -W \"$1\" -- \"$current\")); _heddle_nothing; }\n"
    "_heddle_words_or_files() { COMPREPLY=($(compgen -W \"$1\" -- \"$current\")); }\n"
    "_heddle_nothing() { compopt +o default +o bashdefault 2>/dev/null; }\n"
    "_heddle_files() { :; }\n"
    "_heddle_directories() {\n"
    "  local IFS=$'\\n'\n"
    "  compopt -o filenames 2>/dev/null\n"
    "  COMPREPLY=($(compgen -d -- \"$current\"))\n"
    "}\n"
    "\n"
    "_heddle() {\n"
    "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}\n"
    "  local options= operands=0 word i flags=\"%s\"\n"
    "  COMPREPLY=()\n"
    "  # `--name=value` comes as three words.\n"
    "  if [ \"$current\" = \"=\" ]; then\n"
    "    current=\n"
    "  elif [ \"$previous\" = \"=\" ]; then\n"
    "    previous=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "  fi\n"
    "  if [ \"$COMP_CWORD\" = 1 ]; then\n"
    "    _heddle_words_or_files \"%s\"\n"
    "    return\n"
    "  fi\n"
    "  # A file in the place of a command is checked.\n"
    "  [[ \" %s help --completion \" == *\" $command \"* ]] || command=check\n"
    "  for ((i = 2; i < COMP_CWORD; i++)); do\n"
    "    word=${COMP_WORDS[i]}\n"
    "    # What follows goes to clang, or from the bench to check.\n"
    "    [ \"$word\" = -- ] && { [ \"$command\" = bench ] || return; command=check; }\n"
    "    [[ $word == -* || $word == = ]] && continue\n"
    "    # An option that is no flag has a value.\n"
    "    [ \"${COMP_WORDS[i - 1]}\" = \"=\" ] && continue\n"
    "    [[ ${COMP_WORDS[i - 1]} == -* && \" $flags \" != *\" ${COMP_WORDS[i - 1]} \"* ]] && continue\n"
    "    operands=$((operands + 1))\n"
    "  done\n"
    "  case $previous in\n"
    "    -p) previous=--project ;;\n"
    "    -o) previous=--output ;;\n"
    "  esac\n"
    "  case $previous in\n";

static const char middle[] = "    *) previous= ;;\n"
                             "  esac\n"
                             "  [ -n \"$previous\" ] && return\n"
                             "  case $command in\n";

static const char tail[] = "    help) _heddle_words \"%s\"; return ;;\n"
                           "    --completion) _heddle_words \"bash\"; return ;;\n"
                           "  esac\n"
                           "  [[ $current == -* ]] && _heddle_words \"$options\"\n"
                           "  return 0\n"
                           "}\n"
                           "complete -o bashdefault -o default -F _heddle heddle\n";

static void add_flags(Text *out) {
  for (size_t i = 0; i < option_row_count; i++)
    if (option_rows[i].type == OPTION_FLAG || option_rows[i].type == OPTION_NUMBER)
      text_format(out, "--%s ", option_rows[i].name);
  text_add(out, "--");
}

void completion_print_bash(Text *out) {
  Text words;
  text_init(&words, NULL);
  for (size_t i = 0; i < command_row_count; i++) text_format(&words, "%s%s", i ? " " : "", command_rows[i].name);
  text_add(&words, " bench");
  Text first, flags;
  text_init(&first, NULL);
  text_init(&flags, NULL);
  add_flags(&flags);
  text_format(&first, "%s help --help --version --man --completion", words.data);
  text_format(out, head, flags.data, first.data, words.data);
  for (size_t i = 0; i < option_row_count; i++) print_value(&option_rows[i], out);
  text_add(out, middle);
  print_commands(out);
  text_format(out, tail, words.data);
  text_free(&flags);
  text_free(&first);
  text_free(&words);
}
