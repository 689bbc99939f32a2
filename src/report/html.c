#include "report/html_data.h"
#include "report/report.h"

#include <assert.h>

// The parts of the page. The build embeds them (cmake/page.cmake); each ends with a zero byte.
extern const char heddle_page_html[], heddle_page_css[], heddle_page_model_js[], heddle_page_parts_js[];
extern const char heddle_page_js[];

static void add_escaped(Text *out, const char *text) {
  for (; *text; text++) {
    if (*text == '<')
      text_add(out, "&lt;");
    else if (*text == '&')
      text_add(out, "&amp;");
    else
      text_add_char(out, *text);
  }
}

static void add_title(const Report *report, Text *out) {
  text_format(out, "%s: ", answer_text(report->result->answer));
  const char *name = report->file_count ? report->files[0] : "program";
  const char *slash = strrchr(name, '/');
  add_escaped(out, slash ? slash + 1 : name);
}

// The parts that are the same in every report.
static const struct {
  const char *mark, *text;
} fixed_parts[] = {{"style", heddle_page_css},
                   {"model", heddle_page_model_js},
                   {"parts", heddle_page_parts_js},
                   {"script", heddle_page_js}};
enum { FIXED_PARTS = sizeof fixed_parts / sizeof *fixed_parts };

static bool is_mark(const char *name, size_t length, const char *mark) {
  return strlen(mark) == length && memcmp(name, mark, length) == 0;
}

static void add_part(const Report *report, const char *name, size_t length, Text *out) {
  if (is_mark(name, length, "title")) add_title(report, out);
  if (is_mark(name, length, "data")) html_add_data(report, out);
  for (size_t i = 0; i < FIXED_PARTS; i++)
    if (is_mark(name, length, fixed_parts[i].mark)) text_add(out, fixed_parts[i].text);
}

// The page is html_page.html with each mark {{name}} replaced.
void report_html(const Report *report, Text *out) {
  const char *rest = heddle_page_html, *mark, *end;
  assert(report->result && report->version);
  while ((mark = strstr(rest, "{{")) && (end = strstr(mark, "}}"))) {
    text_add_bytes(out, rest, (size_t)(mark - rest));
    add_part(report, mark + 2, (size_t)(end - mark - 2), out);
    rest = end + 2;
  }
  text_add(out, rest);
}
