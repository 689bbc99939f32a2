#include "dependence/conflict.h"

bool touches_conflict_later(const MayTouch *touch, NextTouches next, LocationId other) {
  for (uint32_t i = 0; i < next.count; i++) {
    const ResourceTouch *now = &next.touches[i];
    if (may_touch_has(touch, other, LATER_WRITES, now->resource)) return true;
    if (now->writes && may_touch_has(touch, other, LATER_READS, now->resource)) return true;
  }
  return false;
}

bool touches_enabled_later(const MayTouch *touch, NextTouches next, TouchRow writes, LocationId other) {
  assert(writes == LATER_WRITES || writes == LATER_RELEASES);
  for (uint32_t i = 0; i < next.count; i++)
    if (next.touches[i].reads && may_touch_has(touch, other, writes, next.touches[i].resource)) return true;
  return false;
}

bool touches_conflict_now(NextTouches a, NextTouches b) {
  for (uint32_t i = 0; i < a.count; i++)
    for (uint32_t j = 0; j < b.count; j++)
      if (a.touches[i].resource == b.touches[j].resource && (a.touches[i].writes || b.touches[j].writes)) return true;
  return false;
}
