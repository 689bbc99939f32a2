// Work in a child process: it may crash, abort, fill its memory or run for ever, and its parent goes on.
//
// The child runs a function that appends to a Text, which comes back to the parent through a pipe. Children nest: a
// child may run children of its own. When a parent dies, its children are killed by the kernel.
//
// Records. A child that has a line (ChildLimits.line) can also say something before its work is done: records, which
// arrive whole or not at all, whatever becomes of the child later. Its parent can answer them.
//
// Interrupts. SIGINT and SIGTERM are blocked in the whole family and read by its head from a descriptor, so that no
// handler and no global is needed. The head then sets a flag in a page that all of the family shares (engines see it
// through their Budget) and wakes all parents that wait; a child that has not ended within its grace is killed.
#ifndef HEDDLE_CLI_RUN_CHILD_H
#define HEDDLE_CLI_RUN_CHILD_H

#include "base/text.h"
#include "verdict/verdict.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct Interrupt {
  volatile sig_atomic_t *flag; // shared by the family: nonzero means stop
  int signals;                 // signalfd, only in the head; else -1
  int wake;                    // eventfd that becomes readable with the flag
} Interrupt;

// Returns false with errno set if the system refuses.
bool interrupt_init(Interrupt *interrupt);
void interrupt_free(Interrupt *interrupt);

typedef enum ChildEnd {
  CHILD_DONE,
  CHILD_CRASHED,       // by a signal, or an exit status that is not zero
  CHILD_OUT_OF_MEMORY, // as far as can be told
  CHILD_OUT_OF_TIME,   // killed at its deadline
  CHILD_INTERRUPTED,   // killed after the flag was set
  CHILD_DISMISSED      // killed because it is not wanted any more
} ChildEnd;

ReasonKind child_end_reason(ChildEnd end); // what kind of UNKNOWN its work ends in; not for CHILD_DONE

// The child's end of its connection to its parent. Set in the child's process only.
typedef struct ChildLine {
  int socket;
} ChildLine;

typedef struct ChildLimits {
  double deadline;  // on clock_now's clock; 0: none
  double grace;     // seconds from the flag to the kill
  size_t memory;    // bytes of resident memory that its address space may grow to; 0: no limit
  int nice;         // how much it gives way to others
  bool leads_group; // its whole process group is killed with it (it runs programs of others)
  ChildLine *line;  // becomes its line; NULL: it says nothing before its work is done
} ChildLimits;

typedef struct ChildReport {
  ChildEnd end;
  Text output;        // the records, then what the work appended; the latter is incomplete unless CHILD_DONE
  size_t taken;       // where in it the first record begins that was not taken yet
  Text reason;        // one line unless CHILD_DONE: "crashed (signal 11)", "out of memory", ...
  double peak_memory; // bytes
} ChildReport;

typedef void (*ChildWork)(void *context, Text *out);

// In the child: says a record, which must not contain the byte 0x1e (JSON never does); waits for an answer to it. False
// if the parent is not there any more.
void child_send(const ChildLine *line, const Text *record);
bool child_receive(const ChildLine *line, Text *answer);

// One child, and all that it takes: returns when it has ended.
void child_run(Interrupt *interrupt, const ChildLimits *limits, ChildWork work, void *context, ChildReport *report);

// Several at a time. A child that was started has to be waited for or dismissed; then its report is there, to be freed.
typedef struct Child {
  bool running;
  pid_t pid;
  int socket;
  ChildLimits limits;
  double kill_at; // 0: never
  ChildEnd fate;  // why it is or will be killed; CHILD_DONE: it is not
  ChildReport report;
} Child;

void child_start(Child *child, Interrupt *interrupt, const ChildLimits *limits, ChildWork work, void *context);
// Waits until a child that was running ends or has said a record, and says which; NO_CHILD if none is running, or at
// the time `until` (on clock_now's clock; 0: no such time).
#define NO_CHILD SIZE_MAX
size_t children_wait(Child *children, size_t count, Interrupt *interrupt, double until);
void child_answer(Child *child, const Text *answer); // to a record; the same bytes are allowed
void child_dismiss(Child *child);
// Moves the next record that was not taken yet to `record`. False if there is none: what is left is the work's output.
bool child_take_record(ChildReport *report, Text *record);
const char *child_output(const ChildReport *report); // without the records that were taken
void child_report_free(ChildReport *report);

#endif
