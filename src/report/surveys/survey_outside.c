// Open objects that only code outside of the program makes open, in few lines: by the functions that reach them.
#include "report/surveys/survey_words.h"

#include <stdlib.h>

enum { MOST_SINGLE = 5, MOST_FUNCTIONS = 8, MOST_NAMES = 6 };

typedef struct Reacher {
  const char *function;
  uint32_t objects;
} Reacher;
VECTOR(ReacherVector, Reacher);

static bool is_open_for(const SurveyReport *report, uint32_t index, SurveyDoubt doubt) {
  const SurveyObject *object = &report->survey->objects[index];
  return report->objects[index].standing == SURVEY_STANDS_OPEN && object->status == SURVEY_OPEN &&
         object->doubt == doubt;
}

uint32_t survey_first_outside(const SurveyReport *report) {
  uint32_t single = 0;
  for (uint32_t i = 0; i < report->survey->object_count; i++) {
    const SurveyObject *object = &report->survey->objects[i];
    if (report->objects[i].standing != SURVEY_STANDS_OPEN || !survey_doubt_is_outside(object->doubt)) continue;
    bool sure = object->pair_count > 0 && object->pairs[0].rank >= SURVEY_RANK_SURE;
    if (report->all || (sure && object->doubt != SURVEY_DOUBT_LIBRARY && single++ < MOST_SINGLE)) continue;
    return i;
  }
  return report->survey->object_count;
}

// --- one line ---

typedef struct Fold {
  const SurveyReport *report;
  uint32_t first;
  SurveyDoubt doubt;
  uint32_t count, lowest, highest; // numbers
  ReacherVector reachers;
} Fold;

static void count_reacher(ReacherVector *reachers, const char *function) {
  for (size_t i = 0; i < reachers->count; i++)
    if (strcmp(reachers->data[i].function, function) == 0) {
      reachers->data[i].objects++;
      return;
    }
  ReacherVector_push(reachers, (Reacher){function, 1});
}

static int compare_reachers(const void *a, const void *b) {
  const Reacher *x = a, *y = b;
  if (x->objects != y->objects) return x->objects < y->objects ? 1 : -1;
  return strcmp(x->function, y->function);
}

// By functions for OUTSIDE, else by names of objects.
static void find_fold(Fold *fold) {
  const Survey *survey = fold->report->survey;
  for (uint32_t i = fold->first; i < survey->object_count; i++) {
    if (!is_open_for(fold->report, i, fold->doubt)) continue;
    uint32_t number = fold->report->objects[i].number;
    if (!fold->count++) fold->lowest = number;
    fold->highest = number;
    const SurveyObject *object = &survey->objects[i];
    count_reacher(&fold->reachers, fold->doubt == SURVEY_DOUBT_OUTSIDE ? object->doubt_detail : object->name);
  }
  ReacherVector *reachers = &fold->reachers;
  if (reachers->count > 1 && fold->doubt == SURVEY_DOUBT_OUTSIDE)
    qsort(reachers->data, reachers->count, sizeof *reachers->data, compare_reachers);
}

static void add_numbers(const Fold *fold, Text *out) {
  Text numbers;
  text_init(&numbers, NULL);
  text_format(&numbers, fold->lowest == fold->highest ? "%u" : "%u-%u", (unsigned)fold->lowest,
              (unsigned)fold->highest);
  text_format(out, "%5s  ", numbers.data);
  text_free(&numbers);
}

static void add_names(const Fold *fold, size_t most, bool counts, Text *out) {
  const ReacherVector *reachers = &fold->reachers;
  for (size_t i = 0; i < reachers->count && i < most; i++) {
    text_add(out, i ? ", " : " ");
    survey_word(reachers->data[i].function, out);
    if (counts) text_format(out, " (%u)", (unsigned)reachers->data[i].objects);
  }
  if (reachers->count > most) text_format(out, " and %zu more", reachers->count - most);
}

static void add_head(const Fold *fold, Text *out) {
  unsigned count = (unsigned)fold->count;
  const char *plural = count == 1 ? "" : "s";
  if (fold->doubt == SURVEY_DOUBT_OUTSIDE)
    text_format(out, "undefined functions make %u object%s open (--all lists them):", count, plural);
  else if (fold->doubt == SURVEY_DOUBT_LIBRARY)
    text_format(out, "%u object%s of the C library, which locks such objects or documents how to use them:", count,
                plural);
  else
    text_format(out, "code outside of the program may reach %u object%s (--all lists them):", count, plural);
}

static void add_fold(const SurveyReport *report, uint32_t first, SurveyDoubt doubt, Text *out) {
  Fold fold = {.report = report, .first = first, .doubt = doubt};
  ReacherVector_init(&fold.reachers, NULL);
  find_fold(&fold);
  if (fold.count) {
    bool functions = doubt == SURVEY_DOUBT_OUTSIDE;
    add_numbers(&fold, out);
    add_head(&fold, out);
    add_names(&fold, functions ? MOST_FUNCTIONS : MOST_NAMES, functions, out);
    text_add(out, functions ? "; give their sources, too, or look at less with --entry\n" : "\n");
  }
  ReacherVector_free(&fold.reachers);
}

void survey_words_outside(const SurveyReport *report, uint32_t first, Text *out) {
  add_fold(report, first, SURVEY_DOUBT_OUTSIDE, out);
  add_fold(report, first, SURVEY_DOUBT_ELSEWHERE, out);
  add_fold(report, first, SURVEY_DOUBT_LIBRARY, out);
}
