#include "reach/tree/control.h"

#include "program/passes/rewrite.h"

static void number_locations(ControlTable *table, Account *account) {
  U32Vector order;
  U32Vector_init(&order, account);
  program_reverse_postorder(table->program, &order, NULL);
  U32Vector_resize(&table->positions, table->program->locations.count);
  memset(table->positions.data, 0, table->positions.count * sizeof(uint32_t));
  for (size_t i = 0; i < order.count; i++) table->positions.data[order.data[i]] = (uint32_t)i + 1;
  // Joint edges lead forward, too.
  for (LocationId l = 0; l < table->program->locations.count; l++)
    if (program_is_joint_end(table->program, l)) table->positions.data[l] = (uint32_t)order.count + 1;
  U32Vector_free(&order);
}

void control_table_init(ControlTable *table, const Program *program, Account *account) {
  *table = (ControlTable){.program = program, .thread_count = (uint32_t)program->threads.count};
  U32Vector_init(&table->locations, account);
  U32Vector_init(&table->iterations, account);
  U32Vector_init(&table->older, account);
  U32Vector_init(&table->scratch, account);
  U32Vector_resize(&table->scratch, 2 * table->thread_count);
  memset(table->scratch.data, 0, 2 * table->thread_count * sizeof(uint32_t));
  map_init(&table->known, account);
  U32Vector_init(&table->positions, account);
  number_locations(table, account);
}

void control_table_count_iterations(ControlTable *table) {
  assert(control_count(table) == 0);
  table->counts_iterations = true;
}

void control_table_free(ControlTable *table) {
  U32Vector_free(&table->positions);
  map_free(&table->known);
  U32Vector_free(&table->scratch);
  U32Vector_free(&table->older);
  U32Vector_free(&table->iterations);
  U32Vector_free(&table->locations);
}

// Is it the vector in `scratch`, locations first, then iterations?
static bool is_scratch(const ControlTable *table, ControlId control) {
  size_t first = (size_t)control * table->thread_count, bytes = table->thread_count * sizeof(uint32_t);
  const uint32_t *scratch = table->scratch.data;
  if (memcmp(table->locations.data + first, scratch, bytes) != 0) return false;
  return !table->counts_iterations || memcmp(table->iterations.data + first, scratch + table->thread_count, bytes) == 0;
}

// The number of the vector in `scratch`.
static ControlId intern_control(ControlTable *table) {
  const uint32_t *vector = table->scratch.data;
  size_t length = table->counts_iterations ? 2 * (size_t)table->thread_count : table->thread_count;
  uint64_t hash = hash_bytes(vector, length * sizeof(uint32_t));
  uint32_t newest = (uint32_t)map_get_or(&table->known, hash, NO_ID);
  for (uint32_t c = newest; c != NO_ID; c = table->older.data[c])
    if (is_scratch(table, c)) return c;
  ControlId id = (ControlId)table->older.count;
  U32Vector_push(&table->older, newest);
  for (uint32_t t = 0; t < table->thread_count; t++) U32Vector_push(&table->locations, vector[t]);
  for (uint32_t t = table->thread_count; t < length; t++) U32Vector_push(&table->iterations, vector[t]);
  map_put(&table->known, hash, id);
  return id;
}

// Copies a vector to `scratch`.
static void load_control(ControlTable *table, ControlId control) {
  for (uint32_t t = 0; t < table->thread_count; t++) {
    table->scratch.data[t] = control_at(table, control, t);
    table->scratch.data[table->thread_count + t] = control_iterations(table, control, t);
  }
}

ControlId control_initial(ControlTable *table) {
  memset(table->scratch.data, 0, table->scratch.count * sizeof(uint32_t));
  for (uint32_t t = 0; t < table->thread_count; t++) table->scratch.data[t] = NO_ID;
  table->scratch.data[0] = table->program->threads.data[0].entry;
  return intern_control(table);
}

ControlId control_after(ControlTable *table, ControlId control, ThreadId thread, LocationId to, ThreadMask started) {
  assert(control < control_count(table) && thread < table->thread_count);
  load_control(table, control);
  table->scratch.data[thread] = to;
  EdgeId start;
  for (; started != 0; started &= started - 1)
    table->scratch.data[first_thread(started)] = thread_beginning(table->program, first_thread(started), &start);
  return intern_control(table);
}

ControlId control_along(ControlTable *table, ControlId control, EdgeId edge, ThreadMask started) {
  const Edge *e = &table->program->edges.data[edge];
  ThreadId thread = table->program->locations.data[e->from].thread;
  assert(control_at(table, control, thread) == e->from);
  ControlId after = control_after(table, control, thread, e->to, started);
  if (!table->counts_iterations || !control_goes_back(table, edge)) return after;
  load_control(table, after);
  table->scratch.data[table->thread_count + thread]++;
  return intern_control(table);
}

uint64_t control_progress(const ControlTable *table, ControlId control) {
  uint64_t most = 0, sum = 0, weight = table->positions.count + 1; // an iteration weighs more than any backward edge
  for (ThreadId t = 0; t < table->thread_count; t++) {
    LocationId at = control_at(table, control, t);
    uint64_t iterations = control_iterations(table, control, t);
    if (at != NO_ID) sum += table->positions.data[at] + iterations * weight;
    if (iterations > most) most = iterations;
  }
  return most << 40 | (sum < UINT64_C(1) << 40 ? sum : (UINT64_C(1) << 40) - 1);
}

bool control_follows(const ControlTable *table, ControlId control, ThreadId thread, LocationId to, ThreadMask started,
                     ControlId after) {
  EdgeId start;
  for (ThreadId t = 0; t < table->thread_count; t++) {
    LocationId at = control_at(table, control, t);
    if (t == thread) at = to;
    if (started & thread_bit(t)) at = thread_beginning(table->program, t, &start);
    if (control_at(table, after, t) != at) return false;
  }
  return true;
}

ThreadId control_holder(const ControlTable *table, ControlId control) {
  for (ThreadId t = 0; t < table->thread_count; t++) {
    LocationId at = control_at(table, control, t);
    if (at != NO_ID && table->program->locations.data[at].atomic) return t;
  }
  return NO_ID;
}
