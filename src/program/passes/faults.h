// Faults: what makes a property about single steps a question of reachability.
//
// A step *fails* if its access or its FREE is invalid, or if its divisor is zero. Execution ends there. A CHECK step
// fails, too, if its operand is true; what follows a violation does not matter. For the properties about such failures
// an engine asks whether a failing step can be reached. These two functions turn that into the question whether an
// ERROR can be reached, on a view of the prepared program:
//
//   faults_mark    sets Step.fault where a step may fail in a way that counts, and drops CHECK steps that do not.
//   faults_split   adds beside each marked step an edge of kind FAULT (STEP_FAULT), or ERROR for divisions and
//                  checks, that can be taken if and only if the step fails. Its origin is the marked step, so a
//                  schedule that ends with it ends with the failing step of the unreduced program.
//
// After faults_mark the view may be reduced like one for unreach-call (PRESERVES_REACHABILITY): the address of a marked
// access and a marked divisor are relevant, and a marked step is never dropped.
//
// Which steps may fail is may-add: accesses at constant addresses in objects that are always there, and divisors that
// are constants other than zero, are left out. Steps that are suppressed (Step.excused) do not count.
#ifndef HEDDLE_PROGRAM_PASSES_FAULTS_H
#define HEDDLE_PROGRAM_PASSES_FAULTS_H

#include "program/program.h"

// X: the ways in which a step may fail, as bits.
typedef enum FaultKind {
  FAULT_ACCESS = 1,   // an invalid dereference
  FAULT_FREE = 2,     // an invalid or double free
  FAULT_DIVISION = 4, // a divisor that is zero
  FAULT_OVERFLOW = 8, // an operation that overflows
  FAULT_CLEANUP = 16, // a block that is not freed when the process ends
  FAULT_TRACK = 32    // the same, where it is asked whether the block is lost; the judge decides that
} FaultKind;

void faults_mark(Program *view, unsigned kinds); // FaultKind bits
// For valid-memtrack, instead of both: a CUT where a block is left. Then only proofs are found. It is needed once the
// judge has seen an execution in which a block is left and is not lost.
void faults_cut_tracking(Program *view);
void faults_split(Program *view); // after faults_mark, before the reducing passes
// For races, before the reducing passes: adds such an edge beside each step of an atomic section that may fail after an
// access that may race. It ends the process, which violates nothing (Step.fault of the STEP_FAULT is not set). Without
// it the section could not be finished where the step fails, and its accesses would not happen.
void faults_end_sections(Program *view);

#endif
