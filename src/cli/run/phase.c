#include "cli/run/phase.h"

#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>

void phase_init(Phase *phase) {
  void *page = mmap(NULL, LOG_TRAIL, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  phase->text = page == MAP_FAILED ? NULL : page;
}

void phase_free(Phase *phase) {
  if (phase->text) munmap(phase->text, LOG_TRAIL);
  phase->text = NULL;
}

void phase_set(const Phase *phase, const char *format, ...) {
  if (!phase->text) return;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(phase->text, LOG_TRAIL, format, arguments);
  va_end(arguments);
}

void phase_tell(const Phase *phase, Text *out) {
  if (phase->text && *phase->text) text_format(out, " (%s)", phase->text);
}
