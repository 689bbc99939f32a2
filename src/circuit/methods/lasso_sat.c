// Lassos as a search with growing depth (after Latvala, Biere, Heljanko, Junttila, "Simple bounded LTL model checking",
// FMCAD 2004, whose encoding is linear in the depth).
//
// One state is guessed: the state at which the loop closes. The loop begins before the first frame with this state. The
// goal of a frame is that the loop is closed before it: the state before it is the guessed one, and each justice held
// in a step in between. An earlier visit of the state only makes the loop longer. In an infinite execution `constraint`
// holds in every frame, so it is asserted in the frames behind the loop, too. If that is not satisfiable, there is no
// execution of this length.
#include "circuit/methods/depth_search.h"
#include "circuit/methods/lasso_check.h"

typedef struct Loop {
  U32Vector guessed;    // per latch: its value in the state at which the loop closes
  U32Vector at_guessed; // per frame: the state before it is the guessed one
  U32Vector seen;       // per justice: it held in a step of the loop so far
  AigLiteral inside;    // the loop has begun
} Loop;

// The state before the last frame is the guessed one.
static AigLiteral state_is_guessed(DepthSearch *s, const Loop *loop) {
  size_t latches = s->question->circuit->latches.count;
  const AigLiteral *now = s->unrolling.latches.data + (s->unrolling.frames - 1) * latches;
  U32Vector equal;
  U32Vector_init(&equal, s->question->account);
  for (size_t i = 0; i < latches; i++)
    U32Vector_push(&equal, aig_equal(&s->unrolling.aig, now[i], loop->guessed.data[i]));
  AigLiteral all = aig_and_all(&s->unrolling.aig, equal.data, equal.count);
  U32Vector_free(&equal);
  return all;
}

static AigLiteral add_goal(DepthSearch *s, void *context) {
  Loop *loop = context;
  Aig *aig = &s->unrolling.aig;
  AigLiteral at_guessed = state_is_guessed(s, loop), closed = aig_and(aig, at_guessed, loop->inside);
  for (size_t i = 0; i < loop->seen.count; i++) closed = aig_and(aig, closed, loop->seen.data[i]);
  U32Vector_push(&loop->at_guessed, at_guessed);
  loop->inside = aig_or(aig, loop->inside, at_guessed);
  for (size_t i = 0; i < loop->seen.count; i++) {
    AigLiteral just = unrolling_literal(&s->unrolling, s->question->justice.data[i]);
    loop->seen.data[i] = aig_or(aig, loop->seen.data[i], aig_and(aig, loop->inside, just));
  }
  aig_sat_assert(&s->sat, unrolling_literal(&s->unrolling, s->question->constraint));
  return closed;
}

static void define_frame(DepthSearch *s, void *context, uint32_t frame) {
  AigLiteral at_guessed = ((const Loop *)context)->at_guessed.data[frame];
  if (!aig_is_constant(at_guessed)) aig_sat_define(&s->sat, at_guessed);
}

// The loop is closed before the goal's frame, which is not part of the trace.
static uint32_t count_steps(const DepthSearch *s, void *context, uint32_t goal_frame) {
  const Loop *loop = context;
  uint32_t begin = 0;
  while (!aig_sat_value(&s->sat, loop->at_guessed.data[begin])) begin++;
  assert(begin < goal_frame);
  s->question->loop_start = begin;
  return goal_frame;
}

static const DepthOperations operations = {
    .stop_point = "circuit-lasso-bmc", .add_goal = add_goal, .define_frame = define_frame, .count_steps = count_steps};

static void loop_init(Loop *loop, DepthSearch *s) {
  const Question *question = s->question;
  loop->inside = AIG_FALSE;
  U32Vector_init(&loop->guessed, question->account);
  U32Vector_init(&loop->at_guessed, question->account);
  U32Vector_init(&loop->seen, question->account);
  U32Vector_resize(&loop->seen, question->justice.count); // all AIG_FALSE
  for (size_t i = 0; i < question->circuit->latches.count; i++)
    U32Vector_push(&loop->guessed, aig_input(&s->unrolling.aig));
}

static void loop_free(Loop *loop) {
  U32Vector_free(&loop->seen);
  U32Vector_free(&loop->at_guessed);
  U32Vector_free(&loop->guessed);
}

MethodAnswer bmc_lasso(Question *question) {
  Loop loop;
  DepthSearch s;
  depth_search_init(&s, question, &operations, &loop);
  unrolling_keep_idle_steps(&s.unrolling);
  loop_init(&loop, &s);
  MethodAnswer answer = depth_search_run(&s);
  assert(answer != METHOD_REACHED || lasso_is_valid(question));
  // A loop that is closed before a frame consists of the steps of the frames before it.
  uint32_t depth = answer == METHOD_REACHED ? question->trace->steps : s.closed_frames > 0 ? s.closed_frames - 1 : 0;
  depth_search_report(&s, answer, depth);
  if (answer == METHOD_UNKNOWN && depth > 0)
    text_format(question->covered, "no lasso of at most %u steps", (unsigned)depth);
  loop_free(&loop);
  depth_search_free(&s);
  return answer;
}
