#define _GNU_SOURCE // realpath
#include "cli/options/project.h"

#include "base/map.h"
#include "base/printable.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

// The key of a file in the map, whether it is in it or not. The values of the map are indices of entries.
static uint64_t key_of(const Project *project, const Map *map, const char *file) {
  uint64_t key = hash_bytes(file, strlen(file)), index;
  while (map_get(map, key, &index) && strcmp(project->entries.data[index].file, file) != 0) key++;
  return key;
}

// Links the entries for the same file. A map is used, as databases of large projects have thousands of entries.
static void link_entries(Project *project) {
  size_t count = project->entries.count;
  U32Vector_resize(&project->later, count);
  ByteVector_resize(&project->repeated, count);
  Map last;
  map_init(&last, NULL);
  for (size_t i = 0; i < count; i++) {
    uint64_t key = key_of(project, &last, project->entries.data[i].file), before;
    bool repeated = map_get(&last, key, &before);
    assert(!repeated || before < i);
    if (repeated) project->later.data[before] = (uint32_t)i;
    project->later.data[i] = UINT32_MAX;
    project->repeated.data[i] = repeated;
    map_put(&last, key, i);
  }
  map_free(&last);
}

Project *project_open(const char *directory, Text *error) {
  Project *project = memory_allocate_zeroed(NULL, sizeof *project);
  arena_init(&project->arena, NULL);
  text_init(&project->notes, NULL);
  project->database = arena_format(&project->arena, "%s/compile_commands.json", directory);
  if (!compile_commands_read(&project->entries, project->database, &project->arena, error)) {
    project_close(project);
    return NULL;
  }
  link_entries(project);
  return project;
}

void project_close(Project *project) {
  if (!project) return;
  for (size_t i = 0; i < project->files.count; i++) StringVector_free(&project->files.data[i].options.kept);
  ProjectFileVector_free(&project->files);
  for (size_t i = 0; i < project->others.count; i++) StringVector_free(&project->others.data[i].options.kept);
  ProjectFileVector_free(&project->others);
  compile_commands_free(&project->entries);
  U32Vector_free(&project->later);
  ByteVector_free(&project->repeated);
  text_free(&project->notes);
  arena_free(&project->arena);
  memory_free(NULL, project, sizeof *project);
}

// --- one file ---

static bool same_options(const CompileOptions *a, const CompileOptions *b) {
  if (a->kept.count != b->kept.count || a->pointer_width != b->pointer_width) return false;
  for (size_t i = 0; i < a->kept.count; i++)
    if (strcmp(a->kept.data[i], b->kept.data[i]) != 0) return false;
  return true;
}

// Adds a note if later entries for the same file have other options.
static void note_other_entries(Project *project, const ProjectFile *file, const CompileEntry *used) {
  size_t others = 0;
  Text ignored;
  text_init(&ignored, NULL);
  const uint32_t *later = project->later.data;
  assert(used >= project->entries.data && used < project->entries.data + project->entries.count);
  for (uint32_t i = later[used - project->entries.data]; i != UINT32_MAX; i = later[i]) {
    const CompileEntry *entry = &project->entries.data[i];
    CompileOptions options;
    bool readable = compile_options_of(entry, &options, &project->arena, &ignored);
    if (!readable || !same_options(&options, &file->options)) others++;
    if (readable) StringVector_free(&options.kept);
  }
  text_free(&ignored);
  if (others)
    text_line(&project->notes, "%s: %s has other options for it in %zu more entr%s; the first one counts", file->name,
              project->database, others, others == 1 ? "y" : "ies");
}

static bool check_width(Project *project, const ProjectFile *file, Text *error) {
  assert(file->options.pointer_width == 0 || file->options.pointer_width == 32 || file->options.pointer_width == 64);
  unsigned width = file->options.pointer_width;
  if (!width) return true;
  if (project->pointer_width && project->pointer_width != width) {
    text_format(error, "%s is compiled with -m%u, files before it with -m%u", file->name, width,
                project->pointer_width);
    return false;
  }
  project->pointer_width = width;
  return true;
}

// The entry of this file. NULL with one line in `error`, which names a file of the same name in another directory if
// there is one.
static const CompileEntry *find_entry(Project *project, const char *name, Text *error) {
  const char *path = compile_path(".", name, &project->arena);
  const char *base = strrchr(name, '/') ? strrchr(name, '/') + 1 : name;
  const CompileEntry *alike = NULL;
  for (size_t i = 0; i < project->entries.count; i++) {
    const CompileEntry *entry = &project->entries.data[i];
    if (strcmp(entry->file, path) == 0) return entry;
    if (!alike && strcmp(strrchr(entry->file, '/') + 1, base) == 0) alike = entry;
  }
  if (access(name, R_OK) != 0)
    text_format(error, "%s: %s", name, strerror(errno));
  else
    text_format(error, "%s is not in %s", name, project->database);
  if (alike && access(alike->file, F_OK) == 0) text_format(error, "; there is %s", alike->file);
  return NULL;
}

static bool add_entry(Project *project, const char *name, const CompileEntry *entry, Text *error) {
  ProjectFile file = {.name = arena_string(&project->arena, name)};
  Text fault;
  text_init(&fault, NULL);
  bool good = compile_options_of(entry, &file.options, &project->arena, &fault);
  if (!good) text_format(error, "%s: %s", name, fault.data);
  text_free(&fault);
  if (!good) return false;
  ProjectFileVector_push(&project->files, file);
  note_other_entries(project, &file, entry);
  return check_width(project, &file, error);
}

static bool add_file(Project *project, const char *name, Text *error) {
  if (ends_with(name, ".bc") || ends_with(name, ".i")) return true;
  const CompileEntry *entry = find_entry(project, name, error);
  return entry && add_entry(project, name, entry, error);
}

// --- all files ---

// The path, relative to the working directory if it is below that.
static const char *short_name(const char *path, Arena *arena) {
  char *here = realpath(".", NULL);
  size_t length = here ? strlen(here) : 0;
  bool below = length > 1 && strncmp(path, here, length) == 0 && path[length] == '/';
  free(here);
  return arena_string(arena, below ? path + length + 1 : path);
}

static bool add_all(Project *project, Text *error) {
  size_t others = 0;
  for (size_t i = 0; i < project->entries.count; i++) {
    const char *file = project->entries.data[i].file;
    if (project->repeated.data[i]) continue;
    if (!ends_with(file, ".c"))
      others++;
    else if (!add_entry(project, short_name(file, &project->arena), &project->entries.data[i], error))
      return false;
  }
  if (!project->files.count) text_format(error, "%s: no C file in it", project->database);
  if (others)
    text_line(&project->notes, "%s: %zu file%s not C and left out", project->database, others,
              others == 1 ? " is" : "s are");
  return project->files.count > 0;
}

static void note_asserts(Project *project) {
  size_t silent = 0;
  for (size_t i = 0; i < project->files.count; i++) silent += project->files.data[i].options.no_asserts;
  if (silent)
    text_line(&project->notes, "%s defines NDEBUG for %zu file%s: their assert() checks nothing (-- -UNDEBUG)",
              project->database, silent, silent == 1 ? "" : "s");
}

bool project_choose(Project *project, const char *const *names, size_t count, Text *error) {
  assert(project->files.count == 0);
  bool good = count > 0 || add_all(project, error);
  for (size_t i = 0; good && i < count; i++) good = add_file(project, names[i], error);
  if (good) note_asserts(project);
  return good;
}

static bool is_chosen(Project *project, const char *path) {
  for (size_t i = 0; i < project->files.count; i++)
    if (strcmp(compile_path(".", project->files.data[i].name, &project->arena), path) == 0) return true;
  return false;
}

void project_find_others(Project *project) {
  assert(project->others.count == 0);
  Text ignored;
  text_init(&ignored, NULL);
  for (size_t i = 0; i < project->entries.count; i++) {
    const CompileEntry *entry = &project->entries.data[i];
    if (project->repeated.data[i] || !ends_with(entry->file, ".c") || is_chosen(project, entry->file)) continue;
    ProjectFile file = {.name = short_name(entry->file, &project->arena)};
    if (!compile_options_of(entry, &file.options, &project->arena, &ignored)) continue;
    unsigned width = file.options.pointer_width;
    if (width && project->pointer_width && width != project->pointer_width)
      StringVector_free(&file.options.kept);
    else
      ProjectFileVector_push(&project->others, file);
  }
  text_free(&ignored);
}

const StringVector *project_options(const Project *project, const char *name) {
  for (size_t i = 0; i < project->files.count; i++)
    if (strcmp(project->files.data[i].name, name) == 0) return &project->files.data[i].options.kept;
  return NULL;
}
