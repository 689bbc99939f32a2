#include "cli/run/plan.h"

#include "cli/run/engines.h"

#include <assert.h>
#include <limits.h>

// --- features ---

static size_t fresh_bits(const Program *p, const Step *step) {
  size_t bits = 0;
  for (uint32_t i = 0; i < step->assignment_count; i++)
    if (step->assignments[i].value == VALUE_INPUT)
      bits += term_width(p->terms, p->variables.data[step->assignments[i].variable].term);
  return bits;
}

static bool computes_with_floats(const Program *p, const Step *step) {
  if (term_has_floating_point(p->terms, step->guard)) return true;
  for (uint32_t i = 0; i < step->assignment_count; i++) {
    Term value = step->assignments[i].value;
    if (!value_is_fresh(value) && term_has_floating_point(p->terms, value)) return true;
  }
  return false;
}

void features_count(const Program *program, Features *features) {
  *features = (Features){.threads = program->threads.count, .edges = program->edges.count};
  for (size_t i = 0; i < program->edges.count; i++) features->loops += program->edges.data[i].back;
  for (size_t i = 0; i < program->steps.count; i++) {
    const Step *step = &program->steps.data[i];
    const Access *access = &step->access;
    features->waits += step->kind == STEP_LOCK || step->kind == STEP_WAIT;
    features->input_bits += fresh_bits(program, step);
    features->dereferences += access->address != TERM_NONE && access->cells.count > 1;
    features->floating_point = features->floating_point || computes_with_floats(program, step);
  }
  for (size_t i = 0; i < program->cuts.count; i++)
    features->unbounded = features->unbounded || program->cuts.data[i].kind == CUT_THREADS;
}

void features_print(const Features *features, Text *out) {
  text_format(out, "%zu threads, %zu edges, %zu loops, %zu waits, %zu input bits, %zu dereferences%s%s",
              features->threads, features->edges, features->loops, features->waits, features->input_bits,
              features->dereferences, features->unbounded ? ", threads without bound" : "",
              features->floating_point ? ", floating point" : "");
}

// --- lanes ---

// Was an option of engines given, and is it one that the engine (NULL: any) does not read?
static const OptionRow *unread_option(const Options *options, const Engine *engine) {
  for (size_t i = 0; i < option_row_count; i++) {
    if (!(options->given >> i & 1) || !option_rows[i].engine) continue;
    if (!engine || !engine_reads(engine, option_rows[i].name)) return &option_rows[i];
  }
  return NULL;
}

static bool suits(const Engine *engine, const Options *options) {
  Text ignored;
  text_init(&ignored, NULL);
  bool fine = !unread_option(options, engine) &&
              engine_accepts(engine->name, options->property_value, &options->engine_options, &ignored);
  text_free(&ignored);
  return fine;
}

// The engine that the options name; NULL: `auto`.
static const Engine *named_engine(const Options *options) { return engine_find(options->engine); }

bool plan_wants(const Engine *engine, const Options *options) {
  const Engine *named = named_engine(options);
  return named ? engine == named : suits(engine, options);
}

bool plan_possible(const Options *options, Text *error) {
  bool named = !engine_is_auto(options->engine), decided = false;
  if (named && !engine_accepts(options->engine, options->property_value, &options->engine_options, error)) return false;
  long suiting = 0;
  for (size_t i = 0; engines[i]; i++) {
    suiting += plan_wants(engines[i], options);
    decided = decided || engines[i]->properties >> options->property_value & 1;
  }
  if (suiting > 0 && options->agree >= 1 && options->agree <= suiting) return true;
  if (suiting > 0)
    text_format(error, "--agree wants a number from 1 to %ld here, not %ld: so many engines can be asked", suiting,
                options->agree);
  else if (decided)
    text_format(error, "no engine reads --%s together with all other options; name one by --engine",
                unread_option(options, NULL)->name);
  else
    text_format(error, "no engine decides the property %s", property_name(options->property_value));
  return false;
}

static void add_lane(Plan *plan, const Engine *engine, const Options *options, bool alternatives) {
  assert(plan->count < MOST_LANES);
  Lane *lane = &plan->lanes[plan->count++];
  *lane = (Lane){.members = {{.engine = engine, .options = options->engine_options, .settings = ""}}, .count = 1};
  for (const EngineVariant *variant = engine->variants; alternatives && variant && variant->settings; variant++) {
    assert(lane->count < MOST_SETTINGS);
    Member *member = &lane->members[lane->count++];
    *member = (Member){.engine = engine, .options = options->engine_options, .settings = variant->settings};
    variant->set(&member->options);
  }
}

// The smaller, the sooner. What is run first has the machine for itself for a moment, which is all that most programs
// take.
static unsigned priority(const Engine *engine, const Features *features) {
  return engine->begins ? engine->begins(features) : UINT_MAX;
}

static void sort_lanes(Plan *plan, const Features *features) {
  for (size_t i = 1; i < plan->count; i++) {
    for (size_t k = i; k > 0; k--) {
      Lane *before = &plan->lanes[k - 1], *lane = &plan->lanes[k];
      if (priority(before->members[0].engine, features) <= priority(lane->members[0].engine, features)) break;
      Lane other = *before;
      *before = *lane;
      *lane = other;
    }
  }
}

// Is the program too large for what this property asks of the engine? An engine that was named, or that is needed to
// agree, is asked all the same.
static bool is_too_large(const Engine *engine, const Options *options, const Features *features) {
  Property property = options->property_value;
  if (property == PROPERTY_UNREACH_CALL || property == PROPERTY_LTL) return false;
  if (named_engine(options) || options->agree > 1) return false;
  return engine->most_edges && features->edges > engine->most_edges;
}

void plan_make(Plan *plan, const Options *options, const Features *features) {
  *plan = (Plan){0};
  bool free = !named_engine(options) && !unread_option(options, NULL);
  for (size_t i = 0; engines[i] && plan->count < MOST_LANES; i++)
    if (engines[i]->run && plan_wants(engines[i], options) && !is_too_large(engines[i], options, features))
      add_lane(plan, engines[i], options, free);
  sort_lanes(plan, features);
  static const double delays[] = {0, 0.05, 0.4, 0.6};
  enum { DELAYS = sizeof delays / sizeof *delays };
  for (size_t i = 0; i < plan->count; i++) plan->lanes[i].delay = delays[i < DELAYS ? i : DELAYS - 1];
}

void plan_add_said(Plan *plan, const Engine *engine, const Options *options) {
  assert(!engine->run);
  add_lane(plan, engine, options, false);
  plan->lanes[plan->count - 1].said_safe = true;
}
