// The fingerprint of an unreduced program: a hash of everything that a schedule refers to (threads, edges, steps,
// memory), so that a schedule is never replayed against another program. Paths of source files are not part of it.
#ifndef HEDDLE_CLI_FINGERPRINT_H
#define HEDDLE_CLI_FINGERPRINT_H

#include "program/program.h"

uint64_t program_fingerprint(const Program *program);

#endif
