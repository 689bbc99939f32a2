#include "base/printable.h"
#include "report/page/html_data.h"
#include "report/report.h"

#include <assert.h>

// The parts of the page. The build embeds them (cmake/page.cmake); each ends with a zero byte.
extern const char heddle_page_html[], heddle_page_css[], heddle_page_model_js[], heddle_page_parts_js[];
extern const char heddle_page_js[];

// A byte that is not part of a character becomes U+FFFD, and so does a control character, which HTML does not allow.
static void add_escaped(Text *out, const char *text) {
  size_t left = strlen(text);
  for (size_t length; left; text += length, left -= length) {
    uint32_t code;
    length = utf8_decode(text, left, &code);
    if (*text == '<')
      text_add(out, "&lt;");
    else if (*text == '&')
      text_add(out, "&amp;");
    else if (length && !utf8_is_control(code))
      text_add_bytes(out, text, length);
    else
      text_add(out, "\xef\xbf\xbd");
    if (!length) length = 1;
  }
}

// What is put into the page.
typedef struct Page {
  Answer answer;
  const char *file; // the first of the program
  const char *data;
} Page;

static void add_title(const Page *page, Text *out) {
  text_format(out, "%s: ", answer_text(page->answer));
  const char *slash = strrchr(page->file, '/');
  add_escaped(out, slash ? slash + 1 : page->file);
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

static void add_part(const Page *page, const char *name, size_t length, Text *out) {
  if (is_mark(name, length, "title")) add_title(page, out);
  if (is_mark(name, length, "data")) text_add(out, page->data);
  for (size_t i = 0; i < FIXED_PARTS; i++)
    if (is_mark(name, length, fixed_parts[i].mark)) text_add(out, fixed_parts[i].text);
}

// The page is html_page.html with each mark {{name}} replaced.
void report_page(Answer answer, const char *file, const char *data, Text *out) {
  const Page page = {answer, file, data};
  const char *rest = heddle_page_html, *mark, *end;
  while ((mark = strstr(rest, "{{")) && (end = strstr(mark, "}}"))) {
    text_add_bytes(out, rest, (size_t)(mark - rest));
    add_part(&page, mark + 2, (size_t)(end - mark - 2), out);
    rest = end + 2;
  }
  text_add(out, rest);
}

void report_page_data(const Report *report, Text *out) {
  assert(report->result && report->version);
  html_add_data(report, out);
}

static void add_row(const PageRow *row, Text *out) {
  const char *names[] = {property_name(row->property), answer_text(row->answer), row->reason};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    text_add(out, i ? "," : "[");
    html_add_string(out, names[i], strlen(names[i]));
  }
  text_format(out, ",%zu,%zu,%zu,%zu]", row->goals, row->proved, row->violated, row->open);
}

void report_join_data(Answer answer, const PageRow *rows, size_t row_count, const Text *const *reports, size_t count,
                      Text *out) {
  text_format(out, "{\"answer\":\"%s\",\n\"table\":[", answer_text(answer));
  for (size_t i = 0; i < row_count; i++) {
    text_add(out, i ? ",\n" : "\n");
    add_row(&rows[i], out);
  }
  text_add(out, "],\n\"findings\":[");
  for (size_t i = 0; i < count; i++) {
    assert(reports[i]->length);
    text_add(out, i ? ",\n" : "\n");
    text_add(out, reports[i]->data);
  }
  text_add(out, "]}\n");
}
