#include "explicit/machine/variable_places.h"

#include "program/passes/rewrite.h"

// --- few variables: colouring ---

// A place that variables of one thread share.
typedef struct Colour {
  uint8_t bytes;
  VariableId first; // the variable whose place is the colour's
  Bitset members;   // over the thread's variables
} Colour;
VECTOR(ColourVector, Colour);

enum { MOST_COLOURED = 6000 }; // variables of a thread; beyond it intervals decide

// For each variable of a thread (dense numbers), those that are live together with it.
static Bitset *find_interference(const StateLayout *layout, ThreadId thread, const U32Vector *variables,
                                 const uint32_t *dense) {
  const Program *p = layout->program;
  Bitset *interference = memory_allocate(layout->account, variables->count * sizeof(Bitset));
  for (size_t i = 0; i < variables->count; i++) bitset_init(&interference[i], variables->count, layout->account);
  Bitset here;
  bitset_init(&here, variables->count, layout->account);
  for (LocationId l = 0; l < p->locations.count; l++) {
    if (p->locations.data[l].thread != thread) continue;
    uint32_t count;
    const VariableId *live = live_list(&layout->live, l, &count);
    bitset_clear_all(&here);
    for (uint32_t i = 0; i < count; i++)
      if (dense[live[i]] != NO_ID) bitset_set(&here, dense[live[i]]);
    for (size_t i = bitset_next(&here, 0); i < here.bits; i = bitset_next(&here, i + 1))
      bitset_union(&interference[i], &here);
  }
  bitset_free(&here);
  return interference;
}

// Gives each variable the first colour of its size that it does not interfere with.
static void colour(const StateLayout *layout, const U32Vector *variables, const Bitset *interference,
                   uint32_t *shares) {
  ColourVector colours = {.account = layout->account};
  for (size_t i = 0; i < variables->count; i++) {
    VariableId v = variables->data[i];
    size_t c = 0;
    while (c < colours.count && (colours.data[c].bytes != layout->variables[v].bytes ||
                                 bitset_intersects(&colours.data[c].members, &interference[i])))
      c++;
    if (c == colours.count) {
      ColourVector_push(&colours, (Colour){.bytes = layout->variables[v].bytes, .first = v});
      bitset_init(&ColourVector_last(&colours)->members, variables->count, layout->account);
    }
    bitset_set(&colours.data[c].members, i);
    shares[v] = colours.data[c].first;
    assert(layout->variables[shares[v]].bytes == layout->variables[v].bytes);
  }
  for (size_t c = 0; c < colours.count; c++) bitset_free(&colours.data[c].members);
  ColourVector_free(&colours);
}

static void colour_variables(const StateLayout *layout, ThreadId thread, const U32Vector *variables, uint32_t *dense,
                             VariableId *shares) {
  for (size_t i = 0; i < variables->count; i++) dense[variables->data[i]] = (uint32_t)i;
  Bitset *interference = find_interference(layout, thread, variables, dense);
  colour(layout, variables, interference, shares);
  for (size_t i = 0; i < variables->count; i++) {
    bitset_free(&interference[i]);
    dense[variables->data[i]] = NO_ID;
  }
  memory_free(layout->account, interference, variables->count * sizeof(Bitset));
}

// --- many variables: intervals ---

// Where a variable is live first and last, as numbers of locations in reverse postorder.
typedef struct Interval {
  uint32_t first, last;
} Interval;

static Interval *find_intervals(const StateLayout *layout, const U32Vector *order) {
  size_t count = layout->program->variables.count;
  Interval *intervals = memory_allocate(layout->account, count * sizeof *intervals);
  for (size_t v = 0; v < count; v++) intervals[v] = (Interval){UINT32_MAX, 0};
  for (size_t i = 0; i < order->count; i++) {
    uint32_t live_count;
    const VariableId *live = live_list(&layout->live, order->data[i], &live_count);
    for (uint32_t k = 0; k < live_count; k++) {
      Interval *interval = &intervals[live[k]];
      if (interval->first == UINT32_MAX) interval->first = (uint32_t)i;
      interval->last = (uint32_t)i;
    }
  }
  return intervals;
}

// Lists of variables by a number: those with number n are items[start[n]] to items[start[n + 1]].
typedef struct Buckets {
  U32Vector start, items;
} Buckets;

static void bucket_variables(Buckets *buckets, const U32Vector *variables, const Interval *intervals, bool last,
                             size_t numbers, Account *account) {
  U32Vector_init(&buckets->start, account);
  U32Vector_init(&buckets->items, account);
  U32Vector_resize(&buckets->start, numbers + 2);
  U32Vector_resize(&buckets->items, variables->count);
  uint32_t *start = buckets->start.data;
  for (size_t i = 0; i < variables->count; i++) {
    const Interval *interval = &intervals[variables->data[i]];
    start[(last ? interval->last : interval->first) + 2]++;
  }
  for (size_t n = 2; n < numbers + 2; n++) start[n] += start[n - 1];
  for (size_t i = 0; i < variables->count; i++) {
    const Interval *interval = &intervals[variables->data[i]];
    buckets->items.data[start[(last ? interval->last : interval->first) + 1]++] = variables->data[i];
  }
}

static void buckets_free(Buckets *buckets) {
  U32Vector_free(&buckets->start);
  U32Vector_free(&buckets->items);
}

enum { MOST_BYTES = 16 };

// Goes along the locations: a place is free behind the last location of its variable.
static void share_by_intervals(const StateLayout *layout, const U32Vector *variables, const Interval *intervals,
                               size_t numbers, VariableId *shares) {
  Buckets births, deaths;
  bucket_variables(&births, variables, intervals, false, numbers, layout->account);
  bucket_variables(&deaths, variables, intervals, true, numbers, layout->account);
  U32Vector unused[MOST_BYTES + 1]; // by bytes: variables whose place is free
  for (size_t b = 0; b <= MOST_BYTES; b++) U32Vector_init(&unused[b], layout->account);
  for (size_t n = 0; n < numbers; n++) {
    for (uint32_t i = births.start.data[n]; i < births.start.data[n + 1]; i++) {
      VariableId v = births.items.data[i];
      assert(layout->variables[v].bytes <= MOST_BYTES && intervals[v].first <= intervals[v].last);
      U32Vector *places = &unused[layout->variables[v].bytes];
      shares[v] = places->count ? U32Vector_pop(places) : v;
    }
    for (uint32_t i = deaths.start.data[n]; i < deaths.start.data[n + 1]; i++) {
      VariableId v = deaths.items.data[i];
      U32Vector_push(&unused[layout->variables[v].bytes], shares[v]);
    }
  }
  for (size_t b = 0; b <= MOST_BYTES; b++) U32Vector_free(&unused[b]);
  buckets_free(&births);
  buckets_free(&deaths);
}

// --- all ---

// The first variable of each place that may be indeterminate has the flag of all.
static void share_flags(VariablePlaces *places, const Bitset *indeterminate) {
  VariableId *flag_of = memory_allocate(places->account, places->count * sizeof *flag_of);
  for (VariableId v = 0; v < places->count; v++) flag_of[v] = NO_ID;
  for (VariableId v = 0; v < places->count; v++) {
    places->flag_shares[v] = NO_ID;
    if (!bitset_get(indeterminate, v) || !bitset_get(&places->ever_live, v)) continue;
    assert(places->shares[places->shares[v]] == places->shares[v]); // the first variable of the place
    VariableId *flag = &flag_of[places->shares[v]];
    if (*flag == NO_ID) *flag = v;
    places->flag_shares[v] = *flag;
  }
  memory_free(places->account, flag_of, places->count * sizeof *flag_of);
}

// The variables of each thread that have a place to share; those that are live everywhere have one of their own.
static U32Vector *list_by_thread(const VariablePlaces *places, const StateLayout *layout) {
  const Program *p = layout->program;
  U32Vector *lists = memory_allocate_zeroed(places->account, p->threads.count * sizeof *lists);
  for (ThreadId t = 0; t < p->threads.count; t++) U32Vector_init(&lists[t], places->account);
  for (VariableId v = 0; v < places->count; v++)
    if (bitset_get(&places->ever_live, v) && !bitset_get(&layout->live.everywhere, v))
      U32Vector_push(&lists[p->variables.data[v].thread], v);
  return lists;
}

static void share_places(VariablePlaces *places, const StateLayout *layout) {
  const Program *p = layout->program;
  U32Vector *lists = list_by_thread(places, layout);
  U32Vector order;
  U32Vector_init(&order, places->account);
  program_reverse_postorder(p, &order, NULL);
  Interval *intervals = find_intervals(layout, &order);
  uint32_t *dense = memory_allocate(places->account, places->count * sizeof *dense);
  for (VariableId v = 0; v < places->count; v++) dense[v] = NO_ID;
  for (ThreadId t = 0; t < p->threads.count; t++) {
    if (lists[t].count <= MOST_COLOURED)
      colour_variables(layout, t, &lists[t], dense, places->shares);
    else
      share_by_intervals(layout, &lists[t], intervals, order.count, places->shares);
    U32Vector_free(&lists[t]);
  }
  memory_free(places->account, dense, places->count * sizeof *dense);
  memory_free(places->account, intervals, places->count * sizeof *intervals);
  memory_free(places->account, lists, p->threads.count * sizeof *lists);
  U32Vector_free(&order);
}

void variable_places_init(VariablePlaces *places, const StateLayout *layout) {
  size_t count = layout->program->variables.count;
  *places = (VariablePlaces){.count = count, .account = layout->account};
  bitset_init(&places->ever_live, count, places->account);
  const U32Vector *live = &layout->live.variables;
  for (size_t i = 0; i < live->count; i++) bitset_set(&places->ever_live, live->data[i]);
  bitset_union(&places->ever_live, &layout->live.everywhere);
  places->shares = memory_allocate(places->account, count * sizeof *places->shares);
  places->flag_shares = memory_allocate(places->account, count * sizeof *places->flag_shares);
  for (VariableId v = 0; v < count; v++) places->shares[v] = v;
  share_places(places, layout);
  share_flags(places, &layout->indeterminate.variables);
}

void variable_places_free(VariablePlaces *places) {
  bitset_free(&places->ever_live);
  memory_free(places->account, places->shares, places->count * sizeof *places->shares);
  memory_free(places->account, places->flag_shares, places->count * sizeof *places->flag_shares);
}
