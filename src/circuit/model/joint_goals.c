// Races and deadlocks as goals of the circuit (program/passes/joint_edges.h).
//
// A race edge is possible if both threads stand at their locations, its guard holds, and no other thread is inside a
// section. A deadlock is one goal: each thread is not started, has ended, or is blocked where it stands, and one of
// them
// waits. The guards of joint edges that say that a thread is blocked are over the state alone.
#include "circuit/model/circuit_build.h"
#include "program/settled.h"
#include "transition/joint_index.h"

static AigLiteral guard_of(Circuit *c, EdgeId e) {
  return circuit_literal(c, bitblast_bool(&c->words->blaster, c->transitions->edges.data[e].guard));
}

// --- races ---

static void add_race(Circuit *c, EdgeId e, LocationId partner) {
  const Transition *transition = &c->transitions->edges.data[e];
  LocationId from = c->transitions->program->edges.data[e].from;
  ThreadId thread = c->transitions->program->locations.data[from].thread;
  if (!(c->words->edges.data[e] & EDGE_TAKEN)) return;
  bool known = words_supports(c->words, transition->guard);
  bool fails = known && transition->end == ENDS_IN_ERROR;
  CircuitEdge goal = {.edge = e, .thread = thread, .goal = known ? GOAL_END : GOAL_UNSUPPORTED};
  circuit_connect_fresh(c, e);
  goal.guard = known ? guard_of(c, e) : AIG_TRUE;
  AigLiteral there = aig_and(&c->aig, circuit_at(c, from), circuit_at(c, partner));
  goal.possible = aig_and(&c->aig, aig_and(&c->aig, there, goal.guard), c->threads.data[thread].allowed);
  if (goal.possible != AIG_FALSE) CircuitEdgeVector_push(fails ? &c->errors : &c->cuts, goal);
}

// --- deadlocks ---

typedef struct Deadlock {
  AigLiteral all_stuck, some_waits;
  bool known; // all guards have bits
} Deadlock;

// Adds the places of a thread: where it has not started or has ended, it is stuck.
static void add_thread(Circuit *c, ThreadId id, Deadlock *deadlock) {
  const Program *p = c->transitions->program;
  const CircuitThread *thread = circuit_thread(c, id);
  AigLiteral stuck = AIG_FALSE;
  for (size_t place = 0; place < thread->locations.count; place++) {
    LocationId at = thread->locations.data[place];
    if (at == NO_ID || p->locations.data[at].final) stuck = aig_or(&c->aig, stuck, thread->at.data[place]);
  }
  for (EdgeId e = joint_edge_id(p, 0); e < p->edges.count; e++) {
    LocationId from = p->edges.data[e].from;
    JointKind kind = program_joint(p, e)->kind;
    if (p->locations.data[from].thread != id || kind == JOINT_LAST_WAIT) continue;
    deadlock->known &= words_supports(c->words, c->transitions->edges.data[e].guard);
    if (!deadlock->known) return;
    AigLiteral here = aig_and(&c->aig, circuit_at(c, from), guard_of(c, e));
    stuck = aig_or(&c->aig, stuck, here);
    if (kind == JOINT_WAIT) deadlock->some_waits = aig_or(&c->aig, deadlock->some_waits, here);
  }
  deadlock->all_stuck = aig_and(&c->aig, deadlock->all_stuck, stuck);
}

// --- settled deadlocks ---

// A place at which a thread may wait in a deadlock.
typedef struct WaitPlace {
  AigLiteral waits; // a thread waits there, in states in which all are stuck
  SettledPlace place;
  bool joins; // for the end of another thread
} WaitPlace;
VECTOR(WaitPlaceVector, WaitPlace);

static void list_places(Circuit *c, WaitPlaceVector *places) {
  const Program *p = c->transitions->program;
  for (EdgeId e = joint_edge_id(p, 0); e < p->edges.count; e++) {
    const JointEdge *joint = program_joint(p, e);
    if (joint->kind != JOINT_WAIT) continue;
    WaitPlace place = {.waits = aig_and(&c->aig, circuit_at(c, p->edges.data[e].from), guard_of(c, e))};
    place.place = deadlock_place(p->joint_whole, joint->partner, &place.joins);
    WaitPlaceVector_push(places, place);
  }
}

// The threads that wait, without those that only wait for the end of others (unless all do), wait at exactly the places
// of the finding.
static AigLiteral is_settled(Circuit *c, const WaitPlaceVector *places, const SettledFinding *finding) {
  AigLiteral only_joins = AIG_TRUE, settled = AIG_TRUE, at[MOST_SETTLED_PLACES];
  for (uint32_t k = 0; k < finding->place_count; k++) at[k] = AIG_FALSE;
  for (size_t i = 0; i < places->count; i++)
    if (!places->data[i].joins) only_joins = aig_and(&c->aig, only_joins, aig_not(places->data[i].waits));
  for (size_t i = 0; i < places->count; i++) {
    const WaitPlace *place = &places->data[i];
    AigLiteral counts = place->joins ? aig_and(&c->aig, place->waits, only_joins) : place->waits;
    bool named = false;
    for (uint32_t k = 0; k < finding->place_count; k++) {
      if (!settled_place_is_same(&finding->places[k], &place->place)) continue;
      named = true;
      at[k] = aig_or(&c->aig, at[k], counts);
    }
    if (!named) settled = aig_and(&c->aig, settled, aig_not(counts));
  }
  for (uint32_t k = 0; k < finding->place_count; k++) settled = aig_and(&c->aig, settled, at[k]);
  return settled;
}

AigLiteral circuit_no_settled_deadlock(Circuit *c, size_t first) {
  const Program *p = c->transitions->program;
  AigLiteral none = AIG_TRUE;
  WaitPlaceVector places;
  WaitPlaceVector_init(&places, c->account);
  if (p->settled.count > first) list_places(c, &places);
  for (size_t i = first; i < p->settled.count; i++)
    if (p->settled.data[i]->kind == SETTLED_DEADLOCK)
      none = aig_and(&c->aig, none, aig_not(is_settled(c, &places, p->settled.data[i])));
  WaitPlaceVector_free(&places);
  return none;
}

static void add_deadlock(Circuit *c) {
  Deadlock deadlock = {.all_stuck = AIG_TRUE, .some_waits = AIG_FALSE, .known = true};
  for (ThreadId t = 0; t < c->threads.count; t++) add_thread(c, t, &deadlock);
  EdgeId e = joint_edge_id(c->transitions->program, 0); // stands for all of them
  CircuitEdge goal = {.edge = e, .goal = deadlock.known ? GOAL_END : GOAL_UNSUPPORTED};
  goal.guard = goal.possible = AIG_TRUE;
  if (deadlock.known) {
    AigLiteral deadlocked = aig_and(&c->aig, deadlock.all_stuck, deadlock.some_waits);
    goal.guard = goal.possible = aig_and(&c->aig, deadlocked, circuit_no_settled_deadlock(c, 0));
  }
  if (goal.possible != AIG_FALSE) CircuitEdgeVector_push(deadlock.known ? &c->errors : &c->cuts, goal);
}

void circuit_add_joint_goals(Circuit *c) {
  const Program *p = c->transitions->program;
  if (p->joints.count == 0) return;
  bool races = false;
  for (EdgeId e = joint_edge_id(p, 0); e < p->edges.count; e++) {
    const JointEdge *joint = program_joint(p, e);
    races |= joint->kind == JOINT_RACE;
    if (joint->kind == JOINT_RACE) add_race(c, e, joint->partner);
  }
  if (!races) add_deadlock(c);
}
