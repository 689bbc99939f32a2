// Orders of the locations, back edges and loop heads.
#include "program/passes/pass_list.h"
#include "program/passes/rewrite.h"

typedef enum Colour { COLOUR_NEW, COLOUR_OPEN, COLOUR_DONE } Colour;

typedef struct Frame {
  LocationId location;
  uint32_t next; // out edge to look at next
} Frame;
VECTOR(FrameVector, Frame);

// Depth-first search from `entry`; appends locations in postorder.
static void search(const Program *p, LocationId entry, uint8_t *colour, FrameVector *stack, U32Vector *postorder,
                   Program *mark) {
  if (entry == NO_ID || colour[entry] != COLOUR_NEW) return;
  colour[entry] = COLOUR_OPEN;
  FrameVector_push(stack, (Frame){entry, 0});
  while (stack->count) {
    Frame *top = FrameVector_last(stack);
    uint32_t count;
    const EdgeId *edges = location_edges(p, top->location, &count);
    if (top->next == count) {
      colour[top->location] = COLOUR_DONE;
      U32Vector_push(postorder, top->location);
      FrameVector_pop(stack);
      continue;
    }
    EdgeId edge = edges[top->next++];
    LocationId to = p->edges.data[edge].to;
    if (colour[to] == COLOUR_OPEN && mark) {
      mark->edges.data[edge].back = true;
      mark->locations.data[to].loop_head = true;
    }
    if (colour[to] != COLOUR_NEW) continue;
    colour[to] = COLOUR_OPEN;
    FrameVector_push(stack, (Frame){to, 0});
  }
}

void program_reverse_postorder(const Program *p, U32Vector *order, Program *mark) {
  assert(!mark || mark == p);
  uint8_t *colour = memory_allocate_zeroed(p->account, p->locations.count);
  FrameVector stack;
  FrameVector_init(&stack, p->account);
  for (size_t t = 0; t < p->threads.count; t++) {
    size_t first = order->count;
    search(p, p->threads.data[t].entry, colour, &stack, order, mark);
    for (size_t i = first, j = order->count; i + 1 < j; i++) {
      uint32_t kept = order->data[i];
      order->data[i] = order->data[--j];
      order->data[j] = kept;
    }
  }
  FrameVector_free(&stack);
  memory_free(p->account, colour, p->locations.count);
}

void pass_loops(Program *p) {
  for (size_t e = 0; e < p->edges.count; e++) p->edges.data[e].back = false;
  for (size_t l = 0; l < p->locations.count; l++) p->locations.data[l].loop_head = false;
  U32Vector order;
  U32Vector_init(&order, p->account);
  program_reverse_postorder(p, &order, p);
  U32Vector_free(&order);
}

// Takes locations away that no other edge leads to, until none is left; what stays lies behind a cycle.
bool program_cycles_go_back(const Program *p) {
  U32Vector ways, open;
  U32Vector_init(&ways, p->account);
  U32Vector_init(&open, p->account);
  U32Vector_resize(&ways, p->locations.count);
  for (size_t e = 0; e < p->edges.count; e++)
    if (!p->edges.data[e].back) ways.data[p->edges.data[e].to]++;
  for (LocationId l = 0; l < p->locations.count; l++)
    if (ways.data[l] == 0) U32Vector_push(&open, l);
  for (size_t taken = 0; taken < open.count; taken++) {
    uint32_t count;
    const EdgeId *edges = location_edges(p, open.data[taken], &count);
    for (uint32_t i = 0; i < count; i++) {
      const Edge *edge = &p->edges.data[edges[i]];
      if (!edge->back && --ways.data[edge->to] == 0) U32Vector_push(&open, edge->to);
    }
  }
  bool all = open.count == p->locations.count;
  U32Vector_free(&open);
  U32Vector_free(&ways);
  return all;
}
