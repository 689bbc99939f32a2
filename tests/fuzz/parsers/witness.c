// Witnesses, and the expressions in them.
#include "fuzz/parsers/target.h"

#include "witness/witness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Text error, notes;
  text_init(&error, NULL);
  text_init(&notes, NULL);
  Witness witness;
  target_judge(witness_read(&witness, (const char *)data, size, &error, &notes, NULL), &error);
  witness_free(&witness);
  text_free(&notes);
  text_free(&error);
  return 0;
}
