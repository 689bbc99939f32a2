// Results as JSON:
//   { "property": "unreach-call", "answer": "UNKNOWN", "reason": "...", "why": "time", "try": "...", "covered": "...",
//     "assumptions": ["memory is sequentially consistent", ...],
//     "rests_on": [ { "assumption": "an undefined function ...", "what": "spawn at a.c:5" }, ... ],
//     "cuts": [ { "kind": "thread limit", "what": "more than 8 threads at a.c:20" }, ... ],
//     "violation": "...", "confirmed": true, "schedule": { ... }, "statistics": { "states": 12, ... } }
// Members without content are left out, except property, answer, assumptions, cuts and statistics.
#include "verdict/json.h"
#include "verdict/verdict.h"

static void write_member(const char *name, const Text *value, Text *out) {
  if (!value->length) return;
  text_format(out, ",\n  \"%s\": ", name);
  json_add_string(out, value->data);
}

static void write_assumptions(uint32_t assumptions, Text *out) {
  text_add(out, ",\n  \"assumptions\": [");
  bool first = true;
  for (unsigned i = 0; i < ASSUMPTION_COUNT; i++) {
    if (!(assumptions >> i & 1)) continue;
    text_add(out, first ? "" : ", ");
    json_add_string(out, assumption_text((Assumption)i));
    first = false;
  }
  text_add(out, "]");
}

static void write_rests_on(const Result *result, Text *out) {
  if (!result->rests_on.count) return;
  text_add(out, ",\n  \"rests_on\": [");
  for (size_t i = 0; i < result->rests_on.count; i++) {
    text_add(out, i ? ", { \"assumption\": " : "{ \"assumption\": ");
    json_add_string(out, assumption_text(result->rests_on.data[i].assumption));
    text_add(out, ", \"what\": ");
    json_add_string(out, result->rests_on.data[i].what.data);
    text_add(out, " }");
  }
  text_add(out, "]");
}

static void write_cuts(const Result *result, Text *out) {
  text_add(out, ",\n  \"cuts\": [");
  for (size_t i = 0; i < result->cuts.count; i++) {
    text_add(out, i ? ", { \"kind\": " : "{ \"kind\": ");
    json_add_string(out, cut_kind_text(result->cuts.data[i].kind));
    text_add(out, ", \"what\": ");
    json_add_string(out, result->cuts.data[i].what.data);
    text_add(out, " }");
  }
  text_add(out, "]");
}

static void write_calls(const Result *result, Text *out) {
  if (!result->calls.count) return;
  text_add(out, ",\n  \"calls\": ");
  json_add_words(out, &result->calls);
}

static void write_notes(const Result *result, Text *out) {
  if (result->notes.count == 0) return;
  text_add(out, ",\n  \"notes\": [");
  for (size_t i = 0; i < result->notes.count; i++) {
    text_format(out, "%s{ \"kind\": \"%s\", \"what\": ", i ? ", " : "", note_kind_name(result->notes.data[i].kind));
    json_add_string(out, result->notes.data[i].what.data);
    text_add(out, " }");
  }
  text_add(out, "]");
}

static void write_why(const Result *result, Text *out) {
  text_format(out, ",\n  \"why\": \"%s\"", reason_kind_name(result->why));
  Text hint;
  text_init(&hint, result->account);
  result_add_hint(result, &hint);
  write_member("try", &hint, out);
  text_free(&hint);
}

void result_add_members(const Result *result, const Program *program, Text *out) {
  text_format(out, "  \"property\": \"%s\"", property_name(result->property));
  text_format(out, ",\n  \"answer\": \"%s\"", answer_text(result->answer));
  write_member("reason", &result->reason, out);
  if (result->answer == ANSWER_UNKNOWN) write_why(result, out);
  write_member("covered", &result->covered, out);
  write_member("proof", &result->proof, out);
  write_assumptions(result->assumptions, out);
  write_rests_on(result, out);
  write_cuts(result, out);
  write_calls(result, out);
  write_notes(result, out);
  write_member("violation", &result->violation, out);
  if (result->kind != VIOLATION_NONE) text_format(out, ",\n  \"kind\": \"%s\"", violation_kind_name(result->kind));
  if (result->confirmed) text_add(out, ",\n  \"confirmed\": true");
  if (result->schedule && program) {
    text_add(out, ",\n  \"schedule\": ");
    schedule_write_json(result->schedule, program, out);
  }
  text_add(out, ",\n  \"statistics\": {");
  for (size_t i = 0; i < result->statistics.count; i++) {
    text_add(out, i ? ", " : " ");
    json_add_string(out, result->statistics.data[i].name);
    text_add(out, ": ");
    json_add_number(out, result->statistics.data[i].value);
  }
  text_add(out, result->statistics.count ? " }" : "}");
}

void result_write_json(const Result *result, const Program *program, Text *out) {
  text_add(out, "{\n");
  result_add_members(result, program, out);
  text_add(out, "\n}\n");
}

// --- reading ---

static bool fail(Text *error, const char *member) {
  text_format(error, "not a result: \"%s\" is missing or malformed", member);
  return false;
}

// A member that may be absent, but is a string if it is there.
static bool read_lines(const cJSON *root, const char *name, Text *into, Text *error) {
  if (!cJSON_HasObjectItem(root, name)) return true;
  const char *value = json_string(root, name);
  if (!value) return fail(error, name);
  text_add(into, value);
  return true;
}

// The same, for a text that is one line.
static bool read_text(const cJSON *root, const char *name, Text *into, Text *error) {
  if (!read_lines(root, name, into, error)) return false;
  text_one_line(into);
  return true;
}

static bool read_answer(const cJSON *root, Result *result, Text *error) {
  const char *answer = json_string(root, "answer"), *property = json_string(root, "property");
  bool known = false;
  for (unsigned i = 0; property && i < PROPERTY_COUNT; i++) {
    if (strcmp(property, property_name((Property)i)) != 0) continue;
    result->property = (Property)i;
    known = true;
  }
  if (!known) return fail(error, "property");
  known = false;
  for (unsigned i = ANSWER_UNKNOWN; answer && i <= ANSWER_UNSAFE; i++) {
    if (strcmp(answer, answer_text((Answer)i)) != 0) continue;
    result->answer = (Answer)i;
    known = true;
  }
  return known || fail(error, "answer");
}

// ASSUMPTION_COUNT if no assumption has this text.
static unsigned assumption_of(const char *text) {
  unsigned i = 0;
  while (i < ASSUMPTION_COUNT && (!text || strcmp(text, assumption_text((Assumption)i)) != 0)) i++;
  return i;
}

// Results of older versions do not have it.
static bool read_why(const cJSON *root, Result *result, Text *error) {
  if (!cJSON_HasObjectItem(root, "why")) return true;
  const char *name = json_string(root, "why");
  return (name && reason_kind_find(name, &result->why)) || fail(error, "why");
}

// Absent unless the answer is UNSAFE.
static bool read_kind(const cJSON *root, Result *result, Text *error) {
  if (!cJSON_HasObjectItem(root, "kind")) return true;
  const char *name = json_string(root, "kind");
  for (unsigned i = 0; name && i < VIOLATION_KIND_COUNT; i++) {
    if (strcmp(name, violation_kind_name((ViolationKind)i)) != 0) continue;
    result->kind = (ViolationKind)i;
    return true;
  }
  return fail(error, "kind");
}

static bool read_assumptions(const cJSON *root, Result *result, Text *error) {
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, "assumptions"), *item;
  if (!cJSON_IsArray(list)) return fail(error, "assumptions");
  cJSON_ArrayForEach(item, list) {
    unsigned assumption = assumption_of(cJSON_IsString(item) ? item->valuestring : NULL);
    if (assumption == ASSUMPTION_COUNT) return fail(error, "assumptions");
    result->assumptions |= UINT32_C(1) << assumption;
  }
  return true;
}

// A member that may be absent.
static bool read_rests_on(const cJSON *root, Result *result, Text *error) {
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, "rests_on"), *item;
  if (list && !cJSON_IsArray(list)) return fail(error, "rests_on");
  cJSON_ArrayForEach(item, list) {
    unsigned assumption = assumption_of(json_string(item, "assumption"));
    const char *what = json_string(item, "what");
    if (assumption == ASSUMPTION_COUNT || !what) return fail(error, "rests_on");
    result_rest_on(result, (Assumption)assumption, what);
  }
  return true;
}

static bool read_cuts(const cJSON *root, Result *result, Text *error) {
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, "cuts"), *item;
  if (!cJSON_IsArray(list)) return fail(error, "cuts");
  cJSON_ArrayForEach(item, list) {
    const char *kind = json_string(item, "kind"), *what = json_string(item, "what");
    bool known = false;
    for (unsigned i = 0; kind && what && i < CUT_KIND_COUNT; i++) {
      if (strcmp(kind, cut_kind_text((CutKind)i)) != 0) continue;
      result_add_cut(result, (CutKind)i, what);
      known = true;
    }
    if (!known) return fail(error, "cuts");
  }
  return true;
}

static bool read_calls(const cJSON *root, Result *result, Text *error) {
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, "calls");
  return !list || json_words(list, &result->calls) || fail(error, "calls");
}

static bool read_notes(const cJSON *root, Result *result, Text *error) {
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, "notes"), *item;
  if (list && !cJSON_IsArray(list)) return fail(error, "notes");
  cJSON_ArrayForEach(item, list) {
    const char *kind = json_string(item, "kind"), *what = json_string(item, "what");
    unsigned k = 0;
    while (kind && k < NOTE_KIND_COUNT && strcmp(kind, note_kind_name((NoteKind)k)) != 0) k++;
    if (!kind || !what || k == NOTE_KIND_COUNT) return fail(error, "notes");
    result_add_note(result, (NoteKind)k, what);
  }
  return true;
}

static bool read_statistics(const cJSON *root, Result *result, Text *error) {
  const cJSON *object = cJSON_GetObjectItemCaseSensitive(root, "statistics"), *item;
  if (!cJSON_IsObject(object)) return fail(error, "statistics");
  cJSON_ArrayForEach(item, object) {
    if (!cJSON_IsNumber(item)) return fail(error, "statistics");
    result_count(result, item->string, item->valuedouble);
  }
  return true;
}

static bool read_schedule(const cJSON *root, const Program *program, Result *result, Text *error) {
  const cJSON *object = cJSON_GetObjectItemCaseSensitive(root, "schedule");
  if (!object || !program) return true;
  result->schedule = schedule_from_json(object, program, error, result->account);
  return result->schedule != NULL;
}

static bool read_result(const cJSON *root, const Program *program, Result *result, Text *error) {
  const cJSON *confirmed = cJSON_GetObjectItemCaseSensitive(root, "confirmed");
  if (confirmed && !cJSON_IsBool(confirmed)) return fail(error, "confirmed");
  result->confirmed = cJSON_IsTrue(confirmed);
  return read_answer(root, result, error) && read_why(root, result, error) &&
         read_text(root, "reason", &result->reason, error) && read_text(root, "covered", &result->covered, error) &&
         read_lines(root, "proof", &result->proof, error) && read_text(root, "violation", &result->violation, error) &&
         read_kind(root, result, error) && read_assumptions(root, result, error) &&
         read_rests_on(root, result, error) && read_cuts(root, result, error) && read_calls(root, result, error) &&
         read_notes(root, result, error) && read_statistics(root, result, error) &&
         read_schedule(root, program, result, error);
}

Result *result_from_json(const cJSON *object, const Program *program, Text *error, Account *account) {
  Result *result = result_new(PROPERTY_UNREACH_CALL, account);
  if (read_result(object, program, result, error)) return result;
  result_free(result);
  return NULL;
}

Result *result_read_json(const char *text, const Program *program, Text *error, Account *account) {
  cJSON *root = json_parse(text, strlen(text), error);
  Result *result = root ? result_from_json(root, program, error, account) : NULL;
  cJSON_Delete(root);
  return result;
}
