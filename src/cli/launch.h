// What the checked program is started with: --args, --env, --stdin.
//
// --args is cut into words as a shell does: blanks separate, '...' keeps all, "..." and a backslash protect. Nothing is
// expanded. Each --env is NAME=VALUE, or `none` alone for an empty environment; what is not named is not set. --stdin
// is read when the command line is parsed. What is not given may be anything (front/lower/process_start.c).
//
// The settings are members "name", "args", "env" and "stdin" (in hexadecimal digits) of "lowering" in a schedule file,
// so that `replay` needs no option. A text that is not UTF-8 is an object there: { "hex": "…" }, its bytes.
#ifndef HEDDLE_CLI_LAUNCH_H
#define HEDDLE_CLI_LAUNCH_H

#include "base/arena.h"
#include "base/text.h"
#include "front/front.h"

typedef struct Launch {
  FrontLaunch front; // points into the rest
  StringVector arguments, environment;
  ByteVector input;
  Arena texts;
} Launch;

void launch_init(Launch *launch); // nothing is said
void launch_free(Launch *launch);

// The name of the program: that of its first file, without directory and suffix.
void launch_set_name(Launch *launch, const char *file);
// Each returns false with one line in `error` if the option's value is malformed.
bool launch_set_arguments(Launch *launch, const char *words, Text *error);
bool launch_set_environment(Launch *launch, const StringVector *entries, Text *error);
bool launch_set_input(Launch *launch, const char *path, Text *error);

// Members of a JSON object, each with `separator` before it; nothing for what is not given. The name only if `name`.
void launch_add_json(const Launch *launch, const char *separator, bool name, Text *out);
// Reads them back, with the name. Returns false with one line in `error`.
struct cJSON;
bool launch_read_json(Launch *launch, const struct cJSON *object, Text *error);

#endif
