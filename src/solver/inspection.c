#include "solver/inspection.h"

#include "solver/decorators.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char *create_folder(const char *parent, const char *name) {
  Text path;
  text_init(&path, NULL);
  bool created = false;
  for (unsigned number = 1; !created; number++) {
    text_clear(&path);
    text_format(&path, "%s/%s-%u", parent, name, number);
    created = mkdir(path.data, 0777) == 0;
    if (!created && errno != EEXIST) break;
  }
  int error = errno;
  char *folder = created ? strdup(path.data) : NULL;
  text_free(&path);
  errno = error;
  return folder;
}

bool inspection_init(Inspection *inspection, const char *parent, const char *name, bool cross_check, Log *log) {
  *inspection = (Inspection){.cross_check = cross_check, .log = log};
  if (parent) inspection->folder = create_folder(parent, name);
  return !parent || inspection->folder;
}

void inspection_free(Inspection *inspection) { free(inspection->folder); }

static void report(void *context, const char *what) {
  Inspection *inspection = context;
  inspection->contradictions++;
  log_error(inspection->log, "--cross-check: solver %u: %s", inspection->solvers, what);
}

Solver *inspection_wrap(Inspection *inspection, Solver *inner) {
  Solver *solver = inner;
  inspection->solvers++;
  if (inspection->cross_check) {
    Solver *second = z3_new(inner->store, inner->account, inner->budget);
    solver = crosscheck_new(inner, second, report, inspection, &inspection->compared);
  }
  if (!inspection->folder) return solver;
  char name[16];
  snprintf(name, sizeof name, "%03u", inspection->solvers);
  return dump_new(solver, inspection->folder, name, &inspection->error);
}
