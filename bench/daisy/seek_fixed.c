// Seek and transfer are one operation: no other thread moves the head in between.
#define DISK_IS_GUARDED
#include "use_two_files.h"
