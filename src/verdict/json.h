// JSON: small writers on Text, and readers over cJSON that never trust their input.
//
// Values of up to 128 bits travel as decimal strings, as a JSON number holds only 53 bits exactly.
#ifndef HEDDLE_VERDICT_JSON_H
#define HEDDLE_VERDICT_JSON_H

#include "base/printable.h"
#include "base/vector.h"
#include "term/term.h"

#include <cjson/cJSON.h>

// Quoted and escaped, and valid UTF-8 whatever the string is: a byte that is no part of it becomes the text `\xNN`.
void json_add_string(Text *out, const char *string);
void json_add_number(Text *out, double number); // shortest form that reads back equal; not finite becomes 0
void json_add_bits(Text *out, Bits value);      // quoted decimal

// Words of 64 bits travel as a list of strings of 16 hexadecimal digits. Reading appends, and wants exactly that form.
void json_add_words(Text *out, const U64Vector *words);
bool json_words(const cJSON *list, U64Vector *words);

void bits_add_decimal(Text *out, Bits value);
bool bits_parse_decimal(const char *text, Bits *value); // the whole text, digits only, at most 2^128-1

// The whole text as one JSON value, or NULL with one line in `error` (with the line and column of the first fault).
// Free with cJSON_Delete.
cJSON *json_parse(const char *text, size_t length, Text *error);

// Members of an object. `json_string` gives NULL, `json_index` gives false unless the member exists with that type
// (an index is an integer from 0 to 2^32-2).
const char *json_string(const cJSON *object, const char *name);
bool json_index(const cJSON *object, const char *name, uint32_t *value);

#endif
