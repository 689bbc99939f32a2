// The head of the disk may be moved between seek and transfer.
#include "use_two_files.h"
