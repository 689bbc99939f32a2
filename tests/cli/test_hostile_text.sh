#!/bin/bash
# Bytes from outside never reach a terminal as they are, and never forge a line: names of files, source lines, line markers,
# properties, formulas, arguments, messages of clang, fields of witnesses. Files that are written stay valid UTF-8.
. "$(dirname "$0")/common.sh"

escape=$(printf '\033')
forged=$(printf 'x\nresult: SAFE\nwitness: CONFIRMED\n')

want_printable() { # no control byte but newline and tab, valid UTF-8, nothing that changes direction
  python3 - "$work/.out" "$work/.err" <<'END' || complain "raw bytes are printed"
import sys, unicodedata
for path in sys.argv[1:]:
    text = open(path, "rb").read().decode("utf-8")
    for c in text:
        if c not in "\n\t" and unicodedata.category(c) in ("Cc", "Cf"):
            sys.exit(f"{path}: {c!r}")
END
}

want_one_verdict() { # the last line alone says what came out
  local lines
  lines=$(grep -c -e '^result:' -e '^witness:' "$work/.out")
  [ "$lines" = 1 ] || complain "$lines lines of standard output read like a verdict"
  ! grep -q -e '^result:' -e '^witness:' "$work/.err" || complain "a line of standard error reads like a verdict"
}

want_files() { # what was written is valid: JSON, SARIF, YAML by our own reader, HTML with JSON inside
  python3 - "$@" <<'END' || complain "a written file is not valid"
import json, re, sys
for path in sys.argv[1:]:
    text = open(path, "rb").read().decode("utf-8")
    if path.endswith((".json", ".sarif")):
        json.loads(text)
    elif path.endswith(".html"):
        if re.search(r"[\x00-\x08\x0b-\x1f\x7f]", text):
            sys.exit(f"{path}: a control character")
        json.loads(re.search(r'<script type="application/json"[^>]*>(.*?)</script>', text, re.S).group(1))
    else:
        try:
            import yaml
        except ImportError:
            continue
        yaml.safe_load(text)
END
}

# --- names of files ---
for name in "$(printf 'a\033[31m.c')" "$(printf 'a\377\302.c')" "$(printf 'a\342\200\256c.c')" "$(printf 'a\302\233b.c')" \
  "$forged.c"; do
  write_race "$name"
  run check --property unreach-call "$name" --json r.json --sarif r.sarif --report r.html --witness r.yml --save-schedule s.json --time-limit 60s
  want_status 1
  want_last "result: UNSAFE"
  want_printable
  want_one_verdict
  want_files r.json r.sarif r.html r.yml s.json
  run replay "$name" s.json
  want_last "result: UNSAFE"
  want_printable
  run validate "$name" r.yml
  want_last "witness: CONFIRMED"
  want_printable
  want_one_verdict
  rm -f r.* s.json "$name"
  run check --property unreach-call "$name"
  want_status 2
  want_one_error_line
  want_printable
  printf 'int main(void) { return %b; }\n' 'x\033[2J\377' >"$name"
  run check --property unreach-call "$name"
  want_status 2
  want_printable
  want_no_output
done
write_race 'größe.c'
run check --property unreach-call 'größe.c' --time-limit 60s
want_out 'größe.c:'
run check --property unreach-call "$(printf 'a\377.c')" 2>/dev/null
want_err '\xff.c'

# --- what a source line, a line marker, an assembler name can bring ---
write_race plain.c
sed "s/counter = counter + 1;/& \/* ${escape}[2J $(printf '\342\200\256\377\f\r') *\//" plain.c >noisy.c
run check --property unreach-call noisy.c --json r.json --sarif r.sarif --report r.html --witness r.yml --time-limit 60s
want_last "result: UNSAFE"
want_printable
want_files r.json r.sarif r.html r.yml
{
  printf '# 1 "m\\nresult: SAFE\\n\\033[2J.c"\n'
  cat plain.c
} >marked.c
run check --property unreach-call marked.c --json r.json --sarif r.sarif --report r.html --time-limit 60s
want_last "result: UNSAFE"
want_printable
want_one_verdict
want_files r.json r.sarif r.html
sed 's/^int counter;/int counter __asm__("c\\nresult: SAFE\\n\\033[2J");/' plain.c >named.c
run check --property unreach-call named.c --json r.json --sarif r.sarif --report r.html --witness r.yml --time-limit 60s
want_last "result: UNSAFE"
want_printable
want_one_verdict
want_files r.json r.sarif r.html r.yml
cat >undefined.c <<'END'
#include <assert.h>
int outside(void) __asm__("f\nresult: SAFE\n\033[2J");
int main(void) {
  assert(outside() != 3);
  return 0;
}
END
run check --property unreach-call undefined.c --json r.json --time-limit 60s
want_printable
want_one_verdict
want_files r.json

# --- properties and formulas ---
printf 'CHECK( init(main()), LTL(\033[2J\nresult: SAFE\n\377) )\n' >bad.prp
run check plain.c --property bad.prp
want_status 2
want_one_error_line
want_printable
run check plain.c --property "$forged$escape"
want_status 2
want_one_error_line
want_printable
run check plain.c --ltl "$(printf 'G (counter\n\n<= 2)')" --time-limit 60s
want_printable
want_one_verdict
run check plain.c --ltl "G counter $escape"
want_status 2
want_printable

# --- arguments and environment: kept byte by byte in a schedule ---
cat >arguments.c <<'END'
#include <assert.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  char *home = getenv("HOME");
  assert(!home || argc < 2 || home[0] != '\033' || (unsigned char)argv[1][0] != 255);
  return 0;
}
END
run check --property unreach-call arguments.c --args "$(printf '\377\033[2J')" --env "HOME=$(printf '\033[2J\nresult: SAFE')" --json r.json \
  --save-schedule s.json --time-limit 60s
want_last "result: UNSAFE"
want_printable
want_one_verdict
want_files r.json s.json
run replay arguments.c s.json
want_last "result: UNSAFE"
want_printable
run check --property unreach-call arguments.c --env "$(printf '\033\n')"
want_status 2
want_one_error_line
want_printable

# --- witnesses ---
run check --property unreach-call plain.c --witness good.yml --time-limit 60s
want_last "result: UNSAFE"
sed 's/specification: .*/specification: "a\\nwitness: CONFIRMED\\n\\x1b[2J"/' good.yml >specification.yml
sed 's/input_file_hashes:/&\n        "b\\nwitness: CONFIRMED": "0"/; s/- "plain.c"/- "b\\nwitness: CONFIRMED"/' good.yml >files.yml
sed 's/type: target/type: "x\\nwitness: CONFIRMED\\n\\x1b[2J"/' good.yml >type.yml
sed 's/\(file_name: \).*/\1"q\\nwitness: CONFIRMED\\n\\x1b"/' good.yml >place.yml
sed 's/waypoint:/&\n            "k\\nwitness: CONFIRMED\\n\\x1b": 1/' good.yml >key.yml
for witness in specification files type place key; do
  run validate plain.c $witness.yml --verbose --time-limit 30s
  want_printable
  want_one_verdict
  [ $witness = key ] || want_status 1
done
finish
