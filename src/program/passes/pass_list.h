// The passes, each in a file of its own name; passes.c lists them with what they need and preserve.
#ifndef HEDDLE_PROGRAM_PASSES_PASS_LIST_H
#define HEDDLE_PROGRAM_PASSES_PASS_LIST_H

#include "program/program.h"

void pass_layout(Program *p);
void pass_interrupts(Program *p);
void pass_constants(Program *p);
void pass_setup(Program *p);
void pass_inputs(Program *p);
void pass_input_ranges(Program *p);
void pass_loops(Program *p);
void pass_dead_code(Program *p);
void pass_slice(Program *view);
void pass_values(Program *view); // in slice.c
void pass_single_blocks(Program *view);
void pass_large_blocks(Program *view);
void pass_whole_sections(Program *view);

#endif
