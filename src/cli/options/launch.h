// The arguments, the environment and the standard input of the checked program: --args, --env, --stdin.
//
// --args is split into words as a shell does: blanks separate words, '...' quotes everything, "..." and a backslash
// quote as usual. Nothing is expanded. Each --env is NAME=VALUE, or a single `none` for an empty environment; variables
// that are not given are not set. --stdin is read when the command line is parsed. If one of the three is not given, it
// may be anything (front/lower/process_start.c).
//
// In a schedule file they are the members "name", "args", "env" and "stdin" (in hexadecimal digits) of "lowering", so
// that `replay` needs no option. There, a text that is not UTF-8 is an object with its bytes: { "hex": "…" }.
//
// A Launch owns everything that `front` points to; `front` must not be used after launch_free. A Launch must not move
// while its `front` is in use, since `front` points into it.
#ifndef HEDDLE_CLI_OPTIONS_LAUNCH_H
#define HEDDLE_CLI_OPTIONS_LAUNCH_H

#include "base/arena.h"
#include "base/text.h"
#include "front/front.h"

typedef struct Launch {
  FrontLaunch front; // points into the rest
  StringVector arguments, environment;
  ByteVector input;
  Arena texts;
} Launch;

void launch_init(Launch *launch); // nothing is given
void launch_free(Launch *launch);

// Sets the name of the program: that of its first file, without directory and suffix.
void launch_set_name(Launch *launch, const char *file);
// Each returns false with one line in `error` if the option's value is malformed.
bool launch_set_arguments(Launch *launch, const char *words, Text *error);
bool launch_set_environment(Launch *launch, const StringVector *entries, Text *error);
bool launch_set_input(Launch *launch, const char *path, Text *error);

// Appends members of a JSON object, each after `separator`; nothing for what is not given, and the name only with
// `name`.
void launch_add_json(const Launch *launch, const char *separator, bool name, Text *out);
// Reads these members from an object into an empty Launch. Returns false with one line in `error`.
struct cJSON;
bool launch_read_json(Launch *launch, const struct cJSON *object, Text *error);

#endif
