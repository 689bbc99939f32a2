// Runs clang-19 on one input file and reads the bitcode that it writes.
//
// Clang is a child process that dies with this one, with a limit on its memory. It runs again with other options where
// its diagnostics ask for a remedy (dialect.h).
#ifndef HEDDLE_FRONT_MODULE_CLANG_H
#define HEDDLE_FRONT_MODULE_CLANG_H

#include "front/front.h"

// Compiles the file of that index and appends the bitcode to `bitcode`. Returns false with clang's diagnostics (or one
// line of our own) in `error`. A `.bc` file is read as it is.
//
// The options ask for code generation as at -O1 with every pass disabled. That gives unoptimised code with markers of
// where the lifetimes of automatic variables start (a variable is indeterminate again in each iteration of a loop).
//
// Atoms of formulas become functions at the end of the first file, so that they see what is static there. For clang,
// that file is then included by another one, on standard input; names of files begin with `./` if they are not
// absolute.
bool clang_compile(const FrontOptions *options, size_t index, ByteVector *bitcode, Text *error);

// Is `assert` at the end of the file a macro that does not use its argument, as NDEBUG makes it? Clang lists the
// macros, so that it does not matter whether an option, a #define or a header made it so. False for files that are
// preprocessed already, and for a file whose own text does not contain `assert`.
bool clang_drops_asserts(const FrontOptions *options, size_t index);

// As front_files_read.
void clang_files_read(const FrontOptions *options, size_t index, Text *names);

#endif
