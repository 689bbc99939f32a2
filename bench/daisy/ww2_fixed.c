// Block 0 is in use, and the files get blocks 1 and 2. The byte of their bits is guarded.
#define DISK_IS_GUARDED
#define BYTES_ARE_GUARDED
#define USED_BEFORE 1
#define FIRST_BLOCK 1
#define SECOND_BLOCK 2
#define USED_AFTER 7
#include "create_two_files.h"
