#include "witness/event_map.h"

#include "base/file.h"
#include "base/printable.h"

#include "base/bitset.h"

#include <assert.h>

typedef bool (*NamesMatch)(const char *a, const char *b);

static bool same_name(const char *a, const char *b) { return strcmp(a, b) == 0; }

// One name is the end of the other: the longer one has more folders in front.
static bool same_end(const char *a, const char *b) {
  while (strncmp(a, "./", 2) == 0) a += 2;
  while (strncmp(b, "./", 2) == 0) b += 2;
  size_t length_a = strlen(a), length_b = strlen(b);
  const char *longer = length_a >= length_b ? a : b, *shorter = length_a >= length_b ? b : a;
  size_t difference = length_a >= length_b ? length_a - length_b : length_b - length_a;
  return strcmp(longer + difference, shorter) == 0 && (difference == 0 || longer[difference - 1] == '/');
}

// A witness is UTF-8. A name that is not UTF-8 is written there in its printable form, so that form is compared.
static void add_last_component(const char *name, Text *out) {
  const char *slash = strrchr(name, '/');
  const char *last = slash ? slash + 1 : name;
  text_add_printable(out, last, strlen(last), PRINTABLE_LINE);
}

bool same_file(const char *a, const char *b) {
  Text last_a, last_b;
  text_init(&last_a, NULL);
  text_init(&last_b, NULL);
  add_last_component(a, &last_a);
  add_last_component(b, &last_b);
  bool same = strcmp(last_a.data, last_b.data) == 0;
  text_free(&last_b);
  text_free(&last_a);
  return same;
}

static uint32_t find_file(const EventMap *map, const char *name, NamesMatch match) {
  for (size_t i = 0; i < map->files.count; i++)
    if (match(map->files.data[i], name)) return (uint32_t)i;
  return NO_ID;
}

uint32_t event_map_file(const EventMap *map, const char *name) {
  static const NamesMatch matches[] = {same_name, same_end, same_file};
  uint32_t file = NO_ID;
  for (size_t i = 0; i < sizeof matches / sizeof *matches && file == NO_ID; i++)
    file = find_file(map, name, matches[i]);
  return file;
}

static void add_file(EventMap *map, const char *name) {
  StringVector_push(&map->files, name);
  StatementsVector_resize(&map->statements, map->files.count);
  Text source;
  text_init(&source, map->account);
  (void)file_read(&source, name, FILE_MOST_DATA, NULL); // on failure: no statements
  statements_scan(StatementsVector_last(&map->statements), source.data, source.length, map->account);
  text_free(&source);
  assert(map->statements.count == map->files.count);
}

static bool same_function(const Step *a, const Step *b) { return a->position.function == b->position.function; }

static bool same_statement(const EdgeEvent *a, const EdgeEvent *b) {
  return a->file == b->file && a->statement == b->statement;
}

// START and EXIT steps have the position of the thread's routine, which is not that of a statement.
static bool has_place(const Step *step) {
  return step->position.file && step->position.line && step->kind != STEP_START && step->kind != STEP_EXIT;
}

// Adds the files that the user's files include and that hold code.
static void add_included_files(EventMap *map) {
  const char *last = NULL; // names are interned
  for (EdgeId e = 0; e < map->program->edges.count; e++) {
    const Step *step = edge_first_step(map->program, e);
    if (!has_place(step) || step->position.file == last) continue;
    last = step->position.file;
    if (find_file(map, last, same_name) == NO_ID && find_file(map, last, same_end) == NO_ID) add_file(map, last);
  }
}

static void place_edge(EventMap *map, EdgeId e) {
  const Step *step = edge_first_step(map->program, e);
  EdgeEvent *event = &map->edges[e];
  *event = (EdgeEvent){.file = NO_ID, .statement = NO_ID};
  if (!has_place(step)) return;
  event->file = event_map_file(map, step->position.file);
  if (event->file == NO_ID) return;
  const Statements *statements = &map->statements.data[event->file];
  SourcePoint point = {step->position.line, step->position.column};
  uint32_t statement = statements_at(statements, point);
  if (statement == UINT32_MAX) {
    event->file = NO_ID;
    return;
  }
  event->statement = statement;
  assert(statement < statements->first_mark.count);
  for (uint32_t i = 0; i < step->assignment_count; i++)
    event->input = event->input || (!step->position.library && step->assignments[i].value == VALUE_INPUT);
  event->creates = step->kind == STEP_CREATE;
  if (event->input || event->creates) event->call = statements_call_end(statements, point);
}

// Searches backwards for the edges of the same function that may be executed before edge `e`: does one of them belong
// to another statement? `seen` is empty before and after; `work` is scratch space.
static bool begins_statement(const EventMap *map, EdgeId e, Bitset *seen, U32Vector *work) {
  const Program *p = map->program;
  const Step *step = edge_first_step(p, e);
  bool found = false;
  U32Vector_clear(work);
  U32Vector_push(work, p->edges.data[e].from);
  size_t first = 0;
  for (; first < work->count && !found; first++) {
    const Location *location = &p->locations.data[work->data[first]];
    if (location->in_count == 0) found = true;
    for (uint32_t i = 0; i < location->in_count && !found; i++) {
      EdgeId before = location_in_edge(p, location, i);
      const Edge *edge = &p->edges.data[before];
      if (edge->back || edge_first_step(p, before)->kind == STEP_START)
        found = true;
      else if (same_function(edge_first_step(p, before), step) && map->edges[before].statement != NO_ID)
        found = !same_statement(&map->edges[before], &map->edges[e]);
      else if (!bitset_get(seen, edge->from)) {
        bitset_set(seen, edge->from);
        U32Vector_push(work, edge->from);
      }
    }
  }
  for (size_t i = 1; i < work->count; i++) bitset_reset(seen, work->data[i]);
  return found;
}

// How an edge leaves the condition of its statement: into the statement that the condition guards, or past it.
static BranchWay branch_way(const EventMap *map, EdgeId e) {
  const Program *p = map->program;
  const EdgeEvent *event = &map->edges[e];
  if (event->statement == NO_ID) return BRANCH_NONE;
  const Statements *statements = &map->statements.data[event->file];
  StatementKind kind = statements_kind(statements, event->statement);
  if (kind != STATEMENT_IF && kind != STATEMENT_LOOP) return BRANCH_NONE;
  const Location *to = &p->locations.data[p->edges.data[e].to];
  if (p->locations.data[p->edges.data[e].from].out_count < 2 || to->out_count == 0) return BRANCH_NONE;
  const EdgeEvent *next = &map->edges[location_out_edge(p, to, 0)];
  if (next->statement == NO_ID || next->file != event->file || next->statement == event->statement) return BRANCH_NONE;
  return next->statement == event->statement + 1 ? BRANCH_TRUE : BRANCH_FALSE;
}

void event_map_init(EventMap *map, const Program *program, const char *const *files, size_t file_count,
                    Account *account) {
  *map = (EventMap){.program = program, .account = account};
  StringVector_init(&map->files, account);
  StatementsVector_init(&map->statements, account);
  for (size_t i = 0; i < file_count; i++) add_file(map, files[i]);
  add_included_files(map);
  size_t count = program->edges.count;
  map->edges = memory_allocate_zeroed(account, count * sizeof(EdgeEvent));
  for (EdgeId e = 0; e < count; e++) place_edge(map, e);
  Bitset seen;
  bitset_init(&seen, program->locations.count, account);
  U32Vector work;
  U32Vector_init(&work, account);
  for (EdgeId e = 0; e < count; e++)
    if (map->edges[e].statement != NO_ID) {
      map->edges[e].begins = begins_statement(map, e, &seen, &work);
      map->edges[e].way = branch_way(map, e);
    }
  U32Vector_free(&work);
  bitset_free(&seen);
}

void event_map_free(EventMap *map) {
  memory_free(map->account, map->edges, map->program->edges.count * sizeof(EdgeEvent));
  for (size_t i = 0; i < map->statements.count; i++) statements_free(&map->statements.data[i]);
  StatementsVector_free(&map->statements);
  StringVector_free(&map->files);
}
