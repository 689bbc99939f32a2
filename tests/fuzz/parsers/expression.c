// Expressions of witnesses: their form, and their value with variables unknown.
#include "fuzz/parsers/target.h"

#include "witness/expression.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Text text, error;
  target_text(data, size, &text);
  text_init(&error, NULL);
  bool valid = expression_valid(text.data, &error);
  target_judge(valid, &error);
  int64_t constant;
  if (valid) (void)expression_is_equation(text.data, "x", &constant);
  text_free(&error);
  text_free(&text);
  return 0;
}
