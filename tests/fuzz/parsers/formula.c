// Formulas of linear temporal logic.
#include "fuzz/parsers/target.h"

#include "ltl/ltl_property.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Text text, error;
  target_text(data, size, &text);
  text_init(&error, NULL);
  LtlProperty formula;
  target_judge(ltl_property_init(&formula, text.data, false, &error, NULL), &error);
  ltl_property_free(&formula);
  text_free(&error);
  text_free(&text);
  return 0;
}
