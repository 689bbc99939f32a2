// The text of formatted output: steps that write its pieces, as far as there is room.
#include "front/calls/calls.h"
#include "front/format/format.h"
#include "front/objects/objects.h"

static bool constant(const FormatText *text, Term term) { return term_is_constant(text->l->terms, term); }

static uint64_t value(const FormatText *text, Term term) { return (uint64_t)term_constant_value(text->l->terms, term); }

// sprintf: no end of the room is known.
static bool unlimited(const FormatText *text) {
  return constant(text, text->room) && value(text, text->room) == (uint64_t)bits_mask(text->l->unit->pointer_width);
}

// Sets `*count` to how many of `length` characters fit; false if that is not known.
static bool fitting(const FormatText *text, uint64_t length, uint64_t *count) {
  *count = length;
  if (unlimited(text)) return true;
  if (!constant(text, text->at) || !constant(text, text->room)) return false;
  uint64_t at = value(text, text->at), room = value(text, text->room);
  uint64_t left = at + 1 < room ? room - 1 - at : 0;
  if (left < length) *count = left;
  assert(*count <= length);
  return true;
}

static void advance(FormatText *text, uint64_t length) {
  text->at = term_add_constant(text->l->terms, text->at, length);
}

static Term place(const FormatText *text, uint64_t behind) {
  assert(text->writes);
  TermStore *terms = text->l->terms;
  unsigned width = text->l->unit->pointer_width;
  return term_add_constant(terms, term_add(terms, text->to, term_resize_unsigned(terms, text->at, width)), behind);
}

void format_put_by_model(FormatText *text, const char *model, const Term *operands, size_t count) {
  Lowering *l = text->l;
  Term arguments[8] = {text->to, text->room, text->at};
  assert(count + 3 <= 8 && text->writes);
  for (size_t i = 0; i < count; i++) arguments[3 + i] = operands[i];
  LLVMValueRef function = unit_model(l->unit, model);
  assert(function);
  uint32_t results;
  const Term *result = call_function(l, function, arguments, 3 + count, &results);
  if (!result || results != 1 || l->current == NO_ID) return;
  // The result may mention variables that the next step overwrites.
  VariableId kept = builder_temporary(l, l->unit->pointer_width, "length");
  if (constant(text, result[0])) {
    text->at = result[0];
    return;
  }
  builder_assign(l, kept, result[0]);
  builder_flush(l);
  text->at = variable_term(l->program, kept);
}

void format_put_block(FormatText *text, Term from, uint64_t length) {
  uint64_t count;
  if (text->writes && !fitting(text, length, &count)) {
    Term operands[] = {from, constant_address(text->l, length)};
    format_put_by_model(text, "__heddle_plain_put_text", operands, 2);
    return;
  }
  if (text->writes) lower_user_block(text->l, STEP_COPY, place(text, 0), from, count);
  advance(text, length);
}

void format_put_byte(FormatText *text, Term byte) {
  uint64_t count;
  if (text->writes && !fitting(text, 1, &count)) {
    Term operand = term_resize_unsigned(text->l->terms, byte, 32);
    format_put_by_model(text, "__heddle_plain_put_character", &operand, 1);
    return;
  }
  if (text->writes && count > 0)
    builder_store(text->l, place(text, 0), term_resize_unsigned(text->l->terms, byte, 8), false);
  advance(text, 1);
}

void format_put_characters(FormatText *text, const char *characters, size_t n) {
  for (size_t i = 0; i < n; i++) format_put_byte(text, term_constant(text->l->terms, 8, (unsigned char)characters[i]));
}

void format_put_end(FormatText *text) {
  uint64_t count;
  Lowering *l = text->l;
  if (!text->writes || l->current == NO_ID) return;
  if (unlimited(text)) {
    builder_store(l, place(text, 0), term_constant(l->terms, 8, 0), false);
    return;
  }
  if (!fitting(text, 0, &count)) {
    LLVMValueRef model = unit_model(l->unit, "__heddle_plain_put_end");
    uint32_t results;
    call_function(l, model, (Term[]){text->to, text->room, text->at}, 3, &results);
    return;
  }
  uint64_t room = value(text, text->room), at = value(text, text->at);
  if (room == 0) return;
  text->at = constant_address(l, at < room ? at : room - 1);
  builder_store(l, place(text, 0), term_constant(l->terms, 8, 0), false);
  text->at = constant_address(l, at);
}

// Any length from `at` on, but none that an int cannot hold.
Term format_count(FormatText *text) {
  Lowering *l = text->l;
  if (text->exact) return text->at;
  unsigned width = l->unit->pointer_width;
  Term any = builder_fresh(l, 32, VALUE_INPUT, "printed"), least = term_resize_unsigned(l->terms, text->at, 32);
  Term low = term_binary(l->terms, TERM_SLT, any, least);
  return term_resize_unsigned(l->terms, term_ite(l->terms, low, least, any), width);
}
