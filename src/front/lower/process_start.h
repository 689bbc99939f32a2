// What the process gets when it starts: arguments of main, environment, standard input.
#ifndef HEDDLE_FRONT_LOWER_PROCESS_START_H
#define HEDDLE_FRONT_LOWER_PROCESS_START_H

#include "front/lower/lower.h"

enum { LAUNCH_MOST_ARGUMENTS = 8 }; // parameters of main that get a value
size_t launch_arguments(Lowering *l, LLVMValueRef main_function, Term *arguments); // returns how many were set
// The object of a global that the models declare and the front end defines; NO_ID if the name is none of these.
ObjectId launch_object(Lowering *l, const char *name);
void lower_variable(Lowering *l, LLVMValueRef call); // __heddle_variable
void lower_variable_entry(Lowering *l, LLVMValueRef call);

#endif
