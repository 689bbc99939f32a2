#include "program/dot.h"

#include "program/passes/rewrite.h"

#include <inttypes.h>

// --- one step as text ---

static void print_place(const Program *p, const Access *access, Text *out) {
  if (term_is_constant(p->terms, access->address)) {
    uint64_t address = (uint64_t)term_constant_value(p->terms, access->address);
    CellId cell = program_cell_at(p, address);
    ObjectId object = program_object_at(p, address);
    if (cell != NO_ID) {
      text_format(out, "*(&%s)", p->cells.data[cell].name);
      return;
    }
    if (object != NO_ID) {
      uint64_t offset = address - p->objects.data[object].address;
      text_format(out, offset ? "*(&%s + %" PRIu64 ")" : "*(&%s)", p->objects.data[object].name, offset);
      return;
    }
  }
  text_add(out, "*(");
  term_print_c(p->terms, access->address, out);
  text_add(out, ")");
}

static const char *separator(bool *first) {
  const char *text = *first ? "" : "; ";
  *first = false;
  return text;
}

static void print_access(const Program *p, const Access *access, Text *out, bool *first) {
  if (access->reads) {
    text_format(out, "%s%s := ", separator(first), p->variables.data[access->into].name);
    print_place(p, access, out);
  }
  if (access->writes) {
    text_add(out, separator(first));
    print_place(p, access, out);
    text_add(out, " := ");
    if (value_is_fresh(access->stored))
      text_add(out, "indeterminate()");
    else
      term_print_c(p->terms, access->stored, out);
  }
}

static void print_block(const Program *p, const Step *step, Text *out, bool *first) {
  text_add(out, separator(first));
  text_add(out, "(");
  term_print_c(p->terms, step->block->destination, out);
  if (step->block->source != TERM_NONE) {
    text_add(out, ", ");
    term_print_c(p->terms, step->block->source, out);
  }
  text_format(out, ", %" PRIu64 ")", step->block->length);
}

static void print_target(const Program *p, const Step *step, Text *out) {
  if (step->kind == STEP_CREATE) text_format(out, " %s", p->threads.data[step->target].path);
  if (step->kind == STEP_CUT)
    text_format(out, " (%s: %s)", cut_kind_text(p->cuts.data[step->target].kind), p->cuts.data[step->target].what);
  if (step->kind == STEP_ALLOCATE) text_format(out, " %s", p->objects.data[step->target].name);
  if (step->operand != TERM_NONE) {
    text_add(out, " ");
    term_print_c(p->terms, step->operand, out);
  }
}

void step_print(const Program *p, const Step *step, Text *out) {
  bool first = true;
  size_t start = out->length;
  if (step->kind != STEP_PLAIN) {
    text_add(out, step_kind_name(step->kind));
    print_target(p, step, out);
  }
  if (!term_is_true(p->terms, step->guard)) {
    text_add(out, out->length > start ? " [" : "[");
    term_print_c(p->terms, step->guard, out);
    text_add(out, "]");
  }
  if (out->length > start && (step->access.address != TERM_NONE || step->assignment_count > 0 || step->block))
    text_add(out, " ");
  if (step->block) print_block(p, step, out, &first);
  if (step->access.address != TERM_NONE) print_access(p, &step->access, out, &first);
  for (uint32_t i = 0; i < step->assignment_count; i++) {
    const Assignment *assignment = &step->assignments[i];
    text_format(out, "%s%s = ", separator(&first), p->variables.data[assignment->variable].name);
    if (assignment->value == VALUE_INPUT)
      text_add(out, "input()");
    else if (assignment->value == VALUE_INDETERMINATE)
      text_add(out, "indeterminate()");
    else
      term_print_c(p->terms, assignment->value, out);
  }
  if (out->length == start) text_add(out, "skip");
}

// --- the automata ---

static void print_quoted(Text *out, const char *text) {
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') text_add_char(out, '\\');
    text_add_char(out, *text);
  }
}

static void print_location_dot(const Program *p, LocationId id, Text *out) {
  const Location *location = &p->locations.data[id];
  const Thread *thread = &p->threads.data[location->thread];
  const char *shape = location->final ? "doublecircle" : location->loop_head ? "doubleoctagon" : "circle";
  text_format(out, "    l%u [label=\"%u\", shape=%s%s%s", id, id, shape, thread->entry == id ? ", style=bold" : "",
              location->atomic ? ", color=blue" : "");
  if (location->position.line) text_format(out, ", tooltip=\"line %u\"", location->position.line);
  text_add(out, "];\n");
}

static void print_edge_dot(const Program *p, EdgeId id, Text *out) {
  const Edge *edge = &p->edges.data[id];
  Text label;
  text_init(&label, p->account);
  text_format(out, "    l%u -> l%u [label=\"", edge->from, edge->to);
  uint32_t count;
  const Step *steps = edge_steps(p, id, &count);
  for (uint32_t i = 0; i < count; i++) {
    const Step *step = &steps[i];
    text_clear(&label);
    if (step->position.line) text_format(&label, "%u: ", step->position.line);
    step_print(p, step, &label);
    print_quoted(out, label.data);
    text_add(out, "\\l");
  }
  text_format(out, "\"%s];\n", edge->back ? ", style=dashed" : "");
  text_free(&label);
}

void program_print_dot(const Program *p, Text *out) {
  text_add(out,
           "digraph program {\n  node [fontname=\"sans-serif\"];\n  edge [fontname=\"monospace\", fontsize=10];\n");
  for (size_t t = 0; t < p->threads.count; t++) {
    text_format(out, "  subgraph cluster_%zu {\n    label=\"", t);
    print_quoted(out, p->threads.data[t].path);
    text_add(out, " ");
    print_quoted(out, p->threads.data[t].routine);
    text_add(out, "\";\n");
    for (size_t l = 0; l < p->locations.count; l++)
      if (p->locations.data[l].thread == t) print_location_dot(p, (LocationId)l, out);
    for (size_t e = 0; e < p->edges.count; e++)
      if (p->locations.data[p->edges.data[e].from].thread == t) print_edge_dot(p, (EdgeId)e, out);
    text_add(out, "  }\n");
  }
  text_add(out, "}\n");
}

// --- tables ---

// A cell's initial value: small ones in decimal, addresses and patterns in hexadecimal.
static void print_initial(const Program *p, const Cell *cell, Text *out) {
  if (cell->initial == TERM_NONE) {
    text_add(out, "any");
    return;
  }
  Bits value = term_constant_value(p->terms, cell->initial);
  if (value >> 64)
    text_format(out, "0x%" PRIx64 "%016" PRIx64, (uint64_t)(value >> 64), (uint64_t)value);
  else if (value > 0xffffff)
    text_format(out, "0x%" PRIx64, (uint64_t)value);
  else
    text_format(out, "%" PRIu64, (uint64_t)value);
}

void program_print_cells(const Program *p, Text *out) {
  text_add(out, "address     bytes  name                          initial             shared  written\n");
  for (size_t c = 0; c < p->cells.count; c++) {
    const Cell *cell = &p->cells.data[c];
    text_format(out, "0x%08" PRIx64 "  %5u  %-28s  ", cell->address, cell->bytes, cell->name);
    print_initial(p, cell, out);
    text_pad(out, 69);
    text_format(out, "%-6s  %s\n", cell->shared ? "yes" : "no", cell->written ? "yes" : "no");
  }
}

static void print_cells(const Program *p, const Access *access, Text *out) {
  const uint32_t *cells = cell_set_cells(p, access->cells);
  if (access->invalid) text_add(out, " nothing valid");
  for (uint32_t i = 0; i < access->cells.count; i++) {
    if (i == 8 && access->cells.count > 9) {
      text_format(out, " and %u more", access->cells.count - i);
      break;
    }
    text_format(out, " %s", p->cells.data[cells[i]].name);
  }
}

void program_print_access(const Program *p, Text *out) {
  for (size_t t = 0; t < p->threads.count; t++) {
    text_format(out, "thread %s (%s)\n", p->threads.data[t].path, p->threads.data[t].routine);
    for (size_t e = 0; e < p->edges.count; e++) {
      if (p->locations.data[p->edges.data[e].from].thread != t) continue;
      uint32_t count;
      const Step *steps = edge_steps(p, (EdgeId)e, &count);
      for (uint32_t i = 0; i < count; i++) {
        const Step *step = &steps[i];
        if (step->access.address == TERM_NONE) continue;
        text_format(out, "  edge %zu, line %u: %s%s%s%s", e, step->position.line, step->access.reads ? "reads" : "",
                    step->access.reads && step->access.writes ? " and " : "", step->access.writes ? "writes" : "",
                    step->access.synchronises  ? " (synchronises)"
                    : step->access.is_volatile ? " (volatile)"
                                               : "");
        print_cells(p, &step->access, out);
        text_add(out, "\n");
      }
    }
  }
}
