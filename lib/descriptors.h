// File descriptors: the lowest number that is free, as POSIX says. The set of open ones is one for the whole process.
#ifndef HEDDLE_LIB_DESCRIPTORS_H
#define HEDDLE_LIB_DESCRIPTORS_H

int __heddle_descriptor_open(void);            // a new one, or -1
int __heddle_descriptor_take(int descriptor);  // this one is open from now on; -1 if it is none
int __heddle_descriptor_close(int descriptor); // 0, or -1 if it is not open

// What the program reads may be what it wrote: through a pipe, a file, or a connection to itself. The models keep
// neither what was written nor that a read waits for it. So such a read is a guess: a violation that depends on it
// does not count.
enum { OWN_DATA = 1, LISTENS = 2, CONNECTS = 4 };
void __heddle_note_data(int kind);
int __heddle_data_is_own(int may_be_own); // has the program opened something of the kind?
void __heddle_read_data(int may_be_own);  // to be called before reading

// A file may exclude threads: one takes its lock, or creates it where it must not exist. The models know no files, so
// the success of a second thread is a guess. To be called after each success, and after a lock was given back.
void __heddle_file_excludes(void);
void __heddle_file_released(void);

#endif
