#include "witness/witness.h"

#include "witness/expression.h"
#include "witness/yaml_load.h"

#include <assert.h>
#include <stdlib.h>

typedef struct Reader {
  Witness *witness;
  yaml_document_t document;
  Text *error, *notes;
} Reader;

static const char *waypoint_type_text(WaypointType type) {
  static const char *const texts[] = {
#define X(name, text) text,
      WAYPOINT_TYPES(X)
#undef X
  };
  assert(type < WAYPOINT_TYPE_COUNT);
  return texts[type];
}

static unsigned line_of(const yaml_node_t *node) { return (unsigned)node->start_mark.line + 1; }

static bool fail(Reader *r, const yaml_node_t *node, const char *format, ...) __attribute__((format(printf, 3, 4)));

static bool fail(Reader *r, const yaml_node_t *node, const char *format, ...) {
  if (node) text_format(r->error, "line %u: ", line_of(node));
  va_list arguments;
  va_start(arguments, format);
  text_vformat(r->error, format, arguments);
  va_end(arguments);
  return false;
}

static const char *scalar(const yaml_node_t *node) {
  return node && node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : NULL;
}

// The value of a key of a mapping; NULL if there is none.
static yaml_node_t *member(Reader *r, const yaml_node_t *node, const char *name) {
  if (!node || node->type != YAML_MAPPING_NODE) return NULL;
  for (yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top; pair++) {
    const char *key = scalar(yaml_document_get_node(&r->document, pair->key));
    if (key && strcmp(key, name) == 0) return yaml_document_get_node(&r->document, pair->value);
  }
  return NULL;
}

// Reads the text of a key that must be present.
static bool text_member(Reader *r, const yaml_node_t *node, const char *name, const char **value) {
  const yaml_node_t *child = member(r, node, name);
  const char *text = scalar(child);
  if (!text || !*text) return fail(r, child ? child : node, "%s is missing or no text", name);
  *value = arena_string(&r->witness->arena, text);
  return true;
}

static bool number_member(Reader *r, const yaml_node_t *node, const char *name, uint32_t *value) {
  const yaml_node_t *child = member(r, node, name);
  const char *text = scalar(child);
  char *end = NULL;
  unsigned long number = text && *text >= '0' && *text <= '9' ? strtoul(text, &end, 10) : 0;
  if (!end || *end || number > UINT32_MAX) return fail(r, child ? child : node, "%s is missing or no number", name);
  *value = (uint32_t)number;
  return true;
}

static void note_unknown_keys(Reader *r, const yaml_node_t *node, const char *what, const char *const *names) {
  assert(node->type == YAML_MAPPING_NODE);
  for (yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top; pair++) {
    const yaml_node_t *name = yaml_document_get_node(&r->document, pair->key);
    const char *key = scalar(name);
    bool known = false;
    for (const char *const *n = names; *n && key; n++) known |= strcmp(*n, key) == 0;
    if (!known) text_format(r->notes, "line %u: %s `%s` is ignored\n", line_of(name), what, key ? key : "?");
  }
}

// --- metadata ---

static bool read_files(Reader *r, const yaml_node_t *task) {
  const yaml_node_t *files = member(r, task, "input_files"), *hashes = member(r, task, "input_file_hashes");
  if (!files || files->type != YAML_SEQUENCE_NODE) return fail(r, task, "input_files is missing or no list");
  if (!hashes || hashes->type != YAML_MAPPING_NODE) return fail(r, task, "input_file_hashes is missing or no mapping");
  for (yaml_node_item_t *item = files->data.sequence.items.start; item < files->data.sequence.items.top; item++) {
    const yaml_node_t *node = yaml_document_get_node(&r->document, *item);
    const char *name = scalar(node);
    if (!name || !*name) return fail(r, node, "the name of an input file is no text");
    HashedFile file = {.name = arena_string(&r->witness->arena, name)};
    if (!text_member(r, hashes, name, &file.hash)) return false;
    HashedFileVector_push(&r->witness->files, file);
  }
  return r->witness->files.count > 0 || fail(r, files, "input_files is empty");
}

static bool read_metadata(Reader *r, const yaml_node_t *node) {
  Witness *w = r->witness;
  const yaml_node_t *task = member(r, node, "task"), *producer = member(r, node, "producer");
  const char *ignored;
  if (!node || node->type != YAML_MAPPING_NODE) return fail(r, node, "metadata is missing or no mapping");
  if (!text_member(r, node, "format_version", &w->format_version)) return false;
  if (strncmp(w->format_version, "2.", 2) != 0)
    return fail(r, node, "format version %s is not one of 2.0, 2.1, 2.2", w->format_version);
  if (!text_member(r, node, "uuid", &ignored) || !text_member(r, node, "creation_time", &ignored)) return false;
  if (!producer || !text_member(r, producer, "name", &w->producer)) return fail(r, node, "producer has no name");
  if (!task || task->type != YAML_MAPPING_NODE) return fail(r, node, "task is missing or no mapping");
  return read_files(r, task) && text_member(r, task, "specification", &w->specification) &&
         text_member(r, task, "data_model", &w->data_model) && text_member(r, task, "language", &ignored);
}

// --- content ---

static bool read_location(Reader *r, const yaml_node_t *node, Waypoint *waypoint) {
  const yaml_node_t *location = member(r, node, "location");
  if (!location || location->type != YAML_MAPPING_NODE) return fail(r, node, "a waypoint has no location");
  if (!text_member(r, location, "file_name", &waypoint->file)) return false;
  if (!number_member(r, location, "line", &waypoint->at.line)) return false;
  if (member(r, location, "column") && !number_member(r, location, "column", &waypoint->at.column)) return false;
  const char *function = scalar(member(r, location, "function"));
  if (function && *function) waypoint->function = arena_string(&r->witness->arena, function);
  return waypoint->at.line > 0 || fail(r, location, "lines are counted from 1");
}

static bool read_constraint(Reader *r, const yaml_node_t *node, Waypoint *waypoint) {
  const yaml_node_t *constraint = member(r, node, "constraint");
  if (!constraint) {
    bool needed = waypoint->type == WAYPOINT_ASSUMPTION || waypoint->type == WAYPOINT_BRANCHING;
    return !needed || fail(r, node, "a waypoint of type %s has no constraint", waypoint_type_text(waypoint->type));
  }
  if (waypoint->type == WAYPOINT_TARGET || waypoint->type == WAYPOINT_FUNCTION_ENTER)
    return fail(r, constraint, "a waypoint of type %s has a constraint", waypoint_type_text(waypoint->type));
  if (!text_member(r, constraint, "value", &waypoint->constraint)) return false;
  const char *format = scalar(member(r, constraint, "format"));
  if (format && strcmp(format, "c_expression") != 0 && strcmp(format, "acsl_expression") != 0 &&
      strcmp(format, "ext_c_expression") != 0) {
    text_format(r->notes, "line %u: the format %s of a constraint is not known\n", line_of(constraint), format);
    waypoint->format_unknown = true;
  }
  if (waypoint->type == WAYPOINT_BRANCHING || waypoint->format_unknown) return true;
  Text complaint;
  text_init(&complaint, NULL);
  bool good = expression_valid(waypoint->constraint, &complaint) || fail(r, constraint, "%s", complaint.data);
  text_free(&complaint);
  return good;
}

static bool read_waypoint(Reader *r, const yaml_node_t *item, Waypoint *waypoint) {
  static const char *const keys[] = {"type", "action", "constraint", "location", "thread_id", NULL};
  const yaml_node_t *node = member(r, item, "waypoint");
  *waypoint = (Waypoint){.type = WAYPOINT_TYPE_COUNT, .thread = -1};
  if (!node || node->type != YAML_MAPPING_NODE) return fail(r, item, "an element of a segment is no waypoint");
  waypoint->yaml_line = line_of(node);
  const char *type, *action;
  if (!text_member(r, node, "type", &type) || !text_member(r, node, "action", &action)) return false;
  for (WaypointType t = 0; t < WAYPOINT_TYPE_COUNT; t++)
    if (strcmp(waypoint_type_text(t), type) == 0) waypoint->type = t;
  if (waypoint->type == WAYPOINT_TYPE_COUNT) return fail(r, node, "waypoints of type %s are not known", type);
  waypoint->avoid = strcmp(action, "avoid") == 0;
  if (!waypoint->avoid && strcmp(action, "follow") != 0) return fail(r, node, "the action %s is not known", action);
  if (waypoint->avoid && waypoint->type == WAYPOINT_TARGET) return fail(r, node, "a target cannot be avoided");
  uint32_t thread = 0;
  if (member(r, node, "thread_id")) {
    if (!number_member(r, node, "thread_id", &thread)) return false;
    if (thread >= INT32_MAX) return fail(r, node, "thread_id %u is too large", thread);
    waypoint->thread = (int32_t)thread;
  }
  note_unknown_keys(r, node, "the key", keys);
  return read_constraint(r, node, waypoint) && read_location(r, node, waypoint);
}

static bool read_segment(Reader *r, const yaml_node_t *item, bool last) {
  Witness *w = r->witness;
  const yaml_node_t *node = member(r, item, "segment");
  if (!node || node->type != YAML_SEQUENCE_NODE) return fail(r, item, "an element of the content is no segment");
  Segment segment = {.first = (uint32_t)w->waypoints.count};
  bool target = false;
  for (yaml_node_item_t *i = node->data.sequence.items.start; i < node->data.sequence.items.top; i++) {
    const yaml_node_t *child = yaml_document_get_node(&r->document, *i);
    Waypoint waypoint;
    if (!read_waypoint(r, child, &waypoint)) return false;
    if (waypoint.avoid && segment.follow_count) return fail(r, child, "a waypoint to avoid after the one to follow");
    if (waypoint.avoid)
      segment.avoid_count++;
    else
      segment.follow_count++;
    target = target || waypoint.type == WAYPOINT_TARGET;
    if (segment.follow_count > 1 && waypoint.type != WAYPOINT_TARGET)
      return fail(r, child, "a segment with two waypoints to follow");
    WaypointVector_push(&w->waypoints, waypoint);
  }
  assert(segment.first + segment.avoid_count + segment.follow_count == w->waypoints.count);
  if (segment.follow_count == 0) return fail(r, node, "a segment without a waypoint to follow");
  if (target && !last) return fail(r, node, "the target is not in the last segment");
  if (!target && last) return fail(r, node, "the last segment has no target");
  SegmentVector_push(&w->segments, segment);
  return true;
}

static bool read_entry(Reader *r, const yaml_node_t *entry) {
  const char *type;
  if (!text_member(r, entry, "entry_type", &type) || !read_metadata(r, member(r, entry, "metadata"))) return false;
  if (strcmp(type, "invariant_set") == 0) {
    r->witness->kind = WITNESS_CORRECTNESS;
    return true;
  }
  if (strcmp(type, "violation_sequence") != 0) return fail(r, entry, "the entry type %s is not known", type);
  const yaml_node_t *content = member(r, entry, "content");
  if (!content || content->type != YAML_SEQUENCE_NODE) return fail(r, entry, "content is missing or no list");
  if (content->data.sequence.items.start == content->data.sequence.items.top)
    return fail(r, content, "the content is empty");
  for (yaml_node_item_t *i = content->data.sequence.items.start; i < content->data.sequence.items.top; i++) {
    bool last = i + 1 == content->data.sequence.items.top;
    if (!read_segment(r, yaml_document_get_node(&r->document, *i), last)) return false;
  }
  return true;
}

static bool read_document(Reader *r) {
  const yaml_node_t *root = yaml_document_get_root_node(&r->document);
  if (!root || root->type != YAML_SEQUENCE_NODE || root->data.sequence.items.start == root->data.sequence.items.top)
    return fail(r, NULL, "a witness is a list of entries");
  const yaml_node_item_t *first = root->data.sequence.items.start;
  if (first + 1 < root->data.sequence.items.top) text_add(r->notes, "only the first entry is looked at\n");
  return read_entry(r, yaml_document_get_node(&r->document, *first));
}

bool witness_read(Witness *witness, const char *text, size_t length, Text *error, Text *notes, Account *account) {
  *witness = (Witness){.kind = WITNESS_VIOLATION};
  arena_init(&witness->arena, account);
  HashedFileVector_init(&witness->files, account);
  WaypointVector_init(&witness->waypoints, account);
  SegmentVector_init(&witness->segments, account);
  Reader r = {.witness = witness, .error = error, .notes = notes};
  Text problem;
  text_init(&problem, account);
  size_t line;
  bool loaded = yaml_load(text, length, &r.document, &line, &problem), good = loaded && read_document(&r);
  if (loaded)
    yaml_document_delete(&r.document);
  else
    text_format(error, "line %zu: %s", line, problem.data);
  text_free(&problem);
  assert(good || error->length > 0);
  return good;
}

void witness_free(Witness *witness) {
  HashedFileVector_free(&witness->files);
  WaypointVector_free(&witness->waypoints);
  SegmentVector_free(&witness->segments);
  arena_free(&witness->arena);
}
