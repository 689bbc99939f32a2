// SARIF 2.1.0: one run with one result for a violation, with a thread flow per thread.
//
// The answers SAFE and UNKNOWN become notifications of the invocation, not results: programs such as GitHub's code
// scanning show each result as an alert, whatever its kind.
#include "report/explain.h"
#include "report/report.h"
#include "report/sarif_parts.h"
#include "report/trace_finding.h"
#include "report/units.h"

#include <assert.h>

enum { MOST_FLOW_LOCATIONS = 1000 }; // code scanning shows no more of them, and refuses files with ten times as many

static const char *const rule_names[PROPERTY_COUNT] = {[PROPERTY_UNREACH_CALL] = "ErrorReached",
                                                       [PROPERTY_NO_DATA_RACE] = "DataRace",
                                                       [PROPERTY_NO_DEADLOCK] = "Deadlock",
                                                       [PROPERTY_VALID_MEMSAFETY] = "InvalidMemoryUse",
                                                       [PROPERTY_NO_DIVISION_BY_ZERO] = "DivisionByZero",
                                                       [PROPERTY_NO_OVERFLOW] = "SignedOverflow",
                                                       [PROPERTY_VALID_MEMCLEANUP] = "MemoryNotFreed",
                                                       [PROPERTY_VALID_MEMTRACK] = "MemoryLeak",
                                                       [PROPERTY_LTL] = "FormulaViolated"};

static const char *const rule_titles[PROPERTY_COUNT] = {
    [PROPERTY_UNREACH_CALL] = "An assertion can fail or an error can be reached",
    [PROPERTY_NO_DATA_RACE] = "Two threads can access the same memory without synchronisation",
    [PROPERTY_NO_DEADLOCK] = "Threads can wait for each other for ever",
    [PROPERTY_VALID_MEMSAFETY] = "Memory can be used that is not there",
    [PROPERTY_NO_DIVISION_BY_ZERO] = "A divisor can be zero",
    [PROPERTY_NO_OVERFLOW] = "Signed arithmetic can overflow",
    [PROPERTY_VALID_MEMCLEANUP] = "Memory can be left that is not freed",
    [PROPERTY_VALID_MEMTRACK] = "Memory can be lost",
    [PROPERTY_LTL] = "An infinite execution can violate the formula"};

static const char *const rule_helps[PROPERTY_COUNT] = {
    [PROPERTY_UNREACH_CALL] =
        "Follow the thread flows in the order of execution: each step was executed, with the values "
        "that are shown. Look for a read and a write of shared memory that belong together and "
        "that another thread can come between; protect them with a lock or an atomic operation.",
    [PROPERTY_NO_DATA_RACE] =
        "Protect both accesses with the same lock, make the variable atomic, or order the accesses "
        "by creating, joining or signalling a thread.",
    [PROPERTY_NO_DEADLOCK] =
        "Take locks in the same order everywhere, and let a thread that waits be woken by a thread that "
        "does not wait for it.",
    [PROPERTY_VALID_MEMSAFETY] =
        "Check the pointer and the bounds, and free memory only when no thread uses it any more.",
    [PROPERTY_NO_DIVISION_BY_ZERO] = "Check the divisor before dividing, under the lock that protects it.",
    [PROPERTY_NO_OVERFLOW] = "Check the operands before the operation, or compute with a wider or an unsigned type.",
    [PROPERTY_VALID_MEMCLEANUP] =
        "Free each block on every way to the end of the process, after the last thread that uses it has been joined.",
    [PROPERTY_VALID_MEMTRACK] = "Free the block before the last pointer to it is overwritten or goes out of scope.",
    [PROPERTY_LTL] =
        "Follow the thread flows in the order of execution up to where the loop begins: from there on, the same "
        "steps are repeated for ever. Look for what would have to happen in between, and for what keeps it from "
        "happening."};

// --- tool and invocation ---

static void add_rules(Text *out) {
  text_add(out, "\"rules\": [");
  for (unsigned i = 0; i < PROPERTY_COUNT; i++) {
    text_add(out, i ? ",\n          {" : "\n          {");
    sarif_add_member(out, "id", property_name((Property)i));
    text_add(out, ", ");
    sarif_add_member(out, "name", rule_names[i]);
    text_add(out, ",\n           \"shortDescription\": ");
    sarif_add_message(out, rule_titles[i]);
    text_add(out, ",\n           \"fullDescription\": ");
    Text full;
    text_init(&full, NULL);
    text_format(&full, "%s. The property wants: %s.", rule_titles[i], property_summary((Property)i));
    sarif_add_message(out, full.data);
    text_free(&full);
    text_add(out, ",\n           \"help\": ");
    sarif_add_message(out, rule_helps[i]);
    text_add(out,
             ",\n           \"defaultConfiguration\": {\"level\": \"error\"},\n           \"properties\": {\"tags\": "
             "[\"concurrency\", \"correctness\"], \"precision\": \"very-high\", \"problem.severity\": \"error\"}}");
  }
  text_add(out, "]");
}

static void add_tool(const Report *report, Text *out) {
  text_add(out, "      \"tool\": {\"driver\": {");
  sarif_add_member(out, "name", "Heddle");
  text_add(out, ", ");
  sarif_add_member(out, "version", report->version);
  text_add(out, ",\n        ");
  add_rules(out);
  text_add(out, "}},\n");
}

// The notification for an answer without a violation: that the property was proved, or why it was not.
static void add_notification(const Report *report, const SarifFiles *files, Text *out) {
  const Result *result = report->result;
  bool safe = result->answer == ANSWER_SAFE;
  Text message;
  text_init(&message, NULL);
  text_format(&message, "%s: %s", answer_text(result->answer), safe ? property_summary(result->property) : "");
  if (!safe) result_add_reason(result, &message);
  text_add(out, ",\n        \"toolExecutionNotifications\": [{\"level\": ");
  text_add(out, safe ? "\"note\"" : "\"warning\"");
  text_format(out, ", \"associatedRule\": {\"id\": \"%s\", \"index\": %u},\n         \"message\": ",
              property_name(result->property), (unsigned)result->property);
  sarif_add_message(out, message.data);
  if (report->file_count) {
    text_add(out, ",\n         \"locations\": [{\"physicalLocation\": {\"artifactLocation\": ");
    sarif_add_artifact_location(files, report->files[0], out);
    text_add(out, "}}]");
  }
  text_add(out, "}]");
  text_free(&message);
}

static void add_invocation(const Report *report, const SarifFiles *files, Text *out) {
  static const int exit_codes[] = {[ANSWER_SAFE] = 0, [ANSWER_UNSAFE] = 1, [ANSWER_UNKNOWN] = 3};
  const Result *result = report->result;
  bool failed = result->answer == ANSWER_UNKNOWN && reason_kind_is_failure(result->why);
  text_format(out, "      \"invocations\": [{\"executionSuccessful\": %s, \"exitCode\": %d, ",
              failed ? "false" : "true", exit_codes[result->answer]);
  sarif_add_member(out, "exitCodeDescription", answer_text(result->answer));
  if (result->answer != ANSWER_UNSAFE) add_notification(report, files, out);
  text_add(out, "}],\n");
}

// --- the violation ---

// Adds the values after a line, by name.
static void add_state(const TraceIndex *index, const TraceLine *line, Text *out) {
  const Trace *trace = index->trace;
  Interner names;
  interner_init(&names, NULL);
  Map added;
  map_init(&added, NULL);
  const char *before = ", \"state\": {";
  for (size_t s = line->last; s-- > line->first;) {
    const TraceStep *step = &trace->steps.data[s];
    for (uint32_t c = step->first_change + step->change_count; c-- > step->first_change;) {
      const TraceChange *change = &trace->changes.data[c];
      if (change->variable != NO_ID && index->program->variables.data[change->variable].temporary) continue;
      if (change->cell != NO_ID && trace_step_row(index, s)->access.synchronises) continue;
      Text name, value;
      text_init(&name, NULL);
      text_init(&value, NULL);
      words_change_name(index->program, change, &name);
      if (change->cell != NO_ID) {
        Unit unit = unit_of_number(index->program, change->cell);
        words_unit_after(index, &unit, c, &value);
      } else {
        words_change_value(index->program, change, change->after, &value);
      }
      uint64_t key = (uint64_t)(uintptr_t)intern(&names, name.data);
      if (!map_contains(&added, key)) {
        map_put(&added, key, 1);
        text_add(out, before);
        sarif_add_string(out, name.data);
        text_add(out, ": ");
        sarif_add_message(out, value.data);
        before = ", ";
      }
      text_free(&name);
      text_free(&value);
    }
  }
  if (before[1] == ' ' && before[2] == '\0') text_add_char(out, '}');
  map_free(&added);
  interner_free(&names);
}

typedef struct Flow {
  const TraceLines *lines;
  SarifFiles *files;
  size_t first; // the first line that is not left out
  size_t last;  // the line with the violation
  Text *out;
} Flow;

static bool in_flow(const Flow *flow, size_t line) {
  assert(line < flow->lines->lines.count);
  const TraceLine *row = &flow->lines->lines.data[line];
  return line >= flow->first && row->position && row->matters;
}

static void add_flow_location(const Flow *flow, size_t i) {
  const TraceLine *line = &flow->lines->lines.data[i];
  text_add(flow->out, "\n            {\"location\": ");
  sarif_add_location(flow->files, line->position, *line->notes ? line->notes : "executes this line", flow->out);
  text_format(flow->out, ",\n             \"executionOrder\": %zu, \"nestingLevel\": 0, \"importance\": \"%s\"", i + 1,
              i == flow->last ? "essential" : "important");
  add_state(&flow->lines->index, line, flow->out);
  text_add_char(flow->out, '}');
}

static void add_code_flow(const Flow *flow) {
  const Program *program = flow->lines->index.program;
  const char *next = "";
  text_add(flow->out, "\n        \"codeFlows\": [{\"threadFlows\": [");
  for (ThreadId t = 0; t < program->threads.count; t++) {
    bool any = false;
    for (size_t i = 0; i < flow->lines->lines.count; i++) {
      if (flow->lines->lines.data[i].thread != t || !in_flow(flow, i)) continue;
      if (!any) {
        Text name;
        text_init(&name, NULL);
        words_thread(program, t, &name);
        text_format(flow->out, "%s\n          {", next);
        sarif_add_member(flow->out, "id", program->threads.data[t].label);
        text_add(flow->out, ", \"message\": ");
        sarif_add_message(flow->out, name.data);
        text_add(flow->out, ", \"locations\": [");
        text_free(&name);
      } else {
        text_add_char(flow->out, ',');
      }
      add_flow_location(flow, i);
      any = true;
      next = ",";
    }
    if (any) text_add(flow->out, "]}");
  }
  text_add(flow->out, "]}],\n");
}

// Determines the first and the last line of the flow. If the flow is too long, its beginning is left out.
static void bound_flow(Flow *flow) {
  size_t count = 0;
  for (size_t i = flow->lines->lines.count; i-- > 0;) {
    if (in_flow(flow, i) && ++count == MOST_FLOW_LOCATIONS) flow->first = i;
    if (count == 1 && in_flow(flow, i)) flow->last = i;
  }
}

// Where a block that leaks was allocated, and where the last pointer to it was lost.
static void add_related_loss(const Report *report, SarifFiles *files, Text *out) {
  const TraceLoss *loss = &report->trace->loss;
  if (loss->cause == LOST_UNTOLD || loss->allocated == NO_ID) return;
  const uint32_t steps[2] = {loss->allocated, loss->cause == LOST_KEPT ? loss->allocated : loss->lost};
  static const char *const texts[2] = {"the block is allocated here", "the last pointer to it is lost here"};
  const char *separator = "        \"relatedLocations\": [";
  for (unsigned i = 0; i < 2; i++) {
    const Position *position = &report->program->steps.data[report->trace->steps.data[steps[i]].step].position;
    if (!position->file || !position->line || (i == 1 && steps[1] == steps[0])) continue;
    text_add(out, separator);
    sarif_add_location(files, position, texts[i], out);
    separator = ", ";
  }
  if (separator[0] == ',') text_add(out, "],\n");
}

// The other access of a race.
static void add_related(const Report *report, SarifFiles *files, Text *out) {
  add_related_loss(report, files, out);
  const TraceRace *race = &report->trace->race;
  if (race->first_thread == race->second_thread) return;
  const Step *step = edge_first_step(report->program, race->first_edge);
  if (!step->position.file || !step->position.line) return;
  Text message;
  text_init(&message, NULL);
  text_add(&message, step->access.writes ? "the other access, a write in " : "the other access, a read in ");
  words_thread(report->program, race->first_thread, &message);
  text_add(out, "        \"relatedLocations\": [");
  sarif_add_location(files, &step->position, message.data, out);
  text_add(out, "],\n");
  text_free(&message);
}

// The same violation keeps its fingerprint when lines move: it depends on the property, the file and the statement; for
// a race, a deadlock and a leak, on the statements of all places, whichever is violated last.
static uint64_t fingerprint(SarifFiles *files, const Report *report, const Position *position) {
  Text key;
  text_init(&key, NULL);
  text_format(&key, "%s\n", property_name(report->result->property));
  Finding finding;
  finding_init(&finding, VIOLATION_NONE);
  trace_finding(report->program, report->trace, &finding);
  bool leak = finding.kind == VIOLATION_CLEANUP || finding.kind == VIOLATION_LEAK;
  bool several = finding.kind == VIOLATION_RACE || finding.kind == VIOLATION_DEADLOCK || (leak && finding.places.count);
  for (size_t i = 0; i < finding.places.count && several; i++) {
    text_format(&key, "%s\n", finding.places.data[i].file);
    sources_add_line(&files->sources, finding.places.data[i].file, finding.places.data[i].line, &key);
  }
  if (finding.kind == VIOLATION_RACE && finding.goals.count) text_add(&key, finding.goals.data[0]);
  if (!several) {
    text_format(&key, "%s\n%s\n", position->file, position->function ? position->function : "");
    sources_add_line(&files->sources, position->file, position->line, &key);
  }
  uint64_t hash = hash_bytes(key.data, key.length);
  finding_free(&finding);
  text_free(&key);
  return hash;
}

static void add_violation(const Report *report, SarifFiles *files, Text *out) {
  const Result *result = report->result;
  TraceLines lines;
  trace_lines_init(&lines, report->program, report->trace, result, false);
  Flow flow = {.lines = &lines, .files = files, .last = SIZE_MAX, .out = out};
  bound_flow(&flow);
  Position nowhere = {.file = report->file_count ? report->files[0] : "unknown.c", .line = 1};
  const Position *position = flow.last == SIZE_MAX ? &nowhere : lines.lines.data[flow.last].position;
  Text message;
  text_init(&message, NULL);
  text_add(&message, result->violation.data);
  size_t length = message.length;
  text_add(&message, ". Why: ");
  size_t begun = message.length;
  explain_trace(&lines, result->property, &message);
  if (message.length == begun) message.data[message.length = length] = '\0';
  text_format(out, "\n       {\"ruleId\": \"%s\", \"ruleIndex\": %u, \"kind\": \"fail\", \"level\": \"error\",\n",
              property_name(result->property), (unsigned)result->property);
  text_add(out, "        \"message\": ");
  sarif_add_message(out, message.data);
  text_add(out, ",\n        \"locations\": [");
  sarif_add_location(files, position, NULL, out);
  text_add(out, "],");
  if (flow.last != SIZE_MAX) add_code_flow(&flow);
  add_related(report, files, out);
  text_format(out, "        \"partialFingerprints\": {\"heddleViolation/v1\": \"%016llx\"}}",
              (unsigned long long)fingerprint(files, report, position));
  text_free(&message);
  trace_lines_free(&lines);
}

void report_sarif(const Report *report, Text *out) {
  assert(report->result->property < PROPERTY_COUNT);
  SarifFiles files;
  sarif_files_init(&files, report->project);
  for (size_t i = 0; i < report->file_count; i++) sarif_file_index(&files, report->files[i]);
  text_add(out, "{\n  \"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\",\n  \"version\": \"2.1.0\",\n");
  text_add(out, "  \"runs\": [\n    {\n");
  add_tool(report, out);
  add_invocation(report, &files, out);
  sarif_add_bases(&files, out);
  text_add(out, "      \"columnKind\": \"unicodeCodePoints\",\n      \"results\": [");
  bool violated = report->result->answer == ANSWER_UNSAFE && report->program && report->trace;
  if (violated) add_violation(report, &files, out);
  sarif_add_suppressed(report, &files, !violated, out);
  text_add(out, "],\n");
  sarif_add_artifacts(&files, out);
  text_add(out, "    }\n  ]\n}\n");
  sarif_files_free(&files);
}
