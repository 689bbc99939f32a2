#define _GNU_SOURCE // pipe2, memfd_create, wait4
#include "front/module/clang.h"

#include "base/file.h"
#include "base/printable.h"
#include "front/module/atom.h"
#include "front/module/dialect.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_BITCODE ((size_t)1 << 30) // bytes of a file

static bool read_whole(int descriptor, ByteVector *into) {
  uint8_t buffer[65536];
  for (;;) {
    ssize_t got = read(descriptor, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return false;
    if (got == 0) return true;
    ByteVector_reserve(into, into->count + (size_t)got);
    memcpy(into->data + into->count, buffer, (size_t)got);
    into->count += (size_t)got;
  }
}

static bool read_bitcode_file(const char *file, ByteVector *bitcode, Text *error) {
  Text fault;
  text_init(&fault, NULL);
  int descriptor = file_open(file, MOST_BITCODE, &fault);
  bool done = descriptor >= 0 && read_whole(descriptor, bitcode);
  if (!done) text_line(error, "heddle: %s: %s", file, fault.length ? fault.data : strerror(errno));
  if (descriptor >= 0) close(descriptor);
  text_free(&fault);
  return done;
}

static bool is_standard_input(const char *file) { return strcmp(file, FRONT_STANDARD_INPUT) == 0; }

static bool has_atoms(const FrontOptions *options, size_t index) { return index == 0 && options->atom_count > 0; }

typedef enum ClangOutput {
  OUTPUT_BITCODE,
  OUTPUT_MACROS, // those at the end of the file
  OUTPUT_FILES   // the names of what is read, after `files_mark`, with quotes around unusual ones
} ClangOutput;

// One run of clang on one file.
typedef struct ClangRun {
  const FrontOptions *options;
  size_t index;       // of the file
  const Text *source; // the atoms, if there are any for this file
  RemedySet remedies;
  ByteVector *bitcode; // what comes out is appended
  Text *said;          // diagnostics
  ClangOutput output;
} ClangRun;

// Remedies are macros: a preprocessed file is then preprocessed again, without the names that gcc's dialect reserves.
static void add_file(const ClangRun *run, StringVector *arguments) {
  const char *file = run->options->files[run->index];
  bool included = has_atoms(run->options, run->index), preprocessed = ends_with(file, ".i");
  if (preprocessed && run->remedies)
    for (const char *const *name = (const char *const[]){"-Ulinux", "-Uunix", "-Ui386", NULL}; *name; name++)
      StringVector_push(arguments, *name);
  // Files that it includes are looked for where Heddle was started, not beside the device.
  if (is_standard_input(file)) StringVector_push(arguments, "-iquote.");
  StringVector_push(arguments, "-x");
  StringVector_push(arguments, preprocessed && !included && !run->remedies ? "cpp-output" : "c");
  if (is_standard_input(file)) {
    StringVector_push(arguments, included ? "-" : file);
    return;
  }
  if (included) StringVector_push(arguments, "-include");
  StringVector_push(arguments, file);
  if (included) StringVector_push(arguments, "-");
}

#define FILES_MARK "files"
static const char *const output_options[][5] = {[OUTPUT_BITCODE] = {NULL},
                                                [OUTPUT_MACROS] = {"-E", "-dM", NULL},
                                                [OUTPUT_FILES] = {"-M", "-MV", "-MT", FILES_MARK}};
// Whatever the user's own options say of sanitizers and of wrapping.
static void check_overflows(StringVector *arguments) {
  static const char *const checks[] = {"-fno-wrapv",
                                       "-fno-sanitize-trap=all",
                                       "-fno-sanitize-minimal-runtime",
                                       "-fno-sanitize-ignorelist",
                                       "-fsanitize=signed-integer-overflow,shift",
                                       "-fsanitize-recover=signed-integer-overflow,shift"};
  for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) StringVector_push(arguments, checks[i]);
}

static void build_arguments(const ClangRun *run, StringVector *arguments) {
  const FrontOptions *options = run->options;
  const StringVector *own = options->file_options ? options->file_options[run->index] : NULL;
  static const char *const fixed[] = {
      "clang-19", "-w", "-fgnu89-inline", "-O1", "-Xclang", "-disable-llvm-passes", "-fno-discard-value-names",
      "-U__OPTIMIZE__", "-U_FORTIFY_SOURCE", "-ffp-contract=off", "-g",
      // Else a name that begins like the working directory would lose its beginning.
      "-fdebug-compilation-dir=/", "-fno-stack-protector", "-emit-llvm", "-c", "-fno-color-diagnostics",
      // A crash starts no second clang, and leaves no files.
      "-fno-crash-diagnostics"};
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) StringVector_push(arguments, fixed[i]);
  dialect_options(arguments);
  if (options->pointer_width == 32) {
    StringVector_push(arguments, "-m32");
    // Debian keeps the kernel's <asm/...> headers in the 64-bit directory only; they serve both.
    StringVector_push(arguments, "-idirafter");
    StringVector_push(arguments, "/usr/include/x86_64-linux-gnu");
  } else {
    StringVector_push(arguments, "-m64");
  }
  for (size_t i = 0; own && i < own->count; i++) StringVector_push(arguments, own->data[i]);
  for (size_t i = 0; i < options->clang_option_count; i++) StringVector_push(arguments, options->clang_options[i]);
  if (options->overflows) check_overflows(arguments);
  dialect_remedy_options(run->remedies, arguments);
  for (const char *const *word = output_options[run->output]; *word; word++) StringVector_push(arguments, *word);
  add_file(run, arguments);
  StringVector_push(arguments, "-fintegrated-cc1"); // in the process that was started, which dies with this one
  StringVector_push(arguments, "-o");
  StringVector_push(arguments, "-");
  StringVector_push(arguments, NULL);
}

// --- the process ---

// Limits the data of the process; mapped libraries hardly use memory and are not limited.
static void limit_memory(size_t memory) {
  struct rlimit limit = {.rlim_cur = 0, .rlim_max = 0};
  setrlimit(RLIMIT_CORE, &limit);
  if (getrlimit(RLIMIT_AS, &limit) == 0) {
    limit.rlim_cur = limit.rlim_max; // what the parent has is too little for clang's libraries
    setrlimit(RLIMIT_AS, &limit);
  }
  if (!memory || getrlimit(RLIMIT_DATA, &limit) != 0) return;
  if (limit.rlim_max == RLIM_INFINITY || memory < limit.rlim_max) limit.rlim_cur = memory;
  setrlimit(RLIMIT_DATA, &limit);
}

// Standard input comes from `in` (-1: there is none), output goes to `out`, standard error to `diagnostics`.
typedef struct ClangFiles {
  int in, out, diagnostics;
} ClangFiles;

enum { STATUS_ORPHAN = 126, STATUS_MISSING = 127 };

static _Noreturn void exec_clang(char *const *arguments, const ClangFiles *files, size_t memory, pid_t parent) {
  assert(arguments[0] && files->out >= 0 && files->diagnostics >= 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(STATUS_ORPHAN); // it died before the line above
  int in = files->in >= 0 ? files->in : open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (dup2(in, STDIN_FILENO) < 0 || dup2(files->out, STDOUT_FILENO) < 0 || dup2(files->diagnostics, STDERR_FILENO) < 0)
    _exit(STATUS_ORPHAN);
  limit_memory(memory);
  execvp(arguments[0], arguments);
  _exit(STATUS_MISSING);
}

static pid_t start_clang(char *const *arguments, const ClangFiles *files, size_t memory) {
  pid_t parent = getpid(), child = fork();
  if (child == 0) exec_clang(arguments, files, memory, parent);
  return child;
}

// Diagnostics go to an unnamed file, so that clang can never block on a full pipe while we read its output.
static int unnamed_file(void) { return memfd_create("heddle-clang", MFD_CLOEXEC); }

static void append_file(int descriptor, Text *text) {
  char buffer[4096];
  ssize_t got;
  lseek(descriptor, 0, SEEK_SET);
  while ((got = read(descriptor, buffer, sizeof buffer)) > 0) text_add_bytes(text, buffer, (size_t)got);
}

// --- atoms ---

// The functions in a file without a name; -1: the system refuses.
static int write_source(const Text *source) {
  assert(source);
  int file = unnamed_file();
  bool good = file >= 0 && write(file, source->data, source->length) == (ssize_t)source->length &&
              lseek(file, 0, SEEK_SET) == 0;
  if (!good && file >= 0) close(file);
  return good ? file : -1;
}

// The program itself, where the atoms would else include it.
static bool add_standard_input(Text *source, Text *error) {
  text_add(source, "# 1 \"" FRONT_STANDARD_INPUT "\"\n");
  Text fault;
  text_init(&fault, NULL);
  bool good = file_read(source, FRONT_STANDARD_INPUT, FILE_MOST_DATA, &fault);
  if (!good) text_line(error, "heddle: %s: %s", FRONT_STANDARD_INPUT, fault.data);
  text_free(&fault);
  text_add_char(source, '\n');
  return good;
}

// What clang says of an atom, with where that stands. False: it speaks of something else.
static bool explain_atom(const FrontOptions *options, const Text *said, Text *error) {
  static const char mark[] = FORMULA_FILE ":";
  const char *line = said->data;
  while (line && strncmp(line, mark, sizeof mark - 1) != 0) {
    line = strchr(line, '\n');
    if (line) line++;
  }
  const char *what = line ? strstr(line, "error: ") : NULL;
  unsigned long number = what ? strtoul(line + sizeof mark - 1, NULL, 10) : 0;
  if (number == 0 || number > options->atom_count) return false;
  what += strlen("error: ");
  text_line(error, "heddle: %s: %.*s", options->atoms[number - 1].position, (int)strcspn(what, "\n"), what);
  return true;
}

typedef enum RunOutcome {
  RUN_DONE,
  RUN_REFUSED,   // clang has said why
  RUN_CRASHED,   // `error` says how
  RUN_IMPOSSIBLE // `error` says why it did not run
} RunOutcome;

// Did clang crash for lack of memory? Its last messages or its memory use show it.
static bool lacked_memory(const ClangRun *run, const struct rusage *usage) {
  static const char *const words[] = {"out of memory", "bad_alloc", "failed to map segment", "Cannot allocate memory"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strstr(run->said->data, words[i])) return true;
  return run->options->memory && (double)usage->ru_maxrss * 1024 > 0.8 * (double)run->options->memory;
}

// Ends this process. The exit status tells the parent process what happened.
static _Noreturn void give_up_for_memory(const ClangRun *run) {
  memory_exhausted(&(Account){.room = "clang", .silent = true}, run->options->memory);
}

static RunOutcome finish_clang(const ClangRun *run, pid_t child, int diagnostics, Text *error) {
  assert(child > 0);
  enum { FIRST_CRASH = 70 }; // sysexits(3); the driver of clang uses them, and 128 + signal, for crashes
  int status = 0;
  struct rusage usage = {0};
  while (wait4(child, &status, 0, &usage) < 0 && errno == EINTR) continue;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return RUN_DONE;
  append_file(diagnostics, run->said);
  if (WIFEXITED(status) && WEXITSTATUS(status) == STATUS_MISSING && !run->said->length) {
    text_add(error, "heddle: clang-19 cannot be run (install the Debian package clang-19)\n");
    return RUN_IMPOSSIBLE;
  }
  bool crashed = WIFSIGNALED(status) || WEXITSTATUS(status) >= FIRST_CRASH;
  if (!crashed) return RUN_REFUSED;
  if (lacked_memory(run, &usage)) give_up_for_memory(run);
  int number = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status) > 128 ? WEXITSTATUS(status) - 128 : 0;
  text_format(error, "heddle: %s: clang-19 crashed", run->options->files[run->index]);
  if (number) text_format(error, " (signal %d)", number);
  text_format(error, " while it compiled this file\n");
  return RUN_CRASHED;
}

static RunOutcome run_clang(const ClangRun *run, Text *error) {
  bool atoms = has_atoms(run->options, run->index);
  bool standard = is_standard_input(run->options->files[run->index]);
  int pipe_ends[2], diagnostics = unnamed_file();
  int input = atoms ? write_source(run->source) : standard ? open(FRONT_STANDARD_INPUT, O_RDONLY | O_CLOEXEC) : -1;
  if (diagnostics < 0 || ((atoms || standard) && input < 0) || pipe2(pipe_ends, O_CLOEXEC) != 0) {
    text_line(error, "heddle: cannot start clang-19: %s", strerror(errno));
    if (diagnostics >= 0) close(diagnostics);
    if (input >= 0) close(input);
    return RUN_IMPOSSIBLE;
  }
  StringVector arguments = {0};
  build_arguments(run, &arguments);
  ClangFiles files = {.in = input, .out = pipe_ends[1], .diagnostics = diagnostics};
  pid_t child = start_clang((char *const *)arguments.data, &files, run->options->memory);
  int start_error = errno;
  if (input >= 0) close(input);
  StringVector_free(&arguments);
  close(pipe_ends[1]);
  RunOutcome outcome = RUN_IMPOSSIBLE;
  if (child < 0) {
    text_line(error, "heddle: cannot start clang-19: %s", strerror(start_error));
  } else {
    bool read_all = read_whole(pipe_ends[0], run->bitcode);
    outcome = finish_clang(run, child, diagnostics, error);
    if (outcome == RUN_DONE && !read_all) outcome = RUN_REFUSED;
  }
  close(pipe_ends[0]);
  close(diagnostics);
  return outcome;
}

static void complain(const ClangRun *run, Text *error) {
  if (has_atoms(run->options, run->index) && explain_atom(run->options, run->said, error)) return;
  const char *advice = dialect_advice(run->said->data);
  text_add(error, run->said->data);
  text_line(error, "heddle: %s: clang cannot compile this file%s%s", run->options->files[run->index],
            advice ? "; " : "", advice ? advice : "");
}

// Runs clang until it accepts the file or says nothing that a new remedy is known for.
static bool compile(const FrontOptions *options, size_t index, const Text *source, ByteVector *bitcode, Text *error) {
  Text said;
  text_init(&said, NULL);
  ClangRun run = {.options = options, .index = index, .source = source, .bitcode = bitcode, .said = &said};
  size_t before = bitcode->count;
  RunOutcome outcome;
  RemedySet new_remedies;
  do {
    text_clear(&said);
    bitcode->count = before;
    outcome = run_clang(&run, error);
    new_remedies = outcome == RUN_REFUSED ? dialect_remedies(said.data) & ~run.remedies : 0;
    run.remedies |= new_remedies;
  } while (new_remedies);
  if (outcome == RUN_REFUSED) complain(&run, error);
  text_free(&said);
  return outcome == RUN_DONE;
}

// --- assertions ---

// Can the options, or a file that this one includes, define macros? Headers of the system do not define NDEBUG.
static bool may_define_macros(const FrontOptions *options, size_t index, const char *source) {
  const StringVector *own = options->file_options ? options->file_options[index] : NULL;
  if (options->clang_option_count || (own && own->count) || strstr(source, "NDEBUG")) return true;
  for (const char *at = source; (at = strstr(at, "include")) != NULL; at += strlen("include")) {
    const char *name = at + strlen("include");
    if (name[strspn(name, " \t")] != '<') return true;
  }
  return false;
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static bool has_word(const char *text, size_t length, const char *word, size_t word_length) {
  for (size_t i = 0; i + word_length <= length; i++) {
    bool alone = (i == 0 || !is_word(text[i - 1])) && (i + word_length == length || !is_word(text[i + word_length]));
    if (alone && memcmp(text + i, word, word_length) == 0) return true;
  }
  return false;
}

// Is `assert` a macro there that does not use its argument?
static bool drops_argument(const char *macros) {
  static const char head[] = "#define assert(", variadic[] = "__VA_ARGS__";
  const char *line = macros;
  while (line && strncmp(line, head, sizeof head - 1) != 0) {
    line = strchr(line, '\n');
    if (line) line++;
  }
  if (!line) return false;
  const char *name = line + sizeof head - 1, *end = strchr(name, ')');
  if (!end) return false;
  const char *body = end + 1;
  size_t length = strcspn(body, "\n");
  if (strncmp(name, "...", 3) == 0) return !has_word(body, length, variadic, sizeof variadic - 1);
  return !has_word(body, length, name, (size_t)(end - name));
}

bool clang_drops_asserts(const FrontOptions *options, size_t index) {
  const char *file = options->files[index];
  if (ends_with(file, ".bc") || ends_with(file, ".i")) return false;
  Text source, said;
  text_init(&source, NULL);
  text_init(&said, NULL);
  ByteVector macros;
  ByteVector_init(&macros, NULL);
  ClangRun run = {.options = options, .index = index, .bitcode = &macros, .said = &said, .output = OUTPUT_MACROS};
  bool drops = file_read(&source, file, FILE_MOST_DATA, NULL) && strstr(source.data, "assert") &&
               may_define_macros(options, index, source.data) && run_clang(&run, &said) == RUN_DONE;
  if (drops) {
    ByteVector_push(&macros, '\0');
    drops = drops_argument((const char *)macros.data);
  }
  ByteVector_free(&macros);
  text_free(&said);
  text_free(&source);
  return drops;
}

// Clang reads the file again for each remedy, and reports read it after that: it has to stay the same. `error` may be
// NULL.
static bool is_readable(const char *file, Text *error) {
  Text fault;
  text_init(&fault, NULL);
  int descriptor = file_open(file, MOST_BITCODE, &fault);
  if (descriptor < 0 && error) text_line(error, "heddle: %s: %s", file, fault.data);
  if (descriptor >= 0) close(descriptor);
  text_free(&fault);
  return descriptor >= 0;
}

// --- the files that are read ---

// FILES_MARK, a colon, then names; a backslash before the end of a line stands for nothing.
static void split_names(const char *rule, Text *names) {
  static const char mark[] = FILES_MARK ":", between[] = " \n";
  const char *at = strncmp(rule, mark, sizeof mark - 1) == 0 ? rule + sizeof mark - 1 : "";
  while (*(at += strspn(at, between))) {
    if (at[0] == '\\' && at[1] == '\n') {
      at++;
      continue;
    }
    bool quoted = *at == '"';
    at += quoted;
    size_t length = strcspn(at, quoted ? "\"" : between);
    text_add_bytes(names, at, length);
    text_add_char(names, '\n');
    at += length + (quoted && at[length]);
  }
}

// A preprocessed file reads none, but those that its line markers (# 12 "NAME") name are its source.
static void add_marked(const char *file, Text *names) {
  Text source;
  text_init(&source, NULL);
  if (!file_read(&source, file, FILE_MOST_DATA, NULL)) text_clear(&source);
  for (const char *line = source.data; *line; line += *line == '\n') {
    const char *at = line + strspn(line, " \t");
    line += strcspn(line, "\n");
    if (*at != '#') continue;
    at += 1 + strspn(at + 1, " \tline");
    size_t digits = strspn(at, "0123456789");
    at += digits + strspn(at + digits, " \t");
    if (!digits || *at != '"') continue;
    text_add_bytes(names, at + 1, strcspn(at + 1, "\"\n"));
    text_add_char(names, '\n');
  }
  text_free(&source);
}

void clang_files_read(const FrontOptions *options, size_t index, Text *names) {
  if (ends_with(options->files[index], ".i")) add_marked(options->files[index], names);
  if (ends_with(options->files[index], ".bc") || !is_readable(options->files[index], NULL)) return;
  FrontOptions plain = *options; // atoms include nothing
  plain.atom_count = 0;
  Text said;
  text_init(&said, NULL);
  ByteVector rule;
  ByteVector_init(&rule, NULL);
  ClangRun run = {.options = &plain, .index = index, .bitcode = &rule, .said = &said, .output = OUTPUT_FILES};
  if (run_clang(&run, &said) == RUN_DONE) {
    ByteVector_push(&rule, '\0');
    split_names((const char *)rule.data, names);
  }
  ByteVector_free(&rule);
  text_free(&said);
}

bool clang_compile(const FrontOptions *options, size_t index, ByteVector *bitcode, Text *error) {
  const char *file = options->files[index];
  if (!is_readable(file, error)) return false;
  bool atoms = has_atoms(options, index);
  if (atoms && ends_with(file, ".bc")) {
    text_line(error, "heddle: %s: expressions of a formula need the source, not bitcode", file);
    return false;
  }
  if (options->overflows && ends_with(file, ".bc")) {
    text_line(error, "heddle: %s: no-overflow needs the source: bitcode does not say which operations are signed",
              file);
    return false;
  }
  if (ends_with(file, ".bc")) return read_bitcode_file(file, bitcode, error);
  Text source;
  text_init(&source, NULL);
  bool good = !atoms || ((!is_standard_input(file) || add_standard_input(&source, error)) &&
                         atoms_write(options, &source, error));
  good = good && compile(options, index, &source, bitcode, error);
  text_free(&source);
  return good;
}
