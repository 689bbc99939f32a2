// A survey as JSON: for other programs, for the page, and as the baseline of later runs.
#include "report/source_text.h"
#include "report/surveys/survey_words.h"
#include "verdict/json.h"

#include <assert.h>

typedef struct Writer {
  const SurveyReport *report;
  Sources sources;
  Text *out;
} Writer;

// `before`: what stands between the member and what is in front of it.
static void add_string(Writer *w, const char *before, const char *name, const char *value) {
  text_format(w->out, "%s\"%s\": ", before, name);
  if (value)
    json_add_string(w->out, value);
  else
    text_add(w->out, "null");
}

static void add_number(Writer *w, const char *name, uint64_t value) {
  text_format(w->out, ", \"%s\": %llu", name, (unsigned long long)value);
}

static void add_flag(Writer *w, const char *name, bool value) {
  text_format(w->out, ", \"%s\": %s", name, value ? "true" : "false");
}

// In hexadecimal digits, because a JSON number holds only 53 bits.
static void add_fingerprint(Writer *w, uint64_t value) {
  text_format(w->out, ", \"fingerprint\": \"%016llx\"", (unsigned long long)value);
}

static void add_place(Writer *w, const char *before, const CodePosition *at) {
  add_string(w, before, "file", at->file);
  add_number(w, "line", at->file ? at->line : 0);
}

static void add_access(Writer *w, const char *name, const SurveyAccess *access) {
  text_format(w->out, ",\n       \"%s\": {", name);
  add_place(w, "", &access->position);
  Text line;
  text_init(&line, NULL);
  if (access->position.file) sources_add_line(&w->sources, access->position.file, access->position.line, &line);
  add_string(w, ", ", "code", line.data);
  text_free(&line);
  add_string(w, ", ", "function", access->function);
  add_string(w, ", ", "thread", access->thread);
  add_flag(w, "writes", access->writes);
  add_flag(w, "atomic", access->atomic);
  add_flag(w, "frees", access->frees);
  add_string(w, ", ", "locks", access->locks);
  add_string(w, ", ", "calls", access->calls);
  text_add_char(w->out, '}');
}

static void add_mark(Writer *w, const char *before, const SurveyMark *mark) {
  add_string(w, before, "standing", survey_standing_name(mark->standing));
  if (mark->number) add_number(w, "number", mark->number);
  if (mark->because) add_string(w, ", ", "because", mark->because);
  if (mark->rests) add_string(w, ", ", "rests_on", mark->rests);
  if (mark->tried) add_string(w, ", ", "not_confirmed", mark->tried);
}

static void add_pair(Writer *w, const SurveyPair *pair, const SurveyMark *mark) {
  text_add_char(w->out, '{');
  add_mark(w, "", mark);
  add_number(w, "rank", pair->rank);
  add_fingerprint(w, pair->fingerprint);
  add_string(w, ", ", "reason", pair->reason);
  add_string(w, ", ", "remedy", pair->remedy);
  add_access(w, "first", &pair->first);
  add_access(w, "second", &pair->second);
  text_add_char(w->out, '}');
}

static const char *status_name(SurveyStatus status) {
  return survey_standing_name(status == SURVEY_PROVED   ? SURVEY_STANDS_PROVED
                              : status == SURVEY_WARNED ? SURVEY_STANDS_WARNED
                                                        : SURVEY_STANDS_OPEN);
}

static void add_why(Writer *w, const SurveyObject *object) {
  Text words;
  text_init(&words, NULL);
  if (object->status == SURVEY_PROVED) {
    add_string(w, ", ", "protection", survey_protection_name(object->protection));
    add_string(w, ", ", "detail", object->detail);
    survey_words_protection(object, &words);
  } else if (object->status == SURVEY_OPEN) {
    add_string(w, ", ", "doubt", survey_doubt_name(object->doubt));
    add_string(w, ", ", "detail", object->doubt_detail);
    survey_words_doubt(object, &words);
  }
  if (words.length) add_string(w, ", ", "words", words.data);
  text_free(&words);
}

static void add_object(Writer *w, uint32_t index) {
  const SurveyObject *object = &w->report->survey->objects[index];
  const SurveyMark *mark = &w->report->objects[index];
  text_add(w->out, index ? ",\n    {" : "\n    {");
  add_string(w, "", "name", object->name);
  add_place(w, ", ", &object->position);
  add_string(w, ", ", "status", status_name(object->status));
  add_mark(w, ", ", mark);
  add_why(w, object);
  add_number(w, "places", object->places);
  add_number(w, "parts", object->parts);
  add_fingerprint(w, survey_object_fingerprint(object));
  add_number(w, "pairs_left_out", object->pairs_left_out);
  text_add(w->out, ", \"pairs\": [");
  for (uint32_t i = 0; i < object->pair_count; i++) {
    text_add(w->out, i ? ",\n      " : "\n      ");
    add_pair(w, &object->pairs[i], &w->report->pairs[mark->first_pair + i]);
  }
  text_add(w->out, "]}");
}

static void add_lock(Writer *w, uint32_t index) {
  const SurveyLockFinding *finding = &w->report->survey->locks[index];
  text_add(w->out, index ? ",\n    {" : "\n    {");
  add_string(w, "", "kind", survey_lock_kind_name(finding->kind));
  add_string(w, ", ", "status", status_name(finding->status));
  add_mark(w, ", ", &w->report->locks[index]);
  add_string(w, ", ", "detail", finding->detail);
  add_fingerprint(w, finding->fingerprint);
  text_add(w->out, ", \"steps\": [");
  for (uint32_t i = 0; i < finding->step_count; i++) {
    const SurveyLockStep *step = &finding->steps[i];
    text_add(w->out, i ? ",\n      {" : "\n      {");
    add_string(w, "", "held", step->held);
    add_string(w, ", ", "taken", step->taken);
    add_access(w, "at", &step->at);
    text_add_char(w->out, '}');
  }
  text_add(w->out, "]}");
}

static void add_dereferences(Writer *w, const SurveyDereferences *d) {
  text_format(w->out, ", \"dereferences\": {\"by_name\": %llu", (unsigned long long)d->by_name);
  add_number(w, "by_pointers", d->by_pointers);
  add_number(w, "not_null", d->not_null);
  add_number(w, "not_freed", d->not_freed);
  add_number(w, "in_range", d->in_range);
  add_number(w, "all_three", d->all);
  text_add_char(w->out, '}');
}

static void add_lines(Writer *w, const char *name, const CodePosition *lines, uint32_t count) {
  text_format(w->out, ", \"%s\": [", name);
  for (uint32_t i = 0; i < count; i++) {
    text_add(w->out, i ? ", {" : "{");
    add_place(w, "", &lines[i]);
    text_add_char(w->out, '}');
  }
  text_add_char(w->out, ']');
}

static void add_function(Writer *w, uint32_t index) {
  const SurveyFunction *function = &w->report->survey->functions[index];
  text_add(w->out, index ? ",\n    {" : "\n    {");
  add_string(w, "", "name", function->name);
  add_place(w, ", ", &function->position);
  add_dereferences(w, &function->dereferences);
  add_lines(w, "excluded", function->excluded, function->excluded_count);
  add_lines(w, "left", function->left, function->left_count);
  text_add_char(w->out, '}');
}

static void add_totals(Writer *w) {
  const SurveyTotals *totals = &w->report->survey->totals;
  text_format(w->out, ",\n  \"totals\": {\"lines\": %llu", (unsigned long long)totals->lines);
  add_number(w, "functions", totals->functions);
  add_number(w, "statements", totals->statements);
  add_number(w, "shared_accesses", totals->shared_accesses);
  add_number(w, "threads", totals->threads);
  for (SurveyStanding s = 0; s < SURVEY_STANDING_COUNT; s++)
    add_number(w, survey_standing_name(s), w->report->object_counts[s]);
  add_dereferences(w, &totals->dereferences);
  text_add_char(w->out, '}');
}

static void add_list(Writer *w, const char *name, const StringVector *list) {
  text_format(w->out, ",\n  \"%s\": [", name);
  for (size_t i = 0; i < list->count; i++) {
    text_add(w->out, i ? ",\n    " : "\n    ");
    json_add_string(w->out, list->data[i]);
  }
  text_add_char(w->out, ']');
}

static void add_rests(Writer *w) {
  const Survey *survey = w->report->survey;
  const char *separator = "\n    ";
  text_add(w->out, ",\n  \"assumptions\": [");
  for (size_t i = 0; i < survey->assumption_count + w->report->rests_on.count; i++, separator = ",\n    ") {
    bool own = i < survey->assumption_count;
    text_add(w->out, separator);
    json_add_string(w->out, own ? survey->assumptions[i] : w->report->rests_on.data[i - survey->assumption_count]);
  }
  text_add_char(w->out, ']');
}

void survey_report_json(const SurveyReport *report, Text *out) {
  const Survey *survey = report->survey;
  Writer w = {.report = report, .out = out};
  sources_init(&w.sources, NULL);
  add_string(&w, "{\n  ", "format", "heddle-survey");
  text_add(out, ", \"form\": 1");
  add_flag(&w, "complete", survey->complete);
  if (!survey->complete) add_string(&w, ", ", "reason", survey->incomplete_reason);
  add_totals(&w);
  text_add(out, ",\n  \"objects\": [");
  for (uint32_t i = 0; i < survey->object_count; i++) add_object(&w, i);
  text_add(out, "],\n  \"locks\": [");
  for (uint32_t i = 0; i < survey->lock_count; i++) add_lock(&w, i);
  text_add(out, "],\n  \"functions\": [");
  for (uint32_t i = 0; i < survey->function_count; i++) add_function(&w, i);
  text_add_char(out, ']');
  add_list(&w, "other_races", &report->other_races);
  add_rests(&w);
  text_add(out, "\n}\n");
  sources_free(&w.sources);
}
