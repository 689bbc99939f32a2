#include "cli/answers/answers_print.h"

#include "base/printable.h"
#include "cli/run/supervised.h"

#include <assert.h>
#include <stdio.h>

// --- one result ---

// Assumptions of a violation: it needs none, except that functions without a body may behave as the execution shows.
static uint32_t told_assumptions(const Result *result) {
  uint32_t shown = 1u << ASSUME_UNDEFINED_FUNCTION | 1u << ASSUME_ASSEMBLY | 1u << ASSUME_ADDRESSES;
  return result->answer == ANSWER_SAFE     ? result->assumptions
         : result->answer == ANSWER_UNSAFE ? result->assumptions & shown
                                           : 0;
}

// What is printed, and which lines were: what several answers have in common is told once.
typedef struct Printer {
  const Options *options;
  bool gcc; // as messages of a compiler, which have no place
  Interner lines;
  Map told; // addresses of interned lines
  Text *out;
} Printer;

static bool is_new(Printer *printer, const char *line, size_t length) {
  const char *kept = intern_format(&printer->lines, "%.*s", (int)length, line);
  if (map_contains(&printer->told, (uint64_t)(uintptr_t)kept)) return false;
  map_put(&printer->told, (uint64_t)(uintptr_t)kept, 1);
  return true;
}

static void print_notes(Printer *printer, const Result *result) {
  static const char mark[] = "note: ";
  Text notes;
  text_init(&notes, NULL);
  result_tell_notes(result, &notes);
  for (const char *line = notes.data; *line; line += strcspn(line, "\n") + 1) {
    size_t length = strcspn(line, "\n"), left = strncmp(line, mark, sizeof mark - 1) == 0 ? sizeof mark - 1 : 0;
    if (!is_new(printer, line, length)) continue;
    if (printer->gcc)
      text_format(printer->out, "heddle: note: %.*s\n", (int)(length - left), line + left);
    else
      text_format(printer->out, "%.*s\n", (int)length, line);
  }
  text_free(&notes);
}

// `begun`: the heading was printed.
static void print_assumptions(Printer *printer, const Result *result, bool *begun) {
  uint32_t assumptions = told_assumptions(result);
  Text line;
  text_init(&line, NULL);
  for (AssumptionCursor at = {0}; result_next_assumption(result, assumptions, &at, &line);) {
    if (!is_new(printer, line.data, line.length)) continue;
    if (!*begun && !printer->gcc) text_add(printer->out, "this rests on:\n");
    *begun = true;
    text_format(printer->out, "%s%s\n", printer->gcc ? "heddle: note: this rests on: " : "  ", line.data);
  }
  text_free(&line);
}

static void print_limits(Printer *printer, const Result *result) {
  if (result->answer != ANSWER_UNKNOWN) return;
  const char *note = printer->gcc ? "heddle: note: " : "", *limit = printer->gcc ? "heddle: warning: " : "  ";
  if (result->covered.length) text_format(printer->out, "%scovered: %s\n", note, result->covered.data);
  if (result->cuts.count && !printer->gcc) text_add(printer->out, "limits met:\n");
  for (size_t i = 0; i < result->cuts.count; i++)
    text_format(printer->out, "%s%s: %s\n", limit, cut_kind_text(result->cuts.data[i].kind),
                result->cuts.data[i].what.data);
}

static void print_formula(const Options *options, Text *out) {
  text_add(out, "formula: ");
  text_add_printable(out, options->formula->text, strlen(options->formula->text), PRINTABLE_LINE);
  text_add(out, options->fair ? " (fair)\n" : "\n");
}

// What was taken out of the question, whatever the answer.
static void print_suppressed(const Options *options, const Result *result, Text *out) {
  size_t count = 0;
  for (size_t i = 0; i < result->rests_on.count; i++) count += result->rests_on.data[i].assumption == ASSUME_SUPPRESSED;
  if (!count) return;
  text_format(out, "%s%zu suppressed: ", output_is_gcc(options) ? "heddle: note: " : "", count);
  const char *separator = "";
  for (size_t i = 0; i < result->rests_on.count; i++) {
    if (result->rests_on.data[i].assumption != ASSUME_SUPPRESSED) continue;
    text_format(out, "%s%s", separator, result->rests_on.data[i].what.data);
    separator = ", ";
  }
  text_add_char(out, '\n');
}

// `several`: assumptions are told for all answers together.
static void print_one(Printer *printer, const CheckMessage *message, bool several) {
  const Result *result = message->result;
  if (printer->options->quiet) {
    result_tell_notes_of(result, NOTE_UNDEFINED, printer->out); // without it the answer would say more than is known
    return;
  }
  bool begun = false;
  if (result->answer == ANSWER_UNSAFE) text_add(printer->out, message->trace.data);
  print_notes(printer, result);
  if (!several) print_assumptions(printer, result, &begun);
  print_limits(printer, result);
}

// --- the table ---

static void print_row(const char *mark, const char *name, const char *const *numbers, Text *out) {
  text_format(out, "%s%-22s%8s%8s%10s%8s\n", mark, name, numbers[0], numbers[1], numbers[2], numbers[3]);
}

static void print_table(const Options *options, const PropertyAnswerVector *answers, Text *out) {
  const char *mark = output_is_gcc(options) ? "heddle: note: " : "";
  print_row(mark, "", (const char *const[]){"goals", "proved", "violated", "open"}, out);
  for (size_t i = 0; i < answers->count; i++) {
    const PropertyAnswer *row = &answers->data[i];
    size_t counts[] = {row->goals, row->proved, row->violated, row->open};
    bool known =
        row->goals || row->answer != ANSWER_UNKNOWN || !row->rest || result_statistic(row->rest->result, "rounds") > 0;
    char texts[4][24];
    for (size_t k = 0; k < 4; k++)
      if (known)
        snprintf(texts[k], sizeof texts[k], "%zu", counts[k]);
      else
        snprintf(texts[k], sizeof texts[k], "-");
    print_row(mark, property_name(row->property), (const char *const[]){texts[0], texts[1], texts[2], texts[3]}, out);
  }
}

// "unreach-call: UNSAFE (2 violations; the rest is open: out of time)"
static void print_answer_line(const PropertyAnswer *answer, Text *out) {
  text_format(out, "%s: %s", property_name(answer->property), answer_text(answer->answer));
  if (answer->violations) text_format(out, " (%zu violation%s", answer->violations, answer->violations > 1 ? "s" : "");
  const Result *unknown = answer_unknown(answer);
  if (unknown) {
    text_add(out, !answer->violations ? " (" : answer->contradictions ? "; some are open: " : "; the rest is open: ");
    result_add_reason(unknown, out);
  }
  text_add(out, answer->answer == ANSWER_SAFE ? "\n" : ")\n");
}

// --- all ---

// What is said about a property besides its findings.
static void print_rest(Printer *printer, const PropertyAnswer *answer, bool several) {
  const char *mark = printer->gcc ? "heddle: note: " : "";
  for (size_t i = 0; i < answer->contradictions; i++) {
    const CheckMessage *message = &answer->contradicted[i];
    text_format(printer->out, "%sopen:", mark);
    for (size_t k = 0; k < message->finding.goals.count; k++)
      text_format(printer->out, "%s %s", k ? "," : "", message->finding.goals.data[k]);
    text_format(printer->out, " (%s)\n", message->result->reason.data);
  }
  if (!answer->rest) return;
  if (answer->violations)
    text_format(printer->out, "%s%s\n", mark,
                answer->rest->result->answer == ANSWER_SAFE ? "there are no other violations" : "the rest is open");
  print_one(printer, answer->rest, several);
}

static void print_property(Printer *printer, const PropertyAnswer *answer, bool several) {
  const Options *options = printer->options;
  text_format(printer->out, "property: %s\n", property_name(answer->property));
  if (options->formula && !options->quiet) print_formula(options, printer->out);
  for (size_t i = 0; i < answer->violations; i++) {
    if (i && options->quiet) break;
    if (i) text_format(printer->out, "violation %zu of %s\n", i + 1, property_name(answer->property));
    print_one(printer, &answer->findings[i], several);
  }
  if (!answer->violations || (several && !options->quiet)) print_rest(printer, answer, several);
  if (!options->quiet) print_suppressed(options, answer_told(answer)->result, printer->out);
}

static void add_assumptions(const Result *result, Result *all) {
  uint32_t told = told_assumptions(result);
  all->assumptions |= told;
  for (size_t i = 0; i < result->rests_on.count; i++) {
    const RestsOn *row = &result->rests_on.data[i];
    if (told >> row->assumption & 1) result_rest_on(all, row->assumption, row->what.data);
  }
}

// Tells each assumption once, with the places of all answers.
static void print_all_assumptions(Printer *printer, const PropertyAnswerVector *answers) {
  assert(answers->count > 0);
  Result *all = result_new(answers->data[0].property, NULL);
  all->answer = ANSWER_SAFE;
  for (size_t i = 0; i < answers->count; i++) {
    const PropertyAnswer *answer = &answers->data[i];
    for (size_t k = 0; k < answer->violations; k++) add_assumptions(answer->findings[k].result, all);
    if (answer->rest) add_assumptions(answer->rest->result, all);
  }
  bool begun = false;
  print_assumptions(printer, all, &begun);
  result_free(all);
}

void answers_print(const Options *options, const PropertyAnswerVector *answers, Text *out) {
  bool several = answers_are_several(answers);
  Printer printer = {.options = options, .gcc = output_is_gcc(options), .out = out};
  interner_init(&printer.lines, NULL);
  map_init(&printer.told, NULL);
  for (size_t i = 0; i < answers->count; i++)
    if (answers->count == 1 || !options->quiet) print_property(&printer, &answers->data[i], several);
  if (several && !options->quiet) {
    print_all_assumptions(&printer, answers);
    print_table(options, answers, out);
  }
  for (size_t i = 0; answers->count > 1 && i < answers->count; i++) print_answer_line(&answers->data[i], out);
  map_free(&printer.told);
  interner_free(&printer.lines);
}

// --- the verdict of all ---

// Why properties are UNKNOWN. Properties with the same reason are told together.
typedef struct Reasons {
  const PropertyAnswerVector *answers;
  const char **texts; // per answer; equal texts are one pointer; NULL: it is not UNKNOWN
  Interner strings;
} Reasons;

static void reasons_init(Reasons *reasons, const PropertyAnswerVector *answers) {
  *reasons = (Reasons){.answers = answers};
  interner_init(&reasons->strings, NULL);
  reasons->texts = memory_allocate_zeroed(NULL, answers->count * sizeof *reasons->texts);
  Text text;
  text_init(&text, NULL);
  for (size_t i = 0; i < answers->count; i++) {
    if (answers->data[i].answer != ANSWER_UNKNOWN) continue;
    text_clear(&text);
    result_add_reason(answer_unknown(&answers->data[i]), &text);
    reasons->texts[i] = intern(&reasons->strings, text.data);
  }
  text_free(&text);
}

static void reasons_free(Reasons *reasons) {
  memory_free(NULL, reasons->texts, reasons->answers->count * sizeof *reasons->texts);
  interner_free(&reasons->strings);
}

// The first answer with the reason of this one.
static size_t reasons_first(const Reasons *reasons, size_t index) {
  size_t i = 0;
  while (reasons->texts[i] != reasons->texts[index]) i++;
  return i;
}

static bool reasons_all_alike(const Reasons *reasons) {
  for (size_t i = 0; i < reasons->answers->count; i++)
    if (reasons->texts[i] != reasons->texts[0]) return false;
  return true;
}

// "no-data-race, no-deadlock: "
static void reasons_add_properties(const Reasons *reasons, size_t index, Text *out) {
  for (size_t i = index; i < reasons->answers->count; i++)
    if (reasons->texts[i] == reasons->texts[index])
      text_format(out, "%s%s", i > index ? ", " : "", property_name(reasons->answers->data[i].property));
  text_add(out, ": ");
}

void answers_print_verdict(const PropertyAnswerVector *answers, Text *out) {
  Answer worst = answers_worst(answers);
  text_format(out, "result: %s", answer_text(worst));
  if (worst != ANSWER_UNKNOWN) return;
  Reasons reasons;
  reasons_init(&reasons, answers);
  const char *separator = " (";
  for (size_t i = 0; i < answers->count; i++) {
    if (!reasons.texts[i] || reasons_first(&reasons, i) < i) continue;
    text_add(out, separator);
    if (!reasons_all_alike(&reasons)) reasons_add_properties(&reasons, i, out);
    text_add(out, reasons.texts[i]);
    separator = "; ";
  }
  text_add_char(out, ')');
  reasons_free(&reasons);
}
