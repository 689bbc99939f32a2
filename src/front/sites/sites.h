// Sites: places in the source that hand out slots of threads, heap blocks and alloca() objects.
//
// A site of a thread's copy of the code has slots of its own, so that handing one out accesses nothing shared. A site
// outside any loop has one slot. A site inside a loop has as many as FrontLimits says; a variable of the thread counts
// those handed out, and a cut stands behind the last one.
//
// Slots of threads that were joined are handed out again where a loop creates and joins threads (reuse.c).
#ifndef HEDDLE_FRONT_SITES_SITES_H
#define HEDDLE_FRONT_SITES_SITES_H

#include "front/lower/lower.h"

enum { SLOT_COUNTER_BITS = 16 }; // the width of the variable that counts the slots handed out

// --- site.c ---
// Adds a thread with its control block. NO_ID, after a cut, where there is no room for the block.
ThreadId site_new_thread(Lowering *l, const char *routine, ThreadId parent, unsigned ordinal, Position created_at);
// Creates a thread that runs `function` and returns its handle. `handle_place`: where the handle is stored before the
// thread starts; may be the null pointer.
Term site_create(Lowering *l, LLVMValueRef function, Term argument, Term handle_place);
// The address of a new stack object for each execution of an alloca() in a cycle; `counter` counts them.
Term site_alloca(Lowering *l, LLVMValueRef alloca, Term size, VariableId counter, const char *name);
// The address of a new block; the null pointer where no execution has room for it.
Term site_allocate(Lowering *l, Term size, uint64_t alignment, bool zeroed);

// The name of the place that is being lowered, for what it allocates (Object.origin).
const char *site_origin(Lowering *l);
// --- leaks.c: how many blocks live, where FrontView.leaks is set ---
void leaks_allocated(Lowering *l, LLVMValueRef call); // the call has allocated the block that is its value
void leaks_freed(Lowering *l, Term pointer);          // the block is about to be freed
void leaks_return(Lowering *l);                       // the function of the innermost activation returns
void leaks_check(Lowering *l);                        // the process is about to end
void leaks_finish(Lowering *l);                       // completes all of that when all code is lowered

// --- reuse.c: slots that are used again ---
void reuse_resume(Lowering *l);                             // sets `restart` and `rest` of the thread being lowered
void reuse_begin(Lowering *l);                              // the thread's routine starts here, each time
void reuse_end(Lowering *l, Term result, uint64_t control); // the routine has ended
void reuse_finish(Lowering *l);                             // all such threads, when all code is lowered
void reuse_start(Lowering *l, Term argument, Term handle_place, uint64_t control); // the creator's side

// --- size_query.c: __heddle_allocated_size ---
void lower_allocated_size(Lowering *l, LLVMValueRef call);
void size_queries_answer(Lowering *l); // completes the queries when all code is lowered

// --- block_names.c: names of heap blocks ---
// A name for the blocks that the user's present call allocates, and the type of what they hold (may be NULL).
const char *names_block(Lowering *l, LLVMValueRef *type);
// The name of one of them: with its number among those of the thread.
const char *names_number_block(Lowering *l, const char *name);

#endif
