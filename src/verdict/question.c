#include "verdict/question.h"

#include "program/passes/faults.h"

static unsigned faults_of(Property property) {
  switch (property) {
  case PROPERTY_VALID_MEMSAFETY: return FAULT_ACCESS | FAULT_FREE;
  case PROPERTY_NO_DIVISION_BY_ZERO: return FAULT_DIVISION;
  default: return 0;
  }
}

bool property_is_of_steps(Property property) { return property == PROPERTY_UNREACH_CALL || faults_of(property) != 0; }

unsigned question_preserves(Property property) {
  return property_is_of_steps(property) ? PRESERVES_REACHABILITY : property_preserves(property);
}

Program *question_view(Program *program, Property property, FaultForm form, BlockSize size) {
  Program *view = program_view(program);
  if (faults_of(property)) {
    faults_mark(view, faults_of(property));
    if (form == FAULTS_SPLIT) faults_split(view);
  }
  passes_reduce(view, question_preserves(property), size);
  return view;
}
