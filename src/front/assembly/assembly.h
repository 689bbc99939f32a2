// Inline assembly: a small symbolic processor.
//
// The text of a statement is parsed into instructions (assembly_text.c), its constraint string into operands
// (assembly_operands.c). If every instruction is in the processor's table, the instructions are executed in order on
// terms, with a register file, flags, and accesses to memory that become steps (assembly_machine.c). A locked
// instruction is one indivisible step. assembly.c decides what happens to a statement that is not understood.
//
//   - A register holds the low `known` bits of a term. The bits above are any value.
//   - A register that the compiler chooses ("r") has the number FIRST_CHOSEN + the operand's number, so that it
//     differs from all registers that the text names. Execution fails where a compiler may share a register between
//     operands, and where a statement does not declare what it changes: see `machine_finish` and
//     `require_unclobbered_inputs`.
//   - Jumps inside a statement: at a label that a jump leads to, every register in use is a variable of the thread.
//     Flags do not survive a label.
//   - One load or one store is indivisible on these processors and synchronises. An instruction that reads and writes
//     memory without a lock is two ordinary accesses.
//   - An exclusive load (arm64) begins an atomic section that its exclusive store ends.
//
// Invariants: when a machine starts nothing is pending, so that terms stay valid while it emits steps. A failure makes
// the rest of the statement a cut; after it no access is emitted. Statement, text and machine live in scratch memory.
//
// Limits: MOST_INSTRUCTIONS instructions, MOST_OPERANDS operands; a statement beyond them is not understood.
#ifndef HEDDLE_FRONT_ASSEMBLY_ASSEMBLY_H
#define HEDDLE_FRONT_ASSEMBLY_ASSEMBLY_H

#include "front/lower/lower.h"

enum {
  MOST_TEXT_OPERANDS = 6,
  MOST_INSTRUCTIONS = 64,
  MOST_OPERANDS = 32,
  FIRST_CHOSEN = 40, // the processor's own registers are below
  REGISTER_COUNT = FIRST_CHOSEN + MOST_OPERANDS,
  NO_REGISTER = REGISTER_COUNT
};

// --- assembly.c ---
void lower_assembly(Lowering *l, LLVMValueRef call, LLVMValueRef assembly); // a call of inline assembly

// --- text ---

typedef enum AsmOperandKind { ASM_TEMPLATE, ASM_REGISTER, ASM_IMMEDIATE, ASM_MEMORY, ASM_LABEL } AsmOperandKind;

// A register as the text names it: one of the processor's, or an operand of the statement (`%0`).
typedef struct AsmName {
  bool present, template; // template: `number` is the operand's
  unsigned number, bits;  // bits 0: as its type says
  bool high;              // bits 8 to 15
} AsmName;

typedef struct AsmOperand {
  AsmOperandKind kind;
  AsmName name;  // TEMPLATE, REGISTER; the base of MEMORY
  AsmName index; // MEMORY
  unsigned scale;
  int64_t value;     // IMMEDIATE; the displacement of MEMORY and of a TEMPLATE in memory
  char segment;      // MEMORY: 'f', 'g', or 0
  unsigned target;   // LABEL: the instruction behind it
  const char *label; // LABEL: its name, until `target` is known
  size_t label_length;
} AsmOperand;

typedef struct AsmInstruction {
  char name[16];
  bool lock, repeat, repeat_while_unequal; // prefixes
  AsmOperand operands[MOST_TEXT_OPERANDS];
  unsigned operand_count;
  const struct AsmRow *row; // how it is executed
  unsigned suffix_bits;     // by the name's suffix; 0: none
} AsmInstruction;

typedef struct AsmText {
  AsmInstruction instructions[MOST_INSTRUCTIONS];
  unsigned count;
  bool is_target[MOST_INSTRUCTIONS + 1]; // a jump leads there
  bool has_jumps;
} AsmText;

// Reads one operand at `*at` (up to a comma or the end) and moves on. False: not understood.
typedef bool AsmOperandReader(const char **at, AsmOperand *operand);

struct AsmMachine;
enum { ROW_SUFFIXED = 1, ROW_LOCKABLE = 2, ROW_JUMPS = 4 };
typedef struct AsmRow {
  const char *name;
  void (*run)(struct AsmMachine *m, const AsmInstruction *i);
  uint8_t least, most;  // operands
  uint8_t operation;    // for `run`
  uint8_t flags;        // may end in a letter for its size; may have a lock prefix; its last operand is a label
  const char *implicit; // registers that it uses beside its operands: a is register 0, b register 1, ...
} AsmRow;

typedef struct AsmProcessor {
  const char *comment; // begins one, up to the end of the line
  AsmOperandReader *read_operand;
  const AsmRow *(*find)(AsmInstruction *i);                  // sets suffix_bits; NULL: not in the table
  unsigned (*register_number)(const char *name);             // of a constraint or clobber; NO_REGISTER: not modelled
  Term (*condition)(struct AsmMachine *m, const char *name); // of a flag output; TERM_NONE: not known
} AsmProcessor;
extern const AsmProcessor asm_x86, asm_arm64;

// Parses a text in LLVM's form. False: not understood. Names in `text` point into the scratch arena.
bool asm_parse(Lowering *l, const AsmProcessor *processor, const char *source, AsmText *text);
// True if the text may leave the statement (by a jump, a call or a trap) or may access memory other than its operands.
bool asm_leaves(Lowering *l, const char *source);
bool asm_read_number(const char **at, int64_t *value);
bool asm_read_template(const char **at, AsmName *name, char *modifier);
void asm_skip_blanks(const char **at);

// --- operands of the statement ---

typedef enum AsmSlotKind { SLOT_VALUE, SLOT_MEMORY, SLOT_FLAG } AsmSlotKind;

typedef struct AsmSlot {
  AsmSlotKind kind;
  bool output, early, tied; // early: written before all inputs are read; tied: it shares an output's register
  bool constant;            // an immediate, in no register
  bool pair;                // VALUE: in the registers 0 and 2 (x86's "A")
  unsigned reg;             // VALUE
  unsigned width;           // of its type, in bits; 0: not modelled
  uint64_t bytes;           // MEMORY: of its type
  Term value;               // an input; MEMORY: its address; TERM_NONE: none
  const char *codes;        // its constraint, without = & *
  size_t code_length;
  LLVMTypeRef type;
} AsmSlot;

typedef struct AsmStatement {
  AsmSlot slots[MOST_OPERANDS];
  unsigned count;
  bool changes[REGISTER_COUNT]; // outputs and clobbers
  bool clobbers_memory, has_pointer_input;
  bool modelled; // all types and registers are modelled
} AsmStatement;

// Reads the call's operands; counts as a use of each. False: the list cannot be represented.
bool asm_read_operands(Lowering *l, const AsmProcessor *processor, LLVMValueRef call, LLVMValueRef assembly,
                       AsmStatement *statement);

// --- the machine ---

typedef enum AsmFlag { FLAG_CARRY, FLAG_ZERO, FLAG_SIGN, FLAG_OVERFLOW, FLAG_COUNT } AsmFlag;

typedef struct AsmRegister {
  Term value; // TERM_NONE: anything
  unsigned known;
  Term before; // the value when the statement began, if it is known
  bool written;
  VariableId variable; // NO_ID: no jumps, or not in use
} AsmRegister;

typedef struct AsmMachine {
  Lowering *l;
  TermStore *t;
  const AsmProcessor *processor;
  const AsmStatement *statement;
  const AsmText *text;
  unsigned bits; // of a register
  AsmRegister registers[REGISTER_COUNT];
  Term flags[FLAG_COUNT]; // TERM_NONE: any value
  Term parity_of;         // the result whose parity the flag holds; TERM_NONE: any value
  bool flags_lost;        // a label was passed since the flags were set
  bool plain_output_written;
  bool exclusive; // inside an exclusive access
  Term exclusive_address, exclusive_value;
  unsigned exclusive_at; // its load
  Term stack[8];         // pushed
  unsigned stack_count;
  LocationId labels[MOST_INSTRUCTIONS + 1]; // NO_ID: no target
  unsigned at;                              // the instruction being executed
  const char *failure;                      // why the rest is not modelled
} AsmMachine;

// Executes the text; false after a cut.
bool machine_run(AsmMachine *m);
void machine_fail(AsmMachine *m, const char *why);

Term machine_read(AsmMachine *m, unsigned reg, unsigned low, unsigned bits);
void machine_write(AsmMachine *m, unsigned reg, unsigned low, Term value); // keeps the other bits
void machine_set(AsmMachine *m, unsigned reg, Term value);                 // extends it with zeros
void machine_set_low(AsmMachine *m, unsigned reg, Term value);             // the bits above become any value
Term machine_fresh(AsmMachine *m, unsigned bits, const char *name);        // an input
Term machine_flag(AsmMachine *m, AsmFlag flag);
void machine_flags_any(AsmMachine *m);

// What names in the text refer to.
unsigned machine_register(AsmMachine *m, const AsmName *name);
const AsmSlot *machine_slot(AsmMachine *m, const AsmName *name); // NULL unless it is a template
bool machine_is_memory(AsmMachine *m, const AsmOperand *operand);
Term machine_address(AsmMachine *m, const AsmOperand *operand);
Term machine_named_value(AsmMachine *m, const AsmName *name, unsigned bits);
Term machine_load(AsmMachine *m, Term address, unsigned bits);
void machine_store(AsmMachine *m, Term address, Term value);

// An instruction that reads and writes one place. Between begin and end nothing else may be emitted: read operands
// first.
typedef struct AsmUpdate {
  Step step;
  Term address, old;
  bool locked;
} AsmUpdate;
void update_begin(AsmMachine *m, AsmUpdate *u, Term address, unsigned bits, bool locked);
void update_end(AsmMachine *m, AsmUpdate *u, Term stored);

void machine_jump(AsmMachine *m, unsigned target, Term condition);
void machine_exclusive_begin(AsmMachine *m);
void machine_exclusive_end(AsmMachine *m);

static inline Term bit_of(TermStore *t, Term value, unsigned bit) { return term_extract(t, value, bit, bit); }

#endif
