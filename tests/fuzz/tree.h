// A generated program as a tree: main and up to three thread routines, each a block of statements.
//
// All nodes have one shape: a kind, up to three numbers and children. The table NODE_KINDS says for each kind what it
// is and what its children must be, so that the shrinker can edit a tree without knowing what its parts mean:
//   B block (any number of statements)   S statement   E expression   P place: an expression that can be assigned
//   F formula of temporal logic
// Shared variables come from fixed lists (tree.c); those that occur in the tree are declared when it is printed.
//
// Nodes live in an arena and are never freed one by one. tree_tidy and tree_valid keep a program meaningful: a join
// follows its create, an atomic section neither blocks nor ends the thread, a loop variable occurs in its loop.
#ifndef HEDDLE_FUZZ_TREE_H
#define HEDDLE_FUZZ_TREE_H

#include "base/arena.h"
#include "base/text.h"

#include <stdbool.h>

// X(kind, class, children); n0, n1, n2 are its numbers
#define NODE_KINDS(X)                                                                                                  \
  X(BLOCK, 'B', "")       /* children: any number of statements */                                                     \
  X(ASSIGN, 'S', "PE")    /* place = expression */                                                                     \
  X(UPDATE, 'S', "PE")    /* place op= expression; n0: operator of tree_update_operators */                            \
  X(INPUT_RANGE, 'S', "") /* local n0 = any value of 0 .. n1 */                                                        \
  X(IF, 'S', "EBB")       /* if, else */                                                                               \
  X(FOR, 'S', "B")        /* n0 rounds; n1: depth, which names the loop variable */                                    \
  X(WHILE, 'S', "EB")     /* a loop that waits, or goes on while the condition holds */                                \
  X(LOCKED, 'S', "B")     /* mutex n0 is locked, the block, unlocked */                                                \
  X(LOCK, 'S', "")        /* mutex n0 is locked and never unlocked */                                                  \
  X(TRYLOCK, 'S', "BB")   /* mutex n0: what to do with it, what to do without */                                       \
  X(AWAIT, 'S', "EB")     /* mutex n0: waits on condition variable n1 until E, then the block */                       \
  X(SIGNAL, 'S', "")      /* condition variable n0; n1: to all */                                                      \
  X(SECTION, 'S', "B")    /* atomic section */                                                                         \
  X(SPIN, 'S', "B")       /* atomic variable n0 as a spin lock around the block; n1: by compare-exchange */            \
  X(ASSUME, 'S', "E")                                                                                                  \
  X(ASSERT, 'S', "E")                                                                                                  \
  X(CREATE, 'S', "")        /* a thread of routine n0; handle n1; argument n2 */                                       \
  X(JOIN, 'S', "")          /* the thread of handle n0 */                                                              \
  X(END, 'S', "")           /* n0: return, pthread_exit, exit, abort */                                                \
  X(POINT, 'S', "")         /* pointer n0 = address of target n1 */                                                    \
  X(PUSH, 'S', "E")         /* a new node with the value in front of list n0 */                                        \
  X(DROP, 'S', "")          /* removes the first node of list n0, if any; n1: frees it */                              \
  X(COPY, 'S', "")          /* structure assignment; n0: its direction */                                              \
  X(GLOBAL, 'P', "")        /* n0: index of tree_globals */                                                            \
  X(LOCAL, 'P', "")         /* n0 */                                                                                   \
  X(ELEMENT, 'P', "E")      /* of array n0 */                                                                          \
  X(TARGET, 'P', "")        /* what pointer n0 points to */                                                            \
  X(CONSTANT, 'E', "")      /* n0 */                                                                                   \
  X(LOOP_VARIABLE, 'E', "") /* of the loop of depth n0 */                                                              \
  X(ARGUMENT, 'E', "")      /* of the thread */                                                                        \
  X(BINARY, 'E', "EE")      /* n0: operator of tree_operators */                                                       \
  X(NOT, 'E', "E")                                                                                                     \
  X(CHOICE, 'E', "EEE")      /* condition ? one : other */                                                             \
  X(FETCH_ADD, 'E', "E")     /* on atomic variable n0 */                                                               \
  X(EXCHANGE, 'E', "E")      /* on atomic variable n0 */                                                               \
  X(COMPARE_SWAP, 'E', "EE") /* on atomic variable n0: expected, desired; whether it did */                            \
  X(INPUT, 'E', "")          /* n0: bool, byte modulo 3, byte masked */                                                \
  X(POINTS_TO, 'E', "")      /* whether pointer n0 points to target n1 */                                              \
  X(LIST_FILLED, 'E', "")    /* whether list n0 is not empty */                                                        \
  X(LIST_VALUE, 'E', "")     /* the value of the first node of list n0, or 0 */                                        \
  X(LABEL, 'S', "")          /* n0; before an assignment */                                                            \
  X(TRUTH, 'F', "")          /* true, if n0 */                                                                         \
  X(ATOM, 'F', "E")          /* an expression over shared variables */                                                 \
  X(AT, 'F', "")             /* a thread stands at label n0; n1: said by its line */                                   \
  X(UNARY, 'F', "F")         /* n0: operator of tree_unary_operators */                                                \
  X(JUNCTION, 'F', "FF")     /* n0: operator of tree_junctions */

typedef enum NodeKind {
#define X(kind, class, children) NODE_##kind,
  NODE_KINDS(X)
#undef X
      NODE_KIND_COUNT
} NodeKind;

enum { END_RETURN, END_PTHREAD_EXIT, END_EXIT, END_ABORT, END_COUNT };

typedef struct Node Node;
struct Node {
  NodeKind kind;
  int n[3];
  unsigned count, capacity;
  Node **children;
};

typedef enum GlobalType { GLOBAL_INT, GLOBAL_SMALL, GLOBAL_ATOMIC, GLOBAL_ATOMIC_SMALL } GlobalType;
typedef struct GlobalInfo {
  const char *name;
  GlobalType type;         // only a GLOBAL_ATOMIC may be the n0 of an atomic operation
  const char *declaration; // the same text for members of one structure
  bool initialised;        // the declaration takes an initial value
} GlobalInfo;
enum { GLOBAL_COUNT = 20, ARRAY_COUNT = 2, POINTER_COUNT = 2, LIST_COUNT = 2, MUTEX_COUNT = 2, CONDITION_COUNT = 2 };
// A _Bool; the first atomic one of two; the one of each thread; the first member of the structures that COPY copies.
enum { GLOBAL_FLAG = 7, GLOBAL_FIRST_ATOMIC = 8, GLOBAL_OWN = 11, GLOBAL_PAIR = 12 };
enum { LOCAL_COUNT = 2, MOST_ROUTINES = 3, MOST_HANDLES = 4, OPERATOR_COUNT = 13, UPDATE_OPERATOR_COUNT = 4 };
enum { UNARY_COUNT = 4, JUNCTION_COUNT = 6, LABEL_COUNT = 2 };
extern const GlobalInfo tree_globals[GLOBAL_COUNT];
extern const char *const tree_operators[OPERATOR_COUNT];
extern const char *const tree_update_operators[UPDATE_OPERATOR_COUNT];
extern const char *const tree_unary_operators[UNARY_COUNT];
extern const char *const tree_junctions[JUNCTION_COUNT];
extern const int tree_array_lengths[ARRAY_COUNT];
enum { UNARY_NOT, UNARY_GLOBALLY, UNARY_FINALLY, UNARY_NEXT };
enum { JUNCTION_AND, JUNCTION_OR, JUNCTION_IMPLIES, JUNCTION_UNTIL, JUNCTION_WEAK_UNTIL, JUNCTION_RELEASE };
enum {
  OPERATOR_ADD,
  OPERATOR_MASK = 2,
  OPERATOR_EQUAL = 5,
  OPERATOR_UNEQUAL,
  OPERATOR_AT_MOST = 8,
  OPERATOR_AND = 11,
  OPERATOR_OR = 12
};

// Where an int pointer may point: nowhere, to a global that is a plain int, into the first array, to a local of main.
enum { TARGET_NULL = -1, TARGET_GLOBAL = 0, TARGET_ELEMENT = 100, TARGET_LOCAL = 200 };

typedef struct Tree {
  Node *bodies[1 + MOST_ROUTINES]; // main, then the routines; a routine creates only threads of later ones
  unsigned body_count;
  int initial[GLOBAL_COUNT];
  int pointer_targets[POINTER_COUNT];
  Node *formula; // what is asked of the program, or NULL: its assertions
  bool fair;     // with a formula: only fair executions count
} Tree;

char node_class(NodeKind kind);
const char *node_children(NodeKind kind); // classes of the children of a kind that is not BLOCK
Node *node_new(Arena *arena, NodeKind kind, int n0, int n1, int n2);
void node_add(Arena *arena, Node *node, Node *child);
Node *node_copy(Arena *arena, const Node *node);
void node_remove(Node *block, unsigned first, unsigned count);
unsigned node_weight(const Node *node); // larger for what is harder to read; the shrinker makes it smaller

void tree_copy(Arena *arena, Tree *to, const Tree *from);
unsigned tree_weight(const Tree *tree);
bool tree_reaches(const Tree *tree, unsigned body); // main, or some thread may run it
void tree_tidy(Tree *tree);                         // drops joins that do not follow their create
bool tree_valid(const Tree *tree);
void tree_print(const Tree *tree, Text *text); // as C
// As --ltl wants it. `source` is the program as it was printed, `above` the number of lines that will stand above it.
void tree_print_formula(const Tree *tree, const char *source, unsigned above, Text *text);
// Likewise each place that the formula names, until `visit` returns true; returns whether it did.
bool tree_find_place(const Tree *tree, const char *source, unsigned above,
                     bool (*visit)(void *context, const char *place), void *context);

#endif
