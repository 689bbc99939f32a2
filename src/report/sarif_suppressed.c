// Suppressed places in SARIF: results of the kind "notApplicable", with the reason for the suppression.
#include "report/report.h"
#include "report/sarif_parts.h"

void sarif_add_suppressed(const Report *report, SarifFiles *files, bool first, Text *out) {
  const Program *program = report->program;
  Property property = report->result->property;
  for (size_t i = 0; program && i < program->reliances.count; i++) {
    const Reliance *row = &program->reliances.data[i];
    if (row->assumption != ASSUME_SUPPRESSED) continue;
    text_format(
        out, "%s\n       {\"ruleId\": \"%s\", \"ruleIndex\": %u, \"kind\": \"notApplicable\", \"level\": \"none\",\n",
        first ? "" : ",", property_name(property), (unsigned)property);
    first = false;
    text_add(out, "        \"message\": ");
    sarif_add_message(out, "A violation here does not count: it is suppressed, and was not looked for.");
    text_add(out, ",\n        \"locations\": [");
    sarif_add_location(files, &row->position, NULL, out);
    text_format(out, "],\n        \"suppressions\": [{\"kind\": \"%s\", \"status\": \"accepted\", ",
                row->external ? "external" : "inSource");
    sarif_add_member(out, "justification", row->by);
    text_add(out, "}]}");
  }
}
