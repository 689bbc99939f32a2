// What a child process tells its parent: one message, which is of the kind that its command has, or an error.
//
// Messages travel through a pipe as one JSON object; its member "kind" says which of the others it has. They are
// written and read here only. Results are objects in them; texts that the parent prints or writes to files are strings,
// made valid UTF-8 (verdict/json.h); bytes are pairs of hexadecimal digits.
//
// A message owns what it points to.
#ifndef HEDDLE_CLI_RUN_MESSAGE_H
#define HEDDLE_CLI_RUN_MESSAGE_H

#include "base/text.h"
#include "cli/commands.h"
#include "verdict/finding.h"
#include "verdict/goals.h"
#include "verdict/verdict.h"

#include <stdbool.h>

// X(NAME, name in JSON)
#define MESSAGE_KINDS(X)                                                                                               \
  X(ERROR, "error") /* instead of any of the others */                                                                 \
  X(CHECK, "check") /* of one round: an answer about one property */                                                   \
  X(FINDINGS, "findings")                                                                                              \
  X(REPLAY, "replay")                                                                                                  \
  X(SHOW, "show")                                                                                                      \
  X(SURVEY, "survey")                                                                                                  \
  X(VALIDATE, "validate")
typedef enum MessageKind {
#define X(name, text) MESSAGE_##name,
  MESSAGE_KINDS(X)
#undef X
      MESSAGE_KIND_COUNT
} MessageKind;

// Of a round of `check`. X(member)
#define CHECK_TEXTS(X)                                                                                                 \
  X(trace)    /* of an UNSAFE result, to be printed */                                                                 \
  X(schedule) /* the schedule file of an UNSAFE result */                                                              \
  X(report)   /* of the page the data of this answer (report.h), if it was asked for */                                \
  X(witness)  /* likewise: files */                                                                                    \
  X(sarif)                                                                                                             \
  X(large) /* of a program that is inlined on demand: how large it would be otherwise */
typedef struct CheckMessage {
  Result *result; // without a schedule once it was read
#define X(member) Text member;
  CHECK_TEXTS(X)
#undef X
  Finding finding; // of an UNSAFE result
  Goals goals;     // all of the property, with those that were settled before
} CheckMessage;
VECTOR(CheckMessageVector, CheckMessage);

// Of `check`. The answers about a property follow one another: UNSAFE for each finding, UNKNOWN for each finding that
// is contradicted, then SAFE or UNKNOWN for the rest. With --first there is nothing behind the first UNSAFE.
typedef struct FindingsMessage {
  CheckMessageVector answers;
} FindingsMessage;

typedef struct ReplayMessage {
  Result *result; // likewise
  Text trace;
} ReplayMessage;

typedef struct ShowMessage {
  bool binary;  // the content is any bytes, not text
  Text content; // to be printed, or written to --output
} ShowMessage;

// Of `survey`. X(member)
#define SURVEY_TEXTS(X)                                                                                                \
  X(text)    /* to be printed */                                                                                       \
  X(verdict) /* the last line */                                                                                       \
  X(json)    /* likewise: files that were asked for */                                                                 \
  X(sarif)                                                                                                             \
  X(page)
typedef struct SurveyMessage {
#define X(member) Text member;
  SURVEY_TEXTS(X)
#undef X
  int status; // of the command
} SurveyMessage;

// What `validate` says of a witness. X(NAME, name, exit status)
#define WITNESS_VERDICTS(X)                                                                                            \
  X(UNKNOWN, "UNKNOWN", STATUS_UNKNOWN)                                                                                \
  X(CONFIRMED, "CONFIRMED", STATUS_SAFE)                                                                               \
  X(REJECTED, "REJECTED", STATUS_UNSAFE)
typedef enum WitnessVerdict {
#define X(name, text, status) WITNESS_##name,
  WITNESS_VERDICTS(X)
#undef X
      WITNESS_VERDICT_COUNT
} WitnessVerdict;
const char *witness_verdict_name(WitnessVerdict verdict);
int witness_verdict_status(WitnessVerdict verdict);

typedef struct ValidateMessage {
  WitnessVerdict verdict;
  Text reason; // one line, or empty
  Text trace;  // of a confirmed witness, to be printed
  Text notes;  // lines for --verbose
} ValidateMessage;

typedef struct Message {
  MessageKind kind;
  union {
    Text error; // in the input: lines for standard error
    CheckMessage check;
    FindingsMessage findings;
    ReplayMessage replay;
    ShowMessage show;
    SurveyMessage survey;
    ValidateMessage validate;
  };
} Message;

// Was the finding of the message told as a violation, and contradicted then? Its goals are open.
static inline bool check_message_is_contradicted(const CheckMessage *message) {
  return message->result->answer == ANSWER_UNKNOWN && message->finding.kind != VIOLATION_NONE;
}
// Adds a message that came before the answer about the rest. One that is contradicted takes the place of the violation.
// `first`: of the property. The messages of violations stay in front of the contradicted ones.
void answers_add(CheckMessageVector *answers, size_t first, CheckMessage message);

void check_message_init(CheckMessage *message); // empty, without a result
void check_message_free(CheckMessage *message);
void message_init(Message *message, MessageKind kind); // empty
void message_free(Message *message);

void message_write(const Message *message, Text *out); // appends it
// The child's end: appends the message to `out` and frees it. With an error, that is told instead.
void message_send(Message *message, const Text *error, Text *out);
// The parent's end: a message of this kind, or of MESSAGE_ERROR. On failure returns false with a line in `error`, and
// the message is an empty one of that kind.
bool message_read(Message *message, MessageKind kind, const char *text, Text *error);

#endif
