// The answer of a portfolio that no engine decided.
#include "cli/lanes/lane_state.h"

#include <assert.h>
#include <string.h>

// Each text once, although several settings of an engine may say the same.
static void add_named(Text *out, Interner *told, const char *engine, const char *text) {
  size_t before = told->count;
  intern(told, text);
  if (!*text || told->count == before) return;
  size_t length = strlen(engine);
  bool named = strncmp(text, engine, length) == 0 && text[length] == ':'; // a progress line begins with the engine
  text_format(out, "%s%s%s%s", out->length ? "; " : "", named ? "" : engine, named ? "" : ": ", text);
}

// Adds the cuts that an engine met. True if they are its reason, and others have told all of them.
static bool repeats_cuts(Result *all, const Result *said) {
  size_t before = all->cuts.count;
  result_add_cuts_of(all, said);
  return said->why == REASON_CUT && before > 0 && all->cuts.count == before;
}

// Names two of the cuts that engines met: the first that each of two engines names are often of different kinds.
static void unknown_for_cuts_of_all(Result *result) {
  assert(result->cuts.count > 0);
  if (result->cuts.count == 1) {
    result_unknown_for_cuts(result);
    return;
  }
  const MetCut *first = &result->cuts.data[0], *second = &result->cuts.data[1];
  Text more;
  text_init(&more, NULL);
  if (result->cuts.count > 2) text_format(&more, ", and %zu more", result->cuts.count - 2);
  bool alike = first->kind == second->kind;
  result_unknown_for(result, REASON_CUT, "%s: %s; %s%s%s%s", cut_kind_text(first->kind), first->what.data,
                     alike ? "" : cut_kind_text(second->kind), alike ? "" : ": ", second->what.data, more.data);
  text_free(&more);
}

// No engine decided it: what each of them said. A single engine speaks for itself.
Result *lane_sum_up(PortfolioRun *run) {
  if (run->count == 1 && run->lanes[0].lane->count == 1 && run->lanes[0].last[0] && !run->lanes[0].contradicted) {
    Result *own = run->lanes[0].last[0];
    run->lanes[0].last[0] = NULL;
    return own;
  }
  Result *result = result_new(run->p->property, NULL);
  Text reasons;
  text_init(&reasons, NULL);
  Interner told;
  interner_init(&told, NULL);
  bool late = false, only_cuts = true;
  ReasonKind kind = REASON_GAVE_UP; // of the first that said anything, or a mistake of ours
  for (size_t i = 0; i < run->count; i++) {
    for (size_t k = 0; k < run->lanes[i].lane->count; k++) {
      const Result *said = run->lanes[i].last[k];
      if (!said) continue;
      const char *engine = run->lanes[i].lane->members[k].engine->name;
      if (said->answer == ANSWER_SAFE && run->lanes[i].contradicted) {
        kind = REASON_INTERNAL;
        add_named(&reasons, &told, engine, "internal error: it says SAFE in spite of a violation");
      }
      if (said->answer != ANSWER_UNKNOWN) continue;
      bool repeats = repeats_cuts(result, said);
      late = late || lane_ran_out_of_time(said);
      if (!reasons.length || (said->why == REASON_INTERNAL && kind != REASON_INTERNAL)) kind = said->why;
      only_cuts = only_cuts && said->why == REASON_CUT;
      if (!repeats) add_named(&reasons, &told, engine, said->reason.data);
      add_named(&result->covered, &told, engine, said->covered.data);
    }
  }
  unsigned safe = lane_count_safe(run);
  if (*run->p->interrupt->flag)
    result_stopped(result, STOP_SIGNAL);
  else if (safe > 0)
    result_unknown_for(result, REASON_AGREEMENT, "%u of %u engines said SAFE; %s", safe, run->p->agree, reasons.data);
  else if (late || (!reasons.length && run->p->deadline > 0))
    result_stopped(result, STOP_TIME);
  else if (reasons.length && only_cuts && kind == REASON_CUT && result->cuts.count)
    unknown_for_cuts_of_all(result);
  else
    result_unknown_for(result, kind, "%s", reasons.length ? reasons.data : "no engine could be run");
  interner_free(&told);
  text_free(&reasons);
  return result;
}
