#include "cli/answers/answers_json.h"

#include "verdict/json.h"

#include <assert.h>

static void add_member(const char *before, const char *name, const char *value, Text *out) {
  text_format(out, "%s\"%s\": ", before, name);
  json_add_string(out, value);
}

// The schedule file is an object.
static void add_schedule(const char *before, const CheckMessage *message, Text *out) {
  if (message->schedule.length && message->result->answer == ANSWER_UNSAFE)
    text_format(out, "%s\"schedule\": %s", before, message->schedule.data);
}

static void add_finding(const CheckMessage *message, Text *out) {
  assert(message->result->answer == ANSWER_UNSAFE);
  add_member("{", "property", property_name(message->result->property), out);
  add_member(", ", "violation", message->result->violation.data, out);
  text_add(out, ",\n     ");
  finding_add_members(&message->finding, out);
  add_schedule(",\n     ", message, out);
  text_add_char(out, '}');
}

static void add_findings(const PropertyAnswerVector *answers, Text *out) {
  const char *separator = "\n    ";
  text_add(out, ",\n  \"findings\": [");
  for (size_t i = 0; i < answers->count; i++)
    for (size_t k = 0; k < answers->data[i].violations; k++) {
      text_add(out, separator);
      add_finding(&answers->data[i].findings[k], out);
      separator = ",\n    ";
    }
  text_add_char(out, ']');
}

// The findings whose goals are open because engines contradict each other.
static void add_contradictions(const PropertyAnswer *answer, Text *out) {
  for (size_t i = 0; i < answer->contradictions; i++) {
    text_add(out, i ? ", {" : ", \"contradictions\": [{");
    finding_add_members(&answer->contradicted[i].finding, out);
    add_member(", ", "reason", answer->contradicted[i].result->reason.data, out);
    text_add(out, i + 1 < answer->contradictions ? "}" : "}]");
  }
}

static void add_property(const PropertyAnswer *answer, Text *out) {
  add_member("{", "property", property_name(answer->property), out);
  add_member(", ", "answer", answer_text(answer->answer), out);
  const Result *rest = answer->rest ? answer->rest->result : NULL;
  if (rest) add_member(", ", "rest", answer_text(rest->answer), out);
  if (answer_unknown(answer)) add_member(", ", "reason", answer_unknown(answer)->reason.data, out);
  add_contradictions(answer, out);
  text_add(out, ", \"assumptions\": [");
  const char *separator = "";
  for (unsigned i = 0; rest && i < ASSUMPTION_COUNT; i++) {
    if (!(rest->assumptions >> i & 1)) continue;
    text_add(out, separator);
    json_add_string(out, assumption_text((Assumption)i));
    separator = ", ";
  }
  text_add(out, "]}");
}

static void add_lists(const PropertyAnswerVector *answers, Text *out) {
  text_add(out, ",\n  \"properties\": [");
  for (size_t i = 0; i < answers->count; i++) {
    text_add(out, i ? ",\n    " : "\n    ");
    add_property(&answers->data[i], out);
  }
  text_add(out, "],\n  \"table\": [");
  for (size_t i = 0; i < answers->count; i++) {
    const PropertyAnswer *row = &answers->data[i];
    text_add(out, i ? ",\n    " : "\n    ");
    text_format(out, "{\"property\": \"%s\", \"goals\": %zu, \"proved\": %zu, \"violated\": %zu, \"open\": %zu}",
                property_name(row->property), row->goals, row->proved, row->violated, row->open);
  }
  text_add_char(out, ']');
}

void answers_write_json(const Options *options, const PropertyAnswerVector *answers, Text *out) {
  assert(answers->count > 0);
  const CheckMessage *alone = answers->count == 1 ? answer_told(&answers->data[0]) : NULL;
  text_add(out, "{\n");
  if (alone)
    result_add_members(alone->result, NULL, out);
  else
    add_member("  ", "answer", answer_text(answers_worst(answers)), out);
  launch_add_json(options->launch, ",\n  ", false, out);
  if (alone) add_schedule(",\n  ", alone, out);
  add_findings(answers, out);
  add_lists(answers, out);
  text_add(out, "\n}\n");
}
