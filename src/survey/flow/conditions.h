// What the condition of a branch tells of registers on its edges.
//
// Direction of the facts: must.
#ifndef HEDDLE_SURVEY_FLOW_CONDITIONS_H
#define HEDDLE_SURVEY_FLOW_CONDITIONS_H

#include "front/code/code.h"

// The register that is surely 0, or surely not 0, on the edge; NO_CODE_ID: none is known.
uint32_t condition_zero(const Code *code, const CodeBlock *block, const CodeEdge *edge);
uint32_t condition_nonzero(const Code *code, const CodeBlock *block, const CodeEdge *edge);

#endif
