#!/bin/bash
# .heddle.yml: the settings of a project.
. "$(dirname "$0")/common.sh"
mkdir -p project/source project/include
mkdir project/.git
cat >project/source/main.c <<'END'
#include <pthread.h>
#include "limit.h"
int counter, other;
int outside(void);
void *worker(void *argument) {
  counter = counter + LIMIT;
#ifdef OTHER
  other = 1;
#endif
  return 0;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  counter = outside();
#ifdef OTHER
  other = 2;
#endif
  pthread_join(thread, 0);
  return 0;
}
END
echo '#define LIMIT 1' >project/include/limit.h
echo 'int outside(void) { return 7; }' >project/stubs.c
cat >project/.heddle.yml <<'END'
properties: [no-data-race]
files: [source/main.c]
clang-options: [-Iinclude]
limits:
  time-limit: 20s
  threads-limit: 4
models: [stubs.c]
suppressions:
  - property: no-data-race
    file: "main*.c"
    line: 6
END
run project/source/main.c
want_last "result: SAFE"
want_out "property: no-data-race"
want_out "1 suppressed: no-data-race at project/source/main.c:6 by "
want_out ".heddle.yml:9"
grep -q "undefined function" .out && complain "the model was not taken"
run project/source/main.c -DOTHER --sarif out.sarif
want_last "result: UNSAFE"
want_out "data race on other"
grep -q '"kind": "external"' out.sarif || complain "SARIF does not say that the suppression is external"
run project/source/main.c --property unreach-call
want_out "property: unreach-call"
run check --config project/.heddle.yml
want_last "result: SAFE"
run project/source/main.c --config none -Iproject/include --property no-data-race
want_last "result: UNSAFE"
(cd project && command_line="heddle check in the project" && "$heddle" check >"$work/.out" 2>"$work/.err"); status=$?
want_status 0
want_last "result: SAFE"
run show cells project/source/main.c
want_status 0
run project/source/main.c -DOTHER --save-schedule s.json
run replay project/source/main.c s.json -DOTHER
want_last "result: UNSAFE"

# --- where it is looked for ---
rmdir project/.git
run project/source/main.c -Iproject/include --property no-data-race
want_last "result: UNSAFE"

# --- errors ---
bad() { # LINE-AND-MESSAGE, then the file
  cat >bad.yml
  run project/source/main.c --config bad.yml
  want_input_error "$1"
}
bad "bad.yml:2: unknown key \`limit\` in the settings; did you mean limits?" <<<$'files: [a.c]\nlimit: 3'
bad "bad.yml:2: unknown key \`time\`" <<<$'limits:\n  time: 3'
bad "bad.yml:2: key \`files\` is given twice" <<<$'files: [a.c]\nfiles: [b.c]'
bad "bad.yml:1: --time-limit wants" <<<'limits: { time-limit: soon }'
bad "bad.yml:2: --threads-limit wants a number from 1 to 1000, not 5000" <<<$'limits:\n  threads-limit: 5000'
bad "bad.yml:1: \`properties\` wants a name" <<<'properties: []'
bad "bad.yml:2: unknown property 'no-data-races'; did you mean no-data-race?" <<<$'suppressions:\n  - { property: no-data-races, file: a.c }'
bad "a suppression wants a \`file\`" <<<$'suppressions:\n  - { property: no-data-race }'
bad "\`line\` wants" <<<$'suppressions:\n  - { file: a.c, line: 9-3 }'
bad "does not take -O3" <<<'clang-options: [-O3]'
bad "bad.yml:1: \`clang-options\`: -I wants a value" <<<'clang-options: [-DX, -I]'
bad "bad.yml:1: \`clang-options\`: -D wants a value" <<<'clang-options: [-I, -D, -D]'
bad "bad.yml:" <<<'files: [a.c'
bad "the settings must be a mapping" <<<'nonsense'
run project/source/main.c --config missing.yml
want_input_error "missing.yml: No such file"
: >empty.yml
run project/source/main.c --config empty.yml -Iproject/include --property unreach-call --quiet
want_last "result: SAFE"
finish
