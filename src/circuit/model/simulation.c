#include "circuit/model/simulation.h"

void simulation_init(Simulation *s, const Circuit *c, const CircuitTrace *trace) {
  assert(trace->inputs.count == trace->steps * c->inputs.count);
  *s = (Simulation){.c = c, .trace = trace};
  s->inputs = memory_allocate_zeroed(c->account, (c->aig.inputs.count + 1) * sizeof(uint64_t));
  s->nodes = memory_allocate_zeroed(c->account, aig_node_count(&c->aig) * sizeof(uint64_t));
}

void simulation_free(Simulation *s) {
  memory_free(s->c->account, s->nodes, aig_node_count(&s->c->aig) * sizeof(uint64_t));
  memory_free(s->c->account, s->inputs, (s->c->aig.inputs.count + 1) * sizeof(uint64_t));
}

static uint32_t input_index(const Simulation *s, AigLiteral input) {
  return aig_input_index(&s->c->aig, aig_node(input));
}

bool simulation_next(Simulation *s) {
  const Circuit *c = s->c;
  if (s->step == s->trace->steps) return false;
  for (size_t i = 0; i < c->latches.count; i++)
    s->inputs[input_index(s, c->latches.data[i].now)] = s->step > 0 && simulation_holds(s, c->latches.data[i].next);
  const uint8_t *given = s->trace->inputs.data + s->step * c->inputs.count;
  for (size_t i = 0; i < c->inputs.count; i++) s->inputs[input_index(s, c->inputs.data[i].literal)] = given[i];
  aig_simulate(&c->aig, s->inputs, s->nodes);
  s->step++;
  return true;
}
