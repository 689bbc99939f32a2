// Descriptors: small numbers, the lowest that is free, as POSIX says. Which are open is kept for the whole process.
#ifndef HEDDLE_LIB_DESCRIPTORS_H
#define HEDDLE_LIB_DESCRIPTORS_H

int __heddle_descriptor_open(void);            // a new one, or -1
int __heddle_descriptor_take(int descriptor);  // this one is open from now on; -1 if it is none
int __heddle_descriptor_close(int descriptor); // 0, or -1 if it is not open

// What the program reads may be what it wrote: a pipe, a file that it wrote, a connection to itself. The models do not keep
// what was written, nor that reading waits for it, so that no violation may hang on such a reading.
enum { OWN_DATA = 1, LISTENS = 2, CONNECTS = 4 };
void __heddle_note_data(int kind);
int __heddle_data_is_own(int may_be_own); // has the program opened something of the kind?
void __heddle_read_data(int may_be_own);  // to be called before reading

#endif
