// Property files, and the specification of a witness.
#include "fuzz/parsers/target.h"

#include "verdict/property.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Text text, error;
  target_text(data, size, &text);
  text_init(&error, NULL);
  Property property;
  PropertySet set;
  target_judge(properties_parse_lines("file.prp", &text, &set, &error), &error);
  (void)property_parse_formula(text.data, &property);
  text_free(&error);
  text_free(&text);
  return 0;
}
