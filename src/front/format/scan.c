// Formatted input with a constant format: the scanf family, from a string or from any input.
//
// Each piece of the format either matches, and the next one follows, or ends the call with the number of conversions
// assigned so far, which is known here. From a string, models in lib/scan.c read the pieces.
#include "front/calls/calls.h"
#include "front/format/format.h"
#include "front/objects/objects.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct Scan {
  Lowering *l;
  FormatArguments arguments;
  Term format;       // its address
  const char *text;  // its text
  bool from_string;  // else any input
  VariableId at;     // the place in the string
  VariableId result; // what scanf returns
  LocationId end;    // where all ways meet
  unsigned depth;    // of atomic sections
  unsigned assigned;
} Scan;

typedef struct ScanConversion {
  bool dropped; // '*'
  bool limited; // it has a width
  uint64_t width;
  int size;               // as in Conversion
  char kind;              // 0: the format is not understood
  size_t set, set_length; // of %[: where its text stands in the format
  size_t length;          // of the conversion's text, from its '%'
} ScanConversion;

static ScanConversion read_conversion(const char *format, size_t start) {
  assert(format[start] == '%');
  ScanConversion c = {.width = 0};
  size_t at = start + 1;
  if (format[at] == '*') c.dropped = true, at++;
  if (isdigit((unsigned char)format[at])) {
    char *end;
    c.width = strtoul(format + at, &end, 10);
    c.limited = true;
    at = (size_t)(end - format);
  }
  for (; format[at] && strchr("hljqztL", format[at]); at++) {
    char letter = format[at];
    c.size = letter == 'h' ? c.size - 1 : letter == 'l' ? c.size + 1 : letter == 'L' ? 3 : strchr("jq", letter) ? 2 : 1;
  }
  c.kind = format[at];
  if (c.kind) at++;
  if (c.kind == '[') {
    c.set = at;
    size_t first = at + (format[at] == '^');
    const char *close = format[first] ? strchr(format + first + 1, ']') : NULL;
    c.kind = close ? '[' : 0;
    c.set_length = close ? (size_t)(close - format) - at : 0;
    at += c.set_length + (close != NULL);
  }
  c.length = at - start;
  return c;
}

// --- control ---

static Term number(const Scan *s, unsigned width, uint64_t value) { return term_constant(s->l->terms, width, value); }

static Term place(const Scan *s) { return variable_term(s->l->program, s->at); }

static void set_place(Scan *s, Term at) {
  builder_assign(s->l, s->at, at);
  builder_flush(s->l);
}

// Ends the call of scanf with `result`.
static void leave(Scan *s, Term result) {
  Lowering *l = s->l;
  if (l->current == NO_ID) return;
  builder_assign(l, s->result, result);
  Step step = builder_step(l);
  builder_emit_to(l, &step, s->end, true);
}

// Splits the way: lowering continues where `stops` is false; the returned location is where it is true.
static LocationId split(Scan *s, Term stops) {
  Lowering *l = s->l;
  builder_flush(l);
  LocationId start = l->current, other = NO_ID;
  Step stop = builder_step(l);
  stop.guard = stops;
  builder_emit(l, &stop);
  other = l->current;
  l->current = start;
  Step on = builder_step(l);
  on.guard = term_not(l->terms, stops);
  builder_emit(l, &on);
  return other;
}

static const Term *run(Scan *s, const char *model, const Term *arguments, size_t count, uint32_t *results) {
  LLVMValueRef function = unit_model(s->l->unit, model);
  assert(function);
  return call_function(s->l, function, arguments, count, results);
}

// The input ends here, or does not match.
static void may_stop(Scan *s) {
  Lowering *l = s->l;
  Term stops = builder_fresh(l, 1, VALUE_INPUT, "stops");
  LocationId other = split(s, stops), here = l->current;
  l->current = other;
  Term none = builder_fresh(l, 1, VALUE_INPUT, "ended");
  leave(s, s->assigned ? number(s, 32, s->assigned) : term_resize_signed(l->terms, none, 32));
  l->current = here;
}

// Stops if a model returned no place. `before` is where it began.
static void stop_unless_matched(Scan *s, Term reached, Term before) {
  Lowering *l = s->l;
  LocationId other = split(s, term_eq(l->terms, reached, constant_address(l, 0))), here = l->current;
  l->current = other;
  uint32_t count;
  Term arguments[] = {before, number(s, 32, s->assigned)};
  const Term *result = run(s, "__heddle_plain_scan_stop", arguments, 2, &count);
  if (result) leave(s, result[0]);
  l->current = here;
}

// Saves the results of a model in temporaries: their terms may mention variables that the next step overwrites.
static void keep(Scan *s, const Term *results, uint32_t count, Term *kept) {
  Lowering *l = s->l;
  for (uint32_t i = 0; i < count; i++) {
    VariableId variable = builder_temporary(l, term_width(l->terms, results[i]), "scanned");
    builder_assign(l, variable, results[i]);
    kept[i] = variable_term(l->program, variable);
  }
  builder_flush(l);
}

// Runs a model that begins at the present place; false if the call is over.
static bool advance(Scan *s, const char *model, const Term *more, size_t more_count, Term *kept) {
  assert(more_count < 6);
  Lowering *l = s->l;
  Term arguments[6] = {place(s)};
  for (size_t i = 0; i < more_count; i++) arguments[1 + i] = more[i];
  uint32_t count;
  const Term *results = run(s, model, arguments, 1 + more_count, &count);
  if (!results || l->current == NO_ID) return false;
  assert(count == 1 && "a model returns the place that it reached");
  keep(s, results, count, kept);
  stop_unless_matched(s, kept[0], place(s));
  set_place(s, kept[0]);
  return l->current != NO_ID;
}

static void skip_space(Scan *s) {
  Lowering *l = s->l;
  uint32_t count;
  Term at = place(s), kept;
  const Term *result = s->from_string ? run(s, "__heddle_plain_scan_space", &at, 1, &count) : NULL;
  if (!result || l->current == NO_ID) return;
  keep(s, result, 1, &kept);
  set_place(s, kept);
}

// --- pieces ---

static Term argument(Scan *s) { return format_argument(s->l, &s->arguments, s->l->unit->pointer_width, false); }

static unsigned integer_width(const Scan *s, int size) {
  return size >= 2 ? 64 : size == 1 ? s->l->unit->pointer_width : size == 0 ? 32 : size == -1 ? 16 : 8;
}

static void literal(Scan *s, char c) {
  Term kept[1], wanted = number(s, 8, (unsigned char)c);
  if (isspace((unsigned char)c))
    skip_space(s);
  else if (s->from_string)
    advance(s, "__heddle_plain_scan_literal", &wanted, 1, kept);
  else
    may_stop(s);
}

static void scan_number(Scan *s, const ScanConversion *c) {
  assert(c->kind != 0);
  Lowering *l = s->l;
  bool real = strchr("aefgAEFG", c->kind) != NULL;
  unsigned width = real             ? (c->size == 1 ? 64 : 32)
                   : c->kind == 'p' ? l->unit->pointer_width
                                    : integer_width(s, c->size);
  Term to = c->dropped ? TERM_NONE : argument(s);
  if ((real && (c->size > 1 || (c->limited && s->from_string))) || (c->kind == 'p' && s->from_string)) {
    builder_cut(l, CUT_CONSTRUCT, "a conversion of scanf that is not modelled");
    return;
  }
  skip_space(s);
  if (!s->from_string) {
    may_stop(s);
    if (to != TERM_NONE) lower_user_block(l, STEP_FILL, to, TERM_NONE, width / 8);
    return;
  }
  unsigned base = c->kind == 'i' ? 0 : c->kind == 'o' ? 8 : c->kind == 'x' || c->kind == 'X' ? 16 : 10;
  Term limits[] = {constant_address(l, c->limited ? c->width : UINT64_MAX), number(s, 32, base)}, at = place(s), kept;
  keep(s, &at, 1, &kept);
  Term whole[] = {kept, limits[0], limits[1]}, end[1];
  bool good = real ? advance(s, "__heddle_plain_scan_real", NULL, 0, end)
                   : advance(s, "__heddle_plain_scan_integer", limits, 2, end);
  if (!good || to == TERM_NONE) return;
  uint32_t count;
  const Term *value = real ? run(s, "__heddle_plain_scan_real_value", whole, 1, &count)
                           : run(s, "__heddle_plain_scan_integer_value", whole, 3, &count);
  if (!value || l->current == NO_ID) return;
  Term stored = real && width == 32 ? term_convert(l->terms, TERM_FP_TO_FP, value[0], 32)
                                    : term_resize_unsigned(l->terms, value[0], width);
  builder_store(l, to, stored, false);
}

static void scan_text(Scan *s, const ScanConversion *c) {
  Lowering *l = s->l;
  uint64_t width = c->limited ? c->width : c->kind == 'c' ? 1 : (uint64_t)bits_mask(l->unit->pointer_width);
  Term to = c->dropped ? constant_address(l, 0) : argument(s), limit = constant_address(l, width);
  if (to == TERM_NONE) return;
  if (c->kind == 's') skip_space(s);
  if (!s->from_string) {
    uint32_t count;
    may_stop(s);
    if (c->dropped) return;
    if (c->kind == 'c')
      touch_write_any(l, to, limit);
    else
      run(s, "__heddle_plain_scan_any_word", (Term[]){to, limit}, 2, &count);
    return;
  }
  Term kept[1], set = term_add_constant(l->terms, s->format, c->set);
  Term more[] = {to, limit, set, constant_address(l, c->set_length)};
  if (c->kind == 's')
    advance(s, "__heddle_plain_scan_word", more, 2, kept);
  else if (c->kind == 'c')
    advance(s, "__heddle_plain_scan_characters", more, 2, kept);
  else
    advance(s, "__heddle_plain_scan_set", more, 4, kept);
}

// %n: how many characters were read.
static void store_count(Scan *s, const ScanConversion *c, Term start) {
  Lowering *l = s->l;
  Term to = argument(s);
  if (to == TERM_NONE) return;
  unsigned width = integer_width(s, c->size);
  Term count = s->from_string ? term_sub(l->terms, place(s), start)
                              : term_and(l->terms, builder_fresh(l, 32, VALUE_INPUT, "read"), number(s, 32, INT32_MAX));
  builder_store(l, to, term_resize_unsigned(l->terms, count, width), false);
}

static void convert(Scan *s, const ScanConversion *c, Term start) {
  bool text = c->kind && strchr("sc[", c->kind), known = c->kind && strchr("diuoxXaefgAEFGpsc[n%", c->kind);
  if (!known || (text && c->size != 0)) {
    builder_cut(s->l, CUT_CONSTRUCT, "a conversion of scanf that is not modelled");
  } else if (c->kind == 'n') {
    store_count(s, c, start);
  } else if (c->kind == '%') {
    skip_space(s);
    literal(s, '%');
  } else {
    (text ? scan_text : scan_number)(s, c);
    s->assigned += !c->dropped;
  }
}

static void walk(Scan *s, Term start) {
  const char *format = s->text;
  for (size_t at = 0; format[at] && s->l->current != NO_ID;) {
    if (format[at] != '%') {
      literal(s, format[at++]);
      continue;
    }
    ScanConversion c = read_conversion(format, at);
    convert(s, &c, start);
    at += c.length;
  }
  leave(s, number(s, 32, s->assigned));
}

// Where the text comes from: a string, standard input (which is a string if it is given), or any input.
typedef enum Source { SOURCE_STRING, SOURCE_STANDARD, SOURCE_ANY } Source;

// The part of the given standard input that is left.
static Term rest_of_input(Scan *s) {
  uint32_t count;
  const Term *rest = run(s, "__heddle_stdin_rest", NULL, 0, &count);
  return rest ? rest[0] : TERM_NONE;
}

static void scan_call(Lowering *l, LLVMValueRef call, Source source, bool from_list) {
  builder_flush(l);
  bool given = source == SOURCE_STANDARD && l->view.launch && l->view.launch->input;
  bool from_string = source == SOURCE_STRING || given;
  Scan s = {.l = l, .from_string = from_string, .depth = l->atomic_depth};
  unsigned next = 0;
  Term from = source == SOURCE_STRING ? call_argument(l, call, next++) : given ? rest_of_input(&s) : TERM_NONE;
  s.format = call_argument(l, call, next++);
  Term list = from_list ? call_argument(l, call, next) : TERM_NONE;
  if (l->current == NO_ID || s.format == TERM_NONE) return;
  if (!touch_constant_text(l, s.format, &s.text)) {
    builder_cut(l, CUT_CONSTRUCT, "a format of scanf that is not constant");
    return;
  }
  builder_save_values_here(l);
  s.arguments = format_arguments(l, list);
  s.result = builder_temporary(l, 32, "scanned");
  s.at = builder_temporary(l, l->unit->pointer_width, "at");
  s.end = builder_location(l);
  if (from_string) set_place(&s, from);
  Term start = from_string && !term_is_constant(l->terms, from) ? TERM_NONE : from;
  if (from_string && start == TERM_NONE) {
    VariableId kept = builder_temporary(l, l->unit->pointer_width, "start");
    builder_assign(l, kept, from);
    builder_flush(l);
    start = variable_term(l->program, kept);
  }
  walk(&s, start);
  l->current = s.end;
  l->atomic_depth = s.depth;
  if (given) {
    uint32_t count;
    size_t length = strlen(s.text);
    bool ends_with_character = length > 0 && s.text[length - 1] == 'c'; // %c does not read beyond its characters
    Term reached[] = {place(&s), number(&s, 32, !ends_with_character)};
    run(&s, "__heddle_stdin_advance", reached, 2, &count);
  }
  value_bind_one(l, call, variable_term(l->program, s.result));
}

void lower_scan(Lowering *l, LLVMValueRef call) { scan_call(l, call, SOURCE_STRING, false); }
void lower_scan_list(Lowering *l, LLVMValueRef call) { scan_call(l, call, SOURCE_STRING, true); }
void lower_scan_input(Lowering *l, LLVMValueRef call) { scan_call(l, call, SOURCE_STANDARD, false); }
void lower_scan_input_list(Lowering *l, LLVMValueRef call) { scan_call(l, call, SOURCE_STANDARD, true); }
void lower_scan_any(Lowering *l, LLVMValueRef call) { scan_call(l, call, SOURCE_ANY, false); }
void lower_scan_any_list(Lowering *l, LLVMValueRef call) { scan_call(l, call, SOURCE_ANY, true); }
