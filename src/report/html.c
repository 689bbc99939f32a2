#include "report/report.h"

void report_html(const Report *report, Text *out) {
  (void)report;
  (void)out;
}
