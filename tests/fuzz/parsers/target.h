// A parser that reads what users name, for libFuzzer. Each file of this folder but replay.c is one target: it gives any
// bytes to a parser, which must neither crash nor leak, and has to say what is wrong when it refuses them.
#ifndef HEDDLE_FUZZ_PARSERS_TARGET_H
#define HEDDLE_FUZZ_PARSERS_TARGET_H

#include "base/text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// The bytes as a text that ends with a zero byte, as file_read gives them. To be freed.
static inline void target_text(const uint8_t *data, size_t size, Text *text) {
  text_init(text, NULL);
  text_add_bytes(text, (const char *)data, size);
}

// A parser that refuses says why.
static inline void target_judge(bool accepted, const Text *error) {
  if (!accepted && !error->length) abort();
}

#endif
