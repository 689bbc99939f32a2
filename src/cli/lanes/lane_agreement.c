// Lanes that say SAFE: how many agree, and which violations they contradict.
#include "cli/lanes/lane_state.h"

static void add_command(const Portfolio *p, const Member *member, const char *says, Text *out) {
  text_format(out, "%s says %s (%s --engine %s%s)", member->engine->name, says, p->repeat, member->engine->name,
              member->settings);
}

// Engines said SAFE, and there is a confirmed violation.
void lane_add_contradiction(const PortfolioRun *run, const Member *unsafe, Text *text) {
  text_format(text,
              "internal error: contradiction in program %016llx: ", (unsigned long long)run->p->program->fingerprint);
  for (size_t i = 0; i < run->count; i++) {
    if (!run->lanes[i].safe) continue;
    add_command(run->p, &run->lanes[i].lane->members[run->lanes[i].member], "SAFE", text);
    text_add(text, "; ");
  }
  add_command(run->p, unsafe, "UNSAFE", text);
}

// The lanes that said SAFE contradict the finding.
void lane_contradict(PortfolioRun *run, ToldFinding *told) {
  for (size_t i = 0; i < run->count; i++) run->lanes[i].contradicted |= run->lanes[i].safe;
  if (told->contradicted) return;
  told->contradicted = true;
  Text text;
  text_init(&text, NULL);
  lane_add_contradiction(run, told->teller, &text);
  log_note(run->p->log, "%s", text.data);
  run->p->contradict(run->p->context, told->json, text.data);
  text_free(&text);
}

bool lane_some_is_safe(const PortfolioRun *run) {
  bool some = false;
  for (size_t i = 0; i < run->count; i++) some |= run->lanes[i].safe;
  return some;
}

// Those that agree that there are no other violations.
unsigned lane_count_safe(const PortfolioRun *run) {
  unsigned count = 0;
  for (size_t i = 0; i < run->count; i++) count += run->lanes[i].safe && !run->lanes[i].contradicted;
  return count;
}
