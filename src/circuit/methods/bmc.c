// Bounded model checking (paper 002, section 5), as a search with growing depth.
//
// The goal of a frame is that something bad happens in it. An execution that is still to be found when a frame is
// closed takes a step in it. So programs without endless loops are proved.
#include "circuit/methods/depth_search.h"

// If no thread moves in a step, none moves in the next step: it is the same state. A clause says so.
static AigLiteral add_goal(DepthSearch *s, void *context) {
  U32Vector *moves = context; // per frame: a thread moves
  AigLiteral bad = unrolling_literal(&s->unrolling, s->question->bad);
  AigLiteral moves_now = unrolling_literal(&s->unrolling, s->question->circuit->moves);
  if (moves->count > s->closed_frames) { // the frame before is open
    AigLiteral clause[2] = {aig_not(moves_now), *U32Vector_last(moves)};
    aig_sat_assert_clause(&s->sat, clause, 2);
  }
  U32Vector_push(moves, moves_now);
  s->ended = moves_now == AIG_FALSE;
  return bad;
}

static AigLiteral goal_again(DepthSearch *s, uint32_t frame) {
  return unrolling_literal_at(&s->unrolling, frame, s->question->bad);
}

static void close_frame(DepthSearch *s, void *context, uint32_t frame) {
  const U32Vector *moves = context;
  aig_sat_assert(&s->sat, moves->data[frame]);
}

// The trace ends with the step in which something bad happens.
static uint32_t count_steps(const DepthSearch *s, void *context, uint32_t goal_frame) {
  (void)s;
  (void)context;
  return goal_frame + 1;
}

static const DepthOperations operations = {.stop_point = "circuit-bmc",
                                           .add_goal = add_goal,
                                           .goal_again = goal_again,
                                           .close_frame = close_frame,
                                           .count_steps = count_steps};

MethodAnswer bmc_reach(Question *question) {
  U32Vector moves;
  U32Vector_init(&moves, question->account);
  DepthSearch s;
  depth_search_init(&s, question, &operations, &moves);
  MethodAnswer answer = depth_search_run(&s);
  uint32_t depth = answer == METHOD_REACHED ? question->trace->steps : s.closed_frames;
  depth_search_report(&s, answer, depth);
  if (answer == METHOD_UNKNOWN && depth > 0)
    text_format(question->covered, "no violation within %u steps", (unsigned)depth);
  depth_search_free(&s);
  U32Vector_free(&moves);
  return answer;
}
