#include "report/page/html_data.h"

#include "base/file.h"
#include "report/explain.h"
#include "verdict/json.h"

#include <assert.h>

enum {
  LARGEST_SOURCE = 4 << 20, // larger files are left out
  LARGEST_PROOF = 1 << 20   // further lines of a proof are left out
};

// --- texts ---

static void add_ascii(Text *out, unsigned char c) {
  switch (c) {
  case '"': text_add(out, "\\\""); break;
  case '\\': text_add(out, "\\\\"); break;
  case '\n': text_add(out, "\\n"); break;
  case '\t': text_add(out, "\\t"); break;
  default:
    if (c < 0x20 || c == 0x7f || c == '<' || c == '>' || c == '&')
      text_format(out, "\\u%04x", (unsigned)c);
    else
      text_add_char(out, (char)c);
  }
}

void html_add_string(Text *out, const char *bytes, size_t count) {
  text_add_char(out, '"');
  for (size_t i = 0; i < count;) {
    uint32_t code;
    size_t length = utf8_decode(bytes + i, count - i, &code);
    if (length == 1)
      add_ascii(out, (unsigned char)bytes[i]);
    else if (length)
      text_add_bytes(out, bytes + i, length);
    else
      text_add(out, "\\ufffd");
    assert(length <= count - i);
    i += length ? length : 1;
  }
  text_add_char(out, '"');
}

// The same as the value of a member, with a comma before it.
static void html_add_member(Text *out, const char *name, const char *value) {
  text_format(out, ",\n\"%s\":", name);
  html_add_string(out, value, strlen(value));
}

// --- sources ---

size_t html_source_index(HtmlSources *sources, const char *path) {
  for (size_t i = 0; i < sources->count; i++)
    if (strcmp(sources->paths[i], path) == 0) return i;
  if (sources->count == sources->capacity) {
    size_t capacity = sources->capacity ? sources->capacity * 2 : 8;
    sources->paths = memory_resize(NULL, sources->paths, sources->capacity * sizeof *sources->paths,
                                   capacity * sizeof *sources->paths);
    sources->capacity = capacity;
  }
  assert(path && sources->count < sources->capacity);
  sources->paths[sources->count] = path;
  return sources->count++;
}

static void add_sources(const HtmlSources *sources, Text *out) {
  text_add(out, ",\n\"sources\":[");
  for (size_t i = 0; i < sources->count; i++) {
    Text content;
    text_init(&content, NULL);
    bool known = file_read(&content, sources->paths[i], LARGEST_SOURCE, NULL);
    text_add(out, i ? ",\n{\"path\":" : "\n{\"path\":");
    html_add_string(out, sources->paths[i], strlen(sources->paths[i]));
    text_add(out, ",\"text\":");
    if (known)
      html_add_string(out, content.data, content.length);
    else
      text_add(out, "null");
    text_add_char(out, '}');
    text_free(&content);
  }
  text_add_char(out, ']');
}

// --- the result ---

static const char *separator(size_t index) { return index ? "," : ""; }

static void add_notes(const Result *result, Text *out) {
  Text lines;
  text_init(&lines, NULL);
  result_tell_notes(result, &lines);
  text_add(out, ",\n\"notes\":[");
  const char *line = lines.data;
  for (size_t i = 0; *line; i++) {
    size_t length = strcspn(line, "\n");
    text_add(out, separator(i));
    html_add_string(out, line, length);
    line += length + 1;
  }
  text_add_char(out, ']');
  text_free(&lines);
}

static void add_lists(const Report *report, Text *out) {
  const Result *result = report->result;
  add_notes(result, out);
  text_add(out, ",\n\"files\":[");
  for (size_t i = 0; i < report->file_count; i++) {
    text_add(out, separator(i));
    html_add_string(out, report->files[i], strlen(report->files[i]));
  }
  text_add(out, "],\n\"assumptions\":[");
  Text line;
  text_init(&line, NULL);
  size_t shown = 0;
  for (AssumptionCursor at = {0}; result_next_assumption(result, result->assumptions, &at, &line);) {
    text_add(out, separator(shown++));
    html_add_string(out, line.data, line.length);
  }
  text_free(&line);
  text_add(out, "],\n\"cuts\":[");
  for (size_t i = 0; i < result->cuts.count; i++) {
    const MetCut *cut = &result->cuts.data[i];
    text_add(out, i ? ",[" : "[");
    html_add_string(out, cut_kind_text(cut->kind), strlen(cut_kind_text(cut->kind)));
    text_add_char(out, ',');
    html_add_string(out, cut->what.data, cut->what.length);
    text_add_char(out, ']');
  }
  text_add(out, "],\n\"statistics\":[");
  for (size_t i = 0; i < result->statistics.count; i++) {
    const Statistic *row = &result->statistics.data[i];
    text_add(out, i ? ",[" : "[");
    html_add_string(out, row->name, strlen(row->name));
    text_add_char(out, ',');
    json_add_number(out, row->value);
    text_add_char(out, ']');
  }
  text_add_char(out, ']');
}

static void add_threads(const Program *program, Text *out) {
  text_add(out, ",\n\"threads\":[");
  for (size_t i = 0; program && i < program->threads.count; i++) {
    const Thread *row = &program->threads.data[i];
    const char *routine = row->routine ? row->routine : "?";
    text_add(out, i ? ",{\"path\":" : "{\"path\":");
    html_add_string(out, row->path, strlen(row->path));
    text_add(out, ",\"label\":");
    html_add_string(out, row->label, strlen(row->label));
    text_add(out, ",\"routine\":");
    html_add_string(out, routine, strlen(routine));
    text_format(out, ",\"parent\":%d}", row->parent == NO_ID ? -1 : (int)row->parent);
  }
  text_add_char(out, ']');
}

static void add_proof(const Text *proof, Text *out) {
  size_t length = proof->length;
  if (length > LARGEST_PROOF)
    for (length = LARGEST_PROOF; length && proof->data[length - 1] != '\n';) length--;
  text_add(out, ",\n\"proof\":");
  html_add_string(out, proof->data, length);
}

static void add_explanation(const Report *report, Text *out) {
  Text why;
  text_init(&why, NULL);
  if (report->program && report->trace) explain_violation(report->program, report->trace, report->result, &why);
  html_add_member(out, "why", why.data);
  text_free(&why);
}

void html_add_data(const Report *report, Text *out) {
  const Result *result = report->result;
  HtmlSources sources = {0};
  text_add(out, "{\"answer\":");
  html_add_string(out, answer_text(result->answer), strlen(answer_text(result->answer)));
  html_add_member(out, "version", report->version);
  html_add_member(out, "model", report->data_model ? report->data_model : "");
  html_add_member(out, "property", property_name(result->property));
  html_add_member(out, "claim", property_summary(result->property));
  html_add_member(out, "violation", result->violation.data);
  add_explanation(report, out);
  Text reason;
  text_init(&reason, NULL);
  result_add_reason(result, &reason);
  html_add_member(out, "reason", reason.data);
  text_free(&reason);
  html_add_member(out, "covered", result->covered.data);
  html_add_member(out, "invariant", report->invariant ? report->invariant : "");
  add_proof(&result->proof, out);
  add_lists(report, out);
  add_threads(report->program, out);
  if (report->program && report->trace) html_add_trace(report, &sources, out);
  // The positions of steps name files as clang does. The user's names for the same files would add them a second time.
  for (size_t i = 0, known = sources.count; !known && i < report->file_count; i++)
    html_source_index(&sources, report->files[i]);
  add_sources(&sources, out);
  text_add(out, "}\n");
  memory_free(NULL, sources.paths, sources.capacity * sizeof *sources.paths);
}
