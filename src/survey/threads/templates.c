#include "survey/threads/templates.h"

#include "base/text.h"

VECTOR(TemplateVector, Template);
VECTOR(BitsetVector, Bitset);

struct Templates {
  const Code *code;
  Calls *calls;
  TemplateVector all;
  Map ids; // creation statement and routine -> template
  BitsetVector children, offspring, dominated;
  bool others_exit; // another thread than the main thread may call exit
  bool main_ends;   // the main thread may end before the process does, by a call
  bool cut_short;   // a thread may end at any statement
  Account *account;
};

uint32_t templates_count(const Templates *templates) { return (uint32_t)templates->all.count; }

const Template *templates_at(const Templates *templates, uint32_t id) { return TemplateVector_at(&templates->all, id); }

const Bitset *templates_offspring(const Templates *templates, uint32_t creator) {
  return BitsetVector_at(&templates->offspring, creator);
}

bool templates_dominates(const Templates *templates, uint32_t above, uint32_t below) {
  return bitset_get(BitsetVector_at(&templates->dominated, above), below);
}

static uint64_t creation_key(uint32_t statement, uint32_t routine) { return (uint64_t)statement << 32 | routine; }

uint32_t templates_created(const Templates *templates, uint32_t statement, uint32_t routine) {
  uint64_t id = map_get_or(&templates->ids, creation_key(statement, routine), NO_CODE_ID);
  assert(id != NO_CODE_ID);
  return (uint32_t)id;
}

static void add_any_time(Templates *t, TemplateKind kind, uint32_t routine, bool at_exit) {
  for (size_t i = 0; i < t->all.count; i++) {
    if (!t->all.data[i].any_time || t->all.data[i].routine != routine) continue;
    if (t->all.data[i].at_exit && !at_exit) t->all.data[i].kind = kind;
    t->all.data[i].at_exit &= at_exit;
    return;
  }
  TemplateVector_push(&t->all, (Template){.kind = kind,
                                          .routine = routine,
                                          .statement = NO_CODE_ID,
                                          .many = true,
                                          .any_time = true,
                                          .at_exit = at_exit});
}

static void add_created(Templates *t, uint32_t statement, uint32_t routine) {
  assert(t->code->statements[statement].kind == CODE_CALL && t->code->functions[routine].defined);
  if (map_contains(&t->ids, creation_key(statement, routine))) return;
  map_put(&t->ids, creation_key(statement, routine), t->all.count);
  TemplateVector_push(&t->all, (Template){.kind = TEMPLATE_CREATED,
                                          .routine = routine,
                                          .statement = statement,
                                          .many = !calls_once(t->calls, statement)});
}

static bool has_library_call(const Templates *t, uint32_t statement, SynchronisationKind kind) {
  CallTargets targets = calls_of(t->calls, statement);
  for (uint32_t i = 0; i < targets.count; i++)
    if (targets.data[i].kind == CALL_LIBRARY &&
        calls_effect(t->calls, targets.data[i].function)->synchronisation == kind)
      return true;
  return false;
}

static void add_of_statement(Templates *t, uint32_t statement) {
  CallTargets targets = calls_of(t->calls, statement);
  for (uint32_t i = 0; i < targets.count; i++) {
    CallTarget target = targets.data[i];
    if (target.kind == CALL_CREATE) add_created(t, statement, target.function);
    if (target.kind == CALL_HANDLER) add_any_time(t, TEMPLATE_HANDLER, target.function, false);
    if (target.kind == CALL_AT_THE_END)
      add_any_time(t, TEMPLATE_AT_THE_END, target.function, !has_library_call(t, statement, SYNC_KEY));
  }
}

static void find_templates(Templates *t, const Pointing *pointing, const uint32_t *entries, size_t entry_count) {
  const Code *code = t->code;
  bool again = code->main != NO_CODE_ID && !calls_function_once(t->calls, code->main);
  TemplateVector_push(&t->all, (Template){.kind = TEMPLATE_MAIN, .routine = code->main, .statement = NO_CODE_ID});
  if (again) add_any_time(t, TEMPLATE_ENTRY, code->main, false); // main is called again, by any thread
  for (size_t i = 0; i < entry_count; i++) add_any_time(t, TEMPLATE_ENTRY, entries[i], false);
  for (uint32_t f = 0; f < code->function_count; f++) {
    if (!code->functions[f].defined) continue;
    if (code->functions[f].at_exit) add_any_time(t, TEMPLATE_AT_THE_END, f, true);
    if (pointing_called_from_outside(pointing, f)) add_any_time(t, TEMPLATE_OUTSIDE, f, false);
  }
  for (uint32_t s = 0; s < code->statement_count; s++) add_of_statement(t, s);
}

// --- what creates what ---

// What the code of a template may do.
typedef struct Reach {
  Bitset *children;
  bool exits;       // end the process, with the routines that run then
  bool ends_thread; // end its thread by a call
} Reach;

static bool runs_no_routines(const char *function) {
  static const char *const names[] = {"_exit", "_Exit", "abort", "__VERIFIER_error", "__stack_chk_fail", "__chk_fail"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(function, names[i]) == 0) return true;
  return starts_with(function, "__assert");
}

static void note_ends(const Templates *t, CallTarget target, Reach *reach) {
  reach->exits |= target.kind == CALL_UNKNOWN;
  reach->ends_thread |= target.kind == CALL_UNKNOWN;
  if (target.kind != CALL_LIBRARY) return;
  const Effect *effect = calls_effect(t->calls, target.function);
  reach->exits |= effect->synchronisation == SYNC_EXIT_PROCESS && !runs_no_routines(effect->name);
  reach->ends_thread |= effect->synchronisation == SYNC_EXIT_THREAD;
}

static void visit_function(Templates *t, uint32_t function, Bitset *seen, U32Vector *work, Reach *reach) {
  const CodeFunction *f = &t->code->functions[function];
  for (uint32_t s = f->first_statement; s < f->first_statement + f->statement_count; s++) {
    CallTargets targets = calls_of(t->calls, s);
    reach->exits |= t->code->statements[s].kind == CODE_OPAQUE;
    reach->ends_thread |= t->code->statements[s].kind == CODE_OPAQUE;
    for (uint32_t i = 0; i < targets.count; i++) {
      CallTarget target = targets.data[i];
      note_ends(t, target, reach);
      if (target.kind == CALL_CREATE) bitset_set(reach->children, templates_created(t, s, target.function));
      if (target.kind == CALL_BODY || target.kind == CALL_BACK || target.kind == CALL_ONCE)
        if (bitset_add(seen, target.function)) U32Vector_push(work, target.function);
    }
  }
}

static void find_children(Templates *t, uint32_t id) {
  Bitset seen, children;
  U32Vector work;
  bitset_init(&seen, t->code->function_count, t->account);
  bitset_init(&children, t->all.count, t->account);
  U32Vector_init(&work, t->account);
  Template *template = TemplateVector_at(&t->all, id);
  Reach reach = {.children = &children};
  if (template->routine != NO_CODE_ID && bitset_add(&seen, template->routine)) U32Vector_push(&work, template->routine);
  for (uint32_t f = 0; template->kind == TEMPLATE_MAIN && f < t->code->function_count; f++)
    if (t->code->functions[f].at_start && t->code->functions[f].defined && bitset_add(&seen, f))
      U32Vector_push(&work, f);
  while (work.count > 0) visit_function(t, U32Vector_pop(&work), &seen, &work, &reach);
  t->others_exit |= id != 0 && !template->at_exit && reach.exits;
  t->main_ends |= id == 0 && reach.ends_thread;
  t->cut_short |= template->any_time && !template->at_exit && reach.ends_thread;
  U32Vector_free(&work);
  bitset_free(&seen);
  BitsetVector_push(&t->children, children);
}

// Adds all that is created from the templates in `reached` on, without going through `without`.
static void close(const Templates *t, Bitset *reached, uint32_t without) {
  for (bool again = true; again;) {
    again = false;
    for (size_t i = bitset_next(reached, 0); i < reached->bits; i = bitset_next(reached, i + 1))
      if (i != without) again |= bitset_union(reached, &t->children.data[i]);
  }
}

static void find_offspring(Templates *t, uint32_t id) {
  Bitset reached;
  bitset_init(&reached, t->all.count, t->account);
  bitset_copy(&reached, &t->children.data[id]);
  close(t, &reached, NO_CODE_ID);
  BitsetVector_push(&t->offspring, reached);
}

static void find_dominated(Templates *t, uint32_t id) {
  Bitset reached, dominated;
  bitset_init(&reached, t->all.count, t->account);
  bitset_init(&dominated, t->all.count, t->account);
  bool alone = !templates_at(t, id)->many && !templates_at(t, id)->any_time;
  for (size_t i = 0; i < t->all.count; i++)
    if ((i == 0 || t->all.data[i].any_time)) bitset_set(&reached, i);
  close(t, &reached, id);
  for (size_t i = 0; alone && i < t->all.count; i++) {
    bool from_elsewhere = bitset_get(&reached, i) || i == id;
    if (!from_elsewhere) bitset_set(&dominated, i);
  }
  if (alone && id == 0) // what only the main thread creates
    for (size_t i = 1; i < t->all.count; i++) assert(!bitset_get(&dominated, i) || !t->all.data[i].any_time);
  assert(!bitset_get(&dominated, id));
  bitset_free(&reached);
  BitsetVector_push(&t->dominated, dominated);
}

// Routines that run at exit run in the main thread if only it ends the process. A process without other threads runs
// everything in it.
static void find_main_routines(Templates *t) {
  bool alone = true;
  for (size_t i = 0; i < t->all.count; i++) {
    TemplateKind kind = t->all.data[i].kind;
    alone &= kind == TEMPLATE_MAIN || kind == TEMPLATE_HANDLER || kind == TEMPLATE_AT_THE_END;
  }
  bool main_exits = !t->others_exit && !t->main_ends && !t->cut_short;
  for (size_t i = 1; i < t->all.count; i++)
    t->all.data[i].in_main = t->all.data[i].any_time && (alone || (t->all.data[i].at_exit && main_exits));
}

bool templates_cut_short(const Templates *templates) { return templates->cut_short; }

bool templates_one_thread(const Templates *templates, uint32_t a, uint32_t b) {
  const Template *x = templates_at(templates, a), *y = templates_at(templates, b);
  bool main_x = a == 0 || x->in_main, main_y = b == 0 || y->in_main;
  assert(!x->in_main || x->any_time);
  return (main_x && main_y) || (a == b && !x->many);
}

Templates *templates_new(const Code *code, const Pointing *pointing, Calls *calls, const uint32_t *entries,
                         size_t entry_count, Account *account) {
  Templates *t = memory_allocate_zeroed(account, sizeof *t);
  *t = (Templates){.code = code, .calls = calls, .account = account};
  TemplateVector_init(&t->all, account);
  map_init(&t->ids, account);
  BitsetVector_init(&t->children, account);
  BitsetVector_init(&t->offspring, account);
  BitsetVector_init(&t->dominated, account);
  t->cut_short = code_find_function(code, "pthread_cancel") != NO_CODE_ID;
  find_templates(t, pointing, entries, entry_count);
  assert(t->all.count > 0 && t->all.data[0].kind == TEMPLATE_MAIN && !t->all.data[0].any_time);
  for (uint32_t i = 0; i < t->all.count; i++) find_children(t, i);
  for (uint32_t i = 0; i < t->all.count; i++) find_offspring(t, i);
  for (uint32_t i = 0; i < t->all.count; i++) find_dominated(t, i);
  find_main_routines(t);
  assert(t->children.count == t->all.count && t->offspring.count == t->all.count);
  return t;
}

void templates_free(Templates *t) {
  if (!t) return;
  BitsetVector *vectors[] = {&t->children, &t->offspring, &t->dominated};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
    for (size_t k = 0; k < vectors[i]->count; k++) bitset_free(&vectors[i]->data[k]);
    BitsetVector_free(vectors[i]);
  }
  TemplateVector_free(&t->all);
  map_free(&t->ids);
  memory_free(t->account, t, sizeof *t);
}

void templates_name(const Templates *t, uint32_t id, Text *out) {
  const Template *template = templates_at(t, id);
  const char *routine = template->routine == NO_CODE_ID ? "main" : t->code->functions[template->routine].name;
  text_add(out, routine);
  switch (template->kind) {
  case TEMPLATE_MAIN: break;
  case TEMPLATE_CREATED: {
    CodePosition at = t->code->positions[t->code->statements[template->statement].position];
    text_format(out, " (created in %s:%u)", at.file ? at.short_file : "?", (unsigned)at.line);
    break;
  }
  case TEMPLATE_ENTRY: text_add(out, " (entry)"); break;
  case TEMPLATE_HANDLER: text_add(out, " (signal handler)"); break;
  case TEMPLATE_OUTSIDE: text_add(out, " (called from outside)"); break;
  case TEMPLATE_AT_THE_END: text_add(out, " (runs at an end)"); break;
  }
}
