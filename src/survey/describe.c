#include "survey/describe.h"

#include <stdlib.h>

const char *describe_text(const Describe *d, Text *text) {
  const char *copy = arena_string(&d->survey->arena, text->data);
  text_free(text);
  return copy;
}

// Where the lock is, for its name. False: that is not one place.
static bool place_of_lock(const Describe *d, const Lock *l, AreaPlace *place) {
  if (l->kind == LOCK_PLACE || l->kind == LOCK_OWN) {
    *place = (AreaPlace){.area = l->id, .stride = l->stride, .offset = l->offset + l->base};
    return true;
  }
  if (l->kind != LOCK_RELATIVE) return false;
  PlaceRange range = pointing_of(d->facts->pointing, (CodeOperand){CODE_REGISTER, l->id, 0});
  if (range.count != 1) return false;
  *place = range.data[0];
  place->offset += l->offset;
  return true;
}

// NULL: it has no name.
static const char *describe_lock(const Describe *d, uint32_t lock) {
  const Lock *l = locks_at(d->facts->locks, lock);
  AreaPlace place;
  bool placed = place_of_lock(d, l, &place);
  if (!placed && l->kind != LOCK_SECTION) return NULL;
  Text text;
  text_init(&text, d->facts->account);
  if (placed)
    pointing_place_name(d->facts->pointing, place, &text);
  else
    text_add(&text, "atomic section");
  if (l->shared) text_add(&text, " (for reading)");
  return describe_text(d, &text);
}

static int compare_names(const void *a, const void *b) {
  const char *const *x = a, *const *y = b;
  return strcmp(*x, *y);
}

const char *describe_locks(const Describe *d, SetId locks) {
  StringVector names;
  StringVector_init(&names, d->facts->account);
  for (uint32_t i = 0; i < set_range(&d->facts->sets, locks).count; i++) {
    const char *name = describe_lock(d, set_range(&d->facts->sets, locks).data[i]);
    if (name) StringVector_push(&names, name);
  }
  if (names.count > 1) qsort(names.data, names.count, sizeof *names.data, compare_names);
  Text text;
  text_init(&text, d->facts->account);
  for (size_t i = 0; i < names.count; i++) {
    if (i > 0 && strcmp(names.data[i - 1], names.data[i]) == 0) continue;
    if (i > 0) text_add(&text, ", ");
    text_add(&text, names.data[i]);
  }
  StringVector_free(&names);
  return describe_text(d, &text);
}

// --- accesses ---

enum { MOST_CALLS = 24 };

// From the thread's routine to the function: "worker > handle > enqueue".
static const char *describe_calls(const Describe *d, uint32_t context) {
  const char *names[MOST_CALLS];
  size_t count = 0;
  for (uint32_t i = context; i != NO_CODE_ID && count < MOST_CALLS; i = flow_context(d->flow, i)->caller)
    names[count++] = d->facts->code->functions[flow_context(d->flow, i)->function].name;
  Text text;
  text_init(&text, d->facts->account);
  while (count-- > 0) {
    text_add(&text, names[count]);
    if (count > 0) text_add(&text, " > ");
  }
  return describe_text(d, &text);
}

// Of calls at any time: that of the routine in which the calls begin.
static uint32_t template_of(const Describe *d, uint32_t template_id, uint32_t context) {
  const Templates *templates = d->facts->templates;
  if (!templates_at(templates, template_id)->any_time) return template_id;
  while (flow_context(d->flow, context)->caller != NO_CODE_ID) context = flow_context(d->flow, context)->caller;
  for (uint32_t i = template_id; i < templates_count(templates); i++) {
    const Template *t = templates_at(templates, i);
    if (t->any_time && t->routine == flow_context(d->flow, context)->function) return i;
  }
  return template_id;
}

SurveyAccess describe_taking(const Describe *d, uint32_t statement, uint32_t context, uint32_t template_id,
                             SetId locks) {
  const Code *code = d->facts->code;
  const CodeStatement *s = &code->statements[statement];
  Text thread;
  text_init(&thread, d->facts->account);
  templates_name(d->facts->templates, template_of(d, template_id, context), &thread);
  return (SurveyAccess){.statement = statement,
                        .position = code->positions[s->position],
                        .function = code->functions[s->function].name,
                        .thread = describe_text(d, &thread),
                        .locks = describe_locks(d, locks),
                        .calls = describe_calls(d, context)};
}

static SurveyAccess describe_access(const Describe *d, uint32_t class_index, uint32_t at) {
  const AccessClass *c = AccessClassVector_at(&d->accesses->classes, class_index);
  AccessSite site = *AccessSiteVector_at(&d->accesses->sites, at);
  SurveyAccess access = describe_taking(d, site.statement, site.context, c->template_id, c->locks);
  access.writes = c->kind.writes;
  access.atomic = c->kind.atomic;
  access.frees = c->kind.frees;
  return access;
}

// --- pairs ---

static const char *reason_of(const Describe *d, const AccessClass *a, const AccessClass *b, const SurveyPair *pair) {
  Arena *arena = &d->survey->arena;
  if (a->kind.opaque || b->kind.opaque) return "one of the accesses is by something that is not understood";
  bool first = pair->first.locks[0] != 0, second = pair->second.locks[0] != 0;
  if (!first && !second) {
    if (a->kind.atomic != b->kind.atomic) return "only one of the two accesses is atomic, and no lock is held";
    return "the threads may run at the same time, and no lock is held at either access";
  }
  if (first != second)
    return arena_format(arena, "%s is held at one access, and no lock at the other",
                        first ? pair->first.locks : pair->second.locks);
  return arena_format(arena, "the accesses have no lock in common: %s and %s", pair->first.locks, pair->second.locks);
}

static const char *remedy_of(const Describe *d, const SurveyPair *pair) {
  const char *locks = pair->first.locks[0] ? pair->first.locks : pair->second.locks;
  if (locks[0]) return arena_format(&d->survey->arena, "hold %s at both accesses", locks);
  return "hold one mutex at both accesses, make both atomic, or let one thread wait for the other";
}

static uint64_t fingerprint_access(const Describe *d, const AccessClass *c, const SurveyAccess *access) {
  uint32_t routine = templates_at(d->facts->templates, c->template_id)->routine;
  const char *thread = routine == NO_CODE_ID ? "main" : d->facts->code->functions[routine].name;
  uint64_t kind = (uint64_t)access->writes | (uint64_t)access->atomic << 1 | (uint64_t)access->frees << 2;
  return hash_mix(hash_bytes(access->function, strlen(access->function)) ^
                  hash_mix(hash_bytes(thread, strlen(thread)) ^ kind));
}

SurveyPair describe_pair(const Describe *d, const char *object, const RacePair *pair, uint32_t first, uint32_t second) {
  const AccessClass *a = AccessClassVector_at(&d->accesses->classes, pair->first);
  const AccessClass *b = AccessClassVector_at(&d->accesses->classes, pair->second);
  SurveyPair result = {.first = describe_access(d, pair->first, first),
                       .second = describe_access(d, pair->second, second),
                       .rank = pair->rank};
  result.reason = reason_of(d, a, b, &result);
  result.remedy = remedy_of(d, &result);
  result.fingerprint = hash_mix(survey_name_key(object)) + fingerprint_access(d, a, &result.first) +
                       fingerprint_access(d, b, &result.second);
  return result;
}
