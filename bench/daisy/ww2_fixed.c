// Block 0 is in use: the first file tries it and gets block 1, the second gets block 2. The byte of their bits is guarded.
#define DISK_IS_GUARDED
#define BYTES_ARE_GUARDED
#define USED_BEFORE 1
#define SECOND_NEAR 2
#define USED_AFTER 7
#include "create_two_files.h"
