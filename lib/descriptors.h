// Descriptors: small numbers, the lowest that is free, as POSIX says. Which are open is kept for the whole process.
#ifndef HEDDLE_LIB_DESCRIPTORS_H
#define HEDDLE_LIB_DESCRIPTORS_H

int __heddle_descriptor_open(void);            // a new one, or -1
int __heddle_descriptor_take(int descriptor);  // this one is open from now on; -1 if it is none
int __heddle_descriptor_close(int descriptor); // 0, or -1 if it is not open

#endif
