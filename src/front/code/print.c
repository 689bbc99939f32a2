// The code as text: objects with what they hold at the start, then each function with its blocks.
//
//   object count: int, 4 bytes; a.c:3
//   function worker(r0), a.c:7
//    block 0
//     r1 = load 4 &count                          a.c:8
#include "front/code/code.h"

static const char *const kind_names[] = {
    [CODE_MOVE] = "move",       [CODE_CHOICE] = "choice",   [CODE_COMPUTE] = "compute", [CODE_COMPARE] = "compare",
    [CODE_LOCAL] = "local",     [CODE_LOAD] = "load",       [CODE_STORE] = "store",     [CODE_EXCHANGE] = "exchange",
    [CODE_COPY_BLOCK] = "copy", [CODE_FILL_BLOCK] = "fill", [CODE_CALL] = "call",       [CODE_RETURN] = "return",
    [CODE_FENCE] = "fence",     [CODE_OPAQUE] = "opaque"};
static const char *const comparison_names[] = {[CODE_EQUAL] = "==",   [CODE_UNEQUAL] = "!=", [CODE_LESS] = "<",
                                               [CODE_AT_MOST] = "<=", [CODE_MORE] = ">",     [CODE_AT_LEAST] = ">="};

enum { POSITION_COLUMN = 60 };

static void print_position(const Code *code, uint32_t position, Text *out) {
  assert(position < code->position_count);
  const CodePosition *p = &code->positions[position];
  if (p->file) text_format(out, "%s:%u", p->file, p->line);
}

static void print_object_name(const Code *code, uint32_t object, Text *out) {
  const CodeObject *o = &code->objects[object];
  text_format(out, o->name ? "%s" : "%s#%u", o->name ? o->name : "", object);
}

static void print_operand(const Code *code, CodeOperand operand, Text *out) {
  switch (operand.kind) {
  case CODE_NUMBER: text_format(out, "%lld", (long long)operand.number); break;
  case CODE_REGISTER: text_format(out, "r%u", operand.id); break;
  case CODE_FUNCTION: text_add(out, code->functions[operand.id].name); break;
  case CODE_NOTHING: text_add(out, "_"); break;
  case CODE_ADDRESS:
    text_add(out, "&");
    print_object_name(code, operand.id, out);
    if (operand.number) text_format(out, "%+lld", (long long)operand.number);
    break;
  }
}

static void print_operands(const Code *code, const CodeStatement *s, Text *out) {
  for (uint32_t i = 0; i < s->operand_count; i++) {
    text_add(out, i ? ", " : " ");
    print_operand(code, code_operand(code, s, i), out);
    if (s->kind == CODE_COMPARE && i == 0) text_format(out, " %s", comparison_names[s->comparison]);
  }
}

static void print_details(const Code *code, const CodeStatement *s, Text *out) {
  if (s->object != NO_CODE_ID) {
    text_add_char(out, ' ');
    print_object_name(code, s->object, out);
  }
  if (s->kind == CODE_MOVE) text_format(out, " by %lld", (long long)s->offset);
  if (s->stride) text_format(out, " + k*%llu", (unsigned long long)s->stride);
  if (s->extent) text_format(out, " < %llu", (unsigned long long)s->extent);
  if (s->type != NO_CODE_ID) {
    const char *name = code_type_name(code, s->type);
    text_format(out, " in %s", name ? name : "(unnamed)");
    code_part_name(code, s->type, (uint64_t)s->offset, true, out);
  }
  if (s->note) {
    text_add(out, " ");
    text_add_flat(out, s->note);
  }
}

static void print_statement(const Code *code, const CodeStatement *s, Text *out) {
  text_add(out, "    ");
  if (s->result != NO_CODE_ID) text_format(out, "r%u = ", s->result);
  if (s->is_volatile) text_add(out, "volatile ");
  if (s->atomic) text_add(out, "atomic ");
  text_add(out, kind_names[s->kind]);
  bool sized = s->kind == CODE_LOAD || s->kind == CODE_STORE || s->kind == CODE_EXCHANGE ||
               s->kind == CODE_COPY_BLOCK || s->kind == CODE_FILL_BLOCK;
  if (sized) text_format(out, " %llu", (unsigned long long)s->size);
  print_operands(code, s, out);
  print_details(code, s, out);
  text_pad(out, POSITION_COLUMN);
  text_add(out, " ");
  print_position(code, s->position, out);
  text_add(out, "\n");
}

// --- control flow ---

static void print_edge(const Code *code, const CodeBlock *b, const CodeEdge *e, uint32_t first, Text *out) {
  text_format(out, "    goto %u", e->target - first);
  if (e->kind != CODE_ALWAYS) text_add(out, e->kind == CODE_OTHERWISE ? " otherwise, after " : " if ");
  if (e->kind != CODE_ALWAYS) print_operand(code, b->condition, out);
  if (e->kind == CODE_IF_ZERO) text_add(out, " == 0");
  if (e->kind == CODE_IF_NONZERO) text_add(out, " != 0");
  if (e->kind == CODE_IF_EQUAL) text_format(out, " == %lld", (long long)e->number);
  text_add(out, "\n");
}

static void print_block(const Code *code, const CodeFunction *f, uint32_t number, Text *out) {
  const CodeBlock *b = &code->blocks[number];
  text_format(out, "  block %u%s\n", number - f->first_block, b->in_cycle ? ", in a cycle" : "");
  for (uint32_t i = 0; i < b->statement_count; i++)
    print_statement(code, &code->statements[b->first_statement + i], out);
  for (uint32_t i = 0; i < b->edge_count; i++)
    print_edge(code, b, &code->edges[b->first_edge + i], f->first_block, out);
}

static void print_function(const Code *code, const CodeFunction *f, Text *out) {
  text_format(out, "function %s", f->name);
  for (uint32_t i = 0; i < f->parameter_count; i++) text_format(out, "%sr%u", i ? ", " : "(", f->first_parameter + i);
  if (f->parameter_count) text_add(out, ")");
  if (f->variadic) text_add(out, ", variadic");
  if (!f->defined) text_add(out, ", undefined");
  if (f->address_taken) text_add(out, ", address taken");
  if (f->at_start) text_add(out, ", runs before main");
  if (f->at_exit) text_add(out, ", runs at exit");
  text_add(out, "; ");
  print_position(code, f->position, out);
  text_add(out, "\n");
  for (uint32_t b = 0; b < f->block_count; b++) print_block(code, f, f->first_block + b, out);
}

// --- objects ---

static void print_object(const Code *code, uint32_t id, Text *out) {
  const CodeObject *o = &code->objects[id];
  static const char *const names[] = {
      [CODE_STATIC] = "static", [CODE_THREAD_LOCAL] = "thread-local", [CODE_AUTOMATIC] = "automatic"};
  text_format(out, "object ");
  print_object_name(code, id, out);
  text_format(out, ": %s, %llu bytes", names[o->kind], (unsigned long long)o->size);
  if (o->function != NO_CODE_ID) text_format(out, ", of %s", code->functions[o->function].name);
  if (code_type_name(code, o->type)) text_format(out, ", %s", code_type_name(code, o->type));
  if (o->constant) text_add(out, ", constant");
  if (o->external) text_add(out, ", external");
  text_add(out, "; ");
  print_position(code, o->position, out);
  text_add(out, "\n");
}

static void print_initial(const Code *code, const CodeInitial *initial, Text *out) {
  text_add(out, "initially ");
  print_object_name(code, initial->object, out);
  const CodeObject *object = &code->objects[initial->object];
  code_part_name(code, object->type, initial->offset, false, out);
  text_format(out, " (+%llu) = ", (unsigned long long)initial->offset);
  print_operand(code, initial->operand, out);
  text_add(out, "\n");
}

void code_print(const Code *code, Text *out) {
  text_format(out, "%llu lines, %u functions, %u objects, %u statements; %s\n", (unsigned long long)code->lines,
              code->function_count, code->object_count, code->statement_count,
              code->main == NO_CODE_ID ? "no main" : "with main");
  for (uint32_t i = 0; i < code->object_count; i++) print_object(code, i, out);
  for (uint32_t i = 0; i < code->initial_count; i++) print_initial(code, &code->initials[i], out);
  for (uint32_t i = 0; i < code->function_count; i++) print_function(code, &code->functions[i], out);
}
