#define _GNU_SOURCE // realpath
#include "report/sarif_parts.h"

#include "verdict/json.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>

static const char *const base_names[SARIF_BASES] = {
    [SARIF_BASE_WORK] = "%SRCROOT%", [SARIF_BASE_PROJECT] = "%PROJECTROOT%"};

// Adds a directory as an absolute path with a slash at the end; nothing if it cannot be found.
static void add_directory(const char *path, Text *out) {
  char *absolute = realpath(path, NULL);
  if (absolute) text_format(out, "%s%s", absolute, strcmp(absolute, "/") == 0 ? "" : "/");
  free(absolute);
}

void sarif_files_init(SarifFiles *files, const char *project) {
  *files = (SarifFiles){0};
  sources_init(&files->sources, NULL);
  for (int i = 0; i < SARIF_BASES; i++) text_init(&files->bases[i], NULL);
  add_directory(".", &files->bases[SARIF_BASE_WORK]);
  if (project) add_directory(project, &files->bases[SARIF_BASE_PROJECT]);
}

void sarif_files_free(SarifFiles *files) {
  StringVector_free(&files->paths);
  sources_free(&files->sources);
  for (int i = 0; i < SARIF_BASES; i++) text_free(&files->bases[i]);
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

static bool climbs(const char *path) { return strncmp(path, "../", 3) == 0 || strstr(path, "/../"); }

// Adds the absolute path, without `./` at its start. If it contains `..` and the file exists, its real path is added.
static void add_absolute(const SarifFiles *files, const char *path, Text *out) {
  char *real = climbs(path) ? realpath(path, NULL) : NULL;
  if (real) path = real;
  while (path[0] == '.' && path[1] == '/')
    for (path += 2; *path == '/';) path++;
  if (*path != '/') text_add(out, files->bases[SARIF_BASE_WORK].data);
  text_add(out, path);
  free(real);
}

// The base below which an absolute path is, or SARIF_BASES.
static int base_of(const SarifFiles *files, const char *path) {
  int base = 0;
  while (base < SARIF_BASES &&
         !(files->bases[base].length && strncmp(path, files->bases[base].data, files->bases[base].length) == 0))
    base++;
  return base;
}

// Adds the URI, and its base if it has one. If there is no working directory, a relative path stays as it is.
static void add_uri(const SarifFiles *files, const char *path, Text *out) {
  Text absolute;
  text_init(&absolute, NULL);
  add_absolute(files, path, &absolute);
  int base = base_of(files, absolute.data);
  size_t skipped = base < SARIF_BASES ? files->bases[base].length : 0;
  text_format(out, "\"uri\": \"%s", base == SARIF_BASES && absolute.data[0] == '/' ? "file://" : "");
  add_encoded(absolute.data + skipped, out);
  text_add_char(out, '"');
  if (base < SARIF_BASES) text_format(out, ", \"uriBaseId\": \"%s\"", base_names[base]);
  text_free(&absolute);
}

void sarif_add_artifact_location(const SarifFiles *files, const char *path, Text *out) {
  text_add_char(out, '{');
  add_uri(files, path, out);
  size_t index = find_path(files, path);
  if (index < files->paths.count) text_format(out, ", \"index\": %zu", index);
  text_add_char(out, '}');
}

void sarif_add_bases(const SarifFiles *files, Text *out) {
  const char *before = "      \"originalUriBaseIds\": {";
  for (int i = 0; i < SARIF_BASES; i++) {
    if (!files->bases[i].length) continue;
    text_format(out, "%s\"%s\": {\"uri\": \"file://", before, base_names[i]);
    add_encoded(files->bases[i].data, out);
    text_add(out, "\"}");
    before = ", ";
  }
  if (*before == ',') text_add(out, "},\n");
}

void sarif_add_location(SarifFiles *files, const Position *position, const char *message, Text *out) {
  assert(position->file);
  sarif_file_index(files, position->file);
  text_add(out, "{\"physicalLocation\": {\"artifactLocation\": ");
  sarif_add_artifact_location(files, position->file, out);
  text_format(out, ", \"region\": {\"startLine\": %u", (unsigned)position->line);
  // Columns count bytes. They are the same as characters if the part of the line before is ASCII, as indentation is.
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
