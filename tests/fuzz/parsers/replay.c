// Runs a target on files without libFuzzer: `parser_NAME FILE...`.
#include "base/file.h"
#include "fuzz/parsers/target.h"

#include <stdio.h>

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "%s: which files?\n", argv[0]);
    return 2;
  }
  for (int i = 1; i < argc; i++) {
    Text text, error;
    text_init(&text, NULL);
    text_init(&error, NULL);
    bool good = file_read_named(&text, argv[i], FILE_MOST_DATA, &error);
    // A copy of the exact size: reading past its end is seen.
    uint8_t *data = malloc(text.length + !text.length);
    if (data && text.length) memcpy(data, text.data, text.length);
    if (data && good) LLVMFuzzerTestOneInput(data, text.length);
    if (!good) fprintf(stderr, "%s\n", error.data);
    free(data);
    text_free(&error);
    text_free(&text);
    if (!good) return 2;
  }
  return 0;
}
