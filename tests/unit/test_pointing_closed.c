// The sets of pointers are closed under the statements of the program: a check that is simpler than the analysis, by
// its answers only. Every load is compared with every store; so programs must be small. What goes through the library
// or through outside code is not checked.
//
// With arguments, it checks these files.
#include "survey/pointing.h"

#define _GNU_SOURCE
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct Checked {
  const Code *code;
  const Pointing *pointing;
  const char *file;
  uint64_t facts; // that were looked at
} Checked;

static bool place_includes(AreaPlace large, AreaPlace small) {
  if (large.area != small.area) return false;
  if (large.stride == 0) return small.stride == 0 && small.offset == large.offset;
  int64_t away = small.offset - large.offset;
  if (away % (int64_t)large.stride != 0 || small.stride % large.stride != 0) return false;
  if (large.extent == 0) return true;
  if (small.stride != 0 && small.extent == 0) return false;
  int64_t last = away + (small.extent ? (int64_t)small.extent - 1 : 0);
  return away >= 0 && last < (int64_t)large.extent;
}

static bool is_in(AreaPlace place, PlaceRange range) {
  for (uint32_t i = 0; i < range.count; i++)
    if (place_includes(range.data[i], place)) return true;
  return false;
}

static void expect_in(Checked *c, AreaPlace place, PlaceRange range, uint32_t statement, const char *what) {
  c->facts++;
  if (is_in(place, range)) return;
  const CodePosition *at = &c->code->positions[c->code->statements[statement].position];
  Text name;
  text_init(&name, NULL);
  pointing_area_name(c->pointing, place.area, &name);
  fail_msg("%s: %s: %s+%lld is missing, line %u", c->file, what, name.data, (long long)place.offset, at->line);
}

static void expect_all(Checked *c, PlaceRange from, PlaceRange to, uint32_t statement, const char *what) {
  for (uint32_t i = 0; i < from.count; i++) expect_in(c, from.data[i], to, statement, what);
}

static PlaceRange of_register(const Checked *c, uint32_t id) {
  return pointing_of(c->pointing, (CodeOperand){.kind = CODE_REGISTER, .id = id});
}

static PlaceRange of_operand(const Checked *c, const CodeStatement *s, uint32_t index) {
  return pointing_of(c->pointing, code_operand(c->code, s, index));
}

static bool meets(PlaceRange a, uint64_t a_bytes, PlaceRange b, uint64_t b_bytes) {
  for (uint32_t i = 0; i < a.count; i++)
    for (uint32_t k = 0; k < b.count; k++)
      if (pointing_overlap(a.data[i], a_bytes, b.data[k], b_bytes)) return true;
  return false;
}

static bool writes_constant(const Checked *c, PlaceRange to) {
  for (uint32_t i = 0; i < to.count; i++) {
    const Area *area = pointing_area(c->pointing, to.data[i].area);
    if (area->object != NO_CODE_ID && c->code->objects[area->object].constant) return true;
    if (area->kind == AREA_FUNCTION) return true;
  }
  return false;
}

static void check_load(Checked *c, uint32_t load) {
  const Code *code = c->code;
  const CodeStatement *s = &code->statements[load];
  if (s->size < code->pointer_bytes) return;
  PlaceRange from = of_operand(c, s, 0), result = of_register(c, s->result);
  for (uint32_t i = 0; i < code->statement_count; i++) {
    const CodeStatement *other = &code->statements[i];
    if (other->kind != CODE_STORE && other->kind != CODE_EXCHANGE) continue;
    PlaceRange to = of_operand(c, other, 0), value = of_operand(c, other, 1);
    if (value.count == 0 || writes_constant(c, to) || !meets(from, s->size, to, other->size)) continue;
    expect_all(c, value, result, load, "load");
  }
  for (uint32_t i = 0; i < code->initial_count; i++) {
    const CodeInitial *initial = &code->initials[i];
    AreaPlace at = {.area = initial->object, .offset = (int64_t)initial->offset};
    if (meets(from, s->size, (PlaceRange){&at, 1}, code->pointer_bytes))
      expect_all(c, pointing_of(c->pointing, initial->operand), result, load, "load of an initial value");
  }
}

// An object is copied whole: what is stored at its beginning is loaded from the copy.
static void check_copy(Checked *c, uint32_t copy) {
  const CodeStatement *s = &c->code->statements[copy];
  PlaceRange to = of_operand(c, s, 0), from = of_operand(c, s, 1);
  if (writes_constant(c, to)) return;
  for (uint32_t i = 0; i < c->code->statement_count; i++) {
    const CodeStatement *store = &c->code->statements[i];
    if (store->kind != CODE_STORE || !meets(of_operand(c, store, 0), store->size, from, 1)) continue;
    for (uint32_t k = 0; k < c->code->statement_count; k++) {
      const CodeStatement *load = &c->code->statements[k];
      if (load->kind != CODE_LOAD || load->size < c->code->pointer_bytes) continue;
      PlaceRange at = of_operand(c, load, 0);
      bool exact = from.count == 1 && from.data[0].stride == 0 && meets(at, 1, to, 1);
      if (exact && of_operand(c, store, 0).count == 1 && of_operand(c, store, 0).data[0].offset == from.data[0].offset)
        expect_all(c, of_operand(c, store, 1), of_register(c, load->result), copy, "copy");
    }
  }
}

// A wrapper's call has an area of its own, which is among those that the wrapper returns.
static void check_return(Checked *c, uint32_t call, const CodeFunction *f) {
  PlaceRange result = of_register(c, c->code->statements[call].result);
  bool wrapper = result.count == 1 && pointing_area(c->pointing, result.data[0].area)->statement == call;
  for (uint32_t i = f->first_statement; i < f->first_statement + f->statement_count; i++) {
    const CodeStatement *s = &c->code->statements[i];
    if (s->kind != CODE_RETURN || s->operand_count == 0) continue;
    PlaceRange returned = of_operand(c, s, 0);
    if (wrapper && returned.count > 0)
      expect_all(c, result, returned, call, "wrapper");
    else if (!wrapper)
      for (uint32_t k = 0; k < returned.count; k++)
        if (pointing_area(c->pointing, returned.data[k].area)->kind != AREA_HEAP) // a wrapper's wrapper
          expect_in(c, returned.data[k], result, call, "result");
  }
}

static void check_call(Checked *c, uint32_t call) {
  const CodeStatement *s = &c->code->statements[call];
  CalleeRange callees = pointing_callees(c->pointing, call);
  PlaceRange called = of_operand(c, s, 0);
  for (uint32_t i = 0, k = 0; i < called.count; i++)
    if (pointing_area(c->pointing, called.data[i].area)->kind == AREA_FUNCTION)
      assert_int_equal(callees.data[k++], pointing_area(c->pointing, called.data[i].area)->function);
  for (uint32_t i = 0; i < callees.count; i++) {
    const CodeFunction *f = &c->code->functions[callees.data[i]];
    if (!f->defined) continue;
    for (uint32_t k = 1; k < s->operand_count && k <= f->parameter_count; k++)
      expect_all(c, of_operand(c, s, k), of_register(c, f->first_parameter + k - 1), call, "argument");
    if (s->result != NO_CODE_ID) check_return(c, call, f);
  }
}

static void check_move(Checked *c, uint32_t move) {
  const CodeStatement *s = &c->code->statements[move];
  PlaceRange from = of_operand(c, s, 0), to = of_register(c, s->result);
  for (uint32_t i = 0; i < from.count; i++) {
    AreaPlace place = from.data[i];
    AreaKind kind = pointing_area(c->pointing, place.area)->kind;
    if (kind != AREA_FUNCTION && kind != AREA_OUTSIDE) place.offset += s->offset;
    expect_in(c, place, to, move, "move");
    place.offset += (int64_t)s->stride;
    if (kind != AREA_FUNCTION && s->stride && (s->extent == 0 || s->extent > s->stride))
      expect_in(c, place, to, move, "move by a stride");
  }
}

static void check_statement(Checked *c, uint32_t id) {
  const CodeStatement *s = &c->code->statements[id];
  switch (s->kind) {
  case CODE_MOVE: check_move(c, id); break;
  case CODE_CHOICE:
    for (uint32_t i = 0; i < s->operand_count; i++)
      expect_all(c, of_operand(c, s, i), of_register(c, s->result), id, "choice");
    break;
  case CODE_LOAD: check_load(c, id); break;
  case CODE_COPY_BLOCK: check_copy(c, id); break;
  case CODE_CALL: check_call(c, id); break;
  default: break;
  }
}

static uint64_t check_file(const char *file) {
  Account account = {.room = "test"};
  Text error;
  text_init(&error, NULL);
  FrontOptions options = {.files = &file, .file_count = 1, .pointer_width = 64};
  FrontUnit *unit = front_open(&options, &error, &account);
  text_free(&error);
  if (!unit) return 0; // for other options
  Code *code = code_read(unit, &account);
  Pointing *pointing = pointing_new(code, NULL, 0, false, 0, &account);
  Checked c = {code, pointing, file, 0};
  for (uint32_t i = 0; i < code->statement_count; i++) check_statement(&c, i);
  pointing_free(pointing);
  code_free(code);
  front_close(unit);
  assert_int_equal(account.bytes, 0);
  return c.facts;
}

// Those tasks that have the most pointers.
static void test_tasks(void **state) {
  (void)state;
  glob_t tasks;
  uint64_t facts = 0;
  int status = glob(HEDDLE_SOURCE_DIR "/tests/tasks/{varargs,stack,list,struct,queue}*.c", GLOB_BRACE, NULL, &tasks);
  assert_int_equal(status, 0);
  for (size_t i = 0; i < tasks.gl_pathc; i++) facts += check_file(tasks.gl_pathv[i]);
  globfree(&tasks);
  assert_true(facts > 500);
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) printf("%s: %llu facts\n", argv[i], (unsigned long long)check_file(argv[i]));
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_tasks)};
  return argc > 1 ? 0 : cmocka_run_group_tests(tests, NULL, NULL);
}
