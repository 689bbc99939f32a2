// The page of a survey: survey_page.html with each mark {{name}} replaced. Its data are those of survey_json.c, with
// `<`, `>` and `&` escaped, so that no text of a program can end the script element. Style and the parts that draw are
// shared with the report of `check` (html_page.css, html_page_parts.js).
#include "base/printable.h"
#include "report/surveys/survey_report.h"

// The parts of the page, embedded by the build (cmake/page.cmake); each ends with a zero byte.
extern const char heddle_survey_html[], heddle_survey_css[], heddle_survey_js[], heddle_page_css[];
extern const char heddle_page_parts_js[];

// In JSON these characters are inside of strings only.
static void add_data(const SurveyReport *report, Text *out) {
  Text json;
  text_init(&json, NULL);
  survey_report_json(report, &json);
  for (size_t i = 0; i < json.length; i++) {
    char c = json.data[i];
    if (c == '<' || c == '>' || c == '&')
      text_format(out, "\\u%04x", (unsigned)c);
    else
      text_add_char(out, c);
  }
  text_free(&json);
}

static void add_title(const SurveyReport *report, Text *out) {
  const char *file = report->files[0], *slash = strrchr(file, '/');
  text_add(out, "survey: ");
  Text name;
  text_init(&name, NULL);
  text_add_printable(&name, slash ? slash + 1 : file, strlen(slash ? slash + 1 : file), PRINTABLE_LINE);
  for (const char *c = name.data; *c; c++) {
    if (*c == '<' || *c == '&')
      text_add(out, *c == '<' ? "&lt;" : "&amp;");
    else
      text_add_char(out, *c);
  }
  text_free(&name);
}

static bool is_mark(const char *name, size_t length, const char *mark) {
  return strlen(mark) == length && memcmp(name, mark, length) == 0;
}

static void add_part(const SurveyReport *report, const char *name, size_t length, Text *out) {
  if (is_mark(name, length, "title")) add_title(report, out);
  if (is_mark(name, length, "style")) text_add(out, heddle_page_css);
  if (is_mark(name, length, "own-style")) text_add(out, heddle_survey_css);
  if (is_mark(name, length, "parts")) text_add(out, heddle_page_parts_js);
  if (is_mark(name, length, "script")) text_add(out, heddle_survey_js);
  if (is_mark(name, length, "data")) add_data(report, out);
}

void survey_report_page(const SurveyReport *report, Text *out) {
  const char *rest = heddle_survey_html, *mark, *end;
  while ((mark = strstr(rest, "{{")) && (end = strstr(mark, "}}"))) {
    text_add_bytes(out, rest, (size_t)(mark - rest));
    add_part(report, mark + 2, (size_t)(end - mark - 2), out);
    rest = end + 2;
  }
  text_add(out, rest);
}
