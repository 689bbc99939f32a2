// YAML of others, within bounds.
//
// The time that libyaml takes grows with the square of the depth and of the number of anchors. Both are therefore
// looked at before a document is loaded; documents of the kinds that are read here have a depth of about ten, and no
// anchors.
#ifndef HEDDLE_WITNESS_YAML_LOAD_H
#define HEDDLE_WITNESS_YAML_LOAD_H

#include "base/text.h"

#include <stdbool.h>
#include <yaml.h>

// Loads the first document of the text. False, with the problem in `problem` and its line in *line, if it is not YAML
// or out of bounds. On success the caller deletes the document.
bool yaml_load(const char *text, size_t length, yaml_document_t *document, size_t *line, Text *problem);

#endif
