// `heddle validate FILE… WITNESS.yml`: looks for an execution that follows a violation witness.
#include "base/file.h"
#include "base/sha256.h"
#include "cli/commands.h"
#include "cli/run/lowering.h"
#include "cli/run/message.h"
#include "cli/run/supervised.h"
#include "report/trace_text.h"
#include "witness/guided.h"

#include "base/printable.h"

#include <assert.h>

typedef struct Validation {
  const Options *options;
  Witness witness;
  Property property;
  Budget budget;
  ValidateMessage *message;
  Text *error; // in the input
} Validation;

static void decide(Validation *v, WitnessVerdict verdict, const char *reason) {
  v->message->verdict = verdict;
  text_clear(&v->message->reason);
  text_add(&v->message->reason, reason);
}

// --- does the witness belong to the program? ---

static bool check_hashes(Validation *v) {
  size_t count = v->options->operands.count - 1;
  for (size_t i = 0; i < v->witness.files.count; i++) {
    const HashedFile *file = &v->witness.files.data[i];
    const char *path = NULL;
    for (size_t j = 0; j < count && !path; j++)
      if (same_file(v->options->operands.data[j], file->name)) path = v->options->operands.data[j];
    const Project *project = v->options->project;
    for (size_t j = 0; project && j < project->others.count && !path; j++)
      if (same_file(project->others.data[j].name, file->name)) path = project->others.data[j].name;
    // One program and one file, under whatever name: the hash decides.
    if (!path && count == 1 && v->witness.files.count == 1) path = v->options->operands.data[0];
    Text content, reason;
    text_init(&content, NULL);
    text_init(&reason, NULL);
    char hex[SHA256_HEX] = "";
    if (!path)
      text_format(&reason, "it is about %s, which is not among the files", file->name);
    else if (file_read(&content, path, FILE_MOST_DATA, NULL)) {
      sha256_hex(content.data, content.length, hex);
      if (strcmp(hex, file->hash) != 0) text_format(&reason, "%s has another hash", file->name);
    }
    bool good = reason.length == 0;
    if (!good) decide(v, WITNESS_REJECTED, reason.data);
    text_free(&reason);
    text_free(&content);
    if (!good) return false;
  }
  return true;
}

static bool check_task(Validation *v) {
  Text reason;
  text_init(&reason, NULL);
  const Witness *w = &v->witness;
  if (!property_parse_formula(w->specification, &v->property))
    text_format(&reason, "the specification %s is not known", w->specification);
  else if (v->property != v->options->property_value)
    text_format(&reason, "it is about %s, not %s", property_name(v->property),
                property_name(v->options->property_value));
  else if (strcmp(w->data_model, v->options->data_model) != 0)
    text_format(&reason, "it is about the data model %s, not %s", w->data_model, v->options->data_model);
  bool good = reason.length == 0;
  if (!good) decide(v, WITNESS_REJECTED, reason.data);
  text_free(&reason);
  return good && check_hashes(v);
}

// --- the search ---

// Tells the execution that was found, as the judge has run it.
static void tell_found(Validation *v, const Program *program, const GuidedResult *found) {
  assert(found->end == GUIDED_FOUND && found->schedule);
  Result *result = result_new(v->property, NULL);
  result->answer = ANSWER_UNSAFE;
  result->schedule = schedule_copy(found->schedule, NULL);
  text_add(&result->violation, found->violation.data);
  result->kind = found->trace.violation;
  output_trace(v->options, program, &found->trace, result, &v->message->trace);
  result_free(result);
  text_add(&v->message->trace, found->unchecked.data);
  if (found->unread.length)
    decide(v, WITNESS_UNKNOWN, found->unread.data);
  else
    decide(v, WITNESS_CONFIRMED, "");
}

// Waypoints whose places are found by looking at the source text alone may be meant otherwise than they are read.
static bool is_read_exactly(const Witness *witness) {
  for (size_t i = 0; i < witness->waypoints.count; i++) {
    const Waypoint *waypoint = &witness->waypoints.data[i];
    bool creates = waypoint->type == WAYPOINT_FUNCTION_ENTER && waypoint->thread >= 0; // ours: of thread creation
    if (waypoint->avoid || waypoint->type == WAYPOINT_BRANCHING) return false;
    if (waypoint->type == WAYPOINT_FUNCTION_ENTER && !creates) return false;
  }
  return true;
}

// One lowering; true if larger limits may help. `cuts`: which.
static bool search_once(Validation *v, const Program *program, unsigned *cuts) {
  EventMap events;
  event_map_init(&events, program, v->options->operands.data, v->options->operands.count - 1, NULL);
  GuidedResult result;
  guided_search(program, &events, &v->witness, v->property, &v->budget, &result, NULL);
  bool again = false;
  *cuts = result.cuts;
  text_clear(&v->message->notes);
  text_add(&v->message->notes, result.notes.data);
  switch (result.end) {
  case GUIDED_FOUND: tell_found(v, program, &result); break;
  case GUIDED_NONE:
    if (is_read_exactly(&v->witness))
      decide(v, WITNESS_REJECTED, result.reason.data);
    else
      decide(v, WITNESS_UNKNOWN, "no execution follows it, but where branches and calls are in the source is a guess");
    break;
  case GUIDED_MISFIT: decide(v, WITNESS_REJECTED, result.reason.data); break;
  case GUIDED_BOUNDED:
  case GUIDED_STOPPED: decide(v, WITNESS_UNKNOWN, result.reason.data); break;
  }
  again = result.end == GUIDED_BOUNDED && result.cuts != 0;
  text_line(&v->message->notes, "%llu states, %llu steps", (unsigned long long)result.states,
            (unsigned long long)result.steps);
  guided_result_free(&result);
  event_map_free(&events);
  return again;
}

static void search(Validation *v) {
  size_t files = v->options->operands.count - 1;
  FrontUnit *unit =
      lowering_open(v->options, v->options->operands.data, files, lowering_view(v->options), v->error, NULL);
  if (!unit) return;
  LoweringSettings lowering = lowering_first(v->options);
  for (bool again = true; again;) {
    Program *program = lowering_program(unit, &lowering, NULL, v->error, NULL);
    if (!program) break;
    unsigned cuts = 0;
    again = search_once(v, program, &cuts) && lowering_grow(&lowering, v->options, cuts);
    program_free(program);
  }
  lowering_free(&lowering);
  front_close(unit);
}

static void validate_text(Validation *v, const Text *text) {
  Text error;
  text_init(&error, NULL);
  if (!witness_read(&v->witness, text->data, text->length, &error, &v->message->notes, NULL))
    decide(v, WITNESS_REJECTED, error.data);
  else if (v->witness.kind == WITNESS_CORRECTNESS)
    decide(v, WITNESS_UNKNOWN, "correctness witnesses are not checked: only violation witnesses are");
  else if (check_task(v))
    search(v);
  witness_free(&v->witness);
  text_free(&error);
}

static void validate_work(void *context, Text *out) {
  const Options *options = context;
  const char *path = *StringVector_last(&options->operands);
  Message message;
  message_init(&message, MESSAGE_VALIDATE);
  Text text, fault, error;
  text_init(&text, NULL);
  text_init(&fault, NULL);
  text_init(&error, NULL);
  Validation v = {.options = options, .message = &message.validate, .error = &error};
  budget_init(&v.budget, options->time_limit, NULL);
  if (file_read_named(&text, path, FILE_MOST_DATA, &fault))
    validate_text(&v, &text);
  else
    text_line(&error, "heddle: %s", fault.data);
  message_send(&message, &error, out);
  text_free(&error);
  text_free(&fault);
  text_free(&text);
}

// One message for each line.
static void tell_notes(const Text *notes, Log *log) {
  for (const char *line = notes->data; *line;) {
    size_t length = strcspn(line, "\n");
    log_detail(log, "%.*s", (int)length, line);
    line += length + (line[length] == '\n');
  }
}

static int print_verdict(const Options *options, const Message *message, Log *log) {
  const ValidateMessage *said = &message->validate;
  Text details, verdict;
  text_init(&details, NULL);
  text_init(&verdict, NULL);
  text_format(&details, "property: %s\n", property_name(options->property_value));
  if (!options->quiet) text_add(&details, said->trace.data);
  tell_notes(&said->notes, log);
  text_format(&verdict, "witness: %s", witness_verdict_name(said->verdict));
  if (said->reason.length) text_format(&verdict, " (%s)", said->reason.data);
  int status = output_verdict(log, &details, &verdict) ? witness_verdict_status(said->verdict) : STATUS_ERROR;
  text_free(&verdict);
  text_free(&details);
  return status;
}

int validate_command(const Options *options, Log *log) {
  assert(options->command == COMMAND_VALIDATE && options->operands.count >= 2);
  return output_of_work(options, MESSAGE_VALIDATE, validate_work, print_verdict, log);
}
