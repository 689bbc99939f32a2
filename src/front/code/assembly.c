// Inline assembly whose accesses are those of its memory operands. All other assembly is CODE_OPAQUE.
//
// A text is understood if each of its instructions is of a kind that touches no memory but its operands, and each
// operand is one of the assembly's, a register or a number. What compilers are told by a clobber of memory is then
// only an order.
#include "front/code/reader.h"

// --- texts ---

static bool is_gap(char c) { return c == ' ' || c == '\t' || c == '\n' || c == ';'; }

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

// Blanks do not count.
static bool is_same(const char *text, size_t length, const char *name) {
  const char *end = text + length;
  for (; text < end; text++) {
    if (is_blank(*text)) continue;
    if (*text != *name) return false;
    name++;
  }
  return *name == 0;
}

// `names` are without blanks.
static bool is_one_of(const char *text, size_t length, const char *const *names, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (is_same(text, length, names[i])) return true;
  return false;
}

// A directive that places the next instruction at a round address, and no more: ".p2align 5".
static bool is_padding(const char *text, size_t length) {
  static const char *const names[] = {".p2align", ".balign", ".align"};
  const char *end = text + length;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    size_t size = strlen(names[i]);
    if (length <= size || memcmp(text, names[i], size) != 0 || !is_blank(text[size])) continue;
    const char *c = text + size;
    while (c < end && (is_blank(*c) || *c == ',' || (*c >= '0' && *c <= '9'))) c++;
    return c == end;
  }
  return false;
}

// A text that does nothing: it is there to keep the compiler from moving code.
static bool does_nothing(const char *text, size_t length) {
  static const char *const names[] = {"", "nop", "pause", "rep;nop", "yield", "isb"};
  return is_padding(text, length) || is_one_of(text, length, names, sizeof names / sizeof *names);
}

// Some are additions of 0 to the top of the thread's own stack.
static bool is_fence(const char *text, size_t length) {
  static const char *const names[] = {"mfence",
                                      "lfence",
                                      "sfence",
                                      "mfence;lfence",
                                      "dmbish",
                                      "dmbsy",
                                      "lock;addl$$0,0(%esp)",
                                      "lock;addl$$0,0(%rsp)",
                                      "lock;addl$$0,(%esp)",
                                      "lock;addl$$0,(%rsp)",
                                      "lock;addq$$0,0(%rsp)",
                                      "lock;orl$$0,(%rsp)",
                                      "lock;orq$$0,(%rsp)"};
  return is_one_of(text, length, names, sizeof names / sizeof *names);
}

static bool is_filling(const char *text, size_t length) {
  static const char *const names[] = {"cld;rep;stosq", "cld;rep;stosl", "cld;rep;stosb"};
  return is_one_of(text, length, names, sizeof names / sizeof *names);
}

// With one of these beginnings: the instruction touches its operands only. Those of bits may touch memory near them.
static bool is_plain(const char *word, size_t length) {
  static const char *const starts[] = {"mov",  "add",   "sub",   "inc",   "dec", "xadd", "cmpxchg", "xchg", "or",
                                       "and",  "xor",   "not",   "neg",   "bt",  "set",  "shl",     "shr",  "sar",
                                       "rol",  "ror",   "test",  "cmp",   "adc", "sbb",  "bsf",     "bsr",  "imul",
                                       "cmov", "bswap", "rdtsc", "cpuid", "nop", "pause"};
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
    if (length >= strlen(starts[i]) && memcmp(starts[i], word, strlen(starts[i])) == 0) return true;
  return false;
}

typedef struct Summary {
  const char *constraints;
  bool understood;
  bool bits;        // some instruction may touch memory near its operand
  bool lock_before; // the prefix of the next instruction
  bool unlocked;    // some instruction that is not locked touches a memory operand
  bool locked;      // some locked one does
} Summary;

// Is the operand of this number in memory?
static bool is_memory(const char *constraints, unsigned number) {
  for (; number > 0 && *constraints; number--) {
    constraints += strcspn(constraints, ",");
    if (*constraints) constraints++;
  }
  return memchr(constraints, '*', strcspn(constraints, ",")) != NULL;
}

// Is one of the operands in [c, end) in memory?
static bool names_memory(const char *c, const char *end, const char *constraints) {
  for (; c < end; c++) {
    if (*c != '$') continue;
    c++;
    if (c < end && *c == '$') continue; // a number
    if (c < end && *c == '{') c++;
    unsigned number = 0;
    for (; c < end && *c >= '0' && *c <= '9' && number < 1000; c++) number = number * 10 + (unsigned)(*c - '0');
    if (is_memory(constraints, number)) return true;
  }
  return false;
}

// Of the modifiers of operands, those of registers. Others make an address of a register or a number.
static bool is_register_modifier(char c) { return c && strchr("bhwkq", c) != NULL; }

// Reads one operand behind `c` ("$0", "${1:b}", "$$3", "%eax"); returns its end, or NULL.
static const char *skip_operand(const char *c, const char *end) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
  bool number = *c == '$';
  if (*c != '$' && *c != '%') return NULL;
  c++;
  bool braces = number && c < end && *c == '{';
  if (c < end && (*c == '$' || braces)) c++;
  if (c < end && *c == '-') c++;
  const char *start = c;
  while (c < end && (strchr(letters, *c) || (braces && *c == ':'))) c++;
  if (c == start) return NULL;
  const char *colon = braces ? memchr(start, ':', (size_t)(c - start)) : NULL;
  if (colon && (c - colon != 2 || !is_register_modifier(colon[1]))) return NULL;
  if (braces) return c < end && *c == '}' ? c + 1 : NULL;
  return c;
}

static bool reads_operands(const char *c, const char *end, bool *any) {
  *any = false;
  while (c < end) {
    if (*c == ' ' || *c == '\t' || *c == ',') {
      c++;
      continue;
    }
    c = skip_operand(c, end);
    if (!c) return false;
    *any = true;
  }
  return true;
}

// One instruction, without gaps around it.
static void summarise(const char *c, const char *end, Summary *summary) {
  size_t length = 0;
  while (c + length < end && !is_gap(c[length])) length++;
  if (length == 4 && memcmp(c, "lock", 4) == 0) {
    summary->lock_before = true;
    c += length;
    while (c < end && is_gap(*c)) c++;
    if (c < end) summarise(c, end, summary);
    return;
  }
  bool any, good = is_plain(c, length) && reads_operands(c + length, end, &any);
  static const char *const alone[] = {"rdtsc", "rdtscp", "cpuid", "nop", "pause"};
  // Without operands, others are operations on strings.
  good = good && (any || is_one_of(c, length, alone, sizeof alone / sizeof *alone));
  bool locked = summary->lock_before || (length >= 4 && memcmp(c, "xchg", 4) == 0);
  summary->lock_before = false;
  if (names_memory(c + length, end, summary->constraints)) *(locked ? &summary->locked : &summary->unlocked) = true;
  if (length >= 2 && memcmp(c, "bt", 2) == 0) summary->bits = true;
  summary->understood &= good;
}

static Summary summary_of(const char *text, size_t length, const char *constraints) {
  Summary summary = {.constraints = constraints, .understood = true};
  const char *end = text + length;
  while (text < end) {
    const char *stop = text;
    while (stop < end && *stop != ';' && *stop != '\n') stop++;
    while (text < stop && is_gap(*text)) text++;
    if (text < stop) summarise(text, stop, &summary);
    text = stop + 1;
  }
  return summary;
}

// --- operands ---

enum { MOST_PLACES = 8 };

typedef struct Touched {
  LLVMValueRef pointer;
  uint64_t size;
  bool reads, writes;
} Touched;

typedef struct Operands {
  Touched places[MOST_PLACES];
  unsigned place_count;
  U32Vector inputs; // arguments that are no memory operands
  bool understood;
} Operands;

static void add_place(Reader *r, Operands *o, LLVMValueRef call, unsigned argument, bool writes) {
  LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(call, argument + 1, attribute_kind("elementtype"));
  LLVMTypeRef type = attribute ? LLVMGetTypeAttributeValue(attribute) : NULL;
  LLVMValueRef pointer = LLVMGetOperand(call, argument);
  uint64_t size = type ? reader_size(r, type) : 0;
  unsigned i = 0;
  while (i < o->place_count && o->places[i].pointer != pointer) i++;
  if (size == 0 || i == MOST_PLACES) {
    o->understood = false;
    return;
  }
  if (i == o->place_count) o->places[o->place_count++] = (Touched){.pointer = pointer};
  Touched *place = &o->places[i];
  if (size > place->size) place->size = size;
  place->writes |= writes;
  place->reads |= !writes;
}

// Outputs in memory and all inputs are arguments, in the order of the constraints.
static void find_operands(Reader *r, LLVMValueRef call, const char *constraints, Operands *o) {
  unsigned argument = 0, count = LLVMGetNumArgOperands(call);
  for (const char *c = constraints; *c;) {
    size_t length = strcspn(c, ",");
    bool output = *c == '=', memory = memchr(c, '*', length) != NULL;
    bool passed = *c != '~' && *c != '!' && (!output || memory);
    if (passed && (argument >= count || memchr(c, 'X', length) || (*c == 'p' && length == 1))) o->understood = false;
    if (passed && argument < count && memory) add_place(r, o, call, argument, output);
    if (passed && argument < count && !memory) U32Vector_push(&o->inputs, argument);
    if (passed) argument++;
    c += length;
    if (*c) c++;
  }
  o->understood &= argument == count;
}

// --- statements ---

static void push_inputs(Reader *r, const Operands *o, LLVMValueRef call) {
  for (size_t i = 0; i < o->inputs.count; i++) reader_push(r, LLVMGetOperand(call, o->inputs.data[i]));
}

// The place of a memory operand; instructions that count bits may go on from there.
static CodeOperand place_of(Reader *r, const Touched *place, bool bits) {
  CodeOperand base = read_operand(r, place->pointer);
  if (!bits) return base;
  size_t mark = r->pending.count;
  reader_push_operand(r, base);
  base = reader_emit_new(r, CODE_MOVE, mark);
  CodeStatementVector_last(&r->statements)->stride = 1;
  return base;
}

// Loads, then the result of all that was read, then stores. Leaves the result as one pending operand.
static void emit_accesses(Reader *r, const Operands *o, LLVMValueRef call, Summary summary) {
  size_t mark = r->pending.count;
  bool atomic = summary.locked && !summary.unlocked && o->place_count == 1;
  push_inputs(r, o, call);
  for (unsigned i = 0; i < o->place_count && !atomic; i++) {
    if (!o->places[i].reads) continue;
    size_t inner = r->pending.count;
    reader_push_operand(r, place_of(r, &o->places[i], summary.bits));
    CodeOperand loaded = reader_emit_new(r, CODE_LOAD, inner);
    CodeStatementVector_last(&r->statements)->size = o->places[i].size;
    reader_push_operand(r, loaded);
  }
  CodeOperand value = reader_emit_new(r, CODE_COMPUTE, mark);
  reader_push_operand(r, value);
  for (unsigned i = 0; i < o->place_count; i++) {
    if (!o->places[i].writes && !atomic) continue;
    size_t inner = r->pending.count;
    CodeOperand place = place_of(r, &o->places[i], summary.bits);
    reader_push_operand(r, place);
    reader_push_operand(r, value);
    if (atomic)
      reader_push_operand(r, reader_emit_new(r, CODE_EXCHANGE, inner));
    else
      reader_emit(r, CODE_STORE, NULL, inner);
    CodeStatementVector_last(&r->statements)->size = o->places[i].size;
    CodeStatementVector_last(&r->statements)->atomic = atomic;
    CodeStatementVector_last(&r->statements)->computed = atomic;
  }
}

static bool read_accesses(Reader *r, LLVMValueRef call, const char *constraints, Summary summary) {
  Operands o = {.understood = true};
  U32Vector_init(&o.inputs, r->account);
  find_operands(r, call, constraints, &o);
  size_t mark = r->pending.count;
  if (o.understood) emit_accesses(r, &o, call, summary);
  if (o.understood && reader_has_value(call)) reader_emit(r, CODE_COMPUTE, call, mark);
  r->pending.count = mark;
  U32Vector_free(&o.inputs);
  return o.understood;
}

// FD_ZERO of old headers: the second result is the address, which is the third argument.
static bool read_filling(Reader *r, LLVMValueRef call, const char *constraints, uint64_t unit) {
  if (!starts_with(constraints, "=&{cx},=&{di},{ax},0,1,") && !starts_with(constraints, "={cx},={di},{ax},0,1,"))
    return false;
  LLVMValueRef count = LLVMGetOperand(call, 1);
  size_t mark = r->pending.count;
  reader_push(r, LLVMGetOperand(call, 2));
  CodeOperand place = r->pending.data[mark];
  CodeStatement *statement = reader_emit(r, CODE_FILL_BLOCK, NULL, mark);
  if (LLVMIsAConstantInt(count)) statement->size = LLVMConstIntGetZExtValue(count) * unit;
  reader_push_operand(r, place);
  reader_emit(r, CODE_COMPUTE, call, mark);
  return true;
}

// What the text calls by its name. Names are those of the linked module: static objects of C may be named otherwise.
static void push_named(Reader *r, LLVMModuleRef module, const char *text, size_t length) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";
  char name[256];
  for (size_t i = 0; i < length;) {
    size_t end = i;
    while (end < length && strchr(letters, text[end])) end++;
    bool is_register = i > 0 && text[i - 1] == '%';
    if (end > i && end - i < sizeof name && !is_register) {
      memcpy(name, text + i, end - i);
      name[end - i] = 0;
      LLVMValueRef named = LLVMGetNamedGlobal(module, name);
      if (!named) named = LLVMGetNamedFunction(module, name);
      if (named) reader_push(r, named);
    }
    i = end > i ? end : i + 1;
  }
}

static void read_opaque(Reader *r, LLVMValueRef call, const char *what, const char *text, size_t length) {
  size_t mark = r->pending.count;
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) reader_push(r, LLVMGetOperand(call, i));
  push_named(r, LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(call))), text, length);
  reader_emit(r, CODE_OPAQUE, reader_has_value(call) ? call : NULL, mark)->note =
      arena_format(&r->code->arena, "%s: %.*s", what, (int)length, text);
}

static void read_nothing(Reader *r, LLVMValueRef call) {
  size_t mark = r->pending.count;
  if (!reader_has_value(call)) return;
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) reader_push(r, LLVMGetOperand(call, i));
  reader_emit(r, r->pending.count > mark ? CODE_CHOICE : CODE_COMPUTE, call, mark);
}

void read_assembly(Reader *r, LLVMValueRef call) {
  size_t length, constraint_length;
  LLVMValueRef assembly = LLVMGetCalledValue(call);
  const char *text = LLVMGetInlineAsmAsmString(assembly, &length);
  const char *constraints = LLVMGetInlineAsmConstraintString(assembly, &constraint_length);
  while (length > 0 && is_gap(text[length - 1])) length--;
  for (; length > 0 && is_gap(text[0]); length--) text++;
  bool intel = LLVMGetInlineAsmDialect(assembly) == LLVMInlineAsmDialectIntel;
  Summary summary = summary_of(text, length, constraints);
  if (does_nothing(text, length))
    read_nothing(r, call);
  else if (is_fence(text, length) && !reader_has_value(call))
    reader_emit(r, CODE_FENCE, NULL, r->pending.count);
  else if (is_filling(text, length) && read_filling(r, call, constraints,
                                                    text[length - 1] == 'q'   ? 8
                                                    : text[length - 1] == 'l' ? 4
                                                                              : 1))
    return;
  else if (intel || LLVMIsACallBrInst(call) || !summary.understood || !read_accesses(r, call, constraints, summary))
    read_opaque(r, call, strstr(constraints, "~{memory}") ? "assembly that may touch any memory" : "assembly", text,
                length);
}
