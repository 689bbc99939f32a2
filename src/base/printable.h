// Text from outside, made safe to show: names of files, source lines, values, messages of other programs.
//
// A terminal obeys control characters, and some characters of Unicode reorder or hide what stands around them. The
// functions here replace what is not meant to be read: a byte that is a control character or no part of valid UTF-8
// becomes `\xNN`, a newline `\n`, and a character that controls direction, has no width or ends a line `\uNNNN`. Other
// UTF-8 stays as it is. A backslash is not doubled, so that making a text printable twice changes nothing.
//
// Everything that leaves on standard output or standard error passes through here once: output_print (command/output.h)
// and the functions of base/log.h see to it, whatever the message. A line that is part of a longer text is added by
// text_line, or made by text_one_line before it is handed on.
#ifndef HEDDLE_BASE_PRINTABLE_H
#define HEDDLE_BASE_PRINTABLE_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

// The length of the valid UTF-8 character at `bytes`, of which `left` follow, and its code point. 0: there is none (a
// wrong byte, a form that is too long, a surrogate, a value beyond Unicode).
size_t utf8_decode(const char *bytes, size_t left, uint32_t *code);
bool utf8_is_valid(const char *string);
// Controls what is seen of the text around it, or is seen as nothing: control characters (C0, DEL, C1), marks and
// overrides of direction, characters without width, separators of lines.
bool utf8_is_control(uint32_t code);

typedef enum PrintableKeep {
  PRINTABLE_LINE = 0,       // one line
  PRINTABLE_KEEP_LINES = 1, // newlines stay; a carriage return before one is dropped
  PRINTABLE_KEEP_TONES = 2  // the sequences of TONE_CODES stay
} PrintableKeep;

// The only sequences that this program itself sends to a terminal within a text.
#define TONE_BOLD "\033[1m"
#define TONE_DIM "\033[2m"
#define TONE_RED "\033[1;31m"
#define TONE_NONE "\033[0m"

// `keep` is a set of PrintableKeep. Tabs stay.
void text_add_printable(Text *out, const char *bytes, size_t count, unsigned keep);
// Adds a message and a newline. The message is one line, whatever is in its parts.
void text_line(Text *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_one_line(Text *text); // made printable in place, as one line; blanks and newlines at its end are dropped

#endif
