#include "report/sarif_parts.h"

#include "verdict/json.h"

#include <ctype.h>
#include <stdlib.h>
#include <unistd.h>

void sarif_files_init(SarifFiles *files) {
  *files = (SarifFiles){0};
  sources_init(&files->sources, NULL);
  text_init(&files->directory, NULL);
  char *directory = getcwd(NULL, 0);
  if (directory) text_format(&files->directory, "%s%s", directory, strcmp(directory, "/") == 0 ? "" : "/");
  free(directory);
}

void sarif_files_free(SarifFiles *files) {
  StringVector_free(&files->paths);
  sources_free(&files->sources);
  text_free(&files->directory);
}

static size_t find_path(const SarifFiles *files, const char *path) {
  size_t i = 0;
  while (i < files->paths.count && strcmp(files->paths.data[i], path) != 0) i++;
  return i;
}

size_t sarif_file_index(SarifFiles *files, const char *path) {
  size_t i = find_path(files, path);
  if (i == files->paths.count) StringVector_push(&files->paths, path);
  return i;
}

// --- strings ---

void sarif_add_string(Text *out, const char *string) {
  Text clean;
  text_init(&clean, NULL);
  for (size_t left = strlen(string); left;) {
    uint32_t code;
    size_t length = utf8_decode(string, left, &code);
    if (length)
      text_add_bytes(&clean, string, length);
    else
      text_add(&clean, "\xef\xbf\xbd");
    string += length ? length : 1;
    left -= length ? length : 1;
  }
  json_add_string(out, clean.data);
  text_free(&clean);
}

void sarif_add_member(Text *out, const char *name, const char *string) {
  text_format(out, "\"%s\": ", name);
  sarif_add_string(out, string);
}

void sarif_add_message(Text *out, const char *text) {
  text_add_char(out, '{');
  sarif_add_member(out, "text", text);
  text_add_char(out, '}');
}

// --- files ---

static void add_encoded(const char *path, Text *out) {
  for (const char *c = path; *c; c++) {
    unsigned char byte = (unsigned char)*c;
    if (byte < 0x80 && (isalnum(byte) || strchr("-._~/", byte)))
      text_add_char(out, *c);
    else
      text_format(out, "%%%02X", (unsigned)byte);
  }
}

// The path below the working directory, or NULL: it is elsewhere.
static const char *relative_path(const SarifFiles *files, const char *path) {
  if (files->directory.length && strncmp(path, files->directory.data, files->directory.length) == 0)
    path += files->directory.length;
  if (*path == '/') return NULL;
  while (path[0] == '.' && path[1] == '/')
    for (path += 2; *path == '/';) path++;
  return path;
}

void sarif_add_uri(const SarifFiles *files, const char *path, Text *out) {
  const char *relative = relative_path(files, path);
  if (!relative) text_add(out, "file://");
  add_encoded(relative ? relative : path, out);
}

void sarif_add_artifact_location(const SarifFiles *files, const char *path, Text *out) {
  text_add(out, "{\"uri\": \"");
  sarif_add_uri(files, path, out);
  text_add_char(out, '"');
  if (relative_path(files, path)) text_add(out, ", \"uriBaseId\": \"%SRCROOT%\"");
  size_t index = find_path(files, path);
  if (index < files->paths.count) text_format(out, ", \"index\": %zu", index);
  text_add_char(out, '}');
}

void sarif_add_location(SarifFiles *files, const Position *position, const char *message, Text *out) {
  sarif_file_index(files, position->file);
  text_add(out, "{\"physicalLocation\": {\"artifactLocation\": ");
  sarif_add_artifact_location(files, position->file, out);
  text_format(out, ", \"region\": {\"startLine\": %u", (unsigned)position->line);
  // Columns are bytes here; they are characters only where a line has no others before it, as indentation has.
  if (position->column) text_format(out, ", \"startColumn\": %u", (unsigned)position->column);
  Text line;
  text_init(&line, NULL);
  if (sources_add_line(&files->sources, position->file, position->line, &line)) {
    text_add(out, ", \"snippet\": ");
    sarif_add_message(out, line.data);
  }
  text_free(&line);
  text_add(out, "}}");
  if (position->function) {
    text_add(out, ", \"logicalLocations\": [{");
    sarif_add_member(out, "name", position->function);
    text_add(out, ", \"kind\": \"function\"}]");
  }
  if (message) {
    text_add(out, ", \"message\": ");
    sarif_add_message(out, message);
  }
  text_add_char(out, '}');
}

void sarif_add_artifacts(const SarifFiles *files, Text *out) {
  text_add(out, "      \"artifacts\": [");
  for (size_t i = 0; i < files->paths.count; i++) {
    text_add(out, i ? ",\n        {\"location\": " : "\n        {\"location\": ");
    sarif_add_artifact_location(files, files->paths.data[i], out);
    text_add(out, ", \"roles\": [\"analysisTarget\"], \"sourceLanguage\": \"c\"}");
  }
  text_add(out, "]\n");
}
