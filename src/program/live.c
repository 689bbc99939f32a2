// Live variables: backward over each automaton. An assignment reads its right side only if its variable is live, so
// that a counter which only counts itself is dead.
#include "program/facts.h"
#include "program/rewrite.h"

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
      rows->region[id] = rows->region[p->edges.data[p->in_edges.data[p->locations.data[id].first_in]].from];
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

enum { NOT_MET = UINT32_MAX - 1 };

static void meet_variable(LiveRows *rows, VariableId variable, uint32_t region) {
  uint32_t *home = &rows->home[variable];
  if (*home == NOT_MET)
    *home = region;
  else if (*home != region)
    *home = NO_ID;
}

// The home of a variable is the region in which all its occurrences lie.
static void find_homes(LiveRows *rows) {
  const Program *p = rows->program;
  for (size_t v = 0; v < p->variables.count; v++) rows->home[v] = NOT_MET;
  for (size_t e = 0; e < p->edges.count; e++) {
    const Edge *edge = &p->edges.data[e];
    uint32_t region = rows->region[edge->from];
    for (uint32_t s = 0; region != NO_ID && s < edge->step_count; s++) {
      StepId id = edge->first_step + s;
      const Step *step = &p->steps.data[id];
      uint32_t first = rows->uses->first_group[id], last = first + USES_FIRST_ASSIGNMENT + step->assignment_count;
      for (uint32_t i = rows->uses->group_start.data[first]; i < rows->uses->group_start.data[last]; i++)
        meet_variable(rows, rows->uses->variables.data[i], region);
      if (step->access.into != NO_ID) meet_variable(rows, step->access.into, region);
      for (uint32_t i = 0; i < step->assignment_count; i++) meet_variable(rows, step->assignments[i].variable, region);
    }
  }
}

// --- rows ---

static uint32_t thread_words(const LiveRows *rows, uint32_t region) {
  LocationId root = rows->members.data[rows->member_start.data[region]];
  return rows->thread_words[rows->program->locations.data[root].thread];
}

static uint32_t row_words(const LiveRows *rows, uint32_t region) {
  return thread_words(rows, region) + rows->region_words[region];
}

// Numbers each variable in its home or its thread, and makes room for the rows of the roots.
static void number_variables(LiveRows *rows) {
  const Program *p = rows->program;
  memset(rows->thread_words, 0, p->threads.count * sizeof *rows->thread_words);
  if (rows->region_count) memset(rows->region_words, 0, rows->region_count * sizeof *rows->region_words);
  // Bits are counted in the arrays of words first.
  for (size_t v = 0; v < p->variables.count; v++) {
    uint32_t home = rows->home[v];
    if (home == NOT_MET) continue;
    rows->number[v] = home == NO_ID ? rows->thread_words[p->variables.data[v].thread]++ : rows->region_words[home]++;
  }
  for (size_t t = 0; t < p->threads.count; t++) rows->thread_words[t] = (rows->thread_words[t] + 63) / 64;
  for (size_t r = 0; r < rows->region_count; r++) rows->region_words[r] = (rows->region_words[r] + 63) / 64;
  memory_free(rows->account, rows->roots, rows->root_total * sizeof *rows->roots);
  rows->root_total = 0;
  for (uint32_t r = 0; r < rows->region_count; r++) {
    rows->root_row[r] = rows->root_total;
    rows->root_total += row_words(rows, r);
  }
  rows->roots = memory_allocate_zeroed(rows->account, rows->root_total * sizeof *rows->roots);
}

// A row of a region: its words, of which the first are those of the thread.
typedef struct Row {
  uint64_t *words;
  uint32_t thread_words;
} Row;

static uint32_t bit_of(const LiveRows *rows, uint32_t thread_part, VariableId v) {
  return rows->home[v] == NO_ID ? rows->number[v] : 64 * thread_part + rows->number[v];
}

static bool row_get(const LiveRows *rows, Row row, VariableId v) {
  uint32_t bit = bit_of(rows, row.thread_words, v);
  return row.words[bit / 64] >> (bit % 64) & 1;
}

static void row_set(const LiveRows *rows, Row row, VariableId v) {
  uint32_t bit = bit_of(rows, row.thread_words, v);
  row.words[bit / 64] |= UINT64_C(1) << (bit % 64);
}

static void row_reset(const LiveRows *rows, Row row, VariableId v) {
  uint32_t bit = bit_of(rows, row.thread_words, v);
  row.words[bit / 64] &= ~(UINT64_C(1) << (bit % 64));
}

static void add_uses(const LiveRows *rows, Row row, StepId step, uint32_t group) {
  uint32_t count;
  const uint32_t *variables = step_uses(rows->uses, step, group, &count);
  for (uint32_t i = 0; i < count; i++) row_set(rows, row, variables[i]);
}

// From what is live after the step to what is live before.
static void step_backward(const LiveRows *rows, StepId id, Row row) {
  const Step *step = &rows->program->steps.data[id];
  uint64_t needed = 0; // assignments whose variable is live, of the first 64
  for (uint32_t i = 0; i < step->assignment_count; i++)
    if (i < 64 && row_get(rows, row, step->assignments[i].variable)) needed |= UINT64_C(1) << i;
  for (uint32_t i = 0; i < step->assignment_count; i++) row_reset(rows, row, step->assignments[i].variable);
  for (uint32_t i = 0; i < step->assignment_count; i++)
    if (rows->weak || i >= 64 || needed >> i & 1) add_uses(rows, row, id, USES_FIRST_ASSIGNMENT + i);
  add_uses(rows, row, id, USES_REST);
  if (step->access.into != NO_ID) row_reset(rows, row, step->access.into);
  add_uses(rows, row, id, USES_ADDRESS);
}

static uint64_t *loaded_row(const LiveRows *rows, LocationId id) {
  return rows->loaded_rows.data + (size_t)rows->place[id] * row_words(rows, rows->loaded);
}

// What is live at the end of an edge out of the loaded region, into `work`.
static void row_after(const LiveRows *rows, LocationId to, uint64_t *work) {
  uint32_t words = row_words(rows, rows->loaded), shared = thread_words(rows, rows->loaded);
  uint32_t region = rows->region[to];
  if (region == rows->loaded && rows->place[to] > 0) {
    memcpy(work, loaded_row(rows, to), words * sizeof *work);
    return;
  }
  uint32_t known = region == rows->loaded ? words : shared;
  if (known) memcpy(work, rows->roots + rows->root_row[region], known * sizeof *work);
  if (words > known) memset(work + known, 0, (words - known) * sizeof *work);
}

void live_rows_load(LiveRows *rows, uint32_t region) {
  const Program *p = rows->program;
  rows->loaded = region;
  uint32_t words = row_words(rows, region);
  uint32_t first = rows->member_start.data[region], last = rows->member_start.data[region + 1];
  U64Vector_clear(&rows->loaded_rows);
  U64Vector_resize(&rows->loaded_rows, (size_t)(last - first + 1) * words); // one more to work in
  uint64_t *work = rows->loaded_rows.data + (size_t)(last - first) * words;
  if (words == 0) return;
  for (uint32_t m = last; m-- > first;) {
    LocationId id = rows->members.data[m];
    const Location *location = &p->locations.data[id];
    uint64_t *row = loaded_row(rows, id);
    for (uint32_t i = 0; i < location->out_count; i++) {
      const Edge *edge = &p->edges.data[p->out_edges.data[location->first_out + i]];
      row_after(rows, edge->to, work);
      for (uint32_t s = edge->step_count; s-- > 0;)
        step_backward(rows, edge->first_step + s, (Row){work, thread_words(rows, region)});
      for (uint32_t w = 0; w < words; w++) row[w] |= work[w];
    }
  }
}

// Marks the variables that the step reads and that are live at the root of their home, which is the loaded region.
static void mark_evicted(const LiveRows *rows, StepId step, bool *evicted) {
  Row root = {rows->loaded_rows.data, thread_words(rows, rows->loaded)};
  uint32_t first = rows->uses->first_group[step];
  uint32_t last = first + USES_FIRST_ASSIGNMENT + rows->program->steps.data[step].assignment_count;
  for (uint32_t u = rows->uses->group_start.data[first]; u < rows->uses->group_start.data[last]; u++) {
    VariableId v = rows->uses->variables.data[u];
    if (rows->home[v] == rows->loaded && row_get(rows, root, v)) evicted[v] = true;
  }
}

// A variable that may be read before it is assigned in its home gets its value from elsewhere (from the last time
// around a loop, say): it lives in other regions, too, and has no home.
static void evict_variables(LiveRows *rows) {
  const Program *p = rows->program;
  bool *evicted = memory_allocate_zeroed(rows->account, p->variables.count * sizeof *evicted);
  rows->weak = true; // all right sides count: what is live is not known yet
  for (uint32_t r = 0; r < rows->region_count; r++) {
    if (rows->region_words[r] == 0) continue;
    live_rows_load(rows, r);
    for (uint32_t m = rows->member_start.data[r]; m < rows->member_start.data[r + 1]; m++) {
      const Location *location = &p->locations.data[rows->members.data[m]];
      for (uint32_t i = 0; i < location->out_count; i++) {
        const Edge *edge = &p->edges.data[p->out_edges.data[location->first_out + i]];
        for (uint32_t s = 0; s < edge->step_count; s++) mark_evicted(rows, edge->first_step + s, evicted);
      }
    }
  }
  rows->weak = false;
  rows->loaded = NO_ID;
  for (size_t v = 0; v < p->variables.count; v++)
    if (evicted[v]) rows->home[v] = NO_ID;
  memory_free(rows->account, evicted, p->variables.count * sizeof *evicted);
}

// Takes the loaded root's row over; true if it grew.
static bool keep_root(LiveRows *rows) {
  uint64_t *kept = rows->roots + rows->root_row[rows->loaded];
  bool grew = false;
  for (uint32_t w = 0; w < row_words(rows, rows->loaded); w++) {
    grew |= (rows->loaded_rows.data[w] & ~kept[w]) != 0;
    kept[w] |= rows->loaded_rows.data[w];
  }
  return grew;
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
      const Location *root = &p->locations.data[rows->members.data[rows->member_start.data[r]]];
      for (uint32_t i = 0; i < root->in_count; i++) {
        uint32_t from = rows->region[p->edges.data[p->in_edges.data[root->first_in + i]].from];
        if (from != NO_ID) dirty[from] = 1;
      }
    }
  }
  memory_free(rows->account, dirty, rows->region_count);
}

void live_rows_init(LiveRows *rows, const Program *p, const StepUses *uses, Account *account) {
  *rows = (LiveRows){.program = p, .uses = uses, .loaded = NO_ID, .account = account};
  size_t locations = p->locations.count, variables = p->variables.count;
  rows->region = memory_allocate(account, locations * sizeof *rows->region);
  if (locations) memset(rows->region, 0xff, locations * sizeof *rows->region); // NO_ID
  rows->place = memory_allocate_zeroed(account, locations * sizeof *rows->place);
  rows->home = memory_allocate(account, variables * sizeof *rows->home);
  rows->number = memory_allocate_zeroed(account, variables * sizeof *rows->number);
  rows->thread_words = memory_allocate_zeroed(account, p->threads.count * sizeof *rows->thread_words);
  U32Vector_init(&rows->member_start, account);
  U32Vector_init(&rows->members, account);
  U64Vector_init(&rows->loaded_rows, account);
  U32Vector order;
  U32Vector_init(&order, account);
  program_reverse_postorder(p, &order, NULL);
  find_regions(rows, &order);
  U32Vector_free(&order);
  rows->region_words = memory_allocate_zeroed(account, rows->region_count * sizeof *rows->region_words);
  rows->root_row = memory_allocate(account, rows->region_count * sizeof *rows->root_row);
  find_homes(rows);
  number_variables(rows);
  evict_variables(rows);
  number_variables(rows);
  solve(rows);
}

void live_rows_free(LiveRows *rows) {
  const Program *p = rows->program;
  memory_free(rows->account, rows->region, p->locations.count * sizeof *rows->region);
  memory_free(rows->account, rows->place, p->locations.count * sizeof *rows->place);
  memory_free(rows->account, rows->home, p->variables.count * sizeof *rows->home);
  memory_free(rows->account, rows->number, p->variables.count * sizeof *rows->number);
  memory_free(rows->account, rows->thread_words, p->threads.count * sizeof *rows->thread_words);
  memory_free(rows->account, rows->region_words, rows->region_count * sizeof *rows->region_words);
  memory_free(rows->account, rows->root_row, rows->region_count * sizeof *rows->root_row);
  memory_free(rows->account, rows->roots, rows->root_total * sizeof *rows->roots);
  U32Vector_free(&rows->member_start);
  U32Vector_free(&rows->members);
  U64Vector_free(&rows->loaded_rows);
}

bool live_rows_get(const LiveRows *rows, LocationId location, VariableId variable) {
  uint32_t region = rows->region[location], home = rows->home[variable];
  if (region == NO_ID || home == NOT_MET || (home != NO_ID && home != region)) return false;
  bool root = rows->place[location] == 0;
  assert(root || region == rows->loaded);
  uint64_t *row = root ? rows->roots + rows->root_row[region] : loaded_row(rows, location);
  return row_get(rows, (Row){row, thread_words(rows, region)}, variable);
}

// --- the fact ---

// The variables of a region's row, by bit.
static void add_row(const LiveRows *rows, LocationId id, const U32Vector *variables, Bitset *set) {
  const uint64_t *row = loaded_row(rows, id);
  uint32_t words = row_words(rows, rows->loaded);
  for (uint32_t w = 0; w < words; w++)
    for (uint64_t rest = row[w]; rest; rest &= rest - 1)
      bitset_set(set, variables->data[64 * w + (uint32_t)__builtin_ctzll(rest)]);
}

// Which variable each bit of the rows of a region stands for. `by_home` lists the variables of each region.
static void name_bits(const LiveRows *rows, uint32_t region, const U32Vector *of_thread, const U32Vector *starts,
                      const U32Vector *by_home, U32Vector *out) {
  U32Vector_clear(out);
  U32Vector_resize(out, (size_t)64 * row_words(rows, region));
  if (of_thread->count) memcpy(out->data, of_thread->data, of_thread->count * sizeof *out->data);
  for (uint32_t i = starts->data[region]; i < starts->data[region + 1]; i++)
    out->data[64 * thread_words(rows, region) + rows->number[by_home->data[i]]] = by_home->data[i];
}

// Lists the variables by home region, and for each thread those without one, by number.
static void list_by_home(const LiveRows *rows, U32Vector *starts, U32Vector *by_home, U32Vector *of_threads) {
  const Program *p = rows->program;
  U32Vector_resize(starts, rows->region_count + 1);
  for (size_t v = 0; v < p->variables.count; v++)
    if (rows->home[v] < rows->region_count) starts->data[rows->home[v] + 1]++;
  for (size_t r = 0; r < rows->region_count; r++) starts->data[r + 1] += starts->data[r];
  U32Vector_resize(by_home, starts->data[rows->region_count]);
  for (size_t v = 0; v < p->variables.count; v++) {
    uint32_t home = rows->home[v];
    if (home < rows->region_count)
      by_home->data[starts->data[home] + rows->number[v]] = (VariableId)v;
    else if (home == NO_ID)
      U32Vector_push(&of_threads[p->variables.data[v].thread], (VariableId)v);
  }
}

void live_variables(const Program *p, LiveVariables *live, Account *account) {
  *live = (LiveVariables){.direction = FACT_MAY_ADD, .count = p->locations.count, .account = account};
  live->at = memory_allocate(account, live->count * sizeof *live->at);
  for (size_t l = 0; l < live->count; l++) bitset_init(&live->at[l], p->variables.count, account);
  StepUses uses;
  LiveRows rows;
  step_uses_init(&uses, p, account);
  live_rows_init(&rows, p, &uses, account);
  U32Vector starts, by_home, bits;
  U32Vector_init(&starts, account);
  U32Vector_init(&by_home, account);
  U32Vector_init(&bits, account);
  U32Vector *of_threads = memory_allocate_zeroed(account, p->threads.count * sizeof *of_threads);
  for (size_t t = 0; t < p->threads.count; t++) U32Vector_init(&of_threads[t], account);
  list_by_home(&rows, &starts, &by_home, of_threads);
  for (uint32_t r = 0; r < rows.region_count; r++) {
    live_rows_load(&rows, r);
    ThreadId thread = p->locations.data[rows.members.data[rows.member_start.data[r]]].thread;
    name_bits(&rows, r, &of_threads[thread], &starts, &by_home, &bits);
    for (uint32_t m = rows.member_start.data[r]; m < rows.member_start.data[r + 1]; m++)
      add_row(&rows, rows.members.data[m], &bits, &live->at[rows.members.data[m]]);
  }
  for (size_t t = 0; t < p->threads.count; t++) U32Vector_free(&of_threads[t]);
  memory_free(account, of_threads, p->threads.count * sizeof *of_threads);
  U32Vector_free(&starts);
  U32Vector_free(&by_home);
  U32Vector_free(&bits);
  live_rows_free(&rows);
  step_uses_free(&uses);
}

void live_variables_free(LiveVariables *live) {
  for (size_t l = 0; l < live->count; l++) bitset_free(&live->at[l]);
  memory_free(live->account, live->at, live->count * sizeof *live->at);
}
