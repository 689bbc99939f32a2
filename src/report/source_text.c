#include "report/source_text.h"

#include "base/file.h"

#include <assert.h>
#include <ctype.h>

void sources_init(Sources *sources, Account *account) {
  *sources = (Sources){.account = account};
  SourceFileVector_init(&sources->files, account);
}

void sources_free(Sources *sources) {
  for (size_t i = 0; i < sources->files.count; i++) {
    text_free(&sources->files.data[i].content);
    U64Vector_free(&sources->files.data[i].line_starts);
  }
  SourceFileVector_free(&sources->files);
}

static const SourceFile *find_file(Sources *sources, const char *path) {
  for (size_t i = 0; i < sources->files.count; i++)
    if (strcmp(sources->files.data[i].path, path) == 0) return &sources->files.data[i];
  SourceFile file = {.path = path};
  text_init(&file.content, sources->account);
  U64Vector_init(&file.line_starts, sources->account);
  (void)file_read(&file.content, path, FILE_MOST_DATA, NULL); // if that fails, the file has no lines
  for (size_t i = 0; i < file.content.length; i++)
    if (i == 0 || file.content.data[i - 1] == '\n') U64Vector_push(&file.line_starts, i);
  return SourceFileVector_push(&sources->files, file);
}

bool sources_add_line(Sources *sources, const char *path, uint32_t line, Text *out) {
  assert(path);
  const SourceFile *file = find_file(sources, path);
  if (line == 0 || line > file->line_starts.count) return false;
  size_t old_length = out->length;
  bool blank = false;
  for (size_t i = file->line_starts.data[line - 1]; i < file->content.length && file->content.data[i] != '\n'; i++) {
    char c = file->content.data[i];
    if (isspace((unsigned char)c) || iscntrl((unsigned char)c)) {
      blank = out->length > old_length;
      continue;
    }
    if (blank) text_add_char(out, ' ');
    blank = false;
    text_add_char(out, c);
  }
  return out->length > old_length;
}
