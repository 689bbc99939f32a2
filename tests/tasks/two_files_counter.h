// The interface between the files of the tasks two_files and two_files_broken.
#ifndef TWO_FILES_COUNTER_H
#define TWO_FILES_COUNTER_H

void counter_add(int amount);
int counter_get(void);

#endif
