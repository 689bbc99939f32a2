#include "survey/slices/call_summary.h"

#include <stdlib.h>
#include <string.h>

typedef struct Summing {
  const SurveyFacts *facts;
  const Code *code;
  U32Vector first, callees, own; // `own`: of the present function
  ByteVector traits;
  uint32_t function; // the present one
  bool channels;
} Summing;

static void add_trait(Summing *s, unsigned trait) { s->traits.data[s->function] |= (uint8_t)trait; }

// --- writes ---

// Is the area the function's own, or the library's?
static bool is_quiet(const Summing *s, const AreaPlace *place) {
  const Area *area = pointing_area(s->facts->pointing, place->area);
  if (area->kind == AREA_AUTOMATIC) return area->function == s->function;
  return area->kind == AREA_OUTSIDE && place->area != pointing_outside(s->facts->pointing);
}

static void write_to(Summing *s, CodeOperand pointer) {
  PlaceRange range = pointing_of(s->facts->pointing, pointer);
  for (uint32_t i = 0; i < range.count; i++)
    if (!is_quiet(s, &range.data[i])) add_trait(s, TRAIT_WRITES);
}

static bool has_address(const Summing *s, CodeOperand operand) {
  return pointing_of(s->facts->pointing, operand).count > 0;
}

// --- calls ---

static bool is_synchronisation(SynchronisationKind kind) {
  switch (kind) {
  case SYNC_NONE:
  case SYNC_EXIT_PROCESS:
  case SYNC_FORK:
  case SYNC_ASSUME: return false;
  default: return true;
  }
}

static bool is_among(const char *name, const char *const *names, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(name, names[i]) == 0) return true;
  return false;
}

// Functions that make something that threads may talk through, or talk so by themselves.
static bool makes_channel(const char *name) {
  static const char *const makers[] = {"pipe",         "pipe2",    "socketpair", "eventfd", "mkfifo",
                                       "mkfifoat",     "mq_open",  "msgget",     "semget",  "kill",
                                       "pthread_kill", "sigqueue", "tgkill",     "syscall"};
  return is_among(name, makers, sizeof makers / sizeof *makers);
}

static bool has_channels(const Code *code) {
  for (uint32_t f = 0; f < code->function_count; f++)
    if (!code->functions[f].defined && makes_channel(code->functions[f].name)) return true;
  return false;
}

static bool talks(const char *name) {
  static const char *const names[] = {
      "read",         "write",       "readv",        "writev",        "recv",      "recvfrom", "recvmsg",
      "send",         "sendto",      "sendmsg",      "poll",          "ppoll",     "select",   "pselect",
      "epoll_wait",   "epoll_pwait", "mq_send",      "mq_receive",    "msgsnd",    "msgrcv",   "semop",
      "dup",          "dup2",        "eventfd_read", "eventfd_write", "pause",     "sigwait",  "sigwaitinfo",
      "sigtimedwait", "sigsuspend",  "fcntl",        "fread",         "fwrite",    "fgets",    "fputs",
      "fgetc",        "fputc",       "close",        "__read_chk",    "__recv_chk"};
  return is_among(name, names, sizeof names / sizeof *names);
}

bool call_orders_threads(const char *name, bool channels) {
  bool locks = strcmp(name, "flock") == 0 || strcmp(name, "lockf") == 0;
  return locks || makes_channel(name) || (channels && talks(name));
}

static void call_library(Summing *s, const CodeStatement *call, const Effect *effect) {
  const uint8_t written = ARGUMENT_WRITTEN | ARGUMENT_FREED | ARGUMENT_DEEP_WRITTEN;
  if (is_synchronisation(effect->synchronisation) || call_orders_threads(effect->name, s->channels))
    add_trait(s, TRAIT_SYNCHRONISES);
  if (effect->result == RESULT_NEW_BLOCK || effect->result == RESULT_RESIZED) add_trait(s, TRAIT_ALLOCATES);
  for (uint32_t i = 1; i < call->operand_count; i++)
    if (calls_argument_effect(effect, i - 1) & written) write_to(s, code_operand(s->code, call, i));
}

static void call_unknown(Summing *s, const CodeStatement *call) {
  for (uint32_t i = 1; i < call->operand_count; i++)
    if (has_address(s, code_operand(s->code, call, i))) add_trait(s, TRAIT_WRITES);
}

static void add_call(Summing *s, uint32_t statement) {
  const CodeStatement *call = &s->code->statements[statement];
  CallTargets targets = calls_of(s->facts->calls, statement);
  for (uint32_t i = 0; i < targets.count; i++) {
    uint32_t function = targets.data[i].function;
    CallKind kind = targets.data[i].kind;
    if (kind == CALL_LIBRARY)
      call_library(s, call, calls_effect(s->facts->calls, function));
    else if (kind == CALL_UNKNOWN)
      call_unknown(s, call);
    else
      U32Vector_push(&s->own, function);
    if (kind != CALL_LIBRARY && kind != CALL_UNKNOWN && kind != CALL_BODY) add_trait(s, TRAIT_STARTS);
  }
}

// --- statements ---

static void add_statement(Summing *s, uint32_t statement) {
  const CodeStatement *code = &s->code->statements[statement];
  switch (code->kind) {
  case CODE_STORE:
  case CODE_EXCHANGE:
  case CODE_COPY_BLOCK:
  case CODE_FILL_BLOCK: write_to(s, code_operand(s->code, code, 0)); break;
  case CODE_CALL: add_call(s, statement); break;
  case CODE_RETURN:
    if (code->operand_count && has_address(s, code_operand(s->code, code, 0))) add_trait(s, TRAIT_ALLOCATES);
    break;
  case CODE_OPAQUE: add_trait(s, TRAIT_WRITES | TRAIT_SYNCHRONISES); break;
  default: break;
  }
  if (code->atomic || code->kind == CODE_FENCE) add_trait(s, TRAIT_SYNCHRONISES);
}

static int compare(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static void add_function(Summing *s, uint32_t function) {
  const CodeFunction *f = &s->code->functions[function];
  s->function = function;
  U32Vector_clear(&s->own);
  U32Vector_push(&s->first, (uint32_t)s->callees.count);
  for (uint32_t i = 0; f->defined && i < f->statement_count; i++) add_statement(s, f->first_statement + i);
  if (s->own.count) qsort(s->own.data, s->own.count, sizeof(uint32_t), compare);
  for (size_t i = 0; i < s->own.count; i++) {
    assert(s->code->functions[s->own.data[i]].defined);
    if (i == 0 || s->own.data[i] != s->own.data[i - 1]) U32Vector_push(&s->callees, s->own.data[i]);
  }
}

const CallSummary *call_summary_new(const SurveyFacts *facts, Arena *arena) {
  uint32_t count = facts->code->function_count;
  Summing s = {.facts = facts, .code = facts->code, .channels = has_channels(facts->code)};
  U32Vector *vectors[] = {&s.first, &s.callees, &s.own};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) U32Vector_init(vectors[i], facts->account);
  ByteVector_init(&s.traits, facts->account);
  ByteVector_resize(&s.traits, count);
  for (uint32_t f = 0; f < count; f++) add_function(&s, f);
  U32Vector_push(&s.first, (uint32_t)s.callees.count);
  const CallSummary made = {.function_count = count,
                            .channels = s.channels,
                            .first_callees = arena_copy(arena, s.first.data, s.first.count * sizeof(uint32_t)),
                            .callees = arena_copy(arena, s.callees.data, s.callees.count * sizeof(uint32_t)),
                            .traits = arena_copy(arena, s.traits.data, count)};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) U32Vector_free(vectors[i]);
  ByteVector_free(&s.traits);
  return arena_copy(arena, &made, sizeof made);
}
