// Signal handlers: which signals may get a handler, and the code that runs it, once for each thread.
//
// The models install handlers and know whether a signal is blocked or pending (lib/signals.c). A handler may run at
// any point of a thread, which a model cannot express. So each thread gets an Interruption, a copy of
// `__heddle_deliver`, for each signal for which any thread may install a handler. The pass "interrupts" places copies
// of it where they can matter. Signals are collected while threads are lowered; interruptions are lowered after them.
// A handler may install further handlers and create threads; so this is repeated until nothing is new.
#include "front/calls/calls.h"
#include "front/objects/objects.h"
#include "front/threads/threads.h"

#include <string.h>

// --- installing ---

// void f(int), void f(), void f(int, siginfo_t *, void *); what they return does not matter.
static bool fits_handler(LLVMValueRef function) {
  LLVMTypeRef type = LLVMGlobalGetValueType(function), parameters[3];
  unsigned count = LLVMCountParamTypes(type);
  if (count == 0) return true;
  if (count != 1 && count != 3) return false;
  LLVMGetParamTypes(type, parameters);
  bool pointers = count == 1 || (LLVMGetTypeKind(parameters[1]) == LLVMPointerTypeKind &&
                                 LLVMGetTypeKind(parameters[2]) == LLVMPointerTypeKind);
  return pointers && LLVMGetTypeKind(parameters[0]) == LLVMIntegerTypeKind;
}

static LLVMValueRef taken_function(const Lowering *l, size_t i) {
  assert(i < l->unit->taken.count);
  return (LLVMValueRef)(uintptr_t)l->unit->taken.data[i];
}

// SIG_DFL is 0 and SIG_IGN is 1.
static Term is_no_function(Lowering *l, Term handler) {
  return term_binary(l->terms, TERM_ULE, handler, constant_address(l, 1));
}

// May the environment send the signal? Not that of a fault: a fault ends the execution of the model, so that such a
// signal comes from the program itself or not at all.
static bool environment_sends(unsigned signal) {
  static const unsigned faults[] = {4, 5, 7, 8, 11, 31}; // SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV, SIGSYS
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
    if (faults[i] == signal) return false;
  return true;
}

void lower_installs(Lowering *l, LLVMValueRef call) {
  builder_save_values_here(l);
  Term number = call_argument(l, call, 0), handler = call_argument(l, call, 1);
  if (number == TERM_NONE || handler == TERM_NONE || l->current == NO_ID) return;
  Term known = is_no_function(l, handler);
  if (term_is_true(l->terms, known)) return;
  uint64_t signal = term_is_constant(l->terms, number) ? (uint64_t)term_constant_value(l->terms, number) : 0;
  if (signal >= 1 && signal <= 64)
    l->signals |= UINT64_C(1) << (signal - 1);
  else
    l->any_signal = true;
  if (!environment_sends((unsigned)signal))
    program_rely(l->program, ASSUME_LEFT_OUT, "a fault runs its handler", l->position);
  for (size_t i = 0; i < l->unit->taken.count; i++) {
    if (!fits_handler(taken_function(l, i))) continue;
    Term address = object_address(l, function_object(l, taken_function(l, i)));
    known = term_or(l->terms, known, term_eq(l->terms, handler, address));
  }
  builder_cut_if(l, term_not(l->terms, known), CUT_CONSTRUCT, "signal handler that is no function of a fitting type");
}

// --- running a handler ---

// si_signo is the first field of siginfo_t.
static void run_handler(Lowering *l, LLVMValueRef function, Term number, Term info, Term context) {
  LLVMValueRef definition = unit_definition(l->unit, function);
  const char *name = value_name(function);
  Term arguments[] = {number, info, context};
  uint32_t count;
  if (strcmp(name, "reach_error") == 0 || strcmp(name, "__VERIFIER_error") == 0) {
    Step error = builder_step(l);
    error.kind = STEP_ERROR;
    builder_end(l, &error);
  } else if (!definition) {
    builder_cut(l, CUT_CONSTRUCT, intern_format(&l->program->strings, "%s as a signal handler", name));
  } else {
    size_t parameters = LLVMCountParams(definition);
    if (parameters == 3) builder_store(l, info, number, true);
    call_function(l, definition, arguments, parameters, &count);
  }
}

// Runs the handler that `handler` holds. Other values than functions of a fitting type are never installed.
void lower_run_handler(Lowering *l, LLVMValueRef call) {
  builder_save_values_here(l);
  Term handler = call_argument(l, call, 0), number = call_argument(l, call, 1);
  Term info = call_argument(l, call, 2), context = call_argument(l, call, 3);
  LocationId start = l->current, join = NO_ID;
  if (start == NO_ID || handler == TERM_NONE || number == TERM_NONE) return;
  for (size_t i = 0; i < l->unit->taken.count; i++) {
    LLVMValueRef function = taken_function(l, i);
    if (!fits_handler(function)) continue;
    l->current = start;
    Step enter = builder_step(l);
    enter.guard = points_to_function(l, handler, function);
    builder_emit(l, &enter);
    run_handler(l, function, number, info, context);
    if (l->current == NO_ID) continue;
    builder_save_values(l);
    if (join == NO_ID) join = builder_location(l);
    Step leave = builder_step(l);
    builder_emit_to(l, &leave, join, true);
  }
  l->current = join;
}

void lower_leave_handler(Lowering *l, LLVMValueRef call) {
  (void)call;
  builder_save_values_here(l);
  l->handler_end = l->current;
}

// --- which threads accept a signal ---

// The control blocks of all threads are known when everything is lowered.
void lower_others_accept(Lowering *l, LLVMValueRef call) {
  builder_save_values_here(l);
  Term wanted = call_argument(l, call, 0);
  if (wanted == TERM_NONE || l->current == NO_ID) return;
  AcceptQuery query = {.thread = l->thread, .from = l->current, .position = l->position};
  query.wanted = builder_temporary(l, 64, "wanted");
  query.result = builder_temporary(l, 32, "accepted");
  builder_assign(l, query.wanted, wanted);
  builder_flush(l);
  query.from = l->current;
  query.to = l->current = builder_location(l);
  AcceptQueryVector_push(&l->accept_queries, query);
  value_bind_one(l, call, variable_term(l->program, query.result));
}

static void answer_accept_query(Lowering *l, const AcceptQuery *query) {
  assert(query->from != NO_ID && query->to != NO_ID && query->result != NO_ID);
  Program *p = l->program;
  lower_thread_resume(l, query->thread);
  l->position = query->position;
  l->atomic_depth = p->locations.data[query->from].atomic;
  l->current = query->from;
  Term wanted = variable_term(p, query->wanted), any = term_constant(l->terms, 64, 0);
  for (ThreadId t = 0; t < p->threads.count; t++) {
    if (t == query->thread) continue;
    uint64_t control = p->objects.data[p->threads.data[t].control].address;
    Term accepted = builder_load(l, constant_address(l, control + CONTROL_ACCEPTED), 64, true, "accepted");
    any = term_or(l->terms, any, term_and(l->terms, accepted, wanted));
  }
  builder_assign(l, query->result, term_resize_unsigned(l->terms, term_is_nonzero(l->terms, any), 32));
  Step step = builder_step(l);
  builder_emit_to(l, &step, query->to, true);
}

void lower_accept_answers(Lowering *l) {
  for (size_t i = 0; i < l->accept_queries.count; i++) answer_accept_query(l, &l->accept_queries.data[i]);
}

// --- threads ---

// The control block of a slot that is used again may still hold signals and requests for the thread that ended.
void interrupt_inherit(Lowering *l, uint64_t control) {
  const FrontUnit *unit = l->unit;
  const Program *p = l->program;
  uint64_t own = p->objects.data[p->threads.data[l->thread].control].address;
  bool sends = uses_feature(unit, "senders");
  if (uses_feature(unit, "cancelling"))
    builder_store(l, constant_address(l, control + CONTROL_CANCEL), term_constant(l->terms, 32, 0), true);
  if (sends) builder_store(l, constant_address(l, control + CONTROL_PENDING), term_constant(l->terms, 64, 0), true);
  if (!sends && !uses_feature(unit, "handlers") && !uses_feature(unit, "masks")) return;
  Term accepted = builder_load(l, constant_address(l, own + CONTROL_ACCEPTED), 64, true, "accepted");
  builder_store(l, constant_address(l, control + CONTROL_ACCEPTED), accepted, true);
}

void interrupt_end(Lowering *l) {
  if (!uses_feature(l->unit, "senders")) return;
  const Program *p = l->program;
  uint64_t own = p->objects.data[p->threads.data[l->thread].control].address;
  builder_store(l, constant_address(l, own + CONTROL_ACCEPTED), term_constant(l->terms, 64, 0), true);
}

// --- interrupts ---

// The position of the steps before the handler begins: that of the first function that may be a handler.
static Position delivery_position(Lowering *l) {
  for (size_t i = 0; i < l->unit->taken.count; i++) {
    LLVMValueRef definition = unit_definition(l->unit, taken_function(l, i));
    if (!fits_handler(taken_function(l, i)) || !definition) continue;
    Position position = lower_function_position(l, definition);
    position.function = intern(&l->program->strings, value_name(definition));
    return position;
  }
  return l->position;
}

enum { CANCELLATION = 65 }; // as the number of a signal: a request to end that is acted on at any point

static void lower_interrupt(Lowering *l, ThreadId thread, unsigned signal, bool outside) {
  assert(signal <= CANCELLATION);
  const char *name = signal == 0              ? "__heddle_deliver_any"
                     : signal == CANCELLATION ? "__heddle_deliver_request"
                                              : "__heddle_deliver";
  LLVMValueRef deliver = unit_model(l->unit, name);
  assert(deliver && "the models define it");
  lower_thread_resume(l, thread);
  l->position = delivery_position(l);
  Interruption interrupt = {.thread = thread, .signal = signal, .outside = outside};
  interrupt.entry = l->current = builder_location(l);
  Term arguments[] = {term_constant(l->terms, 32, outside), term_constant(l->terms, 32, signal)};
  uint32_t count;
  l->in_interruption = true;
  l->handler_end = NO_ID;
  call_function(l, deliver, arguments, LLVMCountParams(deliver), &count);
  l->in_interruption = false;
  builder_flush(l);
  interrupt.leave = l->handler_end;
  interrupt.exit = l->current;
  InterruptionVector_push(&l->program->interrupts, interrupt);
}

static void lower_signal(Lowering *l, ThreadId thread, unsigned signal) {
  assert(signal <= 64);
  bool outside = environment_sends(signal), sends = uses_feature(l->unit, "senders");
  if (outside) lower_interrupt(l, thread, signal, true);
  // A signal that the environment may send may also be sent by the program. Where deadlocks count, only the latter
  // ends a wait for sure, so that both are lowered.
  if (sends && (!outside || l->program->waiting_counts)) lower_interrupt(l, thread, signal, false);
}

// Prepares a thread that is new here; its asynchronous cancellation is lowered at once.
static void look_at_thread(Lowering *l, ThreadId thread) {
  if (l->signals_done.count > thread) return;
  assert(l->signals_done.count == thread);
  U64Vector_push(&l->signals_done, 0);
  if (uses_feature(l->unit, "cancelling") && unit_uses(l->unit, "pthread_setcanceltype"))
    lower_interrupt(l, thread, CANCELLATION, false);
}

// The signals of `thread` that are still to be lowered.
static uint64_t new_signals(Lowering *l, ThreadId thread) {
  assert(thread < l->signals_done.count);
  uint64_t wanted = l->any_signal ? UINT64_MAX : l->signals, *done = &l->signals_done.data[thread];
  uint64_t added = wanted == *done ? 0 : l->any_signal ? UINT64_MAX : wanted & ~*done;
  *done = wanted;
  return added;
}

bool lower_interrupts(Lowering *l) {
  bool any = false;
  for (ThreadId t = 0; t < l->program->threads.count; t++) {
    look_at_thread(l, t);
    uint64_t added = new_signals(l, t);
    any |= added != 0;
    if (added == UINT64_MAX)
      lower_signal(l, t, 0);
    else
      for (; added; added &= added - 1) lower_signal(l, t, (unsigned)__builtin_ctzll(added) + 1);
  }
  return any;
}
