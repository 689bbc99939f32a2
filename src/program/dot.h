// DOT and text output of a program, with source names.
#ifndef HEDDLE_PROGRAM_DOT_H
#define HEDDLE_PROGRAM_DOT_H

#include "program/program.h"

void program_print_dot(const Program *p, Text *out);    // one cluster per thread
void program_print_cells(const Program *p, Text *out);  // a table: address, bytes, name, initial value, shared, written
void program_print_access(const Program *p, Text *out); // per thread and edge: what it may read and write
void step_print(const Program *p, const Step *step, Text *out); // one line, C-like: "[x == 0] t := *(&flag); y = t + 1"

#endif
