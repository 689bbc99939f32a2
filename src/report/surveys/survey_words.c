#include "report/surveys/survey_words.h"

#include "base/printable.h"

#include <assert.h>

void survey_word(const char *text, Text *out) { text_add_printable(out, text, strlen(text), PRINTABLE_LINE); }

static void add_place(const char *file, uint32_t line, Text *out) {
  survey_word(file ? file : "an unknown place", out);
  if (file && line) text_format(out, ":%u", (unsigned)line);
}

void survey_words_place(const CodePosition *at, Text *out) { add_place(at->file, at->line, out); }

static void add_short_place(const CodePosition *at, Text *out) {
  add_place(at->short_file ? at->short_file : at->file, at->line, out);
}

void survey_words_kind(const SurveyAccess *access, Text *out) {
  text_format(out, " (%s%s, ", access->atomic ? "atomic " : "",
              access->frees    ? "free"
              : access->writes ? "write"
                               : "read");
  survey_word(*access->locks ? access->locks : "no lock", out);
  text_add_char(out, ')');
}

void survey_words_access(const SurveyAccess *access, Text *out) {
  add_short_place(&access->position, out);
  survey_words_kind(access, out);
}

void survey_words_pair(const SurveyPair *pair, Text *out) {
  survey_words_access(&pair->first, out);
  text_add(out, " / ");
  survey_words_access(&pair->second, out);
}

// Puts the detail where the words have "%s".
static void add_filled(const char *words, const char *detail, Text *out) {
  const char *gap = strstr(words, "%s");
  text_add_bytes(out, words, gap ? (size_t)(gap - words) : strlen(words));
  if (!gap) return;
  survey_word(detail ? detail : "?", out);
  text_add(out, gap + 2);
}

static const char *protection_form(SurveyProtection protection) {
  static const char *const forms[] = {
#define X(id, name, text) text,
      SURVEY_PROTECTIONS(X)
#undef X
  };
  assert((size_t)protection < sizeof forms / sizeof *forms);
  return forms[protection];
}

void survey_words_protection(const SurveyObject *object, Text *out) {
  assert(object->status == SURVEY_PROVED);
  add_filled(protection_form(object->protection), object->detail, out);
}

// Of many objects, which have different locks.
const char *survey_protection_words(SurveyProtection protection) {
  switch (protection) {
  case SURVEY_LOCK: return "one mutex";
  case SURVEY_OWN_LOCK: return "a lock of the same object";
  case SURVEY_SEVERAL: return "several reasons";
  default: return protection_form(protection);
  }
}

void survey_words_doubt(const SurveyObject *object, Text *out) {
  static const char *const forms[] = {
#define X(id, name, text) text,
      SURVEY_DOUBTS(X)
#undef X
  };
  assert((size_t)object->doubt < sizeof forms / sizeof *forms);
  if (object->doubt == SURVEY_DOUBT_NONE)
    text_add(out, "not all of its accesses are understood");
  else
    add_filled(forms[object->doubt], object->doubt_detail, out);
}

// --- locks ---

static const struct {
  const char *name, *heading;
} lock_kinds[] = {[SURVEY_ORDER] = {"order", "lock order"},
                  [SURVEY_CYCLE] = {"cycle", "DEADLOCK?"},
                  [SURVEY_TWICE] = {"twice", "LOCKED TWICE?"},
                  [SURVEY_WAIT_HELD] = {"wait-held", "WAITS WITH A LOCK HELD?"},
                  [SURVEY_JOIN_HELD] = {"join-held", "JOINS WITH A LOCK HELD?"},
                  [SURVEY_END_HELD] = {"end-held", "ENDS WITH A LOCK HELD?"}};

const char *survey_words_lock_kind(SurveyLockKind kind) {
  assert((size_t)kind < sizeof lock_kinds / sizeof *lock_kinds);
  return lock_kinds[kind].heading;
}

const char *survey_lock_kind_name(SurveyLockKind kind) {
  assert((size_t)kind < sizeof lock_kinds / sizeof *lock_kinds);
  return lock_kinds[kind].name;
}

void survey_words_step(const SurveyLockStep *step, Text *out) {
  if (step->text) {
    survey_word(step->text, out);
    return;
  }
  survey_word(step->taken ? step->taken : "?", out);
  text_add(out, " is taken while ");
  survey_word(step->held ? step->held : "?", out);
  text_add(out, " is held");
}

void survey_words_lock(const SurveyLockFinding *finding, Text *out) {
  for (uint32_t i = 0; i < finding->step_count; i++) {
    const SurveyLockStep *step = &finding->steps[i];
    if (i) text_add(out, "; ");
    if (step->text) {
      survey_word(step->text, out);
      text_add(out, " at ");
      survey_words_place(&step->at.position, out);
      continue;
    }
    survey_word(step->held ? step->held : "?", out);
    text_add(out, ", then ");
    survey_word(step->taken ? step->taken : "?", out);
    text_add(out, " at ");
    add_short_place(&step->at.position, out);
  }
}
