#include "base/memory_new.h"

#include <new>

extern "C" void memory_refused(void);

extern "C" void memory_guard_new(void) { std::set_new_handler(memory_refused); }
