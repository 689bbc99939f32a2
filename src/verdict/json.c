#include "verdict/json.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static void add_character(Text *out, uint32_t code, const char *bytes, size_t length) {
  switch (code) {
  case '"': text_add(out, "\\\""); break;
  case '\\': text_add(out, "\\\\"); break;
  case '\n': text_add(out, "\\n"); break;
  case '\t': text_add(out, "\\t"); break;
  default:
    if (code <= 0xffff && utf8_is_control(code)) // printing the file must not send control sequences to a terminal
      text_format(out, "\\u%04x", (unsigned)code);
    else
      text_add_bytes(out, bytes, length);
  }
}

void json_add_string(Text *out, const char *string) {
  text_add_char(out, '"');
  size_t length;
  for (size_t left = strlen(string); left; string += length, left -= length) {
    uint32_t code;
    length = utf8_decode(string, left, &code);
    assert(length <= left);
    if (length) {
      add_character(out, code, string, length);
    } else {
      text_format(out, "\\\\x%02x", (unsigned)(unsigned char)*string);
      length = 1;
    }
  }
  text_add_char(out, '"');
}

void json_add_number(Text *out, double number) {
  if (!isfinite(number)) number = 0;
  if (number == floor(number) && fabs(number) < 1e15) {
    text_format(out, "%.0f", number);
    return;
  }
  char digits[40];
  for (int precision = 6; precision <= 17; precision++) {
    snprintf(digits, sizeof digits, "%.*g", precision, number);
    if (strtod(digits, NULL) == number) break;
  }
  text_add(out, digits);
}

void json_add_words(Text *out, const U64Vector *words) {
  text_add_char(out, '[');
  for (size_t i = 0; i < words->count; i++)
    text_format(out, "%s\"%016llx\"", i ? ", " : "", (unsigned long long)words->data[i]);
  text_add_char(out, ']');
}

static bool read_word(const char *text, uint64_t *word) {
  if (strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16) return false;
  *word = strtoull(text, NULL, 16);
  return true;
}

bool json_words(const cJSON *list, U64Vector *words) {
  if (!cJSON_IsArray(list)) return false;
  const cJSON *item;
  cJSON_ArrayForEach(item, list) {
    uint64_t word;
    if (!cJSON_IsString(item) || !read_word(item->valuestring, &word)) return false;
    U64Vector_push(words, word);
  }
  return true;
}

void bits_add_decimal(Text *out, Bits value) {
  char digits[48];
  size_t position = sizeof digits;
  do {
    digits[--position] = (char)('0' + (unsigned)(value % 10));
    value /= 10;
  } while (value);
  assert(position < sizeof digits);
  text_add_bytes(out, digits + position, sizeof digits - position);
}

void json_add_bits(Text *out, Bits value) {
  text_add_char(out, '"');
  bits_add_decimal(out, value);
  text_add_char(out, '"');
}

bool bits_parse_decimal(const char *text, Bits *value) {
  if (!*text) return false;
  const Bits largest = ~(Bits)0;
  Bits result = 0;
  for (const char *c = text; *c; c++) {
    if (*c < '0' || *c > '9') return false;
    unsigned digit = (unsigned)(*c - '0');
    if (result > (largest - digit) / 10) return false;
    result = result * 10 + digit;
  }
  *value = result;
  return true;
}

static void describe_fault(const char *text, size_t length, const char *fault, Text *error) {
  size_t offset = fault && fault >= text && fault <= text + length ? (size_t)(fault - text) : length;
  assert(offset <= length);
  size_t line = 1, column = 1;
  for (size_t i = 0; i < offset; i++) {
    column = text[i] == '\n' ? 1 : column + 1;
    line += text[i] == '\n';
  }
  text_format(error, "not valid JSON at line %zu, column %zu%s", line, column, offset >= length ? " (the end)" : "");
}

cJSON *json_parse(const char *text, size_t length, Text *error) {
  const char *end = NULL;
  cJSON *root = cJSON_ParseWithLengthOpts(text, length, &end, false);
  if (root) {
    while (end < text + length && (*end == ' ' || *end == '\n' || *end == '\t' || *end == '\r')) end++;
    if (end == text + length) return root;
    cJSON_Delete(root); // something follows the value
  }
  describe_fault(text, length, end, error);
  return NULL;
}

const char *json_string(const cJSON *object, const char *name) {
  const cJSON *member = cJSON_GetObjectItemCaseSensitive(object, name);
  return cJSON_IsString(member) ? member->valuestring : NULL;
}

bool json_index(const cJSON *object, const char *name, uint32_t *value) {
  const cJSON *member = cJSON_GetObjectItemCaseSensitive(object, name);
  if (!cJSON_IsNumber(member)) return false;
  double number = member->valuedouble;
  if (!(number >= 0 && number < (double)UINT32_MAX) || number != floor(number)) return false;
  *value = (uint32_t)number;
  return true;
}
