#include "report/report.h"

void report_witness(const Report *report, Text *out) {
  (void)report;
  (void)out;
}
