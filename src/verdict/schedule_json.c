#include "verdict/json.h"
#include "verdict/schedule.h"

#include <assert.h>
#include <inttypes.h>

static const char format_name[] = "heddle-schedule";
enum { FORMAT_VERSION = 1 };

// --- writing ---

static void write_threads(const Program *program, Text *out) {
  text_add(out, "  \"threads\": [");
  for (size_t i = 0; i < program->threads.count; i++) {
    if (i) text_add(out, ", ");
    json_add_string(out, program->threads.data[i].path);
  }
  text_add(out, "],\n");
}

static void write_step(const Schedule *schedule, const Program *program, const ScheduleStep *step, Text *out) {
  const Edge *edge = EdgeVector_at(&program->edges, step->edge);
  text_add(out, "    { \"thread\": ");
  json_add_string(out, ThreadVector_at(&program->threads, step->thread)->path);
  text_format(out, ", \"edge\": %" PRIu32 ", \"line\": %" PRIu32, step->edge,
              edge_step(program, edge, 0)->position.line);
  text_add(out, ", \"choices\": [");
  for (uint32_t i = 0; i < step->choice_count; i++) {
    if (i) text_add(out, ", ");
    json_add_bits(out, schedule->choices.data[step->first_choice + i]);
  }
  text_add(out, "] }");
}

void schedule_add_members(const Schedule *schedule, const Program *program, Text *out) {
  text_format(out, "  \"format\": \"%s\",\n  \"version\": %d,\n", format_name, FORMAT_VERSION);
  text_format(out, "  \"program\": \"%016" PRIx64 "\",\n", schedule->fingerprint);
  text_format(out, "  \"property\": \"%s\",\n", property_name(schedule->property));
  write_threads(program, out);
  text_add(out, "  \"steps\": [");
  for (size_t i = 0; i < schedule->steps.count; i++) {
    text_add(out, i ? ",\n" : "\n");
    write_step(schedule, program, &schedule->steps.data[i], out);
  }
  text_add(out, schedule->steps.count ? "\n  ]" : "]");
  if (schedule->loop_start != NO_ID) text_format(out, ",\n  \"loop\": %" PRIu32, schedule->loop_start);
}

void schedule_write_json(const Schedule *schedule, const Program *program, Text *out) {
  text_add(out, "{\n");
  schedule_add_members(schedule, program, out);
  text_add(out, "\n}");
}

// --- reading ---

typedef struct Reader {
  const Program *program;
  Schedule *schedule;
  Text *error;
  Map threads; // hash of a path -> thread; two paths may have the same hash, so the path is compared, too
  BitsVector choices;
} Reader;

static bool fail_at(Reader *reader, size_t step, const char *what) {
  text_format(reader->error, "step %zu: %s", step, what);
  return false;
}

static ThreadId find_thread(const Reader *reader, const char *path) {
  const ThreadVector *threads = &reader->program->threads;
  uint64_t thread = map_get_or(&reader->threads, hash_bytes(path, strlen(path)), NO_ID);
  if (thread < threads->count && strcmp(threads->data[thread].path, path) == 0) return (ThreadId)thread;
  for (size_t i = 0; i < threads->count; i++)
    if (strcmp(threads->data[i].path, path) == 0) return (ThreadId)i;
  return NO_ID;
}

static bool read_choices(Reader *reader, size_t number, const cJSON *step) {
  BitsVector_clear(&reader->choices);
  const cJSON *choices = cJSON_GetObjectItemCaseSensitive(step, "choices");
  if (!choices) return true; // a step without choices may leave the list out
  if (!cJSON_IsArray(choices)) return fail_at(reader, number, "\"choices\" is not a list");
  const cJSON *choice;
  cJSON_ArrayForEach(choice, choices) {
    Bits value;
    if (!cJSON_IsString(choice) || !bits_parse_decimal(choice->valuestring, &value))
      return fail_at(reader, number, "a choice is not a string of decimal digits below 2^128");
    BitsVector_push(&reader->choices, value);
  }
  return true;
}

static bool read_step(Reader *reader, size_t number, const cJSON *step) {
  const Program *program = reader->program;
  if (!cJSON_IsObject(step)) return fail_at(reader, number, "not an object");
  const char *path = json_string(step, "thread");
  if (!path) return fail_at(reader, number, "no \"thread\" that is a string");
  ThreadId thread = find_thread(reader, path);
  if (thread == NO_ID) {
    text_format(reader->error, "step %zu: the program has no thread %.40s", number, path);
    return false;
  }
  uint32_t edge;
  if (!json_index(step, "edge", &edge)) return fail_at(reader, number, "no \"edge\" that is a whole number");
  if (edge >= program->edges.count) {
    text_format(reader->error, "step %zu: edge %" PRIu32 " does not exist (the program has %zu)", number, edge,
                program->edges.count);
    return false;
  }
  ThreadId owner = program->locations.data[program->edges.data[edge].from].thread;
  if (owner != thread) {
    text_format(reader->error, "step %zu: edge %" PRIu32 " belongs to thread %s, not to %s", number, edge,
                program->threads.data[owner].path, path);
    return false;
  }
  if (!read_choices(reader, number, step)) return false;
  schedule_add(reader->schedule, thread, edge, reader->choices.data, reader->choices.count);
  return true;
}

static bool read_fingerprint(Reader *reader, const cJSON *root) {
  const char *digits = json_string(root, "program");
  uint64_t fingerprint = 0;
  if (!digits || strlen(digits) != 16 || strspn(digits, "0123456789abcdef") != 16 ||
      sscanf(digits, "%16" SCNx64, &fingerprint) != 1) {
    text_add(reader->error, "no \"program\" that is a string of 16 hexadecimal digits");
    return false;
  }
  if (fingerprint != reader->program->fingerprint) {
    text_format(reader->error, "the schedule belongs to another program%s (%s, not %016" PRIx64 ")",
                reader->program->observations.count ? ", or to another formula" : "", digits,
                reader->program->fingerprint);
    return false;
  }
  reader->schedule->fingerprint = fingerprint;
  return true;
}

static bool read_head(Reader *reader, const cJSON *root) {
  const char *format = json_string(root, "format");
  uint32_t version;
  if (!cJSON_IsObject(root) || !format || strcmp(format, format_name) != 0) {
    text_format(reader->error, "not a schedule (no \"format\": \"%s\")", format_name);
    return false;
  }
  if (!json_index(root, "version", &version) || version != FORMAT_VERSION) {
    text_format(reader->error, "a schedule of an unknown version (known is %d)", FORMAT_VERSION);
    return false;
  }
  if (!read_fingerprint(reader, root)) return false;
  const char *property = json_string(root, "property");
  if (!property) {
    text_add(reader->error, "no \"property\" that is a string");
    return false;
  }
  for (unsigned i = 0; i < PROPERTY_COUNT; i++) {
    if (strcmp(property, property_name((Property)i)) != 0) continue;
    reader->schedule->property = (Property)i;
    return true;
  }
  text_format(reader->error, "unknown property '%.40s'", property);
  return false;
}

static bool read_schedule(Reader *reader, const cJSON *root) {
  if (!read_head(reader, root)) return false;
  const cJSON *steps = cJSON_GetObjectItemCaseSensitive(root, "steps");
  if (!cJSON_IsArray(steps)) {
    text_add(reader->error, "no \"steps\" that is a list");
    return false;
  }
  size_t number = 0;
  const cJSON *step;
  cJSON_ArrayForEach(step, steps) {
    if (!read_step(reader, number++, step)) return false;
  }
  if (!cJSON_HasObjectItem(root, "loop")) return true;
  uint32_t loop;
  if (!json_index(root, "loop", &loop) || loop > number) {
    text_format(reader->error, "\"loop\" is not the number of a step, or how many there are (%zu)", number);
    return false;
  }
  reader->schedule->loop_start = loop;
  return true;
}

Schedule *schedule_from_json(const cJSON *object, const Program *program, Text *error, Account *account) {
  Reader reader = {.program = program, .schedule = schedule_new(account), .error = error};
  map_init(&reader.threads, account);
  BitsVector_init(&reader.choices, account);
  for (size_t i = 0; i < program->threads.count; i++) {
    const char *path = program->threads.data[i].path;
    map_put(&reader.threads, hash_bytes(path, strlen(path)), i);
  }
  if (!read_schedule(&reader, object)) {
    schedule_free(reader.schedule);
    reader.schedule = NULL;
    text_one_line(error); // a quoted path may hold line breaks
    assert(error->length > 0);
  }
  BitsVector_free(&reader.choices);
  map_free(&reader.threads);
  return reader.schedule;
}

Schedule *schedule_read_json(const char *text, const Program *program, Text *error, Account *account) {
  cJSON *root = json_parse(text, strlen(text), error);
  Schedule *schedule = root ? schedule_from_json(root, program, error, account) : NULL;
  cJSON_Delete(root);
  return schedule;
}
