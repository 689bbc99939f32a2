#include "transition/joint_index.h"

#include "program/settled.h"

void joint_index_init(JointIndex *index, const Program *program, Account *account) {
  *index = (JointIndex){.program = program, .account = account};
  index->newest = memory_allocate(account, program->locations.count * sizeof(uint32_t));
  index->older = memory_allocate(account, (program->joints.count + 1) * sizeof(uint32_t));
  for (size_t l = 0; l < program->locations.count; l++) index->newest[l] = NO_ID;
  for (uint32_t j = 0; j < program->joints.count; j++) {
    LocationId from = program->edges.data[joint_edge_id(program, j)].from;
    index->older[j] = index->newest[from];
    index->newest[from] = j;
    bool race = program->joints.data[j].kind == JOINT_RACE;
    index->races |= race;
    index->waits |= !race;
  }
}

void joint_index_free(JointIndex *index) {
  memory_free(index->account, index->older, (index->program->joints.count + 1) * sizeof(uint32_t));
  memory_free(index->account, index->newest, index->program->locations.count * sizeof(uint32_t));
}

// The joint edge of this kind at the location; NO_ID: there is none.
static EdgeId find_joint(const JointIndex *index, LocationId at, JointKind kind) {
  assert(at < index->program->locations.count);
  for (uint32_t j = index->newest[at]; j != NO_ID; j = index->older[j])
    if (index->program->joints.data[j].kind == kind) return joint_edge_id(index->program, j);
  return NO_ID;
}

bool joint_edges_only(const Program *program, const LocationId *control) {
  if (program->joints.count == 0) return false;
  for (ThreadId t = 0; t < program->threads.count; t++)
    if (control[t] != NO_ID && program_is_joint_end(program, control[t])) return true;
  return false;
}

static void list_races(const JointIndex *index, const LocationId *control, U32Vector *edges) {
  const Program *p = index->program;
  ThreadId holder = NO_ID;
  for (ThreadId t = 0; t < p->threads.count; t++)
    if (control[t] != NO_ID && p->locations.data[control[t]].atomic) holder = t;
  for (ThreadId t = 0; t < p->threads.count; t++) {
    if (control[t] == NO_ID || (holder != NO_ID && holder != t)) continue;
    for (uint32_t j = index->newest[control[t]]; j != NO_ID; j = index->older[j]) {
      LocationId partner = p->joints.data[j].partner;
      if (control[p->locations.data[partner].thread] == partner) U32Vector_push(edges, joint_edge_id(p, j));
    }
  }
}

// Is a deadlock at this control vector settled?
static bool is_settled(const JointIndex *index, const LocationId *control) {
  const Program *p = index->program;
  if (p->settled.count == 0 || joint_edges_only(p, control)) return false;
  U32Vector waiting; // where the threads wait in the unreduced program
  U32Vector_init(&waiting, index->account);
  for (ThreadId t = 0; t < p->threads.count; t++) {
    EdgeId waits = control[t] == NO_ID ? NO_ID : find_joint(index, control[t], JOINT_WAIT);
    U32Vector_push(&waiting, waits == NO_ID ? NO_ID : program_joint(p, waits)->partner);
  }
  bool settled = deadlock_is_settled(p->joint_whole, waiting.data);
  U32Vector_free(&waiting);
  return settled;
}

static void list_waits(const JointIndex *index, const LocationId *control, U32Vector *edges) {
  const Program *p = index->program;
  EdgeId idle = NO_ID, wait = NO_ID;
  unsigned waiting = 0;
  for (ThreadId t = 0; t < p->threads.count; t++) {
    LocationId at = control[t];
    if (at == NO_ID || p->locations.data[at].final || program_is_joint_end(p, at)) continue;
    EdgeId waits = find_joint(index, at, JOINT_WAIT), idles = find_joint(index, at, JOINT_IDLE);
    if (waits == NO_ID && idles == NO_ID) return; // the thread can move, or is disabled for ever
    if (waits != NO_ID && waiting++ == 0) wait = waits;
    if (waits == NO_ID && idle == NO_ID) idle = idles;
  }
  if (waiting == 0 || is_settled(index, control)) return;
  EdgeId next = wait;
  if (waiting == 1) next = find_joint(index, p->edges.data[wait].from, JOINT_LAST_WAIT);
  U32Vector_push(edges, idle != NO_ID ? idle : next);
}

void joint_index_list(const JointIndex *index, const LocationId *control, U32Vector *edges) {
  if (index->races) list_races(index, control, edges);
  if (index->waits) list_waits(index, control, edges);
}
