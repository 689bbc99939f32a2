// Names of heap blocks. A block is named after the type that it holds (`node#2`), or after the variable or member that
// receives its address (`buffer#1`), with a number. For threads other than main the thread's path comes first.
//
// The type is that of the pointer variable to which the allocating call's result is stored, according to debug
// information. If that is a pointer to void, the function is taken for a wrapper, and the call of the function is
// examined instead.
#include "front/objects/source_names.h"
#include "front/sites/sites.h"

enum { POINTER_TAG = 0x0f, MOST_WRAPPERS = 6, DEEPEST_PLACE = 8 }; // DW_TAG_pointer_type

// An lvalue: the type of its value, and its name without the name of the object that it is a part of.
typedef struct PlaceType {
  LLVMValueRef type;
  const char *name;
} PlaceType;

typedef struct Finder {
  Lowering *lowering;
  const FunctionInfo *function;
} Finder;

static LLVMValueRef pointee(LLVMValueRef type) {
  type = debug_strip(type);
  bool pointer = type && LLVMGetDINodeTag(LLVMValueAsMetadata(type)) == POINTER_TAG;
  return pointer ? debug_operand(type, DEBUG_TYPE_BASE) : NULL;
}

static PlaceType member_at(Finder *f, LLVMValueRef record, uint64_t offset) {
  LLVMValueRef members = debug_operand(record, DEBUG_TYPE_ELEMENTS);
  unsigned count = members ? (unsigned)LLVMGetMDNodeNumOperands(members) : 0;
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef member = debug_operand(members, i);
    if (!member || LLVMDITypeGetOffsetInBits(LLVMValueAsMetadata(member)) / 8 != offset) continue;
    return (PlaceType){debug_operand(member, DEBUG_TYPE_BASE), debug_string(f->lowering, member, DEBUG_TYPE_NAME)};
  }
  return (PlaceType){0};
}

static PlaceType place_type(Finder *f, LLVMValueRef place, unsigned depth);

// The place that a chain of indices leads to inside of `whole`. The first index only chooses an element.
static PlaceType part_of(Finder *f, PlaceType whole, LLVMValueRef gep) {
  assert(LLVMGetNumOperands(gep) > 0);
  const FrontUnit *unit = f->lowering->unit;
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  unsigned operands = (unsigned)LLVMGetNumOperands(gep);
  for (unsigned i = 2; i < operands && whole.type; i++) {
    LLVMValueRef held = debug_strip(whole.type);
    if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      unsigned field = (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(gep, i));
      whole =
          debug_is_record(held) ? member_at(f, held, LLVMOffsetOfElement(unit->layout, type, field)) : (PlaceType){0};
      type = LLVMStructGetTypeAtIndex(type, field);
    } else {
      whole.type = debug_is_array(held) ? debug_operand(held, DEBUG_TYPE_BASE) : NULL;
      type = LLVMGetElementType(type);
    }
  }
  return whole;
}

static bool is_offset(LLVMValueRef value) {
  return LLVMIsAGetElementPtrInst(value) ||
         (LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMGetElementPtr);
}

static PlaceType place_type(Finder *f, LLVMValueRef place, unsigned depth) {
  LLVMValueRef declaration = NULL;
  if (depth > DEEPEST_PLACE) return (PlaceType){0};
  if (LLVMIsALoadInst(place)) {
    PlaceType pointer = place_type(f, LLVMGetOperand(place, 0), depth + 1);
    return (PlaceType){pointee(pointer.type), pointer.name};
  }
  if (is_offset(place)) return part_of(f, place_type(f, LLVMGetOperand(place, 0), depth + 1), place);
  if (LLVMIsAAllocaInst(place))
    declaration = (LLVMValueRef)(uintptr_t)map_get_or(&f->function->declarations, pointer_key(place), 0);
  else if (LLVMIsAGlobalVariable(place))
    declaration = names_global_declaration(f->lowering, place);
  if (!declaration) return (PlaceType){0};
  return (PlaceType){debug_operand(declaration, DEBUG_VARIABLE_TYPE), names_local(f->lowering, declaration)};
}

// Where the value is stored first, as far as that is known.
static PlaceType receiver(Finder *f, LLVMValueRef value) {
  PlaceType best = {0};
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAStoreInst(user) || LLVMGetOperand(user, 0) != value) continue;
    PlaceType place = place_type(f, LLVMGetOperand(user, 1), 0);
    if (place.name) best = place;
  }
  return best;
}

// The name of a type, if it has one that says something: a struct, a union, an enumeration, or a name for one.
static const char *type_name(Lowering *l, LLVMValueRef type) {
  LLVMValueRef held = debug_strip(type);
  if (!debug_is_record(held)) return NULL;
  const char *tag = debug_string(l, held, DEBUG_TYPE_NAME);
  return tag ? tag : debug_string(l, type, DEBUG_TYPE_NAME);
}

const char *names_block(Lowering *l, LLVMValueRef *type) {
  const Activation *a = l->top;
  LLVMValueRef call = NULL;
  const char *name = NULL;
  *type = NULL;
  for (; a && a->info->library; a = a->caller) call = a->call;
  for (unsigned i = 0; i < MOST_WRAPPERS && a && call && !*type; i++, call = a->call, a = a->caller) {
    Finder finder = {l, a->info};
    PlaceType place = receiver(&finder, call);
    if (place.name) name = place.name;
    *type = pointee(place.type);
  }
  const char *held = *type ? type_name(l, *type) : NULL;
  return held ? held : name ? name : "block";
}

const char *names_number_block(Lowering *l, const char *name) {
  assert(l->thread < l->program->threads.count);
  uint64_t key[2] = {(uint64_t)(uintptr_t)name, l->thread}, hash = hash_bytes(key, sizeof key);
  uint64_t number = map_get_or(&l->block_numbers, hash, 0) + 1;
  map_put(&l->block_numbers, hash, number);
  const char *path = l->program->threads.data[l->thread].path;
  if (l->thread == 0) return intern_format(&l->program->strings, "%s#%llu", name, (unsigned long long)number);
  return intern_format(&l->program->strings, "%s:%s#%llu", path, name, (unsigned long long)number);
}
