#include "survey/shared_objects.h"

#include "survey/library_memory.h"

#include <stdlib.h>

typedef struct Summary {
  unsigned protections;
  SetId locks;
  bool written, several_threads, other_thread, opaque, covers;
  bool only_locks; // touched by functions that synchronise, and by nothing else
  uint32_t pairs, parts;
  uint32_t part; // that gives it its name
} Summary;

// An object before its pairs are told. Rows with the same name and the same answer become one.
typedef struct Row {
  SurveyObject object;
  uint32_t area;
  uint32_t id; // the part that stands for it, or NO_CODE_ID: the program does not touch it
  Summary summary;
} Row;
VECTOR(RowVector, Row);

typedef struct Reporting {
  Describe *d;
  const Races *races;
  U32Vector first_member, next_member; // per object: its parts, in order; NO_CODE_ID ends
  U32Vector first_pair, next_pair;     // per object: its pairs
  U32Vector reached_by;                // per area: an undefined function that gets its address, or NO_CODE_ID
  uint32_t any_unknown;                // an undefined function that is called; or NO_CODE_ID
  const char *unknown_words;           // that function, and how many others there are
  RowVector rows;
} Reporting;

static const AccessClass *class_of(const Reporting *r, uint32_t part) {
  return AccessClassVector_at(&r->d->accesses->classes, r->races->parts.data[part].first_class);
}

// --- preparation ---

static void chain(U32Vector *first, U32Vector *next, size_t count, size_t elements) {
  U32Vector_resize(first, count);
  U32Vector_resize(next, elements);
  for (size_t i = 0; i < count; i++) first->data[i] = NO_CODE_ID;
  for (size_t i = 0; i < elements; i++) next->data[i] = NO_CODE_ID;
}

static void prepare(Reporting *r) {
  const Races *races = r->races;
  size_t parts = races->parts.count, pairs = races->pairs.count;
  chain(&r->first_member, &r->next_member, parts, parts);
  for (size_t i = parts; i-- > 0;) {
    uint32_t object = races_object_of(races, (uint32_t)i);
    r->next_member.data[i] = r->first_member.data[object];
    r->first_member.data[object] = (uint32_t)i;
  }
  chain(&r->first_pair, &r->next_pair, parts, pairs);
  for (size_t i = pairs; i-- > 0;) {
    uint32_t object = races_object_of(races, races_part_of_class(races, races->pairs.data[i].first));
    r->next_pair.data[i] = r->first_pair.data[object];
    r->first_pair.data[object] = (uint32_t)i;
  }
}

static void note_unknown(Reporting *r, const CodeStatement *s, uint32_t function) {
  const SurveyFacts *facts = r->d->facts;
  if (function == NO_CODE_ID) return;
  if (r->any_unknown == NO_CODE_ID) r->any_unknown = function;
  for (uint32_t i = 1; i < s->operand_count; i++) {
    PlaceRange range = pointing_of(facts->pointing, code_operand(facts->code, s, i));
    for (uint32_t k = 0; k < range.count; k++) {
      bool outside = range.data[k].area == pointing_outside(facts->pointing); // says nothing of the function
      uint32_t *by = U32Vector_at(&r->reached_by, range.data[k].area);
      if (*by == NO_CODE_ID && !outside) *by = function;
    }
  }
}

enum { MOST_FOLLOWED = 64, MOST_ROUNDS = 8 }; // what is left tells a function all the same, if not the best one

// What is stored where an undefined function reaches is reached by it, too.
static bool hand_on(Reporting *r, const CodeStatement *s) {
  const SurveyFacts *facts = r->d->facts;
  PlaceRange to = pointing_of(facts->pointing, code_operand(facts->code, s, 0));
  PlaceRange what = pointing_of(facts->pointing, code_operand(facts->code, s, 1));
  bool grown = false;
  if (to.count > MOST_FOLLOWED || what.count > MOST_FOLLOWED) return false;
  for (uint32_t i = 0; i < to.count; i++) {
    uint32_t by = r->reached_by.data[to.data[i].area];
    for (uint32_t k = 0; by != NO_CODE_ID && k < what.count; k++) {
      uint32_t *other = &r->reached_by.data[what.data[k].area];
      if (*other != NO_CODE_ID || what.data[k].area == pointing_outside(facts->pointing)) continue;
      *other = by;
      grown = true;
    }
  }
  return grown;
}

static void follow_stores(Reporting *r) {
  const Code *code = r->d->facts->code;
  bool grown = r->any_unknown != NO_CODE_ID;
  for (unsigned round = 0; grown && round < MOST_ROUNDS; round++) {
    grown = false;
    for (uint32_t s = 0; s < code->statement_count; s++)
      if (code->statements[s].kind == CODE_STORE) grown |= hand_on(r, &code->statements[s]);
  }
}

static const char *describe_unknown(Reporting *r) {
  const SurveyFacts *facts = r->d->facts;
  Map functions;
  map_init(&functions, facts->account);
  for (uint32_t s = 0; s < facts->code->statement_count; s++) {
    CallTargets targets = calls_of(facts->calls, s);
    for (uint32_t i = 0; i < targets.count; i++)
      if (targets.data[i].kind == CALL_UNKNOWN && targets.data[i].function != NO_CODE_ID)
        map_put(&functions, targets.data[i].function, 1);
  }
  unsigned others = (unsigned)functions.count - 1;
  map_free(&functions);
  const char *name = facts->code->functions[r->any_unknown].name;
  return others ? arena_format(&r->d->survey->arena, "%s or another of %u", name, others + 1) : name;
}

static void find_unknown(Reporting *r) {
  const SurveyFacts *facts = r->d->facts;
  for (uint32_t i = 0; i < pointing_area_count(facts->pointing); i++) U32Vector_push(&r->reached_by, NO_CODE_ID);
  for (uint32_t s = 0; s < facts->code->statement_count; s++) {
    CallTargets targets = calls_of(facts->calls, s);
    for (uint32_t i = 0; i < targets.count; i++)
      if (targets.data[i].kind == CALL_UNKNOWN) note_unknown(r, &facts->code->statements[s], targets.data[i].function);
  }
  follow_stores(r);
  if (r->any_unknown != NO_CODE_ID) r->unknown_words = describe_unknown(r);
}

// --- what an object is ---

static Summary summarise(Reporting *r, uint32_t object) {
  SurveyFacts *facts = r->d->facts;
  Summary s = {.part = object, .only_locks = true};
  for (uint32_t i = r->first_member.data[object]; i != NO_CODE_ID; i = r->next_member.data[i]) {
    const RacePart *p = &r->races->parts.data[i];
    s.protections |= p->protections;
    s.locks = set_unite(&facts->sets, s.locks, p->locks);
    s.written |= p->written;
    s.several_threads |= p->several_threads;
    s.covers |= p->covers;
    s.pairs += p->pairs;
    s.parts++;
    if (r->races->parts.data[s.part].covers && !p->covers) s.part = i;
    for (uint32_t k = p->first_class; k < p->first_class + p->class_count; k++) {
      const AccessClass *c = AccessClassVector_at(&r->d->accesses->classes, k);
      s.opaque |= c->kind.opaque;
      s.only_locks &= c->kind.locks;
      s.other_thread |= c->template_id != 0;
    }
  }
  return s;
}

static uint32_t count_places(Reporting *r, uint32_t object) {
  const SurveyFacts *facts = r->d->facts;
  Map lines;
  map_init(&lines, facts->account);
  for (uint32_t i = r->first_member.data[object]; i != NO_CODE_ID; i = r->next_member.data[i]) {
    const RacePart *p = &r->races->parts.data[i];
    for (uint32_t k = p->first_class; k < p->first_class + p->class_count; k++)
      for (uint32_t site = r->d->accesses->classes.data[k].first_site; site;
           site = r->d->accesses->sites.data[site].next)
        map_put(&lines, facts->code->statements[r->d->accesses->sites.data[site].statement].position, 1);
  }
  uint32_t count = (uint32_t)lines.count;
  map_free(&lines);
  return count;
}

static CodePosition position_of(const SurveyFacts *facts, uint32_t area) {
  const Area *a = pointing_area(facts->pointing, area);
  if (a->kind == AREA_HEAP && a->statement != NO_CODE_ID)
    return facts->code->positions[facts->code->statements[a->statement].position];
  if (a->object != NO_CODE_ID) return facts->code->positions[facts->code->objects[a->object].position];
  return (CodePosition){.file = NULL};
}

// --- proofs ---

static const char *list_reasons(Reporting *r, const Summary *s) {
  Text text;
  text_init(&text, r->d->facts->account);
  for (unsigned i = 0; i < SURVEY_SEVERAL; i++) {
    if (!(s->protections >> i & 1)) continue;
    if (text.length > 0) text_add(&text, "; ");
    switch ((SurveyProtection)i) {
    case SURVEY_LOCK: text_add(&text, describe_locks(r->d, s->locks)); break;
    case SURVEY_OWN_LOCK:
      text_add(&text, s->protections >> SURVEY_LOCK & 1 ? "locks of the same object" : describe_locks(r->d, s->locks));
      break;
    case SURVEY_BEFORE_THREADS: text_add(&text, "written before threads start"); break;
    case SURVEY_ATOMIC: text_add(&text, "atomic accesses"); break;
    case SURVEY_OWNED: text_add(&text, "owned by one thread until it is published"); break;
    case SURVEY_JOINED: text_add(&text, "threads are joined"); break;
    case SURVEY_READ_ONLY: text_add(&text, "parts that are never written"); break;
    case SURVEY_ONE_THREAD: text_add(&text, "parts that one thread touches"); break;
    default: text_add(&text, survey_protection_name((SurveyProtection)i)); break;
    }
  }
  return describe_text(r->d, &text);
}

static void prove(Reporting *r, const Summary *s, SurveyObject *object) {
  assert(s->pairs == 0 && r->d->survey->complete);
  object->status = SURVEY_PROVED;
  object->detail = "";
  unsigned p = s->protections;
  bool one = p != 0 && (p & (p - 1)) == 0;
  if (!s->written) {
    object->protection = SURVEY_READ_ONLY;
  } else if (!s->several_threads || p == 0) {
    object->protection = SURVEY_ONE_THREAD;
  } else if (one && p == 1u << SURVEY_LOCK && set_range(&r->d->facts->sets, s->locks).count > 1) {
    object->protection = SURVEY_SEVERAL;
    object->detail = list_reasons(r, s);
  } else if (one) {
    while (p != 1u << object->protection) object->protection++;
    if (p & (1u << SURVEY_LOCK | 1u << SURVEY_OWN_LOCK)) object->detail = describe_locks(r->d, s->locks);
  } else {
    object->protection = SURVEY_SEVERAL;
    object->detail = list_reasons(r, s);
  }
}

// --- pairs ---

static int compare_pairs(const void *a, const void *b) {
  const RacePair *x = a, *y = b;
  if (x->rank != y->rank) return x->rank < y->rank ? 1 : -1;
  if (x->first != y->first) return x->first < y->first ? -1 : 1;
  return (x->second > y->second) - (x->second < y->second);
}

static bool same_line(const SurveyAccess *a, const SurveyAccess *b) {
  return a->position.line == b->position.line && a->position.file == b->position.file &&
         strcmp(a->thread, b->thread) == 0;
}

// A line that reads and writes is one place to look at.
static bool is_told(const SurveyObject *object, const SurveyPair *pair) {
  for (uint32_t i = 0; i < object->pair_count; i++) {
    const SurveyPair *told = &object->pairs[i];
    if (same_line(&told->first, &pair->first) && same_line(&told->second, &pair->second)) return true;
    if (same_line(&told->first, &pair->second) && same_line(&told->second, &pair->first)) return true;
  }
  return false;
}

static void add_pair(Reporting *r, const RacePair *pair, uint32_t first, uint32_t second, SurveyObject *out) {
  if (out->pair_count == SURVEY_MOST_PAIRS) {
    out->pairs_left_out++;
    return;
  }
  SurveyPair told = describe_pair(r->d, out->name, pair, first, second);
  if (!is_told(out, &told)) out->pairs[out->pair_count++] = told;
}

// All statements of the two classes, up to the limit.
static void add_sites(Reporting *r, const RacePair *pair, SurveyObject *out) {
  const Accesses *all = r->d->accesses;
  const AccessClass *a = &all->classes.data[pair->first], *b = &all->classes.data[pair->second];
  if (a->site_count == MOST_SITES || b->site_count == MOST_SITES) out->pairs_left_out++;
  for (uint32_t i = a->first_site; i; i = all->sites.data[i].next)
    for (uint32_t k = pair->first == pair->second ? i : b->first_site; k; k = all->sites.data[k].next)
      add_pair(r, pair, i, k, out);
}

static void add_pairs(Reporting *r, uint32_t object, uint32_t all, SurveyObject *out) {
  RacePairVector pairs;
  RacePairVector_init(&pairs, r->d->facts->account);
  for (uint32_t i = r->first_pair.data[object]; i != NO_CODE_ID; i = r->next_pair.data[i])
    RacePairVector_push(&pairs, r->races->pairs.data[i]);
  if (pairs.count > 1) qsort(pairs.data, pairs.count, sizeof *pairs.data, compare_pairs);
  out->pairs = arena_allocate(&r->d->survey->arena, SURVEY_MOST_PAIRS * sizeof *out->pairs);
  for (size_t i = 0; i < pairs.count; i++) add_sites(r, &pairs.data[i], out);
  assert(pairs.count <= all && out->pair_count <= SURVEY_MOST_PAIRS);
  out->pairs_left_out += all - (uint32_t)pairs.count;
  RacePairVector_free(&pairs);
}

static void doubt(SurveyObject *object, SurveyDoubt kind, const char *detail) {
  assert(kind != SURVEY_DOUBT_NONE && detail != NULL);
  object->status = SURVEY_OPEN;
  object->doubt = kind;
  object->doubt_detail = detail;
}

static void doubt_outside(const Reporting *r, uint32_t area, SurveyObject *object) {
  uint32_t by = r->reached_by.data[area];
  if (r->any_unknown == NO_CODE_ID)
    doubt(object, SURVEY_DOUBT_ELSEWHERE, "");
  else if (by == NO_CODE_ID)
    doubt(object, SURVEY_DOUBT_OUTSIDE, r->unknown_words);
  else
    doubt(object, SURVEY_DOUBT_OUTSIDE, r->d->facts->code->functions[by].name);
}

// Its first lock that need not exclude anything; NO_CODE_ID: there is none.
static uint32_t doubtful_lock(const Reporting *r, const Summary *s) {
  const SurveyFacts *facts = r->d->facts;
  SetRange locks = set_range(&facts->sets, s->locks);
  for (uint32_t i = 0; i < locks.count; i++) {
    const Lock *lock = locks_at(facts->locks, locks.data[i]);
    if (lock->kind == LOCK_SECTION) continue;
    assert(lock->kind == LOCK_PLACE || lock->kind == LOCK_OWN); // the others are known in one function only
    if (bitset_get(&facts->doubtful, lock->id)) return locks.data[i];
  }
  return NO_CODE_ID;
}

static void doubt_lock(Reporting *r, uint32_t lock, SurveyObject *object) {
  SetId set = set_with(&r->d->facts->sets, SET_EMPTY, lock);
  doubt(object, SURVEY_DOUBT_LOCK, describe_locks(r->d, set));
}

static void decide(Reporting *r, uint32_t area, const Summary *s, SurveyObject *object) {
  const Area *a = pointing_area(r->d->facts->pointing, area);
  if (!r->d->survey->complete)
    doubt(object, SURVEY_DOUBT_LIMIT, "time");
  else if (bitset_get(&r->races->limited, area))
    doubt(object, SURVEY_DOUBT_LIMIT, "parts of one object");
  else if (a->exposed || (a->kind == AREA_OUTSIDE && s->pairs > 0))
    doubt_outside(r, area, object);
  else if (s->pairs > 0 && s->opaque)
    doubt(object, SURVEY_DOUBT_OPAQUE, "one of its accesses");
  else if (s->pairs > 0)
    object->status = SURVEY_WARNED;
  else if (doubtful_lock(r, s) != NO_CODE_ID)
    doubt_lock(r, doubtful_lock(r, s), object);
  else
    prove(r, s, object);
}

static void add_row(Reporting *r, uint32_t id, AreaPlace place, const Summary *s) {
  const SurveyFacts *facts = r->d->facts;
  Text name;
  text_init(&name, facts->account);
  if (id == NO_CODE_ID)
    pointing_area_name(facts->pointing, place.area, &name);
  else
    pointing_place_name(facts->pointing, place, &name);
  Row row = {.area = place.area, .id = id, .summary = *s};
  row.object = (SurveyObject){.name = describe_text(r->d, &name),
                              .position = position_of(facts, place.area),
                              .detail = "",
                              .doubt_detail = "",
                              .parts = 1};
  decide(r, place.area, s, &row.object);
  RowVector_push(&r->rows, row);
}

static void report(Reporting *r, uint32_t id) {
  const SurveyFacts *facts = r->d->facts;
  assert(r->races->parts.data[id].object == id);
  Summary s = summarise(r, id);
  AreaPlace place = class_of(r, s.part)->place;
  bool exposed = pointing_area(facts->pointing, place.area)->exposed || bitset_get(&r->races->limited, place.area) ||
                 doubtful_lock(r, &s) != NO_CODE_ID;
  bool alone = !s.several_threads && !s.other_thread && !exposed;
  if (alone || (s.covers && s.parts == 1 && s.pairs == 0 && !exposed))
    return; // the main thread's, or told by its parts
  if (s.only_locks && s.pairs == 0) return;
  add_row(r, id, place, &s);
}

// Outside code may touch what it reaches, also where the program does not.
static void report_untouched(Reporting *r) {
  const SurveyFacts *facts = r->d->facts;
  Bitset told;
  bitset_init(&told, pointing_area_count(facts->pointing), facts->account);
  for (size_t i = 0; i < r->races->parts.count; i++) bitset_set(&told, class_of(r, (uint32_t)i)->place.area);
  for (uint32_t i = 0; i < pointing_area_count(facts->pointing); i++) {
    const Area *a = pointing_area(facts->pointing, i);
    bool constant = a->object != NO_CODE_ID && a->kind != AREA_HEAP && facts->code->objects[a->object].constant;
    if (bitset_get(&told, i) || !a->exposed || constant || a->kind == AREA_FUNCTION || a->kind == AREA_OUTSIDE)
      continue;
    add_row(r, NO_CODE_ID, (AreaPlace){.area = i}, &(Summary){.pairs = 0});
  }
  bitset_free(&told);
}

// --- rows of one name ---

static int compare_places(const CodePosition *x, const CodePosition *y) {
  int files = strcmp(x->file ? x->file : "", y->file ? y->file : "");
  return files ? files : (x->line > y->line) - (x->line < y->line);
}

static int compare_rows(const void *a, const void *b) {
  const Row *x = a, *y = b;
  int order = strcmp(x->object.name, y->object.name);
  if (!order) order = compare_places(&x->object.position, &y->object.position);
  if (!order) order = (int)x->object.status - (int)y->object.status;
  if (!order) order = (int)x->object.doubt - (int)y->object.doubt;
  if (!order) order = strcmp(x->object.doubt_detail, y->object.doubt_detail);
  return order ? order : (x->id > y->id) - (x->id < y->id);
}

static bool same_row(const Row *x, const Row *y) {
  return strcmp(x->object.name, y->object.name) == 0 && compare_places(&x->object.position, &y->object.position) == 0 &&
         x->object.status == y->object.status && x->object.doubt == y->object.doubt &&
         strcmp(x->object.doubt_detail, y->object.doubt_detail) == 0;
}

static void join_chains(U32Vector *first, U32Vector *next, uint32_t to, uint32_t from) {
  assert(to != from);
  uint32_t *end = &first->data[to];
  while (*end != NO_CODE_ID) end = &next->data[*end];
  *end = first->data[from];
  first->data[from] = NO_CODE_ID;
}

// Both are proved: for both reasons.
static void join_proofs(Reporting *r, Row *into, const Row *from) {
  Summary *s = &into->summary;
  bool same =
      into->object.protection == from->object.protection && strcmp(into->object.detail, from->object.detail) == 0;
  s->protections |= from->summary.protections;
  s->locks = set_unite(&r->d->facts->sets, s->locks, from->summary.locks);
  if (same) return;
  if (into->object.protection != SURVEY_SEVERAL) s->protections |= 1u << into->object.protection;
  if (from->object.protection != SURVEY_SEVERAL) s->protections |= 1u << from->object.protection;
  into->object.protection = SURVEY_SEVERAL;
  into->object.detail = list_reasons(r, s);
}

static void join_rows(Reporting *r, Row *into, const Row *from) {
  assert(into->object.status == from->object.status);
  into->object.parts++;
  into->summary.pairs += from->summary.pairs;
  if (into->object.status == SURVEY_PROVED) join_proofs(r, into, from);
  if (from->id == NO_CODE_ID) return;
  if (into->id == NO_CODE_ID) {
    into->id = from->id;
    return;
  }
  join_chains(&r->first_member, &r->next_member, into->id, from->id);
  join_chains(&r->first_pair, &r->next_pair, into->id, from->id);
}

// Two static objects of different files.
static void tell_apart(Reporting *r, Row *row) {
  const CodePosition *at = &row->object.position;
  bool static_one = pointing_area(r->d->facts->pointing, row->area)->kind == AREA_STATIC && at->file;
  if (static_one)
    row->object.name =
        arena_format(&r->d->survey->arena, "%s (%s:%u)", row->object.name, at->short_file, (unsigned)at->line);
}

static void tell_all_apart(Reporting *r) {
  RowVector *rows = &r->rows;
  for (size_t first = 0, end; first < rows->count; first = end) {
    const char *name = rows->data[first].object.name;
    for (end = first + 1; end < rows->count && strcmp(rows->data[end].object.name, name) == 0;) end++;
    bool same = compare_places(&rows->data[first].object.position, &rows->data[end - 1].object.position) == 0;
    for (size_t i = first; !same && i < end; i++) tell_apart(r, &rows->data[i]);
  }
}

static void join_all_rows(Reporting *r) {
  RowVector *rows = &r->rows;
  if (rows->count > 1) qsort(rows->data, rows->count, sizeof *rows->data, compare_rows);
  size_t kept = 0;
  for (size_t i = 0; i < rows->count; i++) {
    if (kept > 0 && same_row(&rows->data[kept - 1], &rows->data[i]))
      join_rows(r, &rows->data[kept - 1], &rows->data[i]);
    else
      rows->data[kept++] = rows->data[i];
  }
  RowVector_resize(rows, kept);
  tell_all_apart(r);
}

// --- the end ---

static unsigned top_rank(const SurveyObject *object) { return object->pair_count > 0 ? object->pairs[0].rank : 0; }

static bool is_of_library(const SurveyFacts *facts, uint32_t area) {
  const Area *a = pointing_area(facts->pointing, area);
  if (a->kind == AREA_OUTSIDE) return area != pointing_outside(facts->pointing);
  if (a->kind != AREA_STATIC || !facts->code->objects[a->object].external) return false;
  return facts->code->objects[a->object].name && library_has_object(facts->code->objects[a->object].name);
}

static void complete(Reporting *r, Row *row) {
  SurveyObject *object = &row->object;
  if (row->id != NO_CODE_ID) {
    object->places = count_places(r, row->id);
    add_pairs(r, row->id, row->summary.pairs, object);
  }
  bool outside = object->status == SURVEY_OPEN && survey_doubt_is_outside(object->doubt);
  if (outside && top_rank(object) < SURVEY_RANK_SURE && is_of_library(r->d->facts, row->area))
    doubt(object, SURVEY_DOUBT_LIBRARY, "");
}

static int status_order(SurveyStatus status) { return status == SURVEY_WARNED ? 0 : status == SURVEY_OPEN ? 1 : 2; }

static int doubt_order(const SurveyObject *object) {
  if (object->status != SURVEY_OPEN || !survey_doubt_is_outside(object->doubt)) return 0;
  return object->doubt == SURVEY_DOUBT_LIBRARY ? 2 : 1;
}

static int compare_objects(const void *a, const void *b) {
  const SurveyObject *x = a, *y = b;
  if (x->status != y->status) return status_order(x->status) - status_order(y->status);
  if (doubt_order(x) != doubt_order(y)) return doubt_order(x) - doubt_order(y);
  if (top_rank(x) != top_rank(y)) return top_rank(x) < top_rank(y) ? 1 : -1;
  int names = strcmp(x->name, y->name);
  if (names) return names;
  if (x->position.line != y->position.line) return x->position.line < y->position.line ? -1 : 1;
  return (x->places < y->places) - (x->places > y->places);
}

static void finish(Reporting *r) {
  Survey *survey = r->d->survey;
  uint32_t count = survey->object_count = (uint32_t)r->rows.count;
  survey->objects = arena_allocate(&survey->arena, ((size_t)count + 1) * sizeof *survey->objects);
  for (uint32_t i = 0; i < count; i++) {
    complete(r, &r->rows.data[i]);
    survey->objects[i] = r->rows.data[i].object;
    SurveyStatus status = survey->objects[i].status;
    survey->totals.proved += status == SURVEY_PROVED;
    survey->totals.warned += status == SURVEY_WARNED;
    survey->totals.open += status == SURVEY_OPEN;
  }
  assert(survey->totals.proved + survey->totals.warned + survey->totals.open == count);
  if (count > 1) qsort(survey->objects, count, sizeof *survey->objects, compare_objects);
}

void objects_report(Describe *d, const Races *races) {
  Reporting r = {.d = d, .races = races, .any_unknown = NO_CODE_ID};
  U32Vector *vectors[] = {&r.first_member, &r.next_member, &r.first_pair, &r.next_pair, &r.reached_by};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) U32Vector_init(vectors[i], d->facts->account);
  RowVector_init(&r.rows, d->facts->account);
  prepare(&r);
  find_unknown(&r);
  for (uint32_t i = 0; i < races->parts.count; i++)
    if (races->parts.data[i].object == i) report(&r, i);
  report_untouched(&r);
  join_all_rows(&r);
  finish(&r);
  RowVector_free(&r.rows);
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) U32Vector_free(vectors[i]);
}
