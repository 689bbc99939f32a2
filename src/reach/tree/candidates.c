#include "reach/tree/candidates.h"

void candidates_init(Candidates *candidates, Account *account) {
  U32Vector_init(&candidates->groups_at, account);
  U32Vector_init(&candidates->opaque_at, account);
  CandidateGroupVector_init(&candidates->groups, account);
  OpaqueCandidateVector_init(&candidates->opaque, account);
  U64Vector_init(&candidates->subjects, account);
  map_init(&candidates->exact, account);
  map_init(&candidates->said, account);
}

void candidates_free(Candidates *candidates) {
  map_free(&candidates->said);
  map_free(&candidates->exact);
  U64Vector_free(&candidates->subjects);
  OpaqueCandidateVector_free(&candidates->opaque);
  CandidateGroupVector_free(&candidates->groups);
  U32Vector_free(&candidates->opaque_at);
  U32Vector_free(&candidates->groups_at);
}

void candidates_clear(Candidates *candidates) {
  map_clear(&candidates->exact);
  U64Vector_clear(&candidates->subjects);
  OpaqueCandidateVector_clear(&candidates->opaque);
  CandidateGroupVector_clear(&candidates->groups);
  U32Vector_clear(&candidates->opaque_at);
  U32Vector_clear(&candidates->groups_at);
}

static uint64_t hash_number(uint64_t number) { return hash_bytes(&number, sizeof number); }

static uint64_t hash_part(uint64_t about, uint64_t what) { return hash_number(hash_number(about) + what); }

static uint64_t exact_key(ControlId control, uint32_t group, uint64_t sum) {
  const uint64_t parts[2] = {(uint64_t)control << 32 | group, sum};
  return hash_bytes(parts, sizeof parts);
}

// --- adding ---

static uint64_t filter_of(const LabelPartVector *parts) {
  uint64_t filter = 0;
  for (size_t i = 0; i < parts->count; i++) filter |= UINT64_C(1) << (hash_number(parts->data[i].about) & 63);
  return filter;
}

static uint32_t find_group(Candidates *candidates, ControlId control, const LabelPartVector *parts) {
  uint64_t shape = 0;
  for (size_t i = 0; i < parts->count; i++) shape += hash_number(parts->data[i].about);
  uint32_t newest = candidates->groups_at.data[control];
  for (uint32_t g = newest; g != NO_ID; g = candidates->groups.data[g].older)
    if (candidates->groups.data[g].shape == shape && candidates->groups.data[g].count == parts->count) return g;
  CandidateGroup added = {.shape = shape, .first = (uint32_t)candidates->subjects.count, .older = newest};
  added.count = (uint32_t)parts->count;
  added.filter = filter_of(parts);
  for (size_t i = 0; i < parts->count; i++) U64Vector_push(&candidates->subjects, parts->data[i].about);
  CandidateGroupVector_push(&candidates->groups, added);
  return candidates->groups_at.data[control] = (uint32_t)candidates->groups.count - 1;
}

void candidates_add(Candidates *candidates, const Tree *tree, NodeId node, const LabelPartVector *parts) {
  ControlId control = tree_node(tree, node)->control;
  assert(candidates->groups_at.count == candidates->opaque_at.count);
  while (candidates->groups_at.count <= control) {
    U32Vector_push(&candidates->groups_at, NO_ID);
    U32Vector_push(&candidates->opaque_at, NO_ID);
  }
  if (!parts) {
    OpaqueCandidateVector_push(&candidates->opaque, (OpaqueCandidate){node, candidates->opaque_at.data[control]});
    candidates->opaque_at.data[control] = (uint32_t)candidates->opaque.count - 1;
    return;
  }
  uint64_t sum = 0;
  for (size_t i = 0; i < parts->count; i++) sum += hash_part(parts->data[i].about, parts->data[i].what);
  map_put(&candidates->exact, exact_key(control, find_group(candidates, control, parts), sum), node);
}

// --- the walk ---

CandidateWalk candidates_of(Candidates *candidates, const Tree *tree, NodeId node, const LabelPartVector *parts) {
  ControlId control = tree_node(tree, node)->control;
  CandidateWalk walk = {.candidates = candidates, .tree = tree, .control = control, .group = NO_ID, .opaque = NO_ID};
  assert(parts != NULL && candidates->groups_at.count == candidates->opaque_at.count);
  if (control >= candidates->groups_at.count) return walk;
  walk.group = candidates->groups_at.data[control];
  walk.opaque = candidates->opaque_at.data[control];
  walk.filter = filter_of(parts);
  map_clear(&candidates->said);
  for (size_t i = 0; i < parts->count; i++) {
    const LabelPart *part = &parts->data[i];
    map_put(&candidates->said, part->about, hash_part(part->about, part->what));
  }
  return walk;
}

// The node of the group whose label says the same about the group's subjects as the label of the walk. If that node is
// covered, its coverer. NO_ID: there is none, or the coverer is covered.
static NodeId find_in_group(const CandidateWalk *walk, uint32_t group) {
  const Candidates *candidates = walk->candidates;
  const CandidateGroup *g = &candidates->groups.data[group];
  uint64_t sum = 0, part, found;
  if (g->filter & ~walk->filter) return NO_ID;
  for (uint32_t i = 0; i < g->count; i++) {
    if (!map_get(&candidates->said, candidates->subjects.data[g->first + i], &part)) return NO_ID;
    sum += part;
  }
  if (!map_get(&candidates->exact, exact_key(walk->control, group, sum), &found)) return NO_ID;
  NodeId node = (NodeId)found;
  if (tree_is_covered(walk->tree, node)) node = tree_node(walk->tree, node)->covered_by;
  return node == NO_ID || tree_is_covered(walk->tree, node) ? NO_ID : node;
}

NodeId candidates_next(CandidateWalk *walk) {
  const Candidates *candidates = walk->candidates;
  while (walk->group != NO_ID) {
    NodeId node = find_in_group(walk, walk->group);
    walk->group = candidates->groups.data[walk->group].older;
    if (node != NO_ID) return node;
  }
  while (walk->opaque != NO_ID) {
    const OpaqueCandidate *candidate = &candidates->opaque.data[walk->opaque];
    walk->opaque = candidate->older;
    if (!tree_is_covered(walk->tree, candidate->node)) return candidate->node;
  }
  return NO_ID;
}
