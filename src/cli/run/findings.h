// All findings of one check: the properties one after the other, and for each the rounds (round.h), again and again.
//
// After a confirmed violation the same property is asked again with the violation settled (verdict/finding.h), in the
// same lowering, until the rest is proved, the answer is UNKNOWN, or the time of the property is up. Each property may
// take an equal share of the time that is left; what it does not need is left to the later ones.
#ifndef HEDDLE_CLI_RUN_FINDINGS_H
#define HEDDLE_CLI_RUN_FINDINGS_H

#include "cli/run/round.h"

// ChildWork on a Check. Sends a message of MESSAGE_FINDINGS.
void findings_run(void *check, Text *out);

#endif
