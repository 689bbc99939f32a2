#include "bench/find.h"

#include "verdict/property.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct Finder {
  BenchRowVector *rows;
  Arena *arena;
  const char *root;
  const char *property;
  Log *log;
} Finder;

bool bench_knows_property(const char *name) {
  static const char *const names[] = {
#define X(name, text, ...) text,
      PROPERTIES(X)
#undef X
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) return true;
  return false;
}

// The path below the root, but at least a directory and a file.
static const char *task_name(const Finder *finder, const char *path) {
  const char *rest = path;
  if (strncmp(path, finder->root, strlen(finder->root)) == 0) rest = path + strlen(finder->root);
  rest += strspn(rest, "/");
  if (strchr(rest, '/')) return arena_string(finder->arena, rest);
  char *whole = realpath(path, NULL);
  if (!whole) return arena_string(finder->arena, path);
  char *slash = strrchr(whole, '/');
  while (slash > whole && slash[-1] != '/') slash--;
  const char *name = arena_string(finder->arena, slash);
  free(whole);
  return name;
}

static void add_task(Finder *finder, const char *path) {
  BenchRow row = {.name = task_name(finder, path), .options = "", .reason = "", .statistics = ""};
  row.directory = row_directory(finder->arena, row.name);
  Task *task = arena_allocate_zeroed(finder->arena, sizeof *task);
  Text error;
  text_init(&error, NULL);
  if (task_read(task, finder->arena, path, &error)) {
    row.task = task;
    bool all = strcmp(finder->property, "all") == 0, any = false;
    for (size_t i = 0; i < task->properties.count; i++) {
      row.property = &task->properties.data[i];
      if (all ? !bench_knows_property(row.property->name) : strcmp(row.property->name, finder->property) != 0) continue;
      BenchRowVector_push(finder->rows, row);
      any = true;
    }
    if (!any) task_free(task);
  } else {
    log_error(finder->log, "%s", error.data);
    row.done = true;
    row.answer = BENCH_ANSWER_ERROR;
    row.reason = arena_string(finder->arena, error.data);
    BenchRowVector_push(finder->rows, row);
  }
  text_free(&error);
}

static int compare_texts(const void *left, const void *right) {
  return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static bool list_directory(Finder *finder, const char *path, StringVector *entries) {
  assert(entries->count == 0);
  DIR *directory = opendir(path);
  if (!directory) return false;
  for (struct dirent *entry; (entry = readdir(directory));)
    if (entry->d_name[0] != '.')
      StringVector_push(entries,
                        arena_format(finder->arena, "%s%s%s", path, ends_with(path, "/") ? "" : "/", entry->d_name));
  closedir(directory);
  if (entries->count > 0) qsort(entries->data, entries->count, sizeof *entries->data, compare_texts);
  return true;
}

// Depth is limited because a link may lead back up.
static bool find_below(Finder *finder, const char *path, int depth) {
  struct stat status;
  if (stat(path, &status) != 0) {
    log_error(finder->log, "%s: %s", path, strerror(errno));
    return false;
  }
  if (!S_ISDIR(status.st_mode)) {
    if (depth == 0 || ends_with(path, ".yml")) add_task(finder, path);
    return true;
  }
  enum { DEEPEST = 32 };
  if (depth == DEEPEST) {
    log_error(finder->log, "%s: directories are nested too deeply", path);
    return false;
  }
  StringVector entries = {0};
  bool found = list_directory(finder, path, &entries);
  if (!found) log_error(finder->log, "%s: %s", path, strerror(errno));
  for (size_t i = 0; i < entries.count && found; i++) {
    // Below the root, only directories and task definitions are of interest; anything else may be unreadable.
    struct stat entry;
    bool directory = stat(entries.data[i], &entry) == 0 && S_ISDIR(entry.st_mode);
    if (directory || ends_with(entries.data[i], ".yml")) found = find_below(finder, entries.data[i], depth + 1);
  }
  StringVector_free(&entries);
  return found;
}

bool rows_find(BenchRowVector *rows, Arena *arena, const char *path, const char *property, Log *log) {
  Finder finder = {.rows = rows, .arena = arena, .root = path, .property = property, .log = log};
  return find_below(&finder, path, 0);
}

void rows_free_tasks(BenchRowVector *rows) {
  const Task *freed = NULL;
  for (size_t i = 0; i < rows->count; i++) {
    const Task *task = rows->data[i].task;
    if (task && task != freed) task_free((Task *)task); // the rows of one task are neighbours
    freed = task;
    rows->data[i].task = NULL;
  }
}
