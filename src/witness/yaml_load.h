// Loading YAML that other programs wrote, with limits on its form.
//
// The time that libyaml takes grows with the square of the depth and of the number of anchors. Both are therefore
// checked before a document is loaded: at most 100 levels, at most 1000 anchors and aliases. The documents that Heddle
// reads have about ten levels and no anchors.
#ifndef HEDDLE_WITNESS_YAML_LOAD_H
#define HEDDLE_WITNESS_YAML_LOAD_H

#include "base/text.h"

#include <stdbool.h>
#include <yaml.h>

// Loads the first document of the text. False, with the problem in `problem` and its line in *line, if the text is not
// YAML or exceeds a limit. On success the caller must delete the document.
bool yaml_load(const char *text, size_t length, yaml_document_t *document, size_t *line, Text *problem);

#endif
