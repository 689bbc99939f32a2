#include "reach/control.h"

#include "reach/transition.h"

void control_table_init(ControlTable *table, const Program *program, Account *account) {
  *table = (ControlTable){.program = program, .thread_count = (uint32_t)program->threads.count};
  U32Vector_init(&table->locations, account);
  U32Vector_init(&table->older, account);
  U32Vector_init(&table->scratch, account);
  U32Vector_resize(&table->scratch, table->thread_count);
  map_init(&table->known, account);
}

void control_table_free(ControlTable *table) {
  map_free(&table->known);
  U32Vector_free(&table->scratch);
  U32Vector_free(&table->older);
  U32Vector_free(&table->locations);
}

// The number of the vector in `scratch`.
static ControlId intern_control(ControlTable *table) {
  size_t bytes = table->thread_count * sizeof(LocationId);
  const uint32_t *vector = table->scratch.data;
  uint64_t hash = hash_bytes(vector, bytes);
  uint32_t newest = (uint32_t)map_get_or(&table->known, hash, NO_ID);
  for (uint32_t c = newest; c != NO_ID; c = table->older.data[c])
    if (memcmp(table->locations.data + (size_t)c * table->thread_count, vector, bytes) == 0) return c;
  ControlId id = (ControlId)table->older.count;
  U32Vector_push(&table->older, newest);
  for (uint32_t t = 0; t < table->thread_count; t++) U32Vector_push(&table->locations, vector[t]);
  map_put(&table->known, hash, id);
  return id;
}

ControlId control_initial(ControlTable *table) {
  for (uint32_t t = 0; t < table->thread_count; t++) table->scratch.data[t] = NO_ID;
  table->scratch.data[0] = table->program->threads.data[0].entry;
  return intern_control(table);
}

ControlId control_after(ControlTable *table, ControlId control, ThreadId thread, LocationId to, ThreadId born) {
  for (uint32_t t = 0; t < table->thread_count; t++) table->scratch.data[t] = control_at(table, control, t);
  table->scratch.data[thread] = to;
  EdgeId start;
  if (born != NO_ID) table->scratch.data[born] = thread_beginning(table->program, born, &start);
  return intern_control(table);
}

bool control_follows(const ControlTable *table, ControlId control, ThreadId thread, LocationId to, ThreadId born,
                     ControlId after) {
  EdgeId start;
  for (ThreadId t = 0; t < table->thread_count; t++) {
    LocationId at = control_at(table, control, t);
    if (t == thread) at = to;
    if (t == born) at = thread_beginning(table->program, t, &start);
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
