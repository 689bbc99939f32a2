#include "verdict/verdict.h"

#include "verdict/json.h"

#include <assert.h>

const char *answer_text(Answer answer) {
  static const char *const texts[] = {[ANSWER_UNKNOWN] = "UNKNOWN", [ANSWER_SAFE] = "SAFE", [ANSWER_UNSAFE] = "UNSAFE"};
  assert(answer <= ANSWER_UNSAFE);
  return texts[answer];
}

Result *result_new(Property property, Account *account) {
  Result *result = memory_allocate_zeroed(account, sizeof *result);
  result->property = property;
  result->account = account;
  MetCutVector_init(&result->cuts, account);
  U64Vector_init(&result->calls, account);
  RestsOnVector_init(&result->rests_on, account);
  NoteVector_init(&result->notes, account);
  StatisticVector_init(&result->statistics, account);
  text_init(&result->reason, account);
  text_init(&result->covered, account);
  text_init(&result->proof, account);
  text_init(&result->violation, account);
  interner_init(&result->strings, account);
  return result;
}

static void clear_notes(Result *result) {
  for (size_t i = 0; i < result->notes.count; i++) text_free(&result->notes.data[i].what);
  NoteVector_clear(&result->notes);
}

void result_free(Result *result) {
  if (!result) return;
  for (size_t i = 0; i < result->cuts.count; i++) text_free(&result->cuts.data[i].what);
  MetCutVector_free(&result->cuts);
  U64Vector_free(&result->calls);
  for (size_t i = 0; i < result->rests_on.count; i++) text_free(&result->rests_on.data[i].what);
  RestsOnVector_free(&result->rests_on);
  clear_notes(result);
  NoteVector_free(&result->notes);
  StatisticVector_free(&result->statistics);
  text_free(&result->reason);
  text_free(&result->covered);
  text_free(&result->proof);
  text_free(&result->violation);
  interner_free(&result->strings);
  schedule_free(result->schedule);
  memory_free(result->account, result, sizeof *result);
}

void result_add_cut(Result *result, CutKind kind, const char *what) {
  for (size_t i = 0; i < result->cuts.count; i++) {
    const MetCut *old = &result->cuts.data[i];
    if (old->kind == kind && strcmp(old->what.data, what) == 0) return;
  }
  MetCut cut = {.kind = kind};
  text_init(&cut.what, result->account);
  text_add(&cut.what, what);
  text_one_line(&cut.what);
  MetCutVector_push(&result->cuts, cut);
}

static void result_add_call(Result *result, uint64_t call) {
  for (size_t i = 0; i < result->calls.count; i++)
    if (result->calls.data[i] == call) return;
  U64Vector_push(&result->calls, call);
}

void cut_tell(const Program *program, CutId cut, Text *out) {
  const Cut *row = CutVector_at(&program->cuts, cut);
  text_add(out, row->what ? row->what : cut_kind_text(row->kind));
  if (row->position.file) text_format(out, " at %s:%u", row->position.file, (unsigned)row->position.line);
}

void result_add_program_cut(Result *result, const Program *program, CutId cut) {
  const Cut *row = CutVector_at(&program->cuts, cut);
  Text what;
  text_init(&what, result->account);
  cut_tell(program, cut, &what);
  result_add_cut(result, row->kind, what.data);
  for (uint32_t i = 0; i < row->call_count; i++) result_add_call(result, row->calls[i]);
  text_free(&what);
}

void result_add_cuts_of(Result *result, const Result *other) {
  for (size_t i = 0; i < other->cuts.count; i++)
    result_add_cut(result, other->cuts.data[i].kind, other->cuts.data[i].what.data);
  for (size_t i = 0; i < other->calls.count; i++) result_add_call(result, other->calls.data[i]);
}

void result_rest_on(Result *result, Assumption assumption, const char *what) {
  assert(assumption < ASSUMPTION_COUNT);
  result->assumptions |= UINT32_C(1) << assumption;
  for (size_t i = 0; i < result->rests_on.count; i++) {
    const RestsOn *old = &result->rests_on.data[i];
    if (old->assumption == assumption && strcmp(old->what.data, what) == 0) return;
  }
  RestsOn row = {.assumption = assumption};
  text_init(&row.what, result->account);
  text_add(&row.what, what);
  text_one_line(&row.what);
  RestsOnVector_push(&result->rests_on, row);
}

void result_rest_on_program(Result *result, const Program *program) {
  result->assumptions |= program->assumptions;
  Text what;
  text_init(&what, result->account);
  for (size_t i = 0; i < program->reliances.count; i++) {
    const Reliance *row = &program->reliances.data[i];
    text_clear(&what);
    text_add(&what, row->what);
    if (row->position.file) text_format(&what, " at %s:%u", row->position.file, (unsigned)row->position.line);
    if (row->by) text_format(&what, " by %s", row->by);
    result_rest_on(result, row->assumption, what.data);
  }
  text_free(&what);
}

static void add_assumption_line(const Result *result, Assumption assumption, Text *out) {
  enum { MOST_SHOWN = 12 };
  size_t count = 0;
  text_add(out, assumption_text(assumption));
  for (size_t i = 0; i < result->rests_on.count; i++) {
    if (result->rests_on.data[i].assumption != assumption || count++ >= MOST_SHOWN) continue;
    text_format(out, "%s%s", count == 1 ? ": " : ", ", result->rests_on.data[i].what.data);
  }
  if (count > MOST_SHOWN) text_format(out, ", and %zu more", count - MOST_SHOWN);
}

// Has what is next of the survey's assumptions; false: there is no further one.
static bool next_of_survey(const Result *result, AssumptionCursor *at, Text *line) {
  while (at->row < result->rests_on.count) {
    const RestsOn *row = &result->rests_on.data[at->row++];
    if (row->assumption != ASSUME_SURVEY) continue;
    text_add(line, row->what.data);
    return true;
  }
  return false;
}

bool result_next_assumption(const Result *result, uint32_t assumptions, AssumptionCursor *at, Text *line) {
  text_clear(line);
  for (; at->assumption < ASSUMPTION_COUNT; at->assumption++) {
    if (!(assumptions >> at->assumption & 1)) continue;
    if (at->assumption == ASSUME_SURVEY) {
      if (next_of_survey(result, at, line)) return true;
      continue;
    }
    add_assumption_line(result, (Assumption)at->assumption++, line);
    return true;
  }
  return false;
}

const char *note_kind_name(NoteKind kind) {
  static const char *const names[] = {
#define X(name, text, begin) text,
      NOTE_KINDS(X)
#undef X
  };
  assert(kind < NOTE_KIND_COUNT);
  return names[kind];
}

void result_add_note(Result *result, NoteKind kind, const char *what) {
  for (size_t i = 0; i < result->notes.count; i++) {
    const Note *old = &result->notes.data[i];
    if (old->kind == kind && strcmp(old->what.data, what) == 0) return;
  }
  Note note = {.kind = kind};
  text_init(&note.what, result->account);
  text_add(&note.what, what);
  text_one_line(&note.what);
  NoteVector_push(&result->notes, note);
}

void result_tell_notes_of(const Result *result, NoteKind kind, Text *out) {
  static const char *const begins[] = {
#define X(name, text, begin) begin,
      NOTE_KINDS(X)
#undef X
  };
  size_t told = 0;
  for (size_t i = 0; i < result->notes.count; i++) {
    const Note *note = &result->notes.data[i];
    if (note->kind == kind) text_format(out, "%s%s", told++ ? "; " : begins[kind], note->what.data);
  }
  if (told) text_add_char(out, '\n');
}

void result_tell_notes(const Result *result, Text *out) {
  for (NoteKind kind = 0; kind < NOTE_KIND_COUNT; kind++) result_tell_notes_of(result, kind, out);
}

void result_count(Result *result, const char *statistic, double value) {
  for (size_t i = 0; i < result->statistics.count; i++) {
    if (strcmp(result->statistics.data[i].name, statistic) != 0) continue;
    result->statistics.data[i].value = value;
    return;
  }
  Statistic row = {.name = intern(&result->strings, statistic), .value = value};
  StatisticVector_push(&result->statistics, row);
}

double result_statistic(const Result *result, const char *statistic) {
  for (size_t i = 0; i < result->statistics.count; i++)
    if (strcmp(result->statistics.data[i].name, statistic) == 0) return result->statistics.data[i].value;
  return 0;
}

const char *reason_kind_name(ReasonKind kind) {
  static const char *const names[] = {
#define X(name, text, failure, try) text,
      REASON_KINDS(X)
#undef X
  };
  assert(kind < REASON_KIND_COUNT);
  return names[kind];
}

bool reason_kind_is_failure(ReasonKind kind) {
  static const bool failures[] = {
#define X(name, text, failure, try) failure,
      REASON_KINDS(X)
#undef X
  };
  return failures[kind];
}

bool reason_kind_find(const char *name, ReasonKind *kind) {
  for (ReasonKind k = 0; k < REASON_KIND_COUNT; k++) {
    if (strcmp(name, reason_kind_name(k)) != 0) continue;
    *kind = k;
    return true;
  }
  return false;
}

static void set_reason(Result *result, ReasonKind why, const char *format, va_list arguments) {
  result->answer = ANSWER_UNKNOWN;
  result->why = why;
  Text reason; // the old reason may be one of the arguments
  text_init(&reason, result->account);
  text_vformat(&reason, format, arguments);
  text_one_line(&reason);
  text_free(&result->reason);
  result->reason = reason;
}

void result_unknown(Result *result, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  set_reason(result, REASON_GAVE_UP, format, arguments);
  va_end(arguments);
}

void result_unknown_for(Result *result, ReasonKind why, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  set_reason(result, why, format, arguments);
  va_end(arguments);
}

ReasonKind reason_of_stop(StopReason stopped) {
  switch (stopped) {
  case STOP_TIME: return REASON_TIME;
  case STOP_MEMORY: return REASON_MEMORY;
  case STOP_SIGNAL: return REASON_INTERRUPTED;
  case STOP_NONE:
  case STOP_FORCED: break;
  }
  return REASON_GAVE_UP;
}

void result_stopped(Result *result, StopReason stopped) {
  result_unknown_for(result, reason_of_stop(stopped), "%s", stop_reason_text(stopped));
}

void result_unknown_for_cuts(Result *result) {
  assert(result->cuts.count > 0);
  const MetCut *first = &result->cuts.data[0];
  size_t others = result->cuts.count - 1;
  const char *kind = cut_kind_text(first->kind);
  if (others)
    result_unknown_for(result, REASON_CUT, "%s: %s, and %zu more", kind, first->what.data, others);
  else
    result_unknown_for(result, REASON_CUT, "%s: %s", kind, first->what.data);
}

void result_seal(Result *result) {
  if (result->answer == ANSWER_UNSAFE && (!result->schedule || !result->confirmed))
    result_unknown_for(result, REASON_INTERNAL, "internal error: the counterexample was not confirmed");
  if (result->answer == ANSWER_SAFE && result->cuts.count) result_unknown_for_cuts(result);
  if (result->answer == ANSWER_UNKNOWN) {
    clear_notes(result);
    if (!result->reason.length && result->cuts.count) result_unknown_for_cuts(result);
    if (!result->reason.length) result_unknown(result, "no answer");
    schedule_free(result->schedule);
    result->schedule = NULL;
    result->confirmed = false;
    result->kind = VIOLATION_NONE;
    text_clear(&result->violation);
  } else {
    text_clear(&result->reason);
  }
  assert(result->answer != ANSWER_SAFE || result->cuts.count == 0);
  assert(result->answer != ANSWER_UNSAFE || (result->schedule && result->confirmed));
}

static void copy_text(Text *to, const Text *from) {
  text_clear(to);
  text_add_bytes(to, from->data, from->length);
}

Result *result_copy(const Result *result, Account *account) {
  Result *copy = result_new(result->property, account);
  copy->answer = result->answer;
  copy->why = result->why;
  copy->assumptions = result->assumptions;
  for (size_t i = 0; i < result->rests_on.count; i++)
    result_rest_on(copy, result->rests_on.data[i].assumption, result->rests_on.data[i].what.data);
  copy->confirmed = result->confirmed;
  result_add_cuts_of(copy, result);
  for (size_t i = 0; i < result->notes.count; i++)
    result_add_note(copy, result->notes.data[i].kind, result->notes.data[i].what.data);
  copy_text(&copy->reason, &result->reason);
  copy_text(&copy->covered, &result->covered);
  copy_text(&copy->proof, &result->proof);
  copy_text(&copy->violation, &result->violation);
  copy->kind = result->kind;
  if (result->schedule) copy->schedule = schedule_copy(result->schedule, account);
  for (size_t i = 0; i < result->statistics.count; i++)
    result_count(copy, result->statistics.data[i].name, result->statistics.data[i].value);
  return copy;
}
