#include "bench/variant.h"

#include <assert.h>

bool variants_add(BenchVariantVector *variants, Arena *arena, const char *text, Text *error) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.", blanks[] = " \t\n";
  size_t length = strspn(text, letters);
  if (length == 0 || text[length] != '=') {
    text_format(error, "variant `%s` is not NAME=OPTIONS", text);
    return false;
  }
  BenchVariant variant = {.name = arena_format(arena, "%.*s", (int)length, text)};
  for (size_t i = 0; i < variants->count; i++) {
    if (strcmp(variants->data[i].name, variant.name) != 0) continue;
    text_format(error, "variant `%s` is given twice", variant.name);
    return false;
  }
  assert(variant.name[0]);
  const char *at = text + length + 1;
  for (at += strspn(at, blanks); *at; at += strspn(at, blanks)) {
    size_t end = strcspn(at, blanks);
    StringVector_push(&variant.options, arena_format(arena, "%.*s", (int)end, at));
    at += end;
  }
  BenchVariantVector_push(variants, variant);
  return true;
}

void variants_free(BenchVariantVector *variants) {
  for (size_t i = 0; i < variants->count; i++) StringVector_free(&variants->data[i].options);
  BenchVariantVector_free(variants);
}
