#include "cli/options/presets.h"

#include "command/spelling.h"

#include <assert.h>
#include <string.h>

#define THETA_REDUCTION "aware" // the reduction of reach that is most like Theta's

const Preset presets[] = {
    {.name = "impara",
     .summary = "Impara: Impact with monotone partial-order reduction (Wachter, Kroening, Ouaknine)",
     .engine = "reach",
     .settings = {{"reduction", "monotone"}, {"force-cover", "yes"}, {"block", "large"}, {"search", "dfs"}}},
    {.name = "yogar",
     .summary = "Yogar-CBMC: scheduling constraints refined by graph analysis (Yin, Dong, Liu, Wang)",
     .engine = "order",
     .settings = {{"refine", "graph"}}},
    {.name = "sat-cegar",
     .summary = "what Yogar-CBMC is compared with: scheduling constraints refined by a solver",
     .engine = "order",
     .settings = {{"refine", "solver"}}},
    {.name = "monolithic",
     .summary = "CBMC: all scheduling constraints in one formula (Alglave, Kroening, Tautschnig)",
     .engine = "order",
     .settings = {{"refine", "eager"}}},
    {.name = "theta",
     .summary = "Theta: values of tracked variables, with partial-order reduction (Telbisz)",
     .engine = "reach",
     .settings = {{"domain", "explicit"}, {"reduction", THETA_REDUCTION}, {"prune", "lazy"}, {"block", "large"}}},
    {.name = "theta-predicate",
     .summary = "Theta with predicates in the place of values",
     .engine = "reach",
     .settings = {{"domain", "predicate"}, {"reduction", THETA_REDUCTION}, {"prune", "lazy"}, {"block", "large"}}},
    {.name = "cpa-value",
     .summary = "CPAchecker's value analysis of threads (Kolesnykov)",
     .engine = "reach",
     .settings =
         {{"domain", "explicit"}, {"reduction", "local"}, {"prune", "lazy"}, {"block", "single"}, {"search", "bfs"}}},
    {.name = "cpa-predicate",
     .summary = "CPAchecker's predicate abstraction of threads, at loop heads (Kolesnykov)",
     .engine = "reach",
     .settings = {{"domain", "predicate"}, {"reduction", "persistent"}, {"block", "loop"}}},
    {.name = "cpa-bdd",
     .summary = "CPAchecker's analysis of threads with decision diagrams (Kolesnykov)",
     .engine = "reach",
     .settings = {{"domain", "bdd"}, {"reduction", "local"}, {"block", "single"}}},
    {.name = "cpa-bmc",
     .summary = "CPAchecker's bounded model checking of threads (Kolesnykov)",
     .engine = "reach",
     .settings = {{"domain", "path"}, {"reduction", "persistent"}, {"block", "whole"}}},
    {.name = "transactions",
     .summary = "NEC's circuits with on-the-fly transactions (Kahlon, Gupta, Sinha)",
     .engine = "circuit",
     .settings = {{"schedule", "transactions"}, {"method", "bmc"}}},
};
const size_t preset_count = sizeof presets / sizeof *presets;

const Preset *preset_find(const char *name, Text *error) {
  for (size_t i = 0; i < preset_count; i++)
    if (strcmp(presets[i].name, name) == 0) return &presets[i];
  text_format(error, "unknown preset '%s'; known are", name);
  for (size_t i = 0; i < preset_count; i++) text_format(error, "%s %s", i ? "," : "", presets[i].name);
  Spelling spelling;
  spelling_init(&spelling, name);
  for (size_t i = 0; i < preset_count; i++) spelling_try(&spelling, presets[i].name);
  spelling_suggest(&spelling, "", error);
  return NULL;
}

void preset_describe(const Preset *preset, Text *out) {
  text_format(out, "%s; --engine %s", preset->summary, preset->engine);
  assert(!preset->settings[PRESET_SETTINGS].option);
  for (const PresetSetting *setting = preset->settings; setting->option; setting++) {
    text_format(out, " --%s", setting->option);
    if (setting->value) text_format(out, " %s", setting->value);
  }
}
