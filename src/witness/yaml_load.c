#include "witness/yaml_load.h"

#include <assert.h>

enum { DEEPEST = 100, MOST_ANCHORS = 1000 };

// Counted over the events so far.
typedef struct Extent {
  unsigned depth, anchors;
} Extent;

static bool is_anchored(const yaml_event_t *event) {
  switch (event->type) {
  case YAML_SCALAR_EVENT: return event->data.scalar.anchor != NULL;
  case YAML_SEQUENCE_START_EVENT: return event->data.sequence_start.anchor != NULL;
  case YAML_MAPPING_START_EVENT: return event->data.mapping_start.anchor != NULL;
  default: return event->type == YAML_ALIAS_EVENT;
  }
}

static void extend(Extent *extent, const yaml_event_t *event) {
  yaml_event_type_t type = event->type;
  if (type == YAML_SEQUENCE_START_EVENT || type == YAML_MAPPING_START_EVENT) extent->depth++;
  if (type == YAML_SEQUENCE_END_EVENT || type == YAML_MAPPING_END_EVENT) extent->depth--;
  extent->anchors += is_anchored(event);
}

// If the reader of libyaml finds a bad byte, it gives no line; line 1 is reported then.
static void describe_problem(const yaml_parser_t *parser, size_t *line, Text *problem) {
  *line = parser->error == YAML_READER_ERROR ? 1 : parser->problem_mark.line + 1;
  text_add(problem, parser->problem ? parser->problem : "not YAML");
}

// Parses the first document without building it.
static bool is_within_bounds(yaml_parser_t *parser, size_t *line, Text *problem) {
  Extent extent = {0};
  for (bool more = true; more;) {
    yaml_event_t event;
    if (!yaml_parser_parse(parser, &event)) {
      describe_problem(parser, line, problem);
      return false;
    }
    extend(&extent, &event);
    assert(extent.depth <= DEEPEST + 1);
    *line = event.start_mark.line + 1;
    more = event.type != YAML_DOCUMENT_END_EVENT && event.type != YAML_STREAM_END_EVENT;
    yaml_event_delete(&event);
    if (extent.depth > DEEPEST) text_add(problem, "nested too deeply");
    if (extent.anchors > MOST_ANCHORS) text_add(problem, "too many anchors and aliases");
    if (problem->length) return false;
  }
  return true;
}

static void open_parser(yaml_parser_t *parser, const char *text, size_t length) {
  if (!yaml_parser_initialize(parser)) memory_exhausted(NULL, sizeof *parser);
  yaml_parser_set_input_string(parser, (const unsigned char *)text, length);
}

bool yaml_load(const char *text, size_t length, yaml_document_t *document, size_t *line, Text *problem) {
  yaml_parser_t parser;
  open_parser(&parser, text, length);
  bool good = is_within_bounds(&parser, line, problem);
  yaml_parser_delete(&parser);
  if (!good) return false;
  open_parser(&parser, text, length);
  good = yaml_parser_load(&parser, document);
  if (!good) describe_problem(&parser, line, problem);
  yaml_parser_delete(&parser);
  return good;
}
