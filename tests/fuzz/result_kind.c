#include "fuzz/result_kind.h"

#include "base/file.h"
#include "verdict/verdict.h"

#include <unistd.h>

static ResultKind kind_of(ReasonKind why) {
  if (why == REASON_DOUBT) return RESULT_IN_DOUBT;
  if (why == REASON_UNCONFIRMED) return RESULT_UNCONFIRMED;
  return reason_kind_is_failure(why) ? RESULT_FAILED : RESULT_HONEST;
}

ResultKind result_kind_read(const char *path, Text *error) {
  if (access(path, F_OK) != 0) return RESULT_HONEST;
  Text json;
  text_init(&json, NULL);
  Result *result = NULL;
  if (file_read(&json, path, FILE_MOST_DATA, NULL)) result = result_read_json(json.data, NULL, error, NULL);
  ResultKind kind = result ? kind_of(result->why) : RESULT_FAILED;
  result_free(result);
  text_free(&json);
  return kind;
}
