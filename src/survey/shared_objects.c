#include "survey/shared_objects.h"

#include <stdlib.h>

VECTOR(SurveyObjectVector, SurveyObject);

typedef struct Reporting {
  Describe *d;
  const Races *races;
  U32Vector first_member, next_member; // per object: its parts, in order; NO_CODE_ID ends
  U32Vector first_pair, next_pair;     // per object: its pairs
  U32Vector reached_by;                // per area: an undefined function that gets its address, or NO_CODE_ID
  uint32_t any_unknown;                // an undefined function; or NO_CODE_ID
  SurveyObjectVector objects;
} Reporting;

static const AccessClass *class_of(const Reporting *r, uint32_t part) {
  return AccessClassVector_at(&r->d->accesses->classes, r->races->parts.data[part].first_class);
}

// --- preparation ---

static void chain(U32Vector *first, U32Vector *next, size_t count, size_t elements) {
  U32Vector_resize(first, count);
  U32Vector_resize(next, elements);
  memset(first->data, 0xff, count * sizeof *first->data);
  memset(next->data, 0xff, elements * sizeof *next->data);
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
      uint32_t *by = U32Vector_at(&r->reached_by, range.data[k].area);
      if (*by == NO_CODE_ID) *by = function;
    }
  }
}

static void find_unknown(Reporting *r) {
  const SurveyFacts *facts = r->d->facts;
  for (uint32_t i = 0; i < pointing_area_count(facts->pointing); i++) U32Vector_push(&r->reached_by, NO_CODE_ID);
  for (uint32_t s = 0; s < facts->code->statement_count; s++) {
    CallTargets targets = calls_of(facts->calls, s);
    for (uint32_t i = 0; i < targets.count; i++)
      if (targets.data[i].kind == CALL_UNKNOWN) note_unknown(r, &facts->code->statements[s], targets.data[i].function);
  }
}

// --- what an object is ---

typedef struct Summary {
  unsigned protections;
  SetId locks;
  bool written, several_threads, other_thread, opaque, covers;
  bool only_locks; // touched by functions that synchronise, and by nothing else
  uint32_t pairs, parts;
  uint32_t part; // that gives it its name
} Summary;

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
  return (CodePosition){NULL, 0};
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
    default: text_add(&text, survey_protection_name((SurveyProtection)i)); break;
    }
  }
  return describe_text(r->d, &text);
}

static void prove(Reporting *r, const Summary *s, SurveyObject *object) {
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
  out->pairs_left_out += all - (uint32_t)pairs.count;
  RacePairVector_free(&pairs);
}

static void doubt(SurveyObject *object, SurveyDoubt kind, const char *detail) {
  object->status = SURVEY_OPEN;
  object->doubt = kind;
  object->doubt_detail = detail;
}

static const char *reaching_function(const Reporting *r, uint32_t area) {
  uint32_t by = r->reached_by.data[area] != NO_CODE_ID ? r->reached_by.data[area] : r->any_unknown;
  return by == NO_CODE_ID ? "of a library" : r->d->facts->code->functions[by].name;
}

static void decide(Reporting *r, uint32_t area, const Summary *s, SurveyObject *object) {
  const Area *a = pointing_area(r->d->facts->pointing, area);
  if (!r->d->survey->complete)
    doubt(object, SURVEY_DOUBT_LIMIT, "time");
  else if (bitset_get(&r->races->limited, area))
    doubt(object, SURVEY_DOUBT_LIMIT, "parts of one object");
  else if (a->exposed || (a->kind == AREA_OUTSIDE && s->pairs > 0))
    doubt(object, SURVEY_DOUBT_OUTSIDE, reaching_function(r, area));
  else if (s->pairs > 0 && s->opaque)
    doubt(object, SURVEY_DOUBT_OPAQUE, "one of its accesses");
  else if (s->pairs > 0)
    object->status = SURVEY_WARNED;
  else
    prove(r, s, object);
}

static void report(Reporting *r, uint32_t id) {
  SurveyFacts *facts = r->d->facts;
  Summary s = summarise(r, id);
  AreaPlace place = class_of(r, s.part)->place;
  bool exposed = pointing_area(facts->pointing, place.area)->exposed || bitset_get(&r->races->limited, place.area);
  bool alone = !s.several_threads && !s.other_thread && !exposed;
  if (alone || (s.covers && s.parts == 1 && s.pairs == 0 && !exposed))
    return; // the main thread's, or told by its parts
  if (s.only_locks && s.pairs == 0) return;
  Text name;
  text_init(&name, facts->account);
  pointing_place_name(facts->pointing, place, &name);
  SurveyObject object = {.name = describe_text(r->d, &name),
                         .position = position_of(facts, place.area),
                         .detail = "",
                         .doubt_detail = "",
                         .places = count_places(r, id)};
  decide(r, place.area, &s, &object);
  add_pairs(r, id, s.pairs, &object);
  SurveyObjectVector_push(&r->objects, object);
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
    Text name;
    text_init(&name, facts->account);
    pointing_area_name(facts->pointing, i, &name);
    SurveyObject object = {.name = describe_text(r->d, &name), .position = position_of(facts, i), .detail = ""};
    doubt(&object, SURVEY_DOUBT_OUTSIDE, reaching_function(r, i));
    SurveyObjectVector_push(&r->objects, object);
  }
  bitset_free(&told);
}

static int status_order(SurveyStatus status) { return status == SURVEY_WARNED ? 0 : status == SURVEY_OPEN ? 1 : 2; }

static unsigned top_rank(const SurveyObject *object) { return object->pair_count > 0 ? object->pairs[0].rank : 0; }

static int compare_objects(const void *a, const void *b) {
  const SurveyObject *x = a, *y = b;
  if (x->status != y->status) return status_order(x->status) - status_order(y->status);
  if (top_rank(x) != top_rank(y)) return top_rank(x) < top_rank(y) ? 1 : -1;
  int names = strcmp(x->name, y->name);
  if (names) return names;
  if (x->position.line != y->position.line) return x->position.line < y->position.line ? -1 : 1;
  return (x->places < y->places) - (x->places > y->places);
}

static void finish(Reporting *r) {
  Survey *survey = r->d->survey;
  SurveyObjectVector *v = &r->objects;
  if (v->count > 1) qsort(v->data, v->count, sizeof *v->data, compare_objects);
  survey->object_count = (uint32_t)v->count;
  survey->objects = arena_allocate(&survey->arena, (v->count + 1) * sizeof *v->data);
  if (v->count > 0) memcpy(survey->objects, v->data, v->count * sizeof *v->data);
  for (size_t i = 0; i < v->count; i++) {
    SurveyStatus status = v->data[i].status;
    survey->totals.proved += status == SURVEY_PROVED;
    survey->totals.warned += status == SURVEY_WARNED;
    survey->totals.open += status == SURVEY_OPEN;
  }
}

void objects_report(Describe *d, const Races *races) {
  Reporting r = {.d = d, .races = races, .any_unknown = NO_CODE_ID};
  U32Vector *vectors[] = {&r.first_member, &r.next_member, &r.first_pair, &r.next_pair, &r.reached_by};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) U32Vector_init(vectors[i], d->facts->account);
  SurveyObjectVector_init(&r.objects, d->facts->account);
  prepare(&r);
  find_unknown(&r);
  for (uint32_t i = 0; i < races->parts.count; i++)
    if (races->parts.data[i].object == i) report(&r, i);
  report_untouched(&r);
  finish(&r);
  SurveyObjectVector_free(&r.objects);
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) U32Vector_free(vectors[i]);
}
