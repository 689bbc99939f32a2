#include "front/module/dialect.h"

#include <string.h>

// Errors of clang that are warnings of gcc; `-w` then hides them.
static const char *const lenient[] = {
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-pointer-types",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=return-type",
    "-Wno-error=return-mismatch",
    "-Wno-error=atomic-access",
    "-Wno-error=ignored-attributes",
    "-Wno-error=asm-operand-widths",
};

// A builtin that gets its first argument as a pointer to the bare type, or to the atomic one. A macro is not expanded
// inside itself.
#define REDEFINE(name, type) "-D" name "(p,...)=" name "((" type "*)(p),__VA_ARGS__)"
#define BARE(name) REDEFINE(name, "__typeof_unqual__(*(p))")
#define ATOMIC(name) REDEFINE("__c11_atomic_" name, "volatile _Atomic(__typeof_unqual__(*(p)))")
#define FETCH(op) BARE("__atomic_fetch_" op), BARE("__atomic_" op "_fetch")
#define SYNC(op) BARE("__sync_fetch_and_" op), BARE("__sync_" op "_and_fetch")

// `atomic_load(&x)` of a plain x, with the macros of clang's <stdatomic.h>.
static const char *const atomic_of_plain[] = {
    ATOMIC("load"),      ATOMIC("store"),    ATOMIC("exchange"),  ATOMIC("compare_exchange_strong"),
    ATOMIC("fetch_add"), ATOMIC("fetch_or"), ATOMIC("fetch_xor"), ATOMIC("compare_exchange_weak"),
    ATOMIC("fetch_sub"), ATOMIC("init"),     ATOMIC("fetch_and"), NULL};

// Builtins of gcc on _Atomic objects: so does gcc's <stdatomic.h> in a preprocessed file.
static const char *const plain_of_atomic[] = {BARE("__atomic_load"),
                                              BARE("__atomic_load_n"),
                                              BARE("__atomic_store"),
                                              BARE("__atomic_store_n"),
                                              BARE("__atomic_exchange"),
                                              BARE("__atomic_exchange_n"),
                                              BARE("__atomic_compare_exchange"),
                                              BARE("__atomic_compare_exchange_n"),
                                              BARE("__sync_bool_compare_and_swap"),
                                              BARE("__sync_val_compare_and_swap"),
                                              BARE("__sync_lock_test_and_set"),
                                              FETCH("add"),
                                              FETCH("sub"),
                                              FETCH("and"),
                                              FETCH("or"),
                                              FETCH("xor"),
                                              FETCH("nand"),
                                              SYNC("add"),
                                              SYNC("sub"),
                                              SYNC("and"),
                                              SYNC("or"),
                                              SYNC("xor"),
                                              SYNC("nand"),
                                              NULL};

// The deallocator that a function of a preprocessed header belongs to.
static const char *const malloc_arguments[] = {"-D__malloc__(...)=__malloc__", NULL};

static const char *const float_types[] = {"-D_Float32=float",        "-D_Float64=double",      "-D_Float32x=double",
                                          "-D_Float64x=long double", "-D_Float128=__float128", NULL};

// Only a hosted main has to have the parameters that C gives it.
static const char *const free_main[] = {"-ffreestanding", "-U__STDC_HOSTED__", "-D__STDC_HOSTED__=1", NULL};

typedef struct Remedy {
  const char *symptom; // in a diagnostic
  const char *const *options;
} Remedy;

static const Remedy remedies[] = {
    {"must be a pointer to _Atomic type", atomic_of_plain},
    {"('_Atomic(", plain_of_atomic},
    {"'__malloc__' attribute takes no arguments", malloc_arguments},
    {"unknown type name '_Float", float_types},
    {"parameter of 'main'", free_main},
};
enum { REMEDY_COUNT = sizeof remedies / sizeof *remedies };

typedef struct Advice {
  const char *symptom, *text;
} Advice;

static const char cpp[] = "this looks like C++; heddle checks C";

static const Advice advices[] = {
    {"function definition is not allowed here",
     "a function inside a function is an extension of gcc that is not supported: move it out"},
    {"variable length array in structure",
     "an array of variable length in a struct is an extension of gcc that is not supported: give it a constant size"},
    {"illegal initializer type '",
     "clang does not initialise atomic structs: give the source file instead of a preprocessed one"},
    {"integer literal is too large", "gcc cuts this number off: write the value that is meant"},
    {"unknown type name 'class'", cpp},
    {"unknown type name 'template'", cpp},
    {"unknown type name 'namespace'", cpp},
    {"unknown type name 'using'", cpp},
    {"'iostream' file not found", cpp},
    {"file not found", "name the folder of the header, as in: -- -I FOLDER (or -p FOLDER with compile_commands.json)"},
    {"unknown register name", "this assembly is for another processor"},
    {"constraint '", "this assembly is for another processor"},
    {"unknown type name", "give the options of the program's build, as in: -- -I FOLDER -D NAME -std=gnu89"},
    {"use of undeclared identifier", "give the options of the program's build, as in: -- -D NAME=VALUE"},
    {"unknown argument", "what stands behind -- are options of clang"},
};

void dialect_options(StringVector *arguments) {
  for (size_t i = 0; i < sizeof lenient / sizeof *lenient; i++) StringVector_push(arguments, lenient[i]);
}

RemedySet dialect_remedies(const char *diagnostics) {
  static_assert(REMEDY_COUNT <= 32, "one bit for each");
  RemedySet found = 0;
  for (size_t i = 0; i < REMEDY_COUNT; i++)
    if (strstr(diagnostics, remedies[i].symptom)) found |= UINT32_C(1) << i;
  return found;
}

void dialect_remedy_options(RemedySet set, StringVector *arguments) {
  assert(set >> REMEDY_COUNT == 0);
  for (size_t i = 0; i < REMEDY_COUNT; i++)
    for (const char *const *option = remedies[i].options; (set >> i & 1) && *option; option++)
      StringVector_push(arguments, *option);
}

const char *dialect_advice(const char *diagnostics) {
  for (size_t i = 0; i < sizeof advices / sizeof *advices; i++)
    if (strstr(diagnostics, advices[i].symptom)) return advices[i].text;
  return NULL;
}
