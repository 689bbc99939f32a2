#include "report/report.h"

void report_sarif(const Report *report, Text *out) {
  (void)report;
  (void)out;
}
