// The text of inline assembly: statements, labels, directives, prefixes. Operands are the processor's matter.
//
// LLVM keeps the text with `$0` and `${0:w}` for operands, `$$` for a dollar and `$(a$|b$)` for the dialects. First all
// operands become three bytes: TEMPLATE_MARK, the number plus FIRST_NUMBER (no character of a text), the modifier or '
// '.
#include "front/assembly/assembly.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { TEMPLATE_MARK = 1, FIRST_NUMBER = 128 };

// `$3` or `${3:w}` behind the dollar. False: something else, as `${:uid}`.
static bool expand_template(const char **source, char **out) {
  const char *at = *source;
  bool braces = *at == '{';
  char *end;
  at += braces;
  if (!isdigit((unsigned char)*at)) return false;
  unsigned long number = strtoul(at, &end, 10);
  char modifier = ' ';
  at = end;
  if (number >= MOST_OPERANDS) return false;
  if (braces && *at == ':') {
    modifier = at[1];
    at += 2;
  }
  if (braces && *at++ != '}') return false;
  *(*out)++ = TEMPLATE_MARK;
  *(*out)++ = (char)(unsigned char)(number + FIRST_NUMBER);
  *(*out)++ = modifier;
  *source = at;
  return true;
}

// The normal form, in the scratch arena; NULL: not understood.
static char *normalise(Lowering *l, const char *source) {
  char *text = arena_allocate_zeroed(&l->scratch, 2 * strlen(source) + 1), *out = text; // `$0` becomes three bytes
  bool other_dialect = false;
  while (*source) {
    char c = *source++;
    if (c != '$') {
      if (!other_dialect) *out++ = (char)tolower((unsigned char)c);
      continue;
    }
    char what = *source;
    if (what == '(' || what == '|' || what == ')') {
      other_dialect = what == '|';
      source++;
    } else if (what == '$') {
      if (!other_dialect) *out++ = '$';
      source++;
    } else if (strncmp(source, "{:uid}", 6) == 0) { // a number for labels, one in each copy of the text
      if (!other_dialect) *out++ = '0';
      source += 6;
    } else {
      char *kept = out;
      if (!expand_template(&source, &out)) return NULL;
      if (other_dialect) out = kept;
    }
  }
  *out = '\0';
  return text;
}

void asm_skip_blanks(const char **at) {
  while (**at == ' ' || **at == '\t' || **at == '\r') ++*at;
}

bool asm_read_number(const char **at, int64_t *value) {
  bool negative = **at == '-';
  const char *digits = *at + (negative || **at == '+');
  if (!isdigit((unsigned char)*digits)) return false;
  char *end;
  uint64_t number = strtoull(digits, &end, 0);
  *value = (int64_t)(negative ? -number : number);
  *at = end;
  return !isalpha((unsigned char)*end) && *end != '_';
}

bool asm_read_template(const char **at, AsmName *name, char *modifier) {
  if (**at != TEMPLATE_MARK) return false;
  *name = (AsmName){.present = true, .template = true, .number = (unsigned char)(*at)[1] - FIRST_NUMBER};
  *modifier = (*at)[2];
  *at += 3;
  return true;
}

// --- statements ---

typedef struct Reader {
  Lowering *l;
  const AsmProcessor *processor;
  AsmText *text;
  AsmInstruction prefixes; // of the next instruction
  bool elsewhere;          // in another section: data beside the code
  struct {
    const char *name;
    size_t length;
    unsigned at;
  } labels[MOST_INSTRUCTIONS];
  unsigned label_count;
} Reader;

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '.'; }

static size_t word_length(const char *at) {
  size_t length = 0;
  while (is_word(at[length])) length++;
  return length;
}

static bool word_is(const char *at, size_t length, const char *word) {
  return strlen(word) == length && strncmp(at, word, length) == 0;
}

static bool word_among(const char *at, size_t length, const char *const *words) {
  for (; *words; words++)
    if (word_is(at, length, *words)) return true;
  return false;
}

// Other sections hold tables about the code (addresses of lock prefixes, of instructions that may fault) or code that
// is reached by a jump only. Directives that place something into the code itself are not understood, except for
// padding and the selection of an instruction set.
static bool read_directive(Reader *reader, const char *at, size_t length) {
  static const char *const leaving[] = {".section", ".pushsection", ".subsection", NULL};
  static const char *const returning[] = {".previous", ".popsection", ".text", NULL};
  static const char *const padding[] = {".align", ".balign", ".p2align", ".arch", ".arch_extension", ".cpu", NULL};
  if (word_among(at, length, leaving))
    reader->elsewhere = true;
  else if (word_among(at, length, returning))
    reader->elsewhere = false;
  else
    return reader->elsewhere || word_among(at, length, padding);
  return true;
}

static bool read_prefix(Reader *reader, const char *at, size_t length) {
  static const char *const repeat[] = {"rep", "repe", "repz", NULL}, *const unequal[] = {"repne", "repnz", NULL};
  AsmInstruction *prefixes = &reader->prefixes;
  if (word_is(at, length, "lock")) return prefixes->lock = true;
  if (word_among(at, length, repeat)) return prefixes->repeat = true;
  return word_among(at, length, unequal) && (prefixes->repeat_while_unequal = true);
}

static bool read_label_operand(const char **at, AsmOperand *operand) {
  size_t length = word_length(*at);
  *operand = (AsmOperand){.kind = ASM_LABEL, .label = *at, .label_length = length};
  *at += length;
  return length > 0;
}

static bool read_operands(Reader *reader, AsmInstruction *i, const char *at) {
  assert(i->row);
  asm_skip_blanks(&at);
  while (*at) {
    if (i->operand_count == MOST_TEXT_OPERANDS) return false;
    AsmOperand *operand = &i->operands[i->operand_count++];
    bool label = (i->row->flags & ROW_JUMPS) && i->operand_count == i->row->most;
    if (!(label ? read_label_operand(&at, operand) : reader->processor->read_operand(&at, operand))) return false;
    asm_skip_blanks(&at);
    if (*at && *at++ != ',') return false;
    asm_skip_blanks(&at);
  }
  return true;
}

static bool read_instruction(Reader *reader, const char *at, size_t length) {
  AsmText *text = reader->text;
  AsmInstruction *i = &text->instructions[text->count];
  if (text->count == MOST_INSTRUCTIONS || length >= sizeof i->name) return false;
  *i = reader->prefixes;
  reader->prefixes = (AsmInstruction){0};
  memcpy(i->name, at, length);
  i->name[length] = '\0';
  i->row = reader->processor->find(i);
  if (!i->row || !read_operands(reader, i, at + length)) return false;
  text->has_jumps |= (i->row->flags & ROW_JUMPS) != 0;
  text->count++;
  return i->operand_count >= i->row->least && i->operand_count <= i->row->most &&
         (!i->lock || i->row->flags & ROW_LOCKABLE);
}

// One statement without its separator: labels, then a directive, prefixes or an instruction.
static bool read_statement(Reader *reader, const char *at) {
  for (;;) {
    asm_skip_blanks(&at);
    size_t length = word_length(at);
    if (!*at) return true;
    if (length == 0) return reader->elsewhere;
    if (at[length] == ':') {
      if (reader->label_count == MOST_INSTRUCTIONS) return false;
      if (!reader->elsewhere) {
        reader->labels[reader->label_count].name = at;
        reader->labels[reader->label_count].length = length;
        reader->labels[reader->label_count++].at = reader->text->count;
      }
      at += length + 1;
    } else if (*at == '.') {
      return read_directive(reader, at, length);
    } else if (reader->elsewhere) {
      return true;
    } else if (read_prefix(reader, at, length)) {
      at += length;
    } else {
      return read_instruction(reader, at, length);
    }
  }
}

// `1b` and `1f` are the nearest label 1 before and behind; other names are unique.
static bool resolve(const Reader *reader, unsigned at, AsmOperand *operand) {
  assert(operand->kind == ASM_LABEL && operand->label_length > 0);
  size_t length = operand->label_length;
  char last = operand->label[length - 1];
  bool local = isdigit((unsigned char)operand->label[0]) && (last == 'b' || last == 'f');
  bool found = false;
  for (unsigned i = 0; i < reader->label_count; i++) {
    if (reader->labels[i].length != length - local) continue;
    if (strncmp(reader->labels[i].name, operand->label, length - local) != 0) continue;
    bool before = reader->labels[i].at <= at;
    if (local && before != (last == 'b')) continue;
    if (found && last == 'f') continue; // the first one behind, the last one before
    if (found && !local) return false;
    operand->target = reader->labels[i].at;
    found = true;
  }
  return found;
}

static bool resolve_all(Reader *reader) {
  AsmText *text = reader->text;
  for (unsigned i = 0; i < text->count; i++) {
    AsmInstruction *instruction = &text->instructions[i];
    if (!(instruction->row->flags & ROW_JUMPS)) continue;
    AsmOperand *operand = &instruction->operands[instruction->operand_count - 1];
    if (!resolve(reader, i, operand)) return false;
    text->is_target[operand->target] = true;
  }
  return true;
}

// Cuts the next statement off `*at`, with comments blanked; NULL at the end.
static char *next_statement(char **at, const char *comment) {
  if (!**at) return NULL;
  char *start = *at, *end = start;
  bool quoted = false;
  for (; *end && *end != '\n' && (quoted || *end != ';'); end++) {
    if (*end == '"') quoted = !quoted;
    if (quoted || strncmp(end, comment, strlen(comment)) != 0) continue;
    while (*end && *end != '\n') *end++ = ' ';
    break;
  }
  *at = *end ? end + 1 : end;
  *end = '\0';
  return start;
}

static void blank_block_comments(char *text) {
  for (char *start = strstr(text, "/*"); start; start = strstr(start, "/*")) {
    char *end = strstr(start, "*/");
    size_t length = end ? (size_t)(end + 2 - start) : strlen(start);
    memset(start, ' ', length);
  }
}

bool asm_parse(Lowering *l, const AsmProcessor *processor, const char *source, AsmText *text) {
  *text = (AsmText){0};
  char *at = normalise(l, source);
  if (!at) return false;
  blank_block_comments(at);
  Reader *reader = arena_allocate_zeroed(&l->scratch, sizeof *reader);
  *reader = (Reader){.l = l, .processor = processor, .text = text};
  for (char *statement; (statement = next_statement(&at, processor->comment));)
    if (!read_statement(reader, statement)) return false;
  const AsmInstruction *left = &reader->prefixes;
  return !left->lock && !left->repeat && !left->repeat_while_unequal && resolve_all(reader);
}

// --- texts that are not understood ---

// Instructions that go elsewhere, ask the system or end the process; x86 and arm64.
static bool leaves(const char *at, size_t length) {
  static const char *const words[] = {"call",   "callq", "jmp",     "jmpq",     "ret",     "retq", "int", "int3",
                                      "into",   "iret",  "syscall", "sysenter", "sysexit", "ud2",  "hlt", "bl",
                                      "blr",    "br",    "b",       "svc",      "hvc",     "smc",  "brk", "eret",
                                      "xbegin", "xend",  "xabort",  "leave",    "enter",   NULL};
  return *at == 'j' || strncmp(at, "loop", 4) == 0 || strncmp(at, "b.", 2) == 0 || word_among(at, length, words);
}

bool asm_leaves(Lowering *l, const char *source) {
  char *at = normalise(l, source);
  if (!at) return true;
  for (char *statement; (statement = next_statement(&at, "\x02"));) {
    const char *word = statement;
    asm_skip_blanks(&word);
    size_t length = word_length(word);
    if (leaves(word, length) || *word == '.') return true;
    // Memory behind a register, or by name.
    if (strpbrk(word + length, "([:")) return true;
    for (const char *operand = word + length; *operand; operand++) {
      bool starts = operand[-1] == ' ' || operand[-1] == '\t' || operand[-1] == ',';
      if (starts && (isalpha((unsigned char)*operand) || *operand == '_')) return true;
    }
  }
  return false;
}
