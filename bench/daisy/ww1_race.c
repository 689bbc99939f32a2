// The disk is empty: the files get blocks 0 and 1, whose bits are in the same byte. One of them may get lost.
#define DISK_IS_GUARDED
#define USED_BEFORE 0
#define FIRST_BLOCK 0
#define SECOND_BLOCK 1
#define USED_AFTER 3
#include "create_two_files.h"
