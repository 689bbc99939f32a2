// A tree as C. Only what occurs is declared, so that an edit of a body never has to touch a declaration.
#include "fuzz/tree.h"

#include <assert.h>
#include <string.h>

static const char *const array_names[ARRAY_COUNT] = {"list", "bytes"};
static const char *const array_types[ARRAY_COUNT] = {"int", "unsigned char"};
static const char *const pointer_names[POINTER_COUNT] = {"p", "q"};
static const char *const list_names[LIST_COUNT] = {"top", "other"};
static const char *const mutex_names[MUTEX_COUNT] = {"m", "n"};
static const char *const condition_names[CONDITION_COUNT] = {"changed", "moved"};
static const char *const input_texts[] = {"__VERIFIER_nondet_bool()", "__VERIFIER_nondet_uchar() % 3",
                                          "(__VERIFIER_nondet_uchar() & 3)"};

// --- what occurs ---

typedef struct Uses {
  bool globals[GLOBAL_COUNT];
  unsigned kinds[NODE_KIND_COUNT]; // for each kind, the values of n0 as bits
  unsigned conditions;             // awaited or signalled
  unsigned locals, handles;
  bool compare_swap;
} Uses;

static void use_target(Uses *uses, int target) {
  if (target >= TARGET_GLOBAL && target < GLOBAL_COUNT) uses->globals[target] = true;
  if (target >= TARGET_ELEMENT && target < TARGET_LOCAL) uses->kinds[NODE_ELEMENT] |= 1;
  if (target >= TARGET_LOCAL) uses->locals |= 1u << (target - TARGET_LOCAL);
}

static void use_node(Uses *uses, const Node *node) {
  uses->kinds[node->kind] |= 1u << (node->n[0] & 31);
  switch (node->kind) {
  case NODE_SPIN:
  case NODE_COMPARE_SWAP: uses->compare_swap |= node->kind == NODE_COMPARE_SWAP || node->n[1]; // fall through
  case NODE_GLOBAL:
  case NODE_FETCH_ADD:
  case NODE_EXCHANGE: uses->globals[node->n[0]] = true; break;
  case NODE_LOCAL:
  case NODE_INPUT_RANGE: uses->locals |= 1u << node->n[0]; break;
  case NODE_CREATE: uses->handles |= 1u << node->n[1]; break;
  case NODE_POINT:
  case NODE_POINTS_TO: use_target(uses, node->n[1]); break;
  case NODE_AWAIT: uses->conditions |= 1u << node->n[1]; break;
  case NODE_SIGNAL: uses->conditions |= 1u << node->n[0]; break;
  case NODE_COPY: uses->globals[GLOBAL_PAIR] = true; break;
  default: break;
  }
  for (unsigned i = 0; i < node->count; i++) use_node(uses, node->children[i]);
}

static unsigned used_pointers(const Uses *uses) {
  return uses->kinds[NODE_POINT] | uses->kinds[NODE_POINTS_TO] | uses->kinds[NODE_TARGET];
}
static unsigned used_lists(const Uses *uses) {
  return uses->kinds[NODE_PUSH] | uses->kinds[NODE_DROP] | uses->kinds[NODE_LIST_FILLED] | uses->kinds[NODE_LIST_VALUE];
}

// --- expressions ---

static void print_target(Text *text, int target) {
  if (target == TARGET_NULL) {
    text_add(text, "0");
  } else if (target >= TARGET_LOCAL) {
    text_format(text, "&r%d", target - TARGET_LOCAL);
  } else if (target >= TARGET_ELEMENT) {
    text_format(text, "&%s[%d]", array_names[0], target - TARGET_ELEMENT);
  } else {
    text_format(text, "&%s", tree_globals[target].name);
  }
}

static void print_expression(Text *text, const Node *node);

// An operand gets parentheses unless it cannot be torn apart.
static void print_operand(Text *text, const Node *node) {
  bool torn = node->kind == NODE_BINARY || node->kind == NODE_CHOICE || node->kind == NODE_NOT ||
              node->kind == NODE_POINTS_TO || node->kind == NODE_LIST_FILLED || node->kind == NODE_INPUT;
  if (torn) text_add_char(text, '(');
  print_expression(text, node);
  if (torn) text_add_char(text, ')');
}

static void print_atomic(Text *text, const char *function, const Node *node) {
  text_format(text, "%s(&%s", function, tree_globals[node->n[0]].name);
  for (unsigned i = 0; i < node->count; i++) {
    text_add(text, ", ");
    print_expression(text, node->children[i]);
  }
  text_add_char(text, ')');
}

static void print_expression(Text *text, const Node *node) {
  const int n0 = node->n[0];
  switch (node->kind) {
  case NODE_GLOBAL: text_add(text, tree_globals[n0].name); break;
  case NODE_LOCAL: text_format(text, "r%d", n0); break;
  case NODE_ELEMENT:
    text_format(text, "%s[", array_names[n0]);
    print_expression(text, node->children[0]);
    text_add_char(text, ']');
    break;
  case NODE_TARGET: text_format(text, "*%s", pointer_names[n0]); break;
  case NODE_CONSTANT: text_format(text, "%d", n0); break;
  case NODE_LOOP_VARIABLE: text_format(text, "i%d", n0); break;
  case NODE_ARGUMENT: text_add(text, "me"); break;
  case NODE_BINARY:
    print_operand(text, node->children[0]);
    text_format(text, " %s ", tree_operators[n0]);
    print_operand(text, node->children[1]);
    break;
  case NODE_NOT:
    text_add_char(text, '!');
    print_operand(text, node->children[0]);
    break;
  case NODE_CHOICE:
    print_operand(text, node->children[0]);
    text_add(text, " ? ");
    print_operand(text, node->children[1]);
    text_add(text, " : ");
    print_operand(text, node->children[2]);
    break;
  case NODE_FETCH_ADD: print_atomic(text, "atomic_fetch_add", node); break;
  case NODE_EXCHANGE: print_atomic(text, "atomic_exchange", node); break;
  case NODE_COMPARE_SWAP: print_atomic(text, "compare_swap", node); break;
  case NODE_INPUT: text_add(text, input_texts[n0]); break;
  case NODE_POINTS_TO:
    text_format(text, "%s == ", pointer_names[n0]);
    print_target(text, node->n[1]);
    break;
  case NODE_LIST_FILLED: text_format(text, "%s != 0", list_names[n0]); break;
  case NODE_LIST_VALUE: text_format(text, "(%s ? %s->value : 0)", list_names[n0], list_names[n0]); break;
  default: assert(false);
  }
}

// --- statements ---

static void print_indent(Text *text, unsigned depth) {
  for (unsigned i = 0; i < depth; i++) text_add(text, "  ");
}

__attribute__((format(printf, 3, 4))) static void print_line(Text *text, unsigned depth, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  print_indent(text, depth);
  text_vformat(text, format, arguments);
  text_add_char(text, '\n');
  va_end(arguments);
}

// A line `before expression after`.
static void print_around(Text *text, unsigned depth, const char *before, const Node *expression, const char *after) {
  print_indent(text, depth);
  text_add(text, before);
  print_expression(text, expression);
  text_add(text, after);
  text_add_char(text, '\n');
}

static void print_block(Text *text, unsigned depth, const Node *block);

static void print_lock(Text *text, unsigned depth, const Node *node) {
  const char *mutex = mutex_names[node->n[0]];
  if (node->kind == NODE_TRYLOCK) {
    print_line(text, depth, "if (pthread_mutex_trylock(&%s) == 0) {", mutex);
    print_block(text, depth + 1, node->children[0]);
    print_line(text, depth + 1, "pthread_mutex_unlock(&%s);", mutex);
    if (node->children[1]->count) {
      print_line(text, depth, "} else {");
      print_block(text, depth + 1, node->children[1]);
    }
    print_line(text, depth, "}");
    return;
  }
  print_line(text, depth, "pthread_mutex_lock(&%s);", mutex);
  if (node->kind == NODE_LOCK) return;
  if (node->kind == NODE_AWAIT) {
    print_around(text, depth, "while (!(", node->children[0], "))");
    print_line(text, depth + 1, "pthread_cond_wait(&%s, &%s);", condition_names[node->n[1]], mutex);
  }
  print_block(text, depth, node->children[node->count - 1]);
  print_line(text, depth, "pthread_mutex_unlock(&%s);", mutex);
}

static void print_spin(Text *text, unsigned depth, const Node *node) {
  const char *name = tree_globals[node->n[0]].name;
  if (node->n[1]) {
    print_line(text, depth, "while (!compare_swap(&%s, 0, 1))", name);
  } else {
    print_line(text, depth, "while (atomic_exchange(&%s, 1))", name);
  }
  print_line(text, depth + 1, ";");
  print_block(text, depth, node->children[0]);
  print_line(text, depth, "%s = 0;", name);
}

static void print_compound(Text *text, unsigned depth, const Node *node) {
  if (node->kind == NODE_FOR) {
    int variable = node->n[1];
    print_line(text, depth, "for (int i%d = 0; i%d < %d; i%d++) {", variable, variable, node->n[0], variable);
  } else {
    bool waits = node->kind == NODE_WHILE && node->children[1]->count == 0;
    print_around(text, depth, node->kind == NODE_IF ? "if (" : "while (", node->children[0], waits ? ")" : ") {");
    if (waits) {
      print_line(text, depth + 1, ";");
      return;
    }
  }
  print_block(text, depth + 1, node->children[node->kind == NODE_FOR ? 0 : 1]);
  if (node->kind == NODE_IF && node->children[2]->count) {
    print_line(text, depth, "} else {");
    print_block(text, depth + 1, node->children[2]);
  }
  print_line(text, depth, "}");
}

static void print_list(Text *text, unsigned depth, const Node *node) {
  const char *list = list_names[node->n[0]];
  if (node->kind == NODE_PUSH) {
    print_line(text, depth, "{");
    print_line(text, depth + 1, "struct node *fresh = malloc(sizeof *fresh);");
    print_around(text, depth + 1, "fresh->value = ", node->children[0], ";");
    print_line(text, depth + 1, "fresh->next = %s;", list);
    print_line(text, depth + 1, "%s = fresh;", list);
  } else {
    print_line(text, depth, "if (%s) {", list);
    print_line(text, depth + 1, "struct node *first = %s;", list);
    print_line(text, depth + 1, "%s = first->next;", list);
    if (node->n[1]) print_line(text, depth + 1, "free(first);");
  }
  print_line(text, depth, "}");
}

static void print_end(Text *text, unsigned depth, int how) {
  static const char *const calls[END_COUNT] = {NULL, "pthread_exit(0);", "exit(0);", "abort();"};
  if (how == END_RETURN) {
    print_line(text, depth, "return 0;");
  } else {
    print_line(text, depth, "%s", calls[how]);
  }
}

static void print_assignment(Text *text, unsigned depth, const Node *node) {
  print_indent(text, depth);
  print_expression(text, node->children[0]);
  text_format(text, " %s ", node->kind == NODE_ASSIGN ? "=" : tree_update_operators[node->n[0]]);
  print_expression(text, node->children[1]);
  text_add(text, ";\n");
}

static void print_statement(Text *text, unsigned depth, const Node *node) {
  const int n0 = node->n[0], n1 = node->n[1];
  switch (node->kind) {
  case NODE_ASSIGN:
  case NODE_UPDATE: print_assignment(text, depth, node); break;
  case NODE_INPUT_RANGE:
    print_line(text, depth, "r%d = __VERIFIER_nondet_int();", n0);
    print_line(text, depth, "__VERIFIER_assume(0 <= r%d && r%d <= %d);", n0, n0, n1);
    break;
  case NODE_IF:
  case NODE_FOR:
  case NODE_WHILE: print_compound(text, depth, node); break;
  case NODE_LOCKED:
  case NODE_LOCK:
  case NODE_TRYLOCK:
  case NODE_AWAIT: print_lock(text, depth, node); break;
  case NODE_SIGNAL:
    print_line(text, depth, "pthread_cond_%s(&%s);", n1 ? "broadcast" : "signal", condition_names[n0]);
    break;
  case NODE_SECTION:
    print_line(text, depth, "__VERIFIER_atomic_begin();");
    print_block(text, depth, node->children[0]);
    print_line(text, depth, "__VERIFIER_atomic_end();");
    break;
  case NODE_SPIN: print_spin(text, depth, node); break;
  case NODE_ASSUME: print_around(text, depth, "__VERIFIER_assume(", node->children[0], ");"); break;
  case NODE_ASSERT: print_around(text, depth, "assert(", node->children[0], ");"); break;
  case NODE_CREATE:
    print_line(text, depth, "pthread_create(&h%d, 0, thread_%d, (void *)%d);", n1, n0, node->n[2]);
    break;
  case NODE_JOIN: print_line(text, depth, "pthread_join(h%d, 0);", n0); break;
  case NODE_END: print_end(text, depth, n0); break;
  case NODE_POINT:
    print_indent(text, depth);
    text_format(text, "%s = ", pointer_names[n0]);
    print_target(text, n1);
    text_add(text, ";\n");
    break;
  case NODE_PUSH:
  case NODE_DROP: print_list(text, depth, node); break;
  case NODE_LABEL: print_line(text, depth - 1, "L%d:", n0); break;
  case NODE_COPY: print_line(text, depth, n0 ? "spare = pair;" : "pair = spare;"); break;
  default: assert(false);
  }
}

static void print_block(Text *text, unsigned depth, const Node *block) {
  for (unsigned i = 0; i < block->count; i++) print_statement(text, depth, block->children[i]);
}

// --- declarations ---

static void print_globals(Text *text, const Tree *tree, const Uses *uses) {
  for (unsigned i = 0; i < GLOBAL_COUNT; i++) {
    if (!uses->globals[i]) continue;
    const char *declaration = tree_globals[i].declaration;
    bool declared = false; // with an earlier member of its structure
    for (unsigned j = 0; j < i; j++)
      declared |= uses->globals[j] && strcmp(tree_globals[j].declaration, declaration) == 0;
    if (declared) continue;
    text_add(text, declaration);
    if (tree_globals[i].initialised && tree->initial[i]) text_format(text, " = %d", tree->initial[i]);
    text_add(text, ";\n");
  }
  for (unsigned i = 0; i < ARRAY_COUNT; i++)
    if (uses->kinds[NODE_ELEMENT] >> i & 1)
      text_format(text, "%s %s[%d];\n", array_types[i], array_names[i], tree_array_lengths[i]);
  for (unsigned i = 0; i < POINTER_COUNT; i++) {
    if (!(used_pointers(uses) >> i & 1)) continue;
    text_format(text, "int *%s = ", pointer_names[i]);
    print_target(text, tree->pointer_targets[i]);
    text_add(text, ";\n");
  }
  if (used_lists(uses)) text_add(text, "struct node {\n  int value;\n  struct node *next;\n};\n");
  for (unsigned i = 0; i < LIST_COUNT; i++)
    if (used_lists(uses) >> i & 1) text_format(text, "struct node *%s;\n", list_names[i]);
  unsigned mutexes = uses->kinds[NODE_LOCKED] | uses->kinds[NODE_LOCK] | uses->kinds[NODE_TRYLOCK];
  for (unsigned i = 0; i < MUTEX_COUNT; i++)
    if ((mutexes | uses->kinds[NODE_AWAIT]) >> i & 1)
      text_format(text, "pthread_mutex_t %s = PTHREAD_MUTEX_INITIALIZER;\n", mutex_names[i]);
  for (unsigned i = 0; i < CONDITION_COUNT; i++)
    if (uses->conditions >> i & 1)
      text_format(text, "pthread_cond_t %s = PTHREAD_COND_INITIALIZER;\n", condition_names[i]);
}

static void print_prelude(Text *text, const Uses *uses) {
  if (uses->kinds[NODE_INPUT_RANGE]) text_add(text, "int __VERIFIER_nondet_int(void);\n");
  if (uses->kinds[NODE_INPUT] & 1) text_add(text, "_Bool __VERIFIER_nondet_bool(void);\n");
  if (uses->kinds[NODE_INPUT] & ~1u) text_add(text, "unsigned char __VERIFIER_nondet_uchar(void);\n");
  if (uses->kinds[NODE_INPUT_RANGE] || uses->kinds[NODE_ASSUME])
    text_add(text, "void __VERIFIER_assume(int condition);\n");
  if (uses->kinds[NODE_SECTION])
    text_add(text, "void __VERIFIER_atomic_begin(void);\nvoid __VERIFIER_atomic_end(void);\n");
}

static void print_helpers(Text *text, const Uses *uses) {
  if (!uses->compare_swap) return;
  text_add(text, "\nstatic int compare_swap(_Atomic int *object, int expected, int desired) {\n"
                 "  return atomic_compare_exchange_strong(object, &expected, desired);\n}\n");
}

static void print_body(Text *text, const Tree *tree, unsigned body) {
  Uses own = {0};
  use_node(&own, tree->bodies[body]);
  if (body == 0) {
    text_add(text, "\nint main(void) {\n");
  } else {
    text_format(text, "\nvoid *thread_%u(void *argument) {\n", body);
  }
  if (own.kinds[NODE_ARGUMENT]) text_add(text, "  int me = (int)(long)argument;\n");
  for (unsigned i = 0; i < LOCAL_COUNT; i++)
    if (own.locals >> i & 1) text_format(text, "  int r%u = 0;\n", i);
  for (unsigned i = 0; i < MOST_HANDLES; i++)
    if (own.handles >> i & 1) text_format(text, "  pthread_t h%u;\n", i);
  const Node *block = tree->bodies[body];
  print_block(text, 1, block);
  if (block->count == 0 || block->children[block->count - 1]->kind != NODE_END) text_add(text, "  return 0;\n");
  text_add(text, "}\n");
}

void tree_print(const Tree *tree, Text *text) {
  Uses uses = {0};
  for (unsigned i = 0; i < tree->body_count; i++)
    if (tree_reaches(tree, i)) use_node(&uses, tree->bodies[i]);
  if (tree->formula) use_node(&uses, tree->formula);
  for (unsigned i = 0; i < POINTER_COUNT; i++)
    if (used_pointers(&uses) >> i & 1) use_target(&uses, tree->pointer_targets[i]);
  text_add(text, "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n");
  Text group; // a blank line before each that is not empty
  text_init(&group, NULL);
  print_prelude(&group, &uses);
  if (group.length) text_format(text, "\n%s", group.data);
  text_clear(&group);
  print_globals(&group, tree, &uses);
  if (group.length) text_format(text, "\n%s", group.data);
  text_free(&group);
  print_helpers(text, &uses);
  // A routine creates threads of later ones only, so the last comes first.
  for (unsigned i = tree->body_count; i-- > 0;)
    if (tree_reaches(tree, i)) print_body(text, tree, i);
}

// --- formulas ---

// The body that has the label, as a function, and the line of the statement behind it.
static void print_line_of_label(Text *text, const char *source, unsigned above, int label) {
  char mark[16];
  snprintf(mark, sizeof mark, "L%d:\n", label);
  const char *at = strstr(source, mark), *function = NULL;
  assert(at);
  unsigned line = above + 2;
  for (const char *c = source; c < at; c++) {
    if (*c != '\n') continue;
    line++;
    if (strncmp(c + 1, "void *thread_", 13) == 0 || strncmp(c + 1, "int main(", 9) == 0)
      function = strchr(c + 1, ' ') + 1;
  }
  assert(function);
  function += *function == '*';
  text_format(text, "at(%.*s:%u)", (int)strcspn(function, "("), function, line);
}

static void print_formula(Text *text, const Node *node, const char *source, unsigned above) {
  const int n0 = node->n[0];
  switch (node->kind) {
  case NODE_TRUTH: text_add(text, n0 ? "true" : "false"); break;
  case NODE_ATOM: print_expression(text, node->children[0]); break;
  case NODE_AT:
    if (node->n[1])
      print_line_of_label(text, source, above, n0);
    else
      text_format(text, "at(L%d)", n0);
    break;
  case NODE_UNARY:
    text_format(text, "%s (", tree_unary_operators[n0]);
    print_formula(text, node->children[0], source, above);
    text_add_char(text, ')');
    break;
  case NODE_JUNCTION:
    text_add_char(text, '(');
    print_formula(text, node->children[0], source, above);
    text_format(text, ") %s (", tree_junctions[n0]);
    print_formula(text, node->children[1], source, above);
    text_add_char(text, ')');
    break;
  default: assert(false);
  }
}

void tree_print_formula(const Tree *tree, const char *source, unsigned above, Text *text) {
  assert(tree->formula);
  print_formula(text, tree->formula, source, above);
}

static bool find_place(const Node *node, const char *source, unsigned above,
                       bool (*visit)(void *context, const char *place), void *context) {
  if (node->kind == NODE_AT) {
    Text place;
    text_init(&place, NULL);
    print_formula(&place, node, source, above);
    bool found = visit(context, place.data);
    text_free(&place);
    return found;
  }
  bool inner = node->kind == NODE_UNARY || node->kind == NODE_JUNCTION;
  for (unsigned i = 0; inner && i < node->count; i++)
    if (find_place(node->children[i], source, above, visit, context)) return true;
  return false;
}

bool tree_find_place(const Tree *tree, const char *source, unsigned above,
                     bool (*visit)(void *context, const char *place), void *context) {
  assert(tree->formula);
  return find_place(tree->formula, source, above, visit, context);
}
