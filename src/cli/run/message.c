#include "cli/run/message.h"

#include "verdict/json.h"

#include <assert.h>

// --- tables ---

static const char *kind_name(MessageKind kind) {
  static const char *const names[] = {
#define X(name, text) text,
      MESSAGE_KINDS(X)
#undef X
  };
  assert(kind < MESSAGE_KIND_COUNT);
  return names[kind];
}

static const struct {
  const char *name;
  int status;
} verdicts[] = {
#define X(name, text, status) {text, status},
    WITNESS_VERDICTS(X)
#undef X
};

const char *witness_verdict_name(WitnessVerdict verdict) {
  assert(verdict < WITNESS_VERDICT_COUNT);
  return verdicts[verdict].name;
}

int witness_verdict_status(WitnessVerdict verdict) {
  assert(verdict < WITNESS_VERDICT_COUNT);
  return verdicts[verdict].status;
}

// --- life ---

void check_message_init(CheckMessage *message) {
  *message = (CheckMessage){.result = NULL};
#define X(member) text_init(&message->member, NULL);
  CHECK_TEXTS(X)
#undef X
  finding_init(&message->finding, VIOLATION_NONE);
  goals_init(&message->goals);
}

void check_message_free(CheckMessage *message) {
  result_free(message->result);
#define X(member) text_free(&message->member);
  CHECK_TEXTS(X)
#undef X
  finding_free(&message->finding);
  goals_free(&message->goals);
}

static void free_answers(CheckMessageVector *answers) {
  for (size_t i = 0; i < answers->count; i++) check_message_free(&answers->data[i]);
  CheckMessageVector_free(answers);
}

static void remove_answer(CheckMessageVector *answers, size_t at) {
  check_message_free(&answers->data[at]);
  memmove(answers->data + at, answers->data + at + 1, (answers->count - at - 1) * sizeof *answers->data);
  answers->count--;
}

void answers_add(CheckMessageVector *answers, size_t first, CheckMessage message) {
  assert(first <= answers->count && message.result != NULL);
  bool contradicted = check_message_is_contradicted(&message);
  for (size_t i = first; contradicted && i < answers->count; i++)
    if (finding_is_same(&answers->data[i].finding, &message.finding)) remove_answer(answers, i--);
  size_t at = answers->count;
  while (!contradicted && at > first && check_message_is_contradicted(&answers->data[at - 1])) at--;
  CheckMessageVector_push(answers, message);
  for (size_t i = answers->count - 1; i > at; i--) {
    CheckMessage later = answers->data[i];
    answers->data[i] = answers->data[i - 1];
    answers->data[i - 1] = later;
  }
}

void message_init(Message *message, MessageKind kind) {
  *message = (Message){.kind = kind};
  switch (kind) {
  case MESSAGE_ERROR: text_init(&message->error, NULL); break;
  case MESSAGE_CHECK: check_message_init(&message->check); break;
  case MESSAGE_FINDINGS: CheckMessageVector_init(&message->findings.answers, NULL); break;
  case MESSAGE_REPLAY: text_init(&message->replay.trace, NULL); break;
  case MESSAGE_SHOW: text_init(&message->show.content, NULL); break;
  case MESSAGE_SURVEY:
#define X(member) text_init(&message->survey.member, NULL);
    SURVEY_TEXTS(X)
#undef X
    break;
  case MESSAGE_VALIDATE:
    text_init(&message->validate.reason, NULL);
    text_init(&message->validate.trace, NULL);
    text_init(&message->validate.notes, NULL);
    break;
  case MESSAGE_KIND_COUNT: assert(false); break;
  }
}

void message_free(Message *message) {
  switch (message->kind) {
  case MESSAGE_ERROR: text_free(&message->error); break;
  case MESSAGE_CHECK: check_message_free(&message->check); break;
  case MESSAGE_FINDINGS: free_answers(&message->findings.answers); break;
  case MESSAGE_REPLAY:
    result_free(message->replay.result);
    text_free(&message->replay.trace);
    break;
  case MESSAGE_SHOW: text_free(&message->show.content); break;
  case MESSAGE_SURVEY:
#define X(member) text_free(&message->survey.member);
    SURVEY_TEXTS(X)
#undef X
    break;
  case MESSAGE_VALIDATE:
    text_free(&message->validate.reason);
    text_free(&message->validate.trace);
    text_free(&message->validate.notes);
    break;
  case MESSAGE_KIND_COUNT: assert(false); break;
  }
}

// --- writing ---

// A value that is JSON already.
static void add_json(cJSON *object, const char *name, const Text *json) {
  if (!cJSON_AddRawToObject(object, name, json->data)) memory_exhausted(NULL, json->length);
}

static void add_text(cJSON *object, const char *name, const char *value) {
  Text json;
  text_init(&json, NULL);
  json_add_string(&json, value);
  add_json(object, name, &json);
  text_free(&json);
}

static void add_bytes(cJSON *object, const char *name, const Text *bytes) {
  Text json;
  text_init(&json, NULL);
  text_add_char(&json, '"');
  for (size_t i = 0; i < bytes->length; i++) text_format(&json, "%02x", (unsigned)(unsigned char)bytes->data[i]);
  text_add_char(&json, '"');
  add_json(object, name, &json);
  text_free(&json);
}

static void add_result(cJSON *object, const Result *result) {
  assert(result != NULL);
  Text json;
  text_init(&json, NULL);
  result_write_json(result, NULL, &json);
  add_json(object, "result", &json);
  text_free(&json);
}

static void add_check(cJSON *root, const CheckMessage *message) {
  add_result(root, message->result);
#define X(member) add_text(root, #member, message->member.data);
  CHECK_TEXTS(X)
#undef X
  Text json;
  text_init(&json, NULL);
  finding_write_json(&message->finding, &json);
  add_json(root, "finding", &json);
  text_clear(&json);
  goals_write_json(&message->goals, &json);
  add_json(root, "goal_list", &json);
  text_free(&json);
}

static void add_answers(cJSON *root, const CheckMessageVector *answers) {
  cJSON *list = cJSON_AddArrayToObject(root, "answers");
  if (!list) memory_exhausted(NULL, 0);
  for (size_t i = 0; i < answers->count; i++) {
    cJSON *object = cJSON_CreateObject();
    if (!object || !cJSON_AddItemToArray(list, object)) memory_exhausted(NULL, 0);
    add_check(object, &answers->data[i]);
  }
}

static void add_survey(cJSON *root, const SurveyMessage *message) {
#define X(member) add_text(root, #member, message->member.data);
  SURVEY_TEXTS(X)
#undef X
  if (!cJSON_AddNumberToObject(root, "status", message->status)) memory_exhausted(NULL, 0);
}

static void add_members(cJSON *root, const Message *message) {
  switch (message->kind) {
  case MESSAGE_ERROR: add_text(root, "error", message->error.data); break;
  case MESSAGE_CHECK: add_check(root, &message->check); break;
  case MESSAGE_FINDINGS: add_answers(root, &message->findings.answers); break;
  case MESSAGE_REPLAY:
    add_result(root, message->replay.result);
    add_text(root, "trace", message->replay.trace.data);
    break;
  case MESSAGE_SHOW:
    if (message->show.binary)
      add_bytes(root, "bytes", &message->show.content);
    else
      add_text(root, "text", message->show.content.data);
    break;
  case MESSAGE_SURVEY: add_survey(root, &message->survey); break;
  case MESSAGE_VALIDATE:
    add_text(root, "verdict", witness_verdict_name(message->validate.verdict));
    add_text(root, "reason", message->validate.reason.data);
    add_text(root, "trace", message->validate.trace.data);
    add_text(root, "notes", message->validate.notes.data);
    break;
  case MESSAGE_KIND_COUNT: assert(false); break;
  }
}

void message_write(const Message *message, Text *out) {
  cJSON *root = cJSON_CreateObject();
  if (!root) memory_exhausted(NULL, 0);
  add_text(root, "kind", kind_name(message->kind));
  add_members(root, message);
  char *text = cJSON_PrintUnformatted(root);
  if (!text) memory_exhausted(NULL, 0);
  text_add(out, text);
  cJSON_free(text);
  cJSON_Delete(root);
}

void message_send(Message *message, const Text *error, Text *out) {
  if (error->length && message->kind != MESSAGE_ERROR) {
    message_free(message);
    message_init(message, MESSAGE_ERROR);
    text_add(&message->error, error->data);
  }
  message_write(message, out);
  message_free(message);
}

// --- reading ---

static bool read_text(const cJSON *root, const char *name, Text *into) {
  const char *value = json_string(root, name);
  if (value) text_add(into, value);
  return value != NULL;
}

static int digit_value(char digit) {
  return digit >= '0' && digit <= '9' ? digit - '0' : digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

static bool read_bytes(const cJSON *root, const char *name, Text *into) {
  const char *digits = json_string(root, name);
  for (; digits && *digits; digits += 2) {
    int high = digit_value(digits[0]), low = high < 0 ? -1 : digit_value(digits[1]);
    if (low < 0) return false;
    text_add_char(into, (char)(high << 4 | low));
  }
  return digits != NULL;
}

static Result *read_result(const cJSON *root, Text *error) {
  return result_from_json(cJSON_GetObjectItemCaseSensitive(root, "result"), NULL, error, NULL);
}

static bool read_verdict(const cJSON *root, WitnessVerdict *verdict) {
  const char *name = json_string(root, "verdict");
  for (WitnessVerdict v = 0; name && v < WITNESS_VERDICT_COUNT; v++) {
    if (strcmp(name, witness_verdict_name(v)) != 0) continue;
    *verdict = v;
    return true;
  }
  return false;
}

static bool read_check(const cJSON *root, CheckMessage *message, Text *error) {
  bool good = true;
  message->result = read_result(root, error);
#define X(member) good = good && read_text(root, #member, &message->member);
  CHECK_TEXTS(X)
#undef X
  const cJSON *finding = cJSON_GetObjectItemCaseSensitive(root, "finding");
  const cJSON *goals = cJSON_GetObjectItemCaseSensitive(root, "goal_list");
  return good && message->result && finding_read_json(finding, &message->finding, error) &&
         goals_read_json(goals, &message->goals, error);
}

static bool read_answers(const cJSON *root, CheckMessageVector *answers, Text *error) {
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, "answers"), *item;
  if (!cJSON_IsArray(list)) return false;
  cJSON_ArrayForEach(item, list) {
    CheckMessage *answer = CheckMessageVector_push(answers, (CheckMessage){.result = NULL});
    check_message_init(answer);
    if (!read_check(item, answer, error)) return false;
  }
  return true;
}

static bool read_survey(const cJSON *root, SurveyMessage *message) {
  bool good = true;
#define X(member) good = good && read_text(root, #member, &message->member);
  SURVEY_TEXTS(X)
#undef X
  uint32_t status = 0;
  good = good && json_index(root, "status", &status) && status <= STATUS_UNKNOWN;
  message->status = (int)status;
  return good;
}

static bool read_members(const cJSON *root, Message *message, Text *error) {
  switch (message->kind) {
  case MESSAGE_ERROR: return read_text(root, "error", &message->error);
  case MESSAGE_CHECK: return read_check(root, &message->check, error);
  case MESSAGE_FINDINGS: return read_answers(root, &message->findings.answers, error);
  case MESSAGE_REPLAY:
    message->replay.result = read_result(root, error);
    return message->replay.result && read_text(root, "trace", &message->replay.trace);
  case MESSAGE_SHOW:
    message->show.binary = cJSON_HasObjectItem(root, "bytes");
    return message->show.binary ? read_bytes(root, "bytes", &message->show.content)
                                : read_text(root, "text", &message->show.content);
  case MESSAGE_SURVEY: return read_survey(root, &message->survey);
  case MESSAGE_VALIDATE:
    return read_verdict(root, &message->validate.verdict) && read_text(root, "reason", &message->validate.reason) &&
           read_text(root, "trace", &message->validate.trace) && read_text(root, "notes", &message->validate.notes);
  case MESSAGE_KIND_COUNT: break;
  }
  return false;
}

bool message_read(Message *message, MessageKind kind, const char *text, Text *error) {
  message_init(message, kind);
  cJSON *root = json_parse(text, strlen(text), error);
  const char *name = json_string(root, "kind");
  bool failed = name && strcmp(name, kind_name(MESSAGE_ERROR)) == 0;
  if (failed) {
    message_free(message);
    message_init(message, MESSAGE_ERROR);
  }
  bool good = (failed || (name && strcmp(name, kind_name(kind)) == 0)) && read_members(root, message, error);
  cJSON_Delete(root);
  if (good) return true;
  if (!error->length) text_format(error, "it is no message of %s", kind_name(kind));
  message_free(message);
  message_init(message, kind);
  return false;
}
