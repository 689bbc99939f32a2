// How reports call threads: by the order in which an execution creates them.
#include "program/program.h"

#include <string.h>

// "thread PATH..." and "PATH:...": control blocks, and blocks that other threads than main allocate.
static const char *renamed(Program *p, const Object *object, const char *name) {
  const Thread *thread = &p->threads.data[object->owner];
  const char *before = object->storage == STORAGE_CONTROL ? "thread " : "";
  size_t head = strlen(before), path = strlen(thread->path);
  bool fits = name && strncmp(name, before, head) == 0 && strncmp(name + head, thread->path, path) == 0;
  const char *rest = fits ? name + head + path : NULL;
  if (!fits || (object->storage == STORAGE_HEAP && *rest != ':')) return name;
  return intern_format(&p->strings, "%s%s%s", before, thread->label, rest);
}

static void rename_object(Program *p, Object *object) {
  object->name = renamed(p, object, object->name);
  for (uint32_t i = 0; i < object->cell_count; i++) {
    Cell *cell = &p->cells.data[object->first_cell + i];
    cell->name = renamed(p, object, cell->name);
  }
}

void program_label_threads(Program *p, const ThreadId *created, size_t count) {
  for (size_t i = 0; i < count; i++) p->threads.data[created[i]].label = intern_format(&p->strings, "%zu", i + 1);
  for (size_t i = 0; i < p->objects.count; i++) {
    Object *object = &p->objects.data[i];
    bool of_thread = object->storage == STORAGE_CONTROL || object->storage == STORAGE_HEAP;
    if (of_thread && object->owner != NO_ID && object->owner != 0) rename_object(p, object);
  }
}
