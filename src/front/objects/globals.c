// Objects of globals, thread-locals and functions, with their initial bytes.
#include "front/lower/process_start.h"
#include "front/objects/objects.h"
#include "front/objects/source_names.h"

#include <string.h>

ObjectId function_object(Lowering *l, LLVMValueRef function) {
  LLVMValueRef definition = unit_definition(l->unit, function);
  LLVMValueRef named = definition ? definition : function;
  assert(LLVMIsAFunction(named));
  uint64_t known;
  if (map_get(&l->objects, pointer_key(named), &known)) return (ObjectId)known;
  size_t length;
  ObjectId object = lower_object(l, 16, 16, STORAGE_FUNCTION, NO_ID, LLVMGetValueName2(named, &length));
  if (object == NO_ID) return NO_ID;
  map_put(&l->objects, pointer_key(named), object);
  map_put(&l->functions, l->program->objects.data[object].address, pointer_key(named));
  return object;
}

void functions_lay_out(Lowering *l) {
  assert(l->program->objects.count == 0 && "no object comes before the functions");
  for (size_t i = 0; i < l->unit->taken.count; i++) function_object(l, (LLVMValueRef)(uintptr_t)l->unit->taken.data[i]);
  l->functions_end = l->program->next_address;
}

// The objects of these functions are the first ones, side by side.
Term is_taken_function(Lowering *l, Term pointer) {
  if (l->program->objects.count == 0 || l->unit->taken.count == 0) return term_false(l->terms);
  uint64_t first = l->program->objects.data[0].address;
  assert(l->functions_end >= first);
  Term offset = term_add_constant(l->terms, pointer, -(Bits)first);
  return term_binary(l->terms, TERM_ULT, offset, constant_address(l, l->functions_end - first));
}

ObjectId label_object(Lowering *l, LLVMBasicBlockRef block) {
  uint64_t known;
  if (map_get(&l->objects, pointer_key(block), &known)) return (ObjectId)known;
  ObjectId object = lower_object(l, 16, 16, STORAGE_FUNCTION, NO_ID, LLVMGetBasicBlockName(block));
  if (object != NO_ID) map_put(&l->objects, pointer_key(block), object);
  return object;
}

Term points_to_function(Lowering *l, Term pointer, LLVMValueRef function) {
  ObjectId object = function_object(l, function);
  return object == NO_ID ? term_false(l->terms) : term_eq(l->terms, pointer, object_address(l, object));
}

LLVMValueRef function_at(const Lowering *l, Term address) {
  if (!term_is_constant(l->terms, address)) return NULL;
  uint64_t found = map_get_or(&l->functions, (uint64_t)term_constant_value(l->terms, address), 0);
  return (LLVMValueRef)(uintptr_t)found;
}

static uint8_t *initial_bytes(Lowering *l, ObjectId id) {
  assert(id < l->program->objects.count);
  Object *object = &l->program->objects.data[id];
  if (!object->initial) object->initial = arena_allocate_zeroed(&l->program->arena, object->size + 1);
  return object->initial;
}

void object_set_initial(Lowering *l, ObjectId object, uint64_t offset, uint64_t value, unsigned bytes) {
  assert(bytes <= sizeof value && offset + bytes <= l->program->objects.data[object].size);
  memcpy(initial_bytes(l, object) + offset, &value, bytes); // little-endian, as both data models are
}

// Writes the bytes of a constant initialiser; pointers to globals create their objects on the way.
static bool write_initial(Lowering *l, ObjectId object, uint64_t offset, LLVMValueRef value) {
  if (LLVMIsNull(value) || LLVMIsUndef(value)) return true;
  LLVMTypeRef type = LLVMTypeOf(value);
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (is_text(value)) {
    size_t length;
    const char *text = LLVMGetAsString(value, &length);
    assert(offset + length <= l->program->objects.data[object].size);
    memcpy(initial_bytes(l, object) + offset, text, length);
    return true;
  }
  if (type_is_packed(type)) return false;
  if (kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind || kind == LLVMVectorTypeKind) {
    bool is_struct = kind == LLVMStructTypeKind;
    uint64_t count = is_struct                    ? LLVMCountStructElementTypes(type)
                     : kind == LLVMVectorTypeKind ? LLVMGetVectorSize(type)
                                                  : LLVMGetArrayLength2(type);
    uint64_t stride = is_struct ? 0 : type_bytes(l->unit, LLVMGetElementType(type));
    for (uint64_t i = 0; i < count; i++) {
      uint64_t at = is_struct ? LLVMOffsetOfElement(l->unit->layout, type, (unsigned)i) : i * stride;
      if (!write_initial(l, object, offset + at, LLVMGetAggregateElement(value, (unsigned)i))) return false;
    }
    return true;
  }
  uint32_t leaf_count;
  LocationId keep = l->current;
  const Term *terms = value_terms(l, value, &leaf_count);
  if (!terms || leaf_count != 1 || !term_is_constant(l->terms, terms[0])) return false;
  if (keep == NO_ID || l->current == NO_ID) return false; // it may point to an object that has no room
  Bits bits = term_constant_value(l->terms, terms[0]);
  unsigned bytes = (term_width(l->terms, terms[0]) + 7) / 8;
  assert(offset + bytes <= l->program->objects.data[object].size);
  memcpy(initial_bytes(l, object) + offset, &bits, bytes);
  return true;
}

static uint64_t thread_key(LLVMValueRef global, ThreadId thread) {
  return hash_mix(pointer_key(global) + thread * 0x9e3779b9u);
}

// The size of a global. An array with zero length still has an address. A global that is declared only, without a size,
// may have any size: `*open` says that bytes behind the returned size may be accessed.
static uint64_t global_size(Lowering *l, LLVMValueRef global, bool *open) {
  LLVMTypeRef type = LLVMGlobalGetValueType(global);
  uint64_t bytes = LLVMTypeIsSized(type) ? type_bytes(l->unit, type) : 0;
  *open = false;
  if (bytes > 0 || !is_declared_only(l->unit, global)) return bytes;
  program_rely(l->program, ASSUME_SIZE_ELSEWHERE, value_name(global), l->position);
  *open = !declared_only_bytes(l->unit, global, &bytes);
  return *open ? l->limits->object_bytes : bytes;
}

static bool uses_any(const FrontUnit *unit, const char *const *names) {
  while (*names && !unit_uses(unit, *names)) names++;
  return *names != NULL;
}

// The value of a constant of lib/heddle.h that depends on the property and on the program. False: `name` is none.
static bool constant_for_models(Lowering *l, const char *name, bool *value) {
  static const char *const error_places[] = {"__errno_location", "__error", NULL};
  static const char *const clocks[] = {"clock_gettime", "clock", "times", "syscall", NULL};
  if (strcmp(name, "__heddle_exact_conditions") == 0) {
    *value = l->view.exact_conditions;
    if (*value) l->program->assumptions |= 1u << ASSUME_NO_SPURIOUS_WAKEUPS;
  } else if (strcmp(name, "__heddle_joins_in_loops") == 0) {
    *value = l->unit->joins_in_loops;
  } else if (strcmp(name, "__heddle_every_access") == 0) {
    *value = l->view.every_access;
  } else if (strcmp(name, "__heddle_errno_matters") == 0) {
    *value = uses_any(l->unit, error_places);
  } else if (strcmp(name, "__heddle_clocks_matter") == 0) {
    *value = uses_any(l->unit, clocks);
  } else {
    return false;
  }
  return true;
}

static void initialise(Lowering *l, ObjectId object, LLVMValueRef global, const char *name) {
  LLVMValueRef value = LLVMIsDeclaration(global) ? NULL : LLVMGetInitializer(global);
  bool told;
  if (constant_for_models(l, name, &told)) {
    object_set_initial(l, object, 0, told, 4);
    map_put(&l->never_written, object, 1); // models branch on it: only one side is lowered
  } else if (!value) {
    // Defined elsewhere: it may hold anything.
    l->program->objects.data[object].indeterminate = true;
  } else if (!write_initial(l, object, 0, value)) {
    map_put(&l->unmodelled, object, 1);
  }
}

// An atom of a formula that reads a thread-local: no thread of the program writes the observer's copy. So it is a cut.
static void refuse_copy(Lowering *l, LLVMValueRef global) {
  bool model = LLVMGetGlobalParent(global) == l->unit->models;
  const char *name = model ? "errno or other data of the library" : value_name(global);
  builder_cut(l, CUT_CONSTRUCT,
              intern_format(&l->program->strings, "it looks at %s, of which each thread has its own", name));
}

// __start_NAME and __stop_NAME, the limits of a linker section: the model does not place objects between them. So a
// use is a cut.
static void refuse_section(Lowering *l, LLVMValueRef global) {
  const char *name = value_name(global);
  if (!is_declared_only(l->unit, global) || !(starts_with(name, "__start_") || starts_with(name, "__stop_"))) return;
  builder_cut(l, CUT_CONSTRUCT, intern_format(&l->program->strings, "%s, a limit of a section", name));
}

ObjectId global_object(Lowering *l, LLVMValueRef reference) {
  LLVMValueRef global = unit_global_definition(l->unit, reference);
  assert(LLVMIsAGlobalVariable(global));
  refuse_section(l, global);
  bool local = LLVMIsThreadLocal(global);
  if (local && l->is_observer) refuse_copy(l, global);
  Map *table = local ? &l->thread_locals : &l->objects;
  uint64_t name_key = local ? thread_key(global, l->thread) : pointer_key(global), known;
  if (map_get(table, name_key, &known)) {
    // Each use is a cut, because every thread reaches the object on its own ways.
    if (map_contains(&l->unmodelled, known)) builder_cut(l, CUT_CONSTRUCT, "initialiser that is not modelled");
    return (ObjectId)known;
  }
  size_t length;
  const char *name = LLVMGetValueName2(global, &length);
  Storage storage = local ? STORAGE_TLS : LLVMIsGlobalConstant(global) ? STORAGE_CONSTANT : STORAGE_GLOBAL;
  bool model = LLVMGetGlobalParent(global) == l->unit->models;
  ObjectId object = model ? launch_object(l, name) : NO_ID;
  if (object != NO_ID) {
    map_put(table, name_key, object);
    return object;
  }
  bool open;
  uint64_t bytes = global_size(l, global, &open);
  object = lower_object(l, bytes, LLVMGetAlignment(global), storage, local ? l->thread : NO_ID, name);
  if (object == NO_ID) return NO_ID;
  if (open) declared_only_extend(l, object);
  map_put(table, name_key, object);
  names_parts_of_global(l, object, global);
  initialise(l, object, global, name);
  bool known_value = !map_contains(&l->unmodelled, object);
  if (known_value && global_is_never_written(l->unit, global)) map_put(&l->never_written, object, 1);
  if (!known_value) builder_cut(l, CUT_CONSTRUCT, "initialiser that is not modelled");
  return object;
}
