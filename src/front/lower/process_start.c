// What the process gets when it starts: arguments, environment, standard input.
//
// Where the caller gives one of them (FrontLaunch), it is a constant. Otherwise it is free up to a limit, and what lies
// beyond it is a cut at the access that touches it (Beyond in program.h):
//   argc      any value from 1 to MOST_ARGC;
//   argv      for each argc up to 1 + MOST_FREE an array of its own, so that its end is exact; for all larger ones one
// array
//             of which the beginning is known;
//   argv[0]   the program's name, an assumption;
//   a text    (another argument, the value of an environment variable) any bytes, of which the first TEXT_BYTES are
//             known; if ends of lifetimes are looked at, so are the ends of objects: then only the first byte is sure
// to
//             be there.
#include "front/lower/process_start.h"
#include "front/calls/calls.h"
#include "front/objects/objects.h"

#include <string.h>

// MOST_ARGC and MOST_TEXT are more than Linux lets a process start with.
enum { MOST_FREE = 3, TEXT_BYTES = 8, MOST_ARGC = 1 << 21, MOST_TEXT = 1 << 17 };

static unsigned word_bytes(const Lowering *l) { return l->unit->pointer_width / 8; }

// A new object. NO_ID: there is no room, and a cut was emitted.
static ObjectId new_object(Lowering *l, uint64_t bytes, Storage storage, const char *name) {
  ObjectId object = program_add_object(l->program, bytes, storage, NO_ID, name);
  if (object == NO_ID) builder_cut(l, CUT_SIZE, "no room for what the program is started with");
  return object;
}

static uint64_t address_of(const Lowering *l, ObjectId object) {
  return object == NO_ID ? 0 : l->program->objects.data[object].address;
}

static Term address_term(Lowering *l, ObjectId object) { return constant_address(l, address_of(l, object)); }

static void set_word(Lowering *l, ObjectId array, size_t index, uint64_t value) {
  object_set_initial(l, array, index * word_bytes(l), value, word_bytes(l));
}

// A string that the program may write to.
static ObjectId fixed_text(Lowering *l, const char *text, const char *name) {
  size_t bytes = strlen(text) + 1;
  ObjectId object = new_object(l, bytes, STORAGE_GLOBAL, name);
  if (object == NO_ID) return NO_ID;
  l->program->objects.data[object].initial = arena_copy(&l->program->arena, text, bytes);
  return object;
}

static ObjectId free_text(Lowering *l, const char *name, CutKind kind, const char *whose) {
  Program *p = l->program;
  ObjectId object = new_object(l, TEXT_BYTES, STORAGE_GLOBAL, name);
  if (object == NO_ID) return NO_ID;
  p->objects.data[object].indeterminate = true;
  Beyond beyond = {.more = MOST_TEXT,
                   .exact = l->view.lifetimes ? 1 : TEXT_BYTES,
                   .kind = kind,
                   .what = intern_format(&p->strings, "%s has more than %d characters", whose, TEXT_BYTES - 1)};
  if (l->view.lifetimes) beyond.what = intern_format(&p->strings, "%s has any length", whose);
  program_extend_object(p, object, &beyond);
  return object;
}

static ObjectId array_of(Lowering *l, const char *name, const ObjectId *texts, size_t count, size_t words) {
  assert(words >= count);
  ObjectId array = new_object(l, words * word_bytes(l), STORAGE_GLOBAL, name);
  for (size_t i = 0; array != NO_ID && i < count; i++) set_word(l, array, i, address_of(l, texts[i]));
  return array;
}

// --- arguments ---

static const char *program_name(const Lowering *l) {
  const FrontLaunch *launch = l->view.launch;
  return launch && launch->name ? launch->name : "program";
}

static const char *argument_name(Lowering *l, size_t i) { return intern_format(&l->program->strings, "argv[%zu]", i); }

static Term fixed_arguments(Lowering *l, const StringVector *given) {
  ObjectId *texts = arena_allocate(&l->scratch, (given->count + 1) * sizeof *texts);
  texts[0] = fixed_text(l, program_name(l), argument_name(l, 0));
  for (size_t i = 0; i < given->count; i++) texts[i + 1] = fixed_text(l, given->data[i], argument_name(l, i + 1));
  return address_term(l, array_of(l, "argv", texts, given->count + 1, given->count + 2));
}

// argv for more than MOST_FREE arguments: what is behind the known ones is a cut.
static ObjectId long_array(Lowering *l, const ObjectId *texts) {
  ObjectId array = array_of(l, "argv", texts, MOST_FREE + 1, MOST_FREE + 1);
  if (array == NO_ID) return NO_ID;
  uint64_t known = l->program->objects.data[array].size;
  Beyond beyond = {.more = (uint64_t)MOST_ARGC * word_bytes(l),
                   .exact = known,
                   .kind = CUT_ARGUMENTS,
                   .what = intern_format(&l->program->strings, "more than %d command-line arguments", MOST_FREE)};
  program_extend_object(l->program, array, &beyond);
  return array;
}

static Term free_arguments(Lowering *l, Term argc) {
  ObjectId texts[MOST_FREE + 1] = {fixed_text(l, program_name(l), argument_name(l, 0))};
  for (size_t i = 1; i <= MOST_FREE; i++) {
    const char *whose = intern_format(&l->program->strings, "command-line argument %zu", i);
    texts[i] = free_text(l, argument_name(l, i), CUT_ARGUMENTS, whose);
  }
  l->program->assumptions |= 1u << ASSUME_PROGRAM_NAME;
  Term argv = address_term(l, long_array(l, texts));
  for (size_t count = MOST_FREE + 1; count > 0; count--) {
    Term here = term_eq(l->terms, argc, term_constant(l->terms, 32, count));
    ObjectId array = array_of(l, "argv", texts, count, count + 1);
    argv = term_ite(l->terms, here, address_term(l, array), argv);
  }
  return argv;
}

static Term free_count(Lowering *l) {
  Term argc = builder_fresh(l, 32, VALUE_INPUT, "argc");
  Term others = term_add_constant(l->terms, argc, -(Bits)1);
  builder_wait(l, STEP_ASSUME, term_binary(l->terms, TERM_ULT, others, term_constant(l->terms, 32, MOST_ARGC)));
  return argc;
}

// Does main read the parameter? (Clang stores every parameter to a slot.) One that is never read needs no choice.
static bool is_read(LLVMValueRef main_function, unsigned parameter) {
  LLVMValueRef value = LLVMGetParam(main_function, parameter);
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAStoreInst(user)) return true;
    LLVMValueRef slot = LLVMGetOperand(user, 1);
    for (LLVMUseRef other = LLVMGetFirstUse(slot); other; other = LLVMGetNextUse(other)) {
      LLVMValueRef toucher = LLVMGetUser(other);
      bool marker = LLVMIsACallInst(toucher) && starts_with(value_name(LLVMGetCalledValue(toucher)), "llvm.");
      if (toucher != user && !marker) return true;
    }
  }
  return false;
}

static bool reads_environment_parameter(const Lowering *l) {
  LLVMValueRef main_function = LLVMGetNamedFunction(l->unit->user, "main");
  return main_function && LLVMCountParams(main_function) > 2 && is_read(main_function, 2);
}

static Term environment_parameter(Lowering *l) {
  LLVMValueRef array = LLVMGetNamedGlobal(l->unit->models, "__heddle_environment");
  return array ? address_term(l, global_object(l, array)) : constant_address(l, 0);
}

size_t launch_arguments(Lowering *l, LLVMValueRef main_function, Term *arguments) {
  size_t count = LLVMCountParams(main_function);
  bool reads_argv = count >= 2 && is_read(main_function, 1);
  const StringVector *given = l->view.launch ? l->view.launch->arguments : NULL;
  Term argc = term_constant(l->terms, 32, given ? given->count + 1 : 1);
  if (!given && (reads_argv || (count >= 1 && is_read(main_function, 0)))) argc = free_count(l);
  if (count >= 1) arguments[0] = argc;
  if (count >= 2) arguments[1] = constant_address(l, 0);
  if (reads_argv) arguments[1] = given ? fixed_arguments(l, given) : free_arguments(l, argc);
  for (size_t i = 2; i < count && i < 8; i++) arguments[i] = constant_address(l, 0);
  if (count >= 3 && reads_environment_parameter(l)) arguments[2] = environment_parameter(l);
  return count < 8 ? count : 8;
}

// --- environment ---

// Fields of struct heddle_variable (lib/heddle.h).
enum { VARIABLE_CHOSEN = 0, VARIABLE_TEXT = 8, VARIABLE_CHANGED = 16, VARIABLE_VALUE = 24, VARIABLE_SIZE = 32 };
enum { VARIABLE_SET = 1, VARIABLE_UNSET = 2 };

// The value of `name` in the environment that was given, or NULL.
static const char *given_value(const StringVector *environment, const char *name) {
  size_t length = strlen(name);
  for (size_t i = 0; i < environment->count; i++) {
    const char *entry = environment->data[i];
    if (strncmp(entry, name, length) == 0 && entry[length] == '=') return entry + length + 1;
  }
  return NULL;
}

static ObjectId new_variable(Lowering *l, const char *name) {
  assert(name && *name && !strchr(name, '='));
  Program *p = l->program;
  const char *shown = intern_format(&p->strings, "getenv(\"%s\")", name);
  const StringVector *given = l->view.launch ? l->view.launch->environment : NULL;
  const char *value = given ? given_value(given, name) : NULL;
  const char *whose = intern_format(&p->strings, "the environment variable %s", name);
  uint64_t text = 0;
  if (value) text = address_of(l, fixed_text(l, value, shown));
  if (!given) text = address_of(l, free_text(l, shown, CUT_ENVIRONMENT, whose));
  ObjectId variable = new_object(l, VARIABLE_SIZE, STORAGE_GLOBAL, shown);
  if (variable == NO_ID) return NO_ID;
  if (given) object_set_initial(l, variable, VARIABLE_CHOSEN, value ? VARIABLE_SET : VARIABLE_UNSET, 4);
  object_set_initial(l, variable, VARIABLE_TEXT, text, word_bytes(l));
  static const NamedPart fields[] = {{VARIABLE_CHOSEN, " is set", 0, SHOWN_AS_NUMBER},
                                     {VARIABLE_TEXT, " at the start", 0, SHOWN_AS_NUMBER},
                                     {VARIABLE_CHANGED, " was changed", 0, SHOWN_AS_NUMBER}};
  p->objects.data[variable].parts = arena_copy(&p->arena, fields, sizeof fields);
  p->objects.data[variable].part_count = sizeof fields / sizeof *fields;
  return variable;
}

// The constant string at an address, up to its end or to `end`; NULL if it is not one, or empty.
static const char *constant_text(Lowering *l, Term address, char end) {
  const Program *p = l->program;
  if (!term_is_constant(l->terms, address)) return NULL;
  uint64_t at = (uint64_t)term_constant_value(l->terms, address);
  ObjectId id = program_object_at(p, at);
  if (id == NO_ID || p->objects.data[id].storage != STORAGE_CONSTANT || !p->objects.data[id].initial) return NULL;
  const Object *object = &p->objects.data[id];
  const char *text = (const char *)object->initial + (at - object->address), *stop;
  size_t room = (size_t)(object->address + object->size - at);
  stop = memchr(text, end, room);
  const char *zero = memchr(text, 0, room);
  if (!stop || stop == text || !zero || zero < stop) return NULL;
  return intern_format(&l->program->strings, "%.*s", (int)(stop - text), text);
}

static void bind_variable(Lowering *l, LLVMValueRef call, char end) {
  Term address = call_argument(l, call, 0);
  if (address == TERM_NONE || l->current == NO_ID) return;
  const char *name = constant_text(l, address, end);
  if (!name || strchr(name, '=')) {
    value_bind_one(l, call, constant_address(l, 0));
    return;
  }
  uint64_t known;
  if (!map_get(&l->variables, pointer_key(name), &known)) {
    known = new_variable(l, name);
    if (known == NO_ID) return;
    map_put(&l->variables, pointer_key(name), known);
  }
  value_bind_one(l, call, address_term(l, (ObjectId)known));
}

void lower_variable(Lowering *l, LLVMValueRef call) { bind_variable(l, call, '\0'); }
void lower_variable_entry(Lowering *l, LLVMValueRef call) { bind_variable(l, call, '='); }

// --- objects of lib/environment.c that are known here ---

static bool changes_environment(const Lowering *l) {
  static const char *const names[] = {"setenv", "unsetenv", "putenv", "clearenv"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (unit_uses(l->unit, names[i])) return true;
  return false;
}

static bool sees_environment(const Lowering *l) {
  static const char *const names[] = {"environ", "__environ", "_environ"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (LLVMGetNamedGlobal(l->unit->user, names[i])) return true;
  return reads_environment_parameter(l);
}

static ObjectId environment_array(Lowering *l, const char *name) {
  const StringVector *given = l->view.launch ? l->view.launch->environment : NULL;
  Program *p = l->program;
  if (!given) {
    ObjectId array = new_object(l, 0, STORAGE_GLOBAL, name);
    if (array == NO_ID) return NO_ID;
    Beyond beyond = {.more = (uint64_t)MOST_ARGC * word_bytes(l),
                     .kind = CUT_ENVIRONMENT,
                     .what = "the program looks at its whole environment"};
    program_extend_object(p, array, &beyond);
    return array;
  }
  ObjectId *texts = arena_allocate(&l->scratch, (given->count + 1) * sizeof *texts);
  for (size_t i = 0; i < given->count; i++)
    texts[i] = fixed_text(l, given->data[i], intern_format(&p->strings, "environ[%zu]", i));
  return array_of(l, "environ", texts, given->count, given->count + 1);
}

static ObjectId number(Lowering *l, const char *name, uint64_t value, unsigned bytes) {
  assert(bytes <= sizeof value);
  ObjectId object = new_object(l, bytes, STORAGE_CONSTANT, name);
  if (object == NO_ID) return NO_ID;
  object_set_initial(l, object, 0, value, bytes);
  map_put(&l->never_written, object, 1); // models branch on it: only one branch is lowered
  return object;
}

ObjectId launch_object(Lowering *l, const char *name) {
  const FrontLaunch *launch = l->view.launch;
  const ByteVector *input = launch ? launch->input : NULL;
  if (strcmp(name, "__heddle_environment") == 0) return environment_array(l, name);
  if (strcmp(name, "__heddle_environment_given") == 0) return number(l, name, launch && launch->environment, 4);
  if (strcmp(name, "__heddle_environment_changes") == 0) return number(l, name, changes_environment(l), 4);
  if (strcmp(name, "__heddle_environment_seen") == 0) return number(l, name, sees_environment(l), 4);
  if (strcmp(name, "__heddle_stdin_given") == 0) return number(l, name, input != NULL, 4);
  if (strcmp(name, "__heddle_stdin_size") == 0) return number(l, name, input ? input->count : 0, word_bytes(l));
  if (strcmp(name, "__heddle_stdin") != 0) return NO_ID;
  size_t bytes = input ? input->count : 0;
  ObjectId object = new_object(l, bytes + 1, STORAGE_CONSTANT, "standard input");
  if (object == NO_ID) return NO_ID;
  uint8_t *initial = arena_allocate_zeroed(&l->program->arena, bytes + 1);
  if (bytes) memcpy(initial, input->data, bytes);
  l->program->objects.data[object].initial = initial;
  return object;
}
