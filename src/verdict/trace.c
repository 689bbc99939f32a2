#include "verdict/trace.h"

void trace_init(Trace *trace, Account *account) {
  TraceStepVector_init(&trace->steps, account);
  TraceChangeVector_init(&trace->changes, account);
  trace->race = (TraceRace){0};
  trace->loss = (TraceLoss){.cause = LOST_UNTOLD};
  trace->violation = VIOLATION_NONE;
}

void trace_free(Trace *trace) {
  TraceStepVector_free(&trace->steps);
  TraceChangeVector_free(&trace->changes);
}
