// Memory of the library that its functions use without protection: they are not required to be safe in several
// threads.
#ifndef HEDDLE_SURVEY_LIBRARY_MEMORY_H
#define HEDDLE_SURVEY_LIBRARY_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

// A number for the memory that the function uses; 0: none, or it is protected.
uint32_t library_memory(const char *function, bool *writes);
// The number for the memory that the variable is, if functions are known that use it; 0: none are.
uint32_t library_object_memory(const char *name);
bool library_has_object(const char *name); // optarg, stdout: declared in headers, defined in the library

#endif
