#include "survey/formats.h"

typedef struct FormatFunction {
  const char *name;
  uint32_t operand; // of a call: the format
} FormatFunction;

// clang-format off: a table.
static const FormatFunction functions[] = {
    {"printf", 1}, {"vprintf", 1}, {"wprintf", 1}, {"vwprintf", 1}, {"fprintf", 2}, {"vfprintf", 2}, {"fwprintf", 2},
    {"vfwprintf", 2}, {"dprintf", 2}, {"vdprintf", 2}, {"sprintf", 2}, {"vsprintf", 2}, {"asprintf", 2},
    {"vasprintf", 2}, {"syslog", 2}, {"vsyslog", 2}, {"snprintf", 3}, {"vsnprintf", 3}, {"swprintf", 3},
    {"vswprintf", 3}, {"warn", 1}, {"warnx", 1}, {"vwarn", 1}, {"vwarnx", 1}, {"err", 2}, {"errx", 2}, {"verr", 2},
    {"verrx", 2}, {"error", 3}, {"__printf_chk", 2}, {"__vprintf_chk", 2}, {"__wprintf_chk", 2}, {"__fprintf_chk", 3},
    {"__vfprintf_chk", 3}, {"__fwprintf_chk", 3}, {"__dprintf_chk", 3}, {"__vdprintf_chk", 3}, {"__asprintf_chk", 3},
    {"__vasprintf_chk", 3}, {"__syslog_chk", 3}, {"__sprintf_chk", 4}, {"__vsprintf_chk", 4}, {"__snprintf_chk", 5},
    {"__vsnprintf_chk", 5}, {"__swprintf_chk", 5}, {"__vswprintf_chk", 5}, {"scanf", 1}, {"vscanf", 1}, {"wscanf", 1},
    {"fscanf", 2}, {"vfscanf", 2}, {"fwscanf", 2}, {"sscanf", 2}, {"vsscanf", 2}, {"swscanf", 2},
    {"__isoc99_scanf", 1}, {"__isoc99_vscanf", 1}, {"__isoc99_fscanf", 2}, {"__isoc99_vfscanf", 2},
    {"__isoc99_sscanf", 2}, {"__isoc99_vsscanf", 2}, {"__isoc23_scanf", 1}, {"__isoc23_vscanf", 1},
    {"__isoc23_fscanf", 2}, {"__isoc23_vfscanf", 2}, {"__isoc23_sscanf", 2}, {"__isoc23_vsscanf", 2},
};
// clang-format on

// 0: it has none.
static uint32_t format_operand(const char *name) {
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (strcmp(functions[i].name, name) == 0) return functions[i].operand;
  return 0;
}

static bool is_constant_text(const SurveyFacts *facts, CodeOperand operand) {
  PlaceRange range = pointing_of(facts->pointing, operand);
  for (uint32_t i = 0; i < range.count; i++) {
    const Area *area = pointing_area(facts->pointing, range.data[i].area);
    if (area->kind != AREA_STATIC || !facts->code->objects[area->object].constant) return false;
  }
  return range.count > 0;
}

static bool is_built(const SurveyFacts *facts, const CodeStatement *call, CallTarget target) {
  if (target.kind != CALL_LIBRARY) return false;
  assert(target.function < facts->code->function_count);
  uint32_t operand = format_operand(facts->code->functions[target.function].name);
  return operand && operand < call->operand_count && !is_constant_text(facts, code_operand(facts->code, call, operand));
}

bool formats_may_be_built(const SurveyFacts *facts) {
  for (uint32_t s = 0; s < facts->code->statement_count; s++) {
    CallTargets targets = calls_of(facts->calls, s);
    for (uint32_t i = 0; i < targets.count; i++)
      if (is_built(facts, &facts->code->statements[s], targets.data[i])) return true;
  }
  return false;
}
