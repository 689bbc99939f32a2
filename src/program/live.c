// Live variables: backward over each automaton. An assignment reads its right side only if its variable is live, so
// that a counter which only counts itself is dead.
#include "program/facts.h"
#include "program/rewrite.h"

// The words that each thread's variables span.
static void span_threads(LiveRows *rows, const Program *p) {
  for (size_t t = 0; t < p->threads.count; t++) rows->first_word[t] = UINT32_MAX;
  for (size_t v = 0; v < p->variables.count; v++) {
    ThreadId thread = p->variables.data[v].thread;
    uint32_t word = (uint32_t)(v / 64);
    if (rows->first_word[thread] == UINT32_MAX) rows->first_word[thread] = word; // ids ascend
    rows->word_count[thread] = word - rows->first_word[thread] + 1;
  }
  for (size_t t = 0; t < p->threads.count; t++)
    if (rows->word_count[t] == 0) rows->first_word[t] = 0;
}

// A row of one thread: its words, and which word of a set over all variables is its first.
typedef struct Row {
  uint64_t *words;
  uint32_t first;
} Row;

static bool row_get(Row row, VariableId v) { return row.words[v / 64 - row.first] >> (v % 64) & 1; }
static void row_set(Row row, VariableId v) { row.words[v / 64 - row.first] |= UINT64_C(1) << (v % 64); }
static void row_reset(Row row, VariableId v) { row.words[v / 64 - row.first] &= ~(UINT64_C(1) << (v % 64)); }

static void add_uses(Row row, const StepUses *uses, StepId step, uint32_t group) {
  uint32_t count;
  const uint32_t *variables = step_uses(uses, step, group, &count);
  for (uint32_t i = 0; i < count; i++) row_set(row, variables[i]);
}

// From what is live after the step to what is live before.
static void step_backward(const Program *p, const StepUses *uses, StepId id, Row row) {
  const Step *step = &p->steps.data[id];
  uint64_t needed = 0; // assignments whose variable is live, the first 64 of them
  for (uint32_t i = 0; i < step->assignment_count; i++) {
    if (i < 64 && row_get(row, step->assignments[i].variable)) needed |= UINT64_C(1) << i;
  }
  for (uint32_t i = 0; i < step->assignment_count; i++) row_reset(row, step->assignments[i].variable);
  for (uint32_t i = 0; i < step->assignment_count; i++)
    if (i >= 64 || needed >> i & 1) add_uses(row, uses, id, USES_FIRST_ASSIGNMENT + i);
  add_uses(row, uses, id, USES_REST);
  if (step->access.into != NO_ID) row_reset(row, step->access.into);
  add_uses(row, uses, id, USES_ADDRESS);
}

// Recomputes one location; true if its row grew.
static bool update_location(LiveRows *rows, const Program *p, const StepUses *uses, LocationId id, uint64_t *work) {
  const Location *location = &p->locations.data[id];
  uint32_t words = rows->word_count[location->thread], first = rows->first_word[location->thread];
  uint64_t *row = rows->words + rows->row[id];
  bool grew = false;
  for (uint32_t i = 0; i < location->out_count; i++) {
    const Edge *edge = &p->edges.data[p->out_edges.data[location->first_out + i]];
    memcpy(work, rows->words + rows->row[edge->to], words * sizeof *work);
    for (uint32_t s = edge->step_count; s-- > 0;) step_backward(p, uses, edge->first_step + s, (Row){work, first});
    for (uint32_t w = 0; w < words; w++) {
      grew |= (work[w] & ~row[w]) != 0;
      row[w] |= work[w];
    }
  }
  return grew;
}

void live_rows_init(LiveRows *rows, const Program *p, const StepUses *uses, Account *account) {
  *rows = (LiveRows){.location_count = p->locations.count, .thread_count = p->threads.count, .account = account};
  rows->row = memory_allocate_zeroed(account, p->locations.count * sizeof *rows->row);
  rows->first_word = memory_allocate_zeroed(account, p->threads.count * sizeof *rows->first_word);
  rows->word_count = memory_allocate_zeroed(account, p->threads.count * sizeof *rows->word_count);
  span_threads(rows, p);
  for (size_t l = 0; l < p->locations.count; l++) {
    rows->row[l] = rows->word_total;
    rows->word_total += rows->word_count[p->locations.data[l].thread];
  }
  rows->words = memory_allocate_zeroed(account, rows->word_total * sizeof *rows->words);
  size_t widest = bitset_words(p->variables.count);
  uint64_t *work = memory_allocate(account, widest * sizeof *work);
  U32Vector order;
  U32Vector_init(&order, account);
  program_reverse_postorder(p, &order, NULL);
  uint8_t *dirty = memory_allocate(account, p->locations.count);
  if (dirty) memset(dirty, 1, p->locations.count);
  bool again = work != NULL;
  while (again) {
    again = false;
    for (size_t i = order.count; i-- > 0;) {
      LocationId id = order.data[i];
      if (!dirty[id]) continue;
      dirty[id] = 0;
      if (!update_location(rows, p, uses, id, work)) continue;
      again = true;
      const Location *location = &p->locations.data[id];
      for (uint32_t e = 0; e < location->in_count; e++)
        dirty[p->edges.data[p->in_edges.data[location->first_in + e]].from] = 1;
    }
  }
  memory_free(account, dirty, p->locations.count);
  U32Vector_free(&order);
  memory_free(account, work, widest * sizeof *work);
}

void live_rows_free(LiveRows *rows) {
  memory_free(rows->account, rows->words, rows->word_total * sizeof *rows->words);
  memory_free(rows->account, rows->row, rows->location_count * sizeof *rows->row);
  memory_free(rows->account, rows->first_word, rows->thread_count * sizeof *rows->first_word);
  memory_free(rows->account, rows->word_count, rows->thread_count * sizeof *rows->word_count);
}

void live_variables(const Program *p, LiveVariables *live, Account *account) {
  *live = (LiveVariables){.direction = FACT_MAY_ADD, .count = p->locations.count, .account = account};
  live->at = memory_allocate(account, live->count * sizeof *live->at);
  StepUses uses;
  LiveRows rows;
  step_uses_init(&uses, p, account);
  live_rows_init(&rows, p, &uses, account);
  for (size_t l = 0; l < live->count; l++) {
    ThreadId thread = p->locations.data[l].thread;
    bitset_init(&live->at[l], p->variables.count, account);
    if (rows.word_count[thread] > 0)
      memcpy(live->at[l].words + rows.first_word[thread], rows.words + rows.row[l],
             rows.word_count[thread] * sizeof *rows.words);
  }
  live_rows_free(&rows);
  step_uses_free(&uses);
}

void live_variables_free(LiveVariables *live) {
  for (size_t l = 0; l < live->count; l++) bitset_free(&live->at[l]);
  memory_free(live->account, live->at, live->count * sizeof *live->at);
}
