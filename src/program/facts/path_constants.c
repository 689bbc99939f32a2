#include "program/facts/path_constants.h"

void path_constants_init(PathConstants *path, const Program *program, Account *account) {
  path->program = program;
  map_init(&path->values, account);
  TermVector_init(&path->trail, account);
  TermVector_init(&path->right, account);
}

void path_constants_free(PathConstants *path) {
  TermVector_free(&path->right);
  TermVector_free(&path->trail);
  map_free(&path->values);
}

static Term value_of(const PathConstants *path, Term term) {
  return term_substitute(path->program->terms, term, &path->values, NULL);
}

static void set(PathConstants *path, VariableId id, Term value) {
  assert(value != TERM_NONE && !value_is_fresh(value));
  Term variable = variable_term(path->program, id);
  TermVector_push(&path->trail, variable);
  TermVector_push(&path->trail, (Term)map_get_or(&path->values, variable, variable));
  map_put(&path->values, variable, term_is_constant(path->program->terms, value) ? value : variable);
}

static void assign(PathConstants *path, const Step *step) {
  TermVector_clear(&path->right);
  for (uint32_t i = 0; i < step->assignment_count; i++) {
    const Assignment *assignment = &step->assignments[i];
    bool any = value_is_fresh(assignment->value);
    Term same = variable_term(path->program, assignment->variable);
    TermVector_push(&path->right, any ? same : value_of(path, assignment->value));
  }
  for (uint32_t i = 0; i < step->assignment_count; i++) set(path, step->assignments[i].variable, path->right.data[i]);
}

bool path_constants_step(PathConstants *path, const Step *step) {
  assert(!step->block);
  if (step->access.into != NO_ID) set(path, step->access.into, variable_term(path->program, step->access.into));
  if (term_is_false(path->program->terms, value_of(path, step->guard))) return false;
  assign(path, step);
  return true;
}

void path_constants_undo(PathConstants *path, size_t mark) {
  assert(mark <= path->trail.count && mark % 2 == 0);
  while (path->trail.count > mark) {
    Term before = TermVector_pop(&path->trail), variable = TermVector_pop(&path->trail);
    map_put(&path->values, variable, before);
  }
}
