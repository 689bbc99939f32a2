// Standard input that is given (--stdin, __heddle_stdin_given): its bytes in order, then its end.
//
// All functions that read it share one position; the buffer of a FILE is not modelled. Taking bytes is one indivisible
// step; they are written to the user's memory by ordinary accesses afterwards.
#ifndef HEDDLE_LIB_STANDARD_INPUT_H
#define HEDDLE_LIB_STANDARD_INPUT_H

#include "heddle.h"

// Bytes that were taken, and how many.
struct heddle_taken {
  const char *from;
  size_t count;
};

struct heddle_taken __heddle_stdin_take(size_t most);                // as many as are left
struct heddle_taken __heddle_stdin_take_line(size_t most, char end); // up to `end` and with it
int __heddle_stdin_character(void);                                  // -1: the end
int __heddle_stdin_put_back(int character);
int __heddle_stdin_ended(void); // has a reader met the end?
void __heddle_stdin_forget_end(void);
void __heddle_stdin_rewind(void);

// For scanf: what is not taken yet, with a zero behind it; and the place up to which it has been taken now. A
// conversion that looks ahead sees the end as soon as it stands before it.
const char *__heddle_stdin_rest(void);
void __heddle_stdin_advance(const char *to, int looks_ahead);

#endif
