// Live variables: backward over each automaton. An assignment reads its right side only if its variable is live, so
// that a counter which only counts itself is dead.
#include "base/sorted.h"
#include "program/facts/facts.h"
#include "program/passes/rewrite.h"

// --- regions ---

static bool is_root(const Program *p, LocationId id) {
  const Location *location = &p->locations.data[id];
  return location->in_count != 1 || p->threads.data[location->thread].entry == id;
}

static void find_regions(LiveRows *rows, const U32Vector *order) {
  const Program *p = rows->program;
  U32Vector counts;
  U32Vector_init(&counts, rows->account);
  for (size_t i = 0; i < order->count; i++) {
    LocationId id = order->data[i];
    if (is_root(p, id)) {
      rows->region[id] = (uint32_t)counts.count;
      U32Vector_push(&counts, 0);
    } else { // its only predecessor comes before it
      uint32_t count;
      const EdgeId *entering = location_edges_in(p, id, &count);
      assert(count == 1);
      rows->region[id] = rows->region[p->edges.data[entering[0]].from];
    }
    rows->place[id] = counts.data[rows->region[id]]++;
  }
  rows->region_count = counts.count;
  U32Vector_push(&rows->member_start, 0);
  for (size_t r = 0; r < counts.count; r++)
    U32Vector_push(&rows->member_start, rows->member_start.data[r] + counts.data[r]);
  U32Vector_resize(&rows->members, order->count);
  for (size_t i = 0; i < order->count; i++) {
    LocationId id = order->data[i];
    rows->members.data[rows->member_start.data[rows->region[id]] + rows->place[id]] = id;
  }
  U32Vector_free(&counts);
}

// --- rows: ordered lists of variables ---

static void row_add(U32Vector *row, VariableId variable) {
  size_t at = sorted_find_u32(row->data, row->count, variable);
  if (at < row->count && row->data[at] == variable) return;
  U32Vector_push(row, variable);
  memmove(row->data + at + 1, row->data + at, (row->count - 1 - at) * sizeof *row->data);
  row->data[at] = variable;
}

// True if it was there.
static bool row_remove(U32Vector *row, VariableId variable) {
  size_t at = sorted_find_u32(row->data, row->count, variable);
  if (at == row->count || row->data[at] != variable) return false;
  memmove(row->data + at, row->data + at + 1, (row->count - at - 1) * sizeof *row->data);
  row->count--;
  return true;
}

static void row_set(U32Vector *row, const uint32_t *from, size_t count) {
  U32Vector_clear(row);
  U32Vector_reserve(row, count);
  if (count) memcpy(row->data, from, count * sizeof *from);
  row->count = count;
}

// `out` becomes the union of the two.
static void row_unite(const U32Vector *a, const U32Vector *b, U32Vector *out) {
  U32Vector_clear(out);
  U32Vector_reserve(out, a->count + b->count);
  size_t i = 0, j = 0, next = 0;
  while (i < a->count || j < b->count) {
    uint32_t x = i < a->count ? a->data[i] : UINT32_MAX, y = j < b->count ? b->data[j] : UINT32_MAX;
    out->data[next++] = x < y ? x : y;
    i += x <= y;
    j += y <= x;
  }
  assert(next <= a->count + b->count);
  out->count = next;
}

// --- steps ---

static void add_uses(LiveRows *rows, StepId step, uint32_t group) {
  uint32_t count;
  const uint32_t *variables = step_uses(rows->uses, step, group, &count);
  for (uint32_t i = 0; i < count; i++)
    if (!bitset_get(&rows->everywhere, variables[i])) row_add(&rows->work, variables[i]);
}

// Does a message show what is assigned, whether or not it is read?
static bool is_shown(const Program *p, const Step *step, const Assignment *assignment) {
  if (step->kind == STEP_CHECK) return true;
  return p->variables.data[assignment->variable].pointer && !value_is_fresh(assignment->value);
}

// `work`: from what is live after the step to what is live before.
static void step_backward(LiveRows *rows, StepId id) {
  const Step *step = &rows->program->steps.data[id];
  U32Vector_clear(&rows->needed);
  for (uint32_t i = 0; i < step->assignment_count; i++) {
    VariableId variable = step->assignments[i].variable;
    bool needed = bitset_get(&rows->everywhere, variable) || row_remove(&rows->work, variable) ||
                  is_shown(rows->program, step, &step->assignments[i]);
    if (needed) U32Vector_push(&rows->needed, i);
  }
  for (size_t i = 0; i < rows->needed.count; i++) add_uses(rows, id, USES_FIRST_ASSIGNMENT + rows->needed.data[i]);
  add_uses(rows, id, USES_REST);
  if (step->access.into != NO_ID) row_remove(&rows->work, step->access.into);
  add_uses(rows, id, USES_ADDRESS);
}

// --- regions, one at a time ---

// The row of a root, or of a member of the loaded region.
static const uint32_t *row_of(const LiveRows *rows, LocationId location, uint32_t *count) {
  uint32_t region = rows->region[location], place = rows->place[location];
  *count = 0;
  if (region == NO_ID) return NULL;
  if (place == 0) {
    *count = (uint32_t)rows->roots[region].count;
    return rows->roots[region].data;
  }
  assert(region == rows->loaded);
  assert(place < rows->loaded_count.count);
  *count = rows->loaded_count.data[place];
  return rows->loaded_rows.data + rows->loaded_start.data[place];
}

// Computes the row of a location from those behind it, into `row`.
static void compute_row(LiveRows *rows, LocationId id) {
  const Program *p = rows->program;
  uint32_t edge_count;
  const EdgeId *edges = location_edges(p, id, &edge_count);
  U32Vector_clear(&rows->row);
  for (uint32_t i = 0; i < edge_count; i++) {
    const Edge *edge = &p->edges.data[edges[i]];
    uint32_t count;
    const uint32_t *after = row_of(rows, edge->to, &count);
    row_set(&rows->work, after, count);
    for (uint32_t s = edge->step_count; s-- > 0;) step_backward(rows, edge->first_step + s);
    U32Vector kept = rows->row;
    if (i > 0) {
      row_unite(&rows->row, &rows->work, &rows->spare);
      rows->row = rows->spare;
      rows->spare = kept;
    } else {
      rows->row = rows->work;
      rows->work = kept;
    }
  }
}

void live_rows_load(LiveRows *rows, uint32_t region) {
  assert(region < rows->region_count);
  uint32_t first = rows->member_start.data[region], last = rows->member_start.data[region + 1];
  rows->loaded = region;
  U32Vector_clear(&rows->loaded_rows);
  U64Vector_resize(&rows->loaded_start, last - first);
  U32Vector_resize(&rows->loaded_count, last - first);
  for (uint32_t m = last; m-- > first;) { // children before parents
    compute_row(rows, rows->members.data[m]);
    size_t at = rows->loaded_rows.count, count = rows->row.count;
    rows->loaded_start.data[m - first] = at;
    rows->loaded_count.data[m - first] = (uint32_t)count;
    U32Vector_reserve(&rows->loaded_rows, at + count);
    if (count) memcpy(rows->loaded_rows.data + at, rows->row.data, count * sizeof(uint32_t));
    rows->loaded_rows.count = at + count;
  }
}

// Stores the row of the loaded region's root; true if it grew. (Rows only grow, because the rows after an edge only
// grow.)
static bool keep_root(LiveRows *rows) {
  U32Vector *kept = &rows->roots[rows->loaded];
  if (rows->loaded_count.data[0] == kept->count) return false;
  rows->root_total += rows->loaded_count.data[0] - kept->count;
  row_set(kept, rows->loaded_rows.data + rows->loaded_start.data[0], rows->loaded_count.data[0]);
  return true;
}

// --- variables that are live nearly everywhere ---

// Takes the variables that are live at more than one root in `share` out of all rows: they count as live everywhere.
static void spread_variables(LiveRows *rows, size_t share) {
  size_t variables = rows->program->variables.count, most = rows->region_count / share;
  uint32_t *counts = memory_allocate_zeroed(rows->account, variables * sizeof *counts);
  for (size_t r = 0; r < rows->region_count; r++)
    for (size_t i = 0; i < rows->roots[r].count; i++) counts[rows->roots[r].data[i]]++;
  for (size_t v = 0; v < variables; v++)
    if (counts[v] > most) bitset_set(&rows->everywhere, v);
  memory_free(rows->account, counts, variables * sizeof *counts);
  rows->root_total = 0;
  for (size_t r = 0; r < rows->region_count; r++) {
    U32Vector *root = &rows->roots[r];
    size_t kept = 0;
    for (size_t i = 0; i < root->count; i++)
      if (!bitset_get(&rows->everywhere, root->data[i])) root->data[kept++] = root->data[i];
    root->count = kept;
    rows->root_total += kept;
  }
}

// Counters of sites are live from the first to the last step of their thread. With thousands of them, they would make
// up most of every row. The right sides of variables that count as live everywhere are needed, so every region becomes
// dirty.
static bool shrink_rows(LiveRows *rows, uint8_t *dirty) {
  if (rows->root_total <= rows->most_in_roots) return false;
  for (size_t share = 16; rows->root_total > rows->most_in_roots / 2; share *= 4) spread_variables(rows, share);
  memset(dirty, 1, rows->region_count);
  return true;
}

static void solve(LiveRows *rows) {
  const Program *p = rows->program;
  uint8_t *dirty = memory_allocate(rows->account, rows->region_count);
  if (dirty) memset(dirty, 1, rows->region_count);
  bool again = true;
  while (again) {
    again = false;
    for (uint32_t r = (uint32_t)rows->region_count; r-- > 0;) {
      if (!dirty[r]) continue;
      dirty[r] = 0;
      live_rows_load(rows, r);
      if (!keep_root(rows)) continue;
      again = true;
      if (shrink_rows(rows, dirty)) break;
      uint32_t count;
      const EdgeId *entering = location_edges_in(p, rows->members.data[rows->member_start.data[r]], &count);
      for (uint32_t i = 0; i < count; i++) {
        uint32_t from = rows->region[p->edges.data[entering[i]].from];
        if (from != NO_ID) dirty[from] = 1;
      }
    }
  }
  memory_free(rows->account, dirty, rows->region_count);
}

void live_rows_init(LiveRows *rows, const Program *p, const StepUses *uses, size_t most_in_roots, Account *account) {
  *rows = (LiveRows){.program = p, .uses = uses, .loaded = NO_ID, .most_in_roots = most_in_roots, .account = account};
  size_t locations = p->locations.count;
  rows->region = memory_allocate(account, locations * sizeof *rows->region);
  if (locations) memset(rows->region, 0xff, locations * sizeof *rows->region); // NO_ID
  rows->place = memory_allocate_zeroed(account, locations * sizeof *rows->place);
  U32Vector *vectors[] = {&rows->member_start, &rows->members, &rows->loaded_count, &rows->loaded_rows,
                          &rows->row,          &rows->work,    &rows->spare,        &rows->needed};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) U32Vector_init(vectors[i], account);
  U64Vector_init(&rows->loaded_start, account);
  U32Vector order;
  U32Vector_init(&order, account);
  program_reverse_postorder(p, &order, NULL);
  find_regions(rows, &order);
  U32Vector_free(&order);
  rows->roots = memory_allocate_zeroed(account, rows->region_count * sizeof *rows->roots);
  for (size_t r = 0; r < rows->region_count; r++) U32Vector_init(&rows->roots[r], account);
  bitset_init(&rows->everywhere, p->variables.count, account);
  solve(rows);
}

void live_rows_free(LiveRows *rows) {
  bitset_free(&rows->everywhere);
  const Program *p = rows->program;
  memory_free(rows->account, rows->region, p->locations.count * sizeof *rows->region);
  memory_free(rows->account, rows->place, p->locations.count * sizeof *rows->place);
  for (size_t r = 0; r < rows->region_count; r++) U32Vector_free(&rows->roots[r]);
  memory_free(rows->account, rows->roots, rows->region_count * sizeof *rows->roots);
  U32Vector *vectors[] = {&rows->member_start, &rows->members, &rows->loaded_count, &rows->loaded_rows,
                          &rows->row,          &rows->work,    &rows->spare,        &rows->needed};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) U32Vector_free(vectors[i]);
  U64Vector_free(&rows->loaded_start);
}

bool live_rows_get(const LiveRows *rows, LocationId location, VariableId variable) {
  if (bitset_get(&rows->everywhere, variable)) return true;
  uint32_t count;
  const uint32_t *row = row_of(rows, location, &count);
  return sorted_has_u32(row, count, variable);
}

// --- the fact ---

bool live_at(const LiveVariables *live, LocationId location, VariableId variable) {
  if (bitset_get(&live->everywhere, variable)) return true;
  uint32_t count;
  const VariableId *row = live_list(live, location, &count);
  return sorted_has_u32(row, count, variable);
}

void live_variables(const Program *p, LiveVariables *live, Account *account) {
  live_variables_within(p, live, LIVE_MOST_IN_ROOTS, account);
}

void live_variables_within(const Program *p, LiveVariables *live, size_t most_in_roots, Account *account) {
  *live = (LiveVariables){.direction = FACT_MAY_ADD, .count = p->locations.count, .account = account};
  live->rows = memory_allocate_zeroed(account, live->count * sizeof *live->rows);
  U32Vector_init(&live->variables, account);
  StepUses uses;
  LiveRows rows;
  step_uses_init(&uses, p, account);
  live_rows_init(&rows, p, &uses, most_in_roots, account);
  for (uint32_t r = 0; r < rows.region_count; r++) {
    live_rows_load(&rows, r);
    uint32_t first = rows.member_start.data[r], last = rows.member_start.data[r + 1];
    size_t at = live->variables.count, total = rows.loaded_rows.count;
    U32Vector_reserve(&live->variables, at + total);
    if (total) memcpy(live->variables.data + at, rows.loaded_rows.data, total * sizeof(uint32_t));
    live->variables.count = at + total;
    for (uint32_t m = first; m < last; m++)
      live->rows[rows.members.data[m]] =
          (LiveRow){at + rows.loaded_start.data[m - first], rows.loaded_count.data[m - first]};
  }
  bitset_init(&live->everywhere, p->variables.count, account);
  bitset_copy(&live->everywhere, &rows.everywhere);
  live_rows_free(&rows);
  step_uses_free(&uses);
}

void live_variables_free(LiveVariables *live) {
  bitset_free(&live->everywhere);
  U32Vector_free(&live->variables);
  memory_free(live->account, live->rows, live->count * sizeof *live->rows);
}
