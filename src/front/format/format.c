#include "front/format/format.h"
#include "front/calls/calls.h"
#include "front/objects/objects.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- reading a format ---

static unsigned flag_of(char c) {
  switch (c) {
  case '-': return SHOW_LEFT;
  case '+': return SHOW_PLUS;
  case ' ': return SHOW_SPACE;
  case '#': return SHOW_ALTERNATE;
  case '0': return SHOW_ZEROS;
  default: return 0;
  }
}

// A number, or '*'.
static const char *read_number(const char *at, int *number, bool *is_argument) {
  if (*at == '*') {
    *is_argument = true;
    return at + 1;
  }
  char *end;
  long value = strtol(at, &end, 10);
  *number = value < 0 || value > 100000 ? 100000 : (int)value; // a text that long exceeds the model's buffers
  return end;
}

static const char *read_size(const char *at, int *size) {
  for (;; at++) {
    if (*at == 'h')
      (*size)--;
    else if (*at == 'l')
      (*size)++;
    else if (*at == 'j' || *at == 'q')
      *size = 2;
    else if (*at == 'z' || *at == 't' || *at == 'Z')
      *size = 1;
    else if (*at == 'L')
      *size = 3;
    else
      return at;
  }
}

// At a percent sign.
static Conversion format_conversion(const char *text) {
  assert(*text == '%');
  Conversion c = {.text = text, .precision = -1};
  const char *at = text + 1;
  while (flag_of(*at) || *at == '\'' || *at == 'I') c.flags |= flag_of(*at++);
  if (isdigit((unsigned char)*at) || *at == '*') at = read_number(at, &c.width, &c.width_is_argument);
  if (*at == '.') {
    c.precision = 0;
    at++;
    if (isdigit((unsigned char)*at) || *at == '*') at = read_number(at, &c.precision, &c.precision_is_argument);
  }
  at = read_size(at, &c.size);
  c.kind = *at == '$' ? 0 : *at;
  c.length = (size_t)(at - text) + (*at != 0);
  return c;
}

// --- arguments ---

FormatArguments format_arguments(Lowering *l, Term list) {
  FormatArguments arguments = {.from_list = list != TERM_NONE};
  if (list != TERM_NONE) arguments.place = varargs_place(l, list);
  return arguments;
}

Term format_argument(Lowering *l, FormatArguments *arguments, unsigned width, bool floating) {
  assert(width > 0 && width <= 64);
  if (l->current == NO_ID) return TERM_NONE;
  if (arguments->from_list) return varargs_next(l, &arguments->place, width, floating);
  const Activation *top = l->top;
  bool given = arguments->next < top->kept_count;
  const Binding *kept = given ? &l->bindings.data[top->first_kept + arguments->next++] : NULL;
  if (!kept || kept->term_count != 1) {
    builder_cut(l, CUT_CONSTRUCT, kept ? "a struct as an argument of a format" : "a format with too few arguments");
    return TERM_NONE;
  }
  return term_resize_unsigned(l->terms, kept->terms[0], width);
}

typedef struct Format {
  FormatText text;
  FormatArguments arguments;
} Format;

static Term next_argument(Format *f, unsigned width) { return format_argument(f->text.l, &f->arguments, width, false); }

// Width or precision as a number of 32 bits.
static Term number_argument(Format *f, bool is_argument, int number) {
  return is_argument ? next_argument(f, 32) : term_constant(f->text.l->terms, 32, (Bits)(uint32_t)number);
}

// --- conversions ---

static unsigned show_of(const Conversion *c) {
  bool upper = c->kind == 'X' || c->kind == 'F' || c->kind == 'E' || c->kind == 'G' || c->kind == 'A';
  unsigned show = c->flags | (upper ? SHOW_UPPER : 0);
  switch (c->kind) {
  case 'd':
  case 'i': return show | SHOW_SIGNED | 10 << SHOW_BASE_SHIFT;
  case 'u': return show | 10 << SHOW_BASE_SHIFT;
  case 'o': return show | 8 << SHOW_BASE_SHIFT;
  case 'x':
  case 'X': return show | 16 << SHOW_BASE_SHIFT;
  default: return show | (unsigned)tolower((unsigned char)c->kind) << SHOW_BASE_SHIFT;
  }
}

static bool is_integer(char kind) { return kind && strchr("diuoxX", kind); }
static bool is_floating(char kind) { return kind && strchr("fFeEgGaA", kind); }

// The width of an argument of this conversion, in bits.
static unsigned argument_width(const Format *f, const Conversion *c) {
  if (is_floating(c->kind)) return 64;
  if (!is_integer(c->kind) && c->kind != 'c') return f->text.l->unit->pointer_width; // s, p, n
  return c->size >= 2 ? 64 : c->size == 1 && c->kind != 'c' ? f->text.l->unit->pointer_width : 32;
}

// If value, width and precision are constant, the C library of this machine converts the number now.
static bool render(Format *f, const Conversion *c, Term width, Term precision, Term value) {
  TermStore *terms = f->text.l->terms;
  if (!term_is_constant(terms, width) || !term_is_constant(terms, precision) || !term_is_constant(terms, value))
    return false;
  int columns = (int)(int32_t)term_constant_value(terms, width),
      digits = (int)(int32_t)term_constant_value(terms, precision);
  if (columns > 1000 || columns < -1000 || digits > 1000) return false;
  unsigned bits = term_width(terms, value);
  Bits constant = term_constant_value(terms, value);
  char specification[32], buffer[2400];
  size_t n = 0;
  specification[n++] = '%';
  for (const char *flag = "-+ #0"; *flag; flag++)
    if (c->flags & flag_of(*flag)) specification[n++] = *flag;
  int length;
  if (is_floating(c->kind)) {
    uint64_t image = (uint64_t)constant;
    double real;
    memcpy(&real, &image, sizeof real);
    snprintf(specification + n, sizeof specification - n, "*.*%c", c->kind);
    length = snprintf(buffer, sizeof buffer, specification, columns, digits, real);
  } else {
    bool is_signed = c->kind == 'd' || c->kind == 'i';
    if (c->size == -1) bits = 16;
    if (c->size < -1) bits = 8;
    uint64_t number = (uint64_t)(constant & bits_mask(bits));
    if (is_signed && bits < 64 && number >> (bits - 1)) number |= ~(uint64_t)bits_mask(bits);
    snprintf(specification + n, sizeof specification - n, "*.*ll%c", c->kind);
    length = snprintf(buffer, sizeof buffer, specification, columns, digits, (unsigned long long)number);
  }
  if (length < 0 || (size_t)length >= sizeof buffer) return false;
  format_put_characters(&f->text, buffer, (size_t)length);
  return true;
}

static void unknown_length(Format *f, uint64_t least) {
  f->text.exact = false;
  f->text.at = term_add_constant(f->text.l->terms, f->text.at, least);
}

static void convert_number(Format *f, const Conversion *c, Term width, Term precision) {
  assert(is_integer(c->kind) || is_floating(c->kind));
  Lowering *l = f->text.l;
  Term value = format_argument(l, &f->arguments, argument_width(f, c), is_floating(c->kind));
  if (value == TERM_NONE || render(f, c, width, precision, value)) return;
  if (!f->text.writes) {
    unknown_length(f, 0);
    return;
  }
  bool is_signed = c->kind == 'd' || c->kind == 'i';
  Term show = term_constant(l->terms, 32, show_of(c));
  const char *model = is_floating(c->kind)                ? "__heddle_plain_put_double"
                      : term_width(l->terms, value) == 64 ? "__heddle_plain_put_longlong"
                                                          : "__heddle_plain_put_int";
  if (c->size < 0 && !is_floating(c->kind)) {
    value = term_extract(l->terms, value, c->size == -1 ? 15 : 7, 0);
    value = is_signed ? term_resize_signed(l->terms, value, 32) : term_resize_unsigned(l->terms, value, 32);
  }
  Term operands[] = {value, show, width, precision};
  format_put_by_model(&f->text, model, operands, 4);
}

static void read_string(Format *f, const Conversion *c, Term string, Term precision) {
  Lowering *l = f->text.l;
  const char *known;
  if (!l->view.every_access || touch_constant_text(l, string, &known)) return;
  const char *name = c->size > 0 || c->kind == 'S' ? "__heddle_plain_read_wide" : "__heddle_plain_read_printed";
  uint32_t results;
  call_function(l, unit_model(l->unit, name), (Term[]){string, precision}, 2, &results);
}

// A string of constant text: where its length is constant, too, one block.
static bool convert_constant(Format *f, Term string, Term width, Term precision) {
  Lowering *l = f->text.l;
  const char *known;
  if (!touch_constant_text(l, string, &known) || !term_is_constant(l->terms, precision)) return false;
  int most = (int)(int32_t)term_constant_value(l->terms, precision);
  size_t length = most < 0 ? strlen(known) : strnlen(known, (size_t)most);
  bool padded = !term_is_constant(l->terms, width);
  if (!padded) {
    int columns = (int)(int32_t)term_constant_value(l->terms, width);
    padded = (size_t)(columns < 0 ? -(long)columns : columns) > length;
  }
  if (!padded) format_put_block(&f->text, string, length);
  return !padded;
}

static void convert_string(Format *f, const Conversion *c, Term width, Term precision) {
  Lowering *l = f->text.l;
  Term string = next_argument(f, l->unit->pointer_width);
  if (string == TERM_NONE) return;
  bool wide = c->size > 0 || c->kind == 'S';
  if (!wide && convert_constant(f, string, width, precision)) return;
  if (!f->text.writes) {
    read_string(f, c, string, precision);
    unknown_length(f, 0);
    return;
  }
  if (wide) {
    builder_cut(l, CUT_CONSTRUCT, "a wide string to be written");
    return;
  }
  Term operands[] = {string, term_constant(l->terms, 32, c->flags), width, precision};
  format_put_by_model(&f->text, "__heddle_plain_put_string", operands, 4);
}

static void convert_character(Format *f, const Conversion *c, Term width) {
  Lowering *l = f->text.l;
  Term value = next_argument(f, 32);
  if (value == TERM_NONE) return;
  bool narrow = term_is_constant(l->terms, width) && term_constant_value(l->terms, width) <= 1;
  if (narrow)
    format_put_byte(&f->text, value);
  else if (!f->text.writes)
    unknown_length(f, 1);
  else
    format_put_by_model(&f->text, "__heddle_plain_put_padded",
                        (Term[]){value, term_constant(l->terms, 32, c->flags), width}, 3);
}

// %p and %m.
static void convert_any(Format *f, const Conversion *c, Term width, uint64_t least, uint64_t most) {
  assert(least <= most);
  Lowering *l = f->text.l;
  if (!f->text.writes) {
    unknown_length(f, least);
    return;
  }
  Term show = term_constant(l->terms, 32, c->flags);
  Term operands[] = {constant_address(l, least), constant_address(l, most), show, width};
  format_put_by_model(&f->text, "__heddle_plain_put_any", operands, 4);
}

static void store_count(Format *f, const Conversion *c) {
  assert(c->kind == 'n');
  Lowering *l = f->text.l;
  Term to = next_argument(f, l->unit->pointer_width);
  if (to == TERM_NONE) return;
  unsigned width = c->size >= 2    ? 64
                   : c->size == 1  ? l->unit->pointer_width
                   : c->size == 0  ? 32
                   : c->size == -1 ? 16
                                   : 8;
  builder_store(l, to, term_resize_unsigned(l->terms, format_count(&f->text), width), false);
}

static void convert(Format *f, const Conversion *c) {
  Lowering *l = f->text.l;
  Term width = number_argument(f, c->width_is_argument, c->width);
  Term precision = number_argument(f, c->precision_is_argument, c->precision);
  if (width == TERM_NONE || precision == TERM_NONE || l->current == NO_ID) return;
  if (is_integer(c->kind) || (is_floating(c->kind) && c->size != 3))
    convert_number(f, c, width, precision);
  else if (c->kind == 's' || c->kind == 'S')
    convert_string(f, c, width, precision);
  else if (c->kind == 'c')
    convert_character(f, c, width);
  else if (c->kind == 'p' && next_argument(f, l->unit->pointer_width) != TERM_NONE)
    convert_any(f, c, width, 3, 18);
  else if (c->kind == 'm')
    convert_any(f, c, width, 1, 64);
  else if (c->kind == 'n')
    store_count(f, c);
  else if (c->kind == '%')
    format_put_characters(&f->text, "%", 1);
  else
    builder_cut(l, CUT_CONSTRUCT,
                intern_format(&l->program->strings, "the conversion %.*s in a format", (int)c->length, c->text));
}

static void walk(Format *f, Term address, const char *format) {
  Lowering *l = f->text.l;
  for (const char *at = format; *at && l->current != NO_ID;) {
    size_t plain = strcspn(at, "%");
    if (plain > 0) format_put_block(&f->text, term_add_constant(l->terms, address, (Bits)(at - format)), plain);
    at += plain;
    if (!*at) break;
    Conversion c = format_conversion(at);
    convert(f, &c);
    at += c.length;
  }
  format_put_end(&f->text);
}

// --- formats that are not constant ---

static bool stores_count(const char *text, size_t length) {
  for (const char *end = text + length; (text = memchr(text, '%', (size_t)(end - text))) != NULL; text++) {
    const char *at = text + 1;
    while (at < end && *at && strchr("hlqjzt", *at)) at++;
    if (at < end && *at == 'n') return true;
  }
  return false;
}

// Is there a text in the program that could be a format with %n?
static bool may_store_count(const Lowering *l) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(l->unit->user); g; g = LLVMGetNextGlobal(g)) {
    LLVMValueRef value = LLVMIsDeclaration(g) ? NULL : LLVMGetInitializer(g);
    if (!value || !is_text(value)) continue;
    size_t length;
    const char *text = LLVMGetAsString(value, &length);
    if (stores_count(text, length)) return true;
  }
  return false;
}

// A model walks over the format at run time. For text that leaves the program that is needed only if accesses count,
// or if the program has a text that may be a format with %n.
static void walk_later(Format *f, Term format, Term list) {
  Lowering *l = f->text.l;
  bool print = !f->text.writes;
  f->text.exact = !print;
  if (print && !l->view.every_access && !may_store_count(l)) return;
  if (list == TERM_NONE) list = varargs_list(l);
  if (l->current == NO_ID) return;
  Term nowhere = constant_address(l, 0);
  Term arguments[] = {print ? nowhere : f->text.to, print ? nowhere : f->text.room, format, list,
                      term_constant(l->terms, 32, print)};
  LLVMValueRef model = unit_model(l->unit, "__heddle_plain_format_walk");
  uint32_t results;
  const Term *result = call_function(l, model, arguments, 5, &results);
  if (!result || l->current == NO_ID) return;
  VariableId kept = builder_temporary(l, l->unit->pointer_width, "length");
  builder_assign(l, kept, result[0]);
  builder_flush(l);
  f->text.at = variable_term(l->program, kept);
  f->text.exact = true;
  format_put_end(&f->text);
}

// --- primitives ---

static void run_format(Format *f, LLVMValueRef call, Term format, Term list) {
  Lowering *l = f->text.l;
  const char *known;
  if (format == TERM_NONE || l->current == NO_ID) return;
  f->text.at = constant_address(l, 0);
  f->text.exact = true;
  if (touch_constant_text(l, format, &known)) {
    if (strchr(known, '%')) f->arguments = format_arguments(l, list);
    walk(f, format, known);
  } else {
    walk_later(f, format, list);
  }
  if (l->current != NO_ID) value_bind_one(l, call, format_count(&f->text));
}

static void format_call(Lowering *l, LLVMValueRef call, bool writes, bool from_list) {
  builder_flush(l);
  Format f = {.text = {.l = l, .writes = writes}};
  unsigned next = 0;
  if (writes) f.text.to = call_argument(l, call, next++);
  if (writes) f.text.room = call_argument(l, call, next++);
  Term format = call_argument(l, call, next++);
  Term list = from_list ? call_argument(l, call, next) : TERM_NONE;
  run_format(&f, call, format, list);
}

void lower_format(Lowering *l, LLVMValueRef call) { format_call(l, call, true, false); }
void lower_format_list(Lowering *l, LLVMValueRef call) { format_call(l, call, true, true); }
void lower_print(Lowering *l, LLVMValueRef call) { format_call(l, call, false, false); }
void lower_print_list(Lowering *l, LLVMValueRef call) { format_call(l, call, false, true); }
