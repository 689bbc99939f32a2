#include "witness/guided_doubts.h"

#include "base/printable.h"
#include "witness/expression.h"

#include <assert.h>

typedef struct NameCheck {
  const EventMap *events;
  bool returns; // the waypoint may mention `\\result`
  Text missing; // the first name that the program does not have
} NameCheck;

static void check_name(void *context, const char *name) {
  NameCheck *check = context;
  bool known = check->returns && strcmp(name, "\\result") == 0;
  for (size_t i = 0; i < check->events->statements.count && !known; i++)
    known = statements_have_word(&check->events->statements.data[i], name);
  if (!known && !check->missing.length) text_add(&check->missing, name);
}

static void add_constraint(const Waypoint *waypoint, Text *out) {
  text_add(out, "the constraint `");
  text_add_printable(out, waypoint->constraint, strlen(waypoint->constraint), PRINTABLE_LINE);
  text_format(out, "` (line %u of the witness)", waypoint->yaml_line);
}

// Can the constraint be read in no state of the program? If so, `why` gets the reason.
static bool is_unread(const GuidedPlan *plan, uint32_t w, bool no_value, Text *why) {
  assert(plan->witness->waypoints.data[w].constraint && why->length == 0);
  const Waypoint *waypoint = &plan->witness->waypoints.data[w];
  if (waypoint->format_unknown) {
    text_add(why, "its format is not known");
    return true;
  }
  if (waypoint->type == WAYPOINT_BRANCHING) {
    bool skipped = plan->waypoints.data[w].place == NO_ID;
    bool way = strcmp(waypoint->constraint, "true") == 0 || strcmp(waypoint->constraint, "false") == 0;
    if (skipped && !way) text_add(why, "it is neither true nor false");
    return skipped && !way;
  }
  NameCheck check = {.events = plan->events, .returns = waypoint->type == WAYPOINT_FUNCTION_RETURN};
  text_init(&check.missing, plan->account);
  expression_visit_names(waypoint->constraint, check_name, &check);
  if (check.missing.length)
    text_format(why, "the program has no %s", check.missing.data);
  else if (no_value)
    text_add(why, "its value cannot be computed");
  text_free(&check.missing);
  return no_value || why->length > 0;
}

static void report_constraint(const GuidedPlan *plan, uint32_t w, bool doubted, bool no_value, Text *unread,
                              Text *unchecked) {
  const Waypoint *waypoint = &plan->witness->waypoints.data[w];
  Text why;
  text_init(&why, plan->account);
  if (is_unread(plan, w, no_value, &why)) {
    if (unread->length) text_add(unread, "; ");
    add_constraint(waypoint, unread);
    text_format(unread, " cannot be read: %s", why.data);
  } else if (doubted) {
    text_add(unchecked, "not checked: ");
    add_constraint(waypoint, unchecked);
    text_add(unchecked, ", for which the model has no values there\n");
  }
  text_free(&why);
}

// Looks at all waypoints with a constraint, also at those without a doubt: the constraint of a waypoint that was
// skipped was never evaluated in a state.
void doubts_report(const GuidedPlan *plan, const DoubtVector *doubts, Text *unread, Text *unchecked) {
  for (uint32_t w = 0; w < plan->witness->waypoints.count; w++) {
    if (!plan->witness->waypoints.data[w].constraint) continue;
    bool doubted = false, no_value = false;
    for (size_t i = 0; i < doubts->count; i++) {
      doubted = doubted || doubts->data[i].waypoint == w;
      assert(doubts->data[i].waypoint < plan->witness->waypoints.count);
      no_value = no_value || (doubts->data[i].waypoint == w && doubts->data[i].no_value);
    }
    report_constraint(plan, w, doubted, no_value, unread, unchecked);
  }
}
