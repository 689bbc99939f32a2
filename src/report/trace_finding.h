// Which finding the violation at the end of a trace is (verdict/finding.h): its places, and the goals that it decides.
#ifndef HEDDLE_REPORT_TRACE_FINDING_H
#define HEDDLE_REPORT_TRACE_FINDING_H

#include "verdict/finding.h"
#include "verdict/trace.h"

// Fills the finding, which is empty. It has no places if the source has none for the violation.
void trace_finding(const Program *program, const Trace *trace, Finding *finding);

#endif
