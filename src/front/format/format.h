// Formatted output and input with a constant format. The lowering walks over the format; each piece becomes a few
// steps or the call of a model in lib/format.c or lib/scan.c. A format of output that is not constant is interpreted
// by a model at run time (lib/format_walk.c); such a format of input is a cut.
#ifndef HEDDLE_FRONT_FORMAT_FORMAT_H
#define HEDDLE_FRONT_FORMAT_FORMAT_H

#include "front/calls/calls.h"

// How a conversion is written: the numbers of lib/format.h.
enum {
  SHOW_LEFT = 1,
  SHOW_PLUS = 2,
  SHOW_SPACE = 4,
  SHOW_ALTERNATE = 8,
  SHOW_ZEROS = 16,
  SHOW_UPPER = 32,
  SHOW_SIGNED = 64,
  SHOW_BASE_SHIFT = 8
};

// A conversion as it stands in the format.
typedef struct Conversion {
  const char *text;                              // from its '%'
  size_t length;                                 // up to its letter, which is the last character
  unsigned flags;                                // SHOW_*
  int width, precision;                          // precision -1: none
  bool width_is_argument, precision_is_argument; // '*'
  int size;                                      // 0: int or double; 1: l, z, t; 2: ll, j, q; -1: h; -2: hh; 3: L
  char kind; // its letter; 0: the format ends within it, or positions ("%1$d") are used
} Conversion;

// Where the arguments of a format come from: the variable arguments of the present activation, or a va_list.
typedef struct FormatArguments {
  bool from_list;
  ListPlace place; // where the list stands
  size_t next;     // of the activation's
} FormatArguments;
FormatArguments format_arguments(Lowering *l, Term list); // list: TERM_NONE for the activation's
// The next one; TERM_NONE after a cut.
Term format_argument(Lowering *l, FormatArguments *arguments, unsigned width, bool floating);

// The text that has been produced so far. All terms have the width of pointers.
typedef struct FormatText {
  Lowering *l;
  bool writes;   // the text is written to `to`; else it leaves the program (printf)
  Term to, room; // if `writes`: the buffer and its size
  Term at;       // the length so far; if not `writes`: a lower bound of it
  bool exact;    // `at` is the length
} FormatText;

// --- format_text.c ---
void format_put_block(FormatText *text, Term from, uint64_t length);            // characters that stand in memory
void format_put_characters(FormatText *text, const char *characters, size_t n); // known ones
void format_put_byte(FormatText *text, Term byte);
// A model writes the next piece; its parameters are the buffer, its size, the length so far, then `operands`.
void format_put_by_model(FormatText *text, const char *model, const Term *operands, size_t count);
void format_put_end(FormatText *text);
Term format_count(FormatText *text); // the length of the text

// --- format.c: primitives of formatted output, to memory and elsewhere ---
void lower_format(Lowering *l, LLVMValueRef call);
void lower_format_list(Lowering *l, LLVMValueRef call);
void lower_print(Lowering *l, LLVMValueRef call);
void lower_print_list(Lowering *l, LLVMValueRef call);

// --- scan.c: primitives of formatted input ---
void lower_scan(Lowering *l, LLVMValueRef call);
void lower_scan_list(Lowering *l, LLVMValueRef call);
void lower_scan_input(Lowering *l, LLVMValueRef call);
void lower_scan_input_list(Lowering *l, LLVMValueRef call);
void lower_scan_any(Lowering *l, LLVMValueRef call);
void lower_scan_any_list(Lowering *l, LLVMValueRef call);

#endif
