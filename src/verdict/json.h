// JSON: writers that append to a Text, and readers on top of cJSON that accept any input.
//
// Values of up to 128 bits are written as decimal strings, because a JSON number holds only 53 bits exactly. A reader
// returns false or NULL for input of the wrong form; nothing about the input is assumed. The caller owns what
// json_parse returns; strings from json_string belong to the object.
#ifndef HEDDLE_VERDICT_JSON_H
#define HEDDLE_VERDICT_JSON_H

#include "base/printable.h"
#include "base/vector.h"
#include "term/term.h"

#include <cjson/cJSON.h>

// Appends the string quoted and escaped, as valid UTF-8: a byte that is not part of valid UTF-8 becomes `\xNN`.
void json_add_string(Text *out, const char *string);
void json_add_number(Text *out,
                     double number); // the shortest form that is read as the same number; infinities and NaN become 0
void json_add_bits(Text *out, Bits value); // quoted decimal

// Words of 64 bits are a list of strings of 16 hexadecimal digits. Reading appends to `words`; other forms are refused.
void json_add_words(Text *out, const U64Vector *words);
bool json_words(const cJSON *list, U64Vector *words);

void bits_add_decimal(Text *out, Bits value);
bool bits_parse_decimal(const char *text, Bits *value); // the whole text, digits only, at most 2^128-1

// The whole text as one JSON value, or NULL with one line in `error` (with the line and column of the first fault).
// Free with cJSON_Delete.
cJSON *json_parse(const char *text, size_t length, Text *error);

// Members of an object. If the member does not exist or has another type, json_string returns NULL and json_index
// false. An index is an integer from 0 to 2^32-2.
const char *json_string(const cJSON *object, const char *name);
bool json_index(const cJSON *object, const char *name, uint32_t *value);

#endif
