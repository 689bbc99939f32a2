// Presets: an engine with the settings that make it a system of the literature.
//
// There is one table; the parser, the help text and the man page are derived from it. A preset sets options that the
// command line does not set. Each setting is one of an option that the engine reads.
#ifndef HEDDLE_CLI_OPTIONS_PRESETS_H
#define HEDDLE_CLI_OPTIONS_PRESETS_H

#include "base/text.h"

enum { PRESET_SETTINGS = 8 }; // the largest number of settings of a preset

typedef struct PresetSetting {
  const char *option, *value; // as on the command line, the option without its dashes; a flag has no value
} PresetSetting;

typedef struct Preset {
  const char *name, *summary, *engine;
  PresetSetting settings[PRESET_SETTINGS + 1]; // options of the engine, ended by one without an option
} Preset;

// Rows in the order in which help lists them.
extern const Preset presets[];
extern const size_t preset_count;

// The preset of that name; NULL with one line in `error` if there is none.
const Preset *preset_find(const char *name, Text *error);
// Adds the summary and the options that the preset sets.
void preset_describe(const Preset *preset, Text *out);

#endif
