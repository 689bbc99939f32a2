// From a property to a question that an engine can be asked: the view of the program that the engine searches.
//
// Properties about single steps (assertions, memory errors, divisions) become the question whether an ERROR or FAULT
// step can be reached (program/passes/faults.h), and their views are reduced like those for unreach-call. The views for
// races, deadlocks and formulas keep what these properties observe (Preserves).
#ifndef HEDDLE_VERDICT_QUESTION_H
#define HEDDLE_VERDICT_QUESTION_H

#include "verdict/verdict.h"

// How a view shows that a step which may fail is an error.
typedef enum FaultForm {
  FAULTS_MARKED, // by Step.fault
  FAULTS_SPLIT   // by an edge of its own beside the step
} FaultForm;

// A view of the prepared program in which the steps that violate the property are errors or are marked (Step.fault). It
// is not reduced. Free with program_free_view.
Program *question_marked_view(Program *program, Property property);
// A reduced view of the prepared program. Free with program_free_view.
Program *question_view(Program *program, Property property, FaultForm form, BlockSize size);
// The same, with edges that are errors where the property is about several threads (program/passes/joint_edges.h). No
// pass may run on it.
Program *question_joint_view(Program *program, Property property, BlockSize size);

// May executions of the view that differ only in which of several equal threads does what count as one? Not if the
// view has settled findings, which may tell threads apart, nor where more is observed than what threads do: what is
// lost when the process ends is asked of all memory, and formulas look at any thread.
bool question_ignores_equal(const Program *view, Property property);

// Adds to the result the cuts that no search meets: uses of what the model leaves out, anywhere in the program. To be
// called on the result of every engine.
void question_add_limits(const Program *program, Result *result);

#endif
