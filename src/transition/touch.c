#include "transition/touch.h"

#include <stdlib.h>

static int compare_touches(const void *a, const void *b) {
  const Touch *x = a, *y = b;
  if (x->cell != y->cell) return x->cell < y->cell ? -1 : 1;
  return x->when < y->when ? -1 : x->when > y->when;
}

TouchSet touch_set_add(TouchVector *touches, TouchVector *list, TermStore *terms) {
  if (list->count > 1) qsort(list->data, list->count, sizeof(Touch), compare_touches);
  TouchSet set = {.first = (uint32_t)touches->count};
  for (size_t i = 0; i < list->count; i++) {
    Touch *last = set.count > 0 ? TouchVector_last(touches) : NULL;
    if (last && last->cell == list->data[i].cell) {
      last->when = term_or(terms, last->when, list->data[i].when);
      continue;
    }
    TouchVector_push(touches, list->data[i]);
    set.count++;
  }
  return set;
}

void touch_set_list(const TouchVector *touches, TouchSet set, TouchVector *list) {
  assert(list != touches && set.first + set.count <= touches->count);
  for (uint32_t i = 0; i < set.count; i++) TouchVector_push(list, touches->data[set.first + i]);
}

Term touch_sets_meet(const TouchVector *touches, TouchSet a, TouchSet b, TermStore *terms) {
  assert(a.first + a.count <= touches->count && b.first + b.count <= touches->count);
  const Touch *x = touches->data + a.first, *y = touches->data + b.first;
  Term meet = term_false(terms);
  for (uint32_t i = 0, j = 0; i < a.count && j < b.count && !term_is_true(terms, meet);) {
    if (x[i].cell == y[j].cell)
      meet = term_or(terms, meet, term_and(terms, x[i++].when, y[j++].when));
    else if (x[i].cell < y[j].cell)
      i++;
    else
      j++;
  }
  return meet;
}
