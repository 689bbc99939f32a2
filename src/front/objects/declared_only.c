// Globals that the program declares and no file defines: they hold any value, and undefined functions may change them.
//
// An array declared without a length (`extern int table[];`) has no size. If the program accesses it at constant
// offsets only, its size is what these accesses need. Otherwise FrontLimits.object_bytes is its size, and an access
// behind that is a cut (Beyond); reaching the cut makes the limit grow.
#include "front/objects/objects.h"

enum { MOST_USES = 10000 };

bool is_declared_only(const FrontUnit *unit, LLVMValueRef global) {
  return LLVMIsAGlobalVariable(global) && LLVMIsDeclaration(unit_global_definition(unit, global));
}

// An upper bound for the size of such an array.
static int64_t room(const FrontUnit *unit) { return INT64_C(1) << (unit->pointer_width == 32 ? 29 : 36); }

// --- how far the program's accesses reach ---

typedef struct Reach {
  const FrontUnit *unit;
  uint64_t bytes; // from the start of the object
  unsigned uses;
  bool known; // false: some access is at a place that is not constant
} Reach;

static void reach_through(Reach *reach, LLVMValueRef value, int64_t offset);

// Adds the offset that the indices select; false if an index is not constant.
static bool constant_offset(const FrontUnit *unit, LLVMValueRef gep, int64_t *offset) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  unsigned operands = (unsigned)LLVMGetNumOperands(gep);
  for (unsigned i = 1; i < operands; i++) {
    LLVMValueRef index = LLVMGetOperand(gep, i);
    if (!LLVMIsAConstantInt(index)) return false;
    if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
      *offset += (int64_t)LLVMOffsetOfElement(unit->layout, type, field);
      type = LLVMStructGetTypeAtIndex(type, field);
      continue;
    }
    if (i > 1) type = LLVMGetElementType(type);
    *offset += LLVMConstIntGetSExtValue(index) * (int64_t)type_bytes(unit, type);
  }
  return true;
}

static void reach_to(Reach *reach, int64_t offset, LLVMTypeRef type) {
  int64_t end = offset + (int64_t)type_bytes(reach->unit, type);
  if (offset >= 0 && end <= room(reach->unit) && (uint64_t)end > reach->bytes) reach->bytes = (uint64_t)end;
  if (offset < 0 || end > room(reach->unit)) reach->known = false;
}

static void reach_by_use(Reach *reach, LLVMValueRef value, LLVMValueRef user, int64_t offset) {
  if (LLVMIsALoadInst(user)) {
    reach_to(reach, offset, LLVMTypeOf(user));
  } else if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == value && LLVMGetOperand(user, 0) != value) {
    reach_to(reach, offset, LLVMTypeOf(LLVMGetOperand(user, 0)));
  } else if (LLVMIsAGetElementPtrInst(user) ||
             (LLVMIsAConstantExpr(user) && LLVMGetConstOpcode(user) == LLVMGetElementPtr)) {
    if (LLVMGetOperand(user, 0) == value && constant_offset(reach->unit, user, &offset))
      reach_through(reach, user, offset);
    else
      reach->known = false;
  } else {
    reach->known = false;
  }
}

static void reach_through(Reach *reach, LLVMValueRef value, int64_t offset) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use && reach->known; use = LLVMGetNextUse(use)) {
    if (++reach->uses > MOST_USES) reach->known = false;
    reach_by_use(reach, value, LLVMGetUser(use), offset);
  }
}

bool declared_only_bytes(const FrontUnit *unit, LLVMValueRef global, uint64_t *bytes) {
  Reach reach = {.unit = unit, .known = true};
  reach_through(&reach, global, 0);
  *bytes = reach.bytes;
  return reach.known;
}

void declared_only_extend(Lowering *l, ObjectId object) {
  assert(object + 1 == l->program->objects.count && "the object was added last");
  const Object *extended = &l->program->objects.data[object];
  const char *what = intern_format(&l->program->strings, "%s, which is declared without a length, beyond %llu bytes",
                                   extended->name, (unsigned long long)extended->size);
  Beyond beyond = {.more = (uint64_t)room(l->unit), .exact = extended->size, .kind = CUT_BLOCK, .what = what};
  program_extend_object(l->program, object, &beyond);
}

// --- what undefined functions may change ---

// Objects of C and POSIX: undefined functions of the program are assumed not to change them.
static bool is_library_object(const char *name) {
  static const char *const names[] = {"stdin",    "stdout", "stderr",  "environ",    "__environ",
                                      "optarg",   "optind", "opterr",  "optopt",     "timezone",
                                      "daylight", "tzname", "signgam", "getdate_err"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i], name) == 0) return true;
  return false;
}

void declared_only_havoc(Lowering *l, CutId callback) {
  assert(callback == NO_ID || callback < l->program->cuts.count);
  for (LLVMValueRef g = LLVMGetFirstGlobal(l->unit->user); g && l->current != NO_ID; g = LLVMGetNextGlobal(g)) {
    if (!is_declared_only(l->unit, g) || LLVMIsGlobalConstant(g) || LLVMIsThreadLocal(g)) continue;
    if (!LLVMGetFirstUse(g) || is_library_object(value_name(g)) || starts_with(value_name(g), "__heddle_")) continue;
    Term address = object_address(l, global_object(l, g));
    lower_doubtful_writes(l, address, callback);
  }
}
