#include "base/printable.h"

#include <string.h>

size_t utf8_decode(const char *bytes, size_t left, uint32_t *code) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (left == 0) return 0;
  unsigned char head = (unsigned char)bytes[0];
  size_t length = head < 0x80 ? 1 : head < 0xc2 ? 0 : head < 0xe0 ? 2 : head < 0xf0 ? 3 : head < 0xf5 ? 4 : 0;
  if (length == 0 || length > left) return 0;
  uint32_t value = length == 1 ? head : head & (0xffu >> (length + 1));
  for (size_t i = 1; i < length; i++) {
    unsigned char next = (unsigned char)bytes[i];
    if ((next & 0xc0) != 0x80) return 0;
    value = value << 6 | (next & 0x3fu);
  }
  bool surrogate = value >= 0xd800 && value <= 0xdfff;
  if (value < least[length] || surrogate || value > 0x10ffff) return 0;
  *code = value;
  return length;
}

bool utf8_is_valid(const char *string) {
  size_t left = strlen(string), length;
  uint32_t code;
  for (; left; string += length, left -= length)
    if ((length = utf8_decode(string, left, &code)) == 0) return false;
  return true;
}

bool utf8_is_control(uint32_t code) {
  static const struct {
    uint32_t first, last;
  } ranges[] = {
      {0, 0x1f},          {0x7f, 0x9f},     {0xad, 0xad},     // C0, DEL and C1; the soft hyphen
      {0x61c, 0x61c},     {0x200b, 0x200f}, {0x2028, 0x202e}, // marks of direction, no width, separators, overrides
      {0x2060, 0x2069},   {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, // joiners, isolates, byte order mark, annotations
      {0xe0000, 0xe007f},                                     // tags
  };
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
    if (code >= ranges[i].first && code <= ranges[i].last) return true;
  return false;
}

// The length of the tone at `bytes`, or 0.
static size_t tone_length(const char *bytes, size_t left) {
  static const char *const tones[] = {TONE_BOLD, TONE_DIM, TONE_RED, TONE_NONE};
  for (size_t i = 0; i < sizeof tones / sizeof *tones; i++) {
    size_t length = strlen(tones[i]);
    if (length <= left && memcmp(bytes, tones[i], length) == 0) return length;
  }
  return 0;
}

static void add_escape(Text *out, uint32_t code, const char *bytes, size_t length) {
  if (code == '\n')
    text_add(out, "\\n");
  else if (length <= 1)
    text_format(out, "\\x%02x", (unsigned)(unsigned char)bytes[0]);
  else
    text_format(out, code > 0xffff ? "\\U%08x" : "\\u%04x", (unsigned)code);
}

void text_add_printable(Text *out, const char *bytes, size_t count, unsigned keep) {
  size_t length;
  for (size_t i = 0; i < count; i += length ? length : 1) {
    uint32_t code = 0;
    length = utf8_decode(bytes + i, count - i, &code);
    bool shown = length && (code == '\t' || !utf8_is_control(code));
    if (shown || (code == '\n' && length && keep & PRINTABLE_KEEP_LINES)) {
      text_add_bytes(out, bytes + i, length);
      continue;
    }
    if (code == '\r' && keep & PRINTABLE_KEEP_LINES && i + 1 < count && bytes[i + 1] == '\n') continue;
    size_t tone = keep & PRINTABLE_KEEP_TONES ? tone_length(bytes + i, count - i) : 0;
    if (tone)
      text_add_bytes(out, bytes + i, length = tone);
    else
      add_escape(out, code, bytes + i, length);
  }
}

void text_one_line(Text *text) {
  while (text->length && strchr(" \t\r\n", text->data[text->length - 1])) text->data[--text->length] = '\0';
  Text line;
  text_init(&line, text->account);
  text_add_printable(&line, text->data, text->length, PRINTABLE_LINE);
  text_free(text);
  *text = line;
}

void text_line(Text *out, const char *format, ...) {
  Text line;
  text_init(&line, out->account);
  va_list arguments;
  va_start(arguments, format);
  text_vformat(&line, format, arguments);
  va_end(arguments);
  text_one_line(&line);
  text_add_bytes(out, line.data, line.length);
  text_add_char(out, '\n');
  text_free(&line);
}
