#!/usr/bin/env bash
# HTML reports in a real browser:   tests/browser/test_report.sh HEDDLE
# Makes reports of several programs, puts each into a frame of one page, with a driver that presses keys and looks, and
# reads what the drivers say from the browser's copy of that page.
set -u
heddle=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
tasks=$here/../tasks
work=$(mktemp -d "${TMPDIR:-/tmp}/heddle-browser-XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0
fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}
browser=$(command -v chromium) || {
  echo "chromium is not installed; ./dev test installs it"
  exit 1
}

# page NAME FILE [options]: the report of a program, and the copy with its driver.
names=()
page() {
  local name=$1 file=$2
  shift 2
  names+=("$name")
  case " $* " in *" --property"* | *" --ltl"*) ;; *) set -- --property unreach-call "$@" ;; esac
  "$heddle" check "$file" --time-limit 40s --report "$name.html" "$@" >/dev/null 2>"$name.err"
  [ -s "$name.html" ] || fail "no report of $file: $(cat "$name.err")"
  # Nothing in the page may reach for the network, and nothing in the data may close its element.
  ! grep -aqE "https?://|//[a-z]+\.[a-z]+/|@import|url\(h" "$name.html" || fail "$name.html holds an address"
  [ "$(grep -ac '</script>' "$name.html")" = 3 ] || fail "$name.html has other than three scripts"
  grep -q "default-src 'none'" "$name.html" || fail "$name.html has no policy"
  {
    sed -e 's/^"loop":-1/"loop":1000/;t' -e 's/,"loop":-1/,"loop":1000/' "$name.html"
    echo '<script>'
    cat "$here/driver.js" "$here/pages.js"
    echo "report('$name', pages.$name);"
    echo '</script>'
  } >"$name.driven.html"
}

# sized NAME FILE [options]: the report at the sizes of a laptop, a small window and a phone, looked at by `sizes`.
sizes="1366x768 800x600 844x390"
sized() {
  local name=$1 file=$2 size
  shift 2
  case " $* " in *" --property"* | *" --ltl"*) ;; *) set -- --property unreach-call "$@" ;; esac
  "$heddle" check "$file" --time-limit 20s --report "$name.html" "$@" >/dev/null 2>"$name.err"
  [ -s "$name.html" ] || fail "no report of $file: $(cat "$name.err")"
  for size in $sizes; do
    names+=("$name.$size")
    { cat "$name.html"; echo '<script>'; cat "$here/driver.js" "$here/pages.js"; echo "setTimeout(() => report('$name.$size', sizes), 300);</script>"; } >"$name.$size.driven.html"
  done
}

# survey NAME FILE: the page of a survey, at two sizes, looked at by pages.NAME.
survey() {
  local name=$1 size
  "$heddle" survey "$2" --report "$name.html" >/dev/null 2>"$name.err"
  [ -s "$name.html" ] || fail "no page of the survey of $2: $(cat "$name.err")"
  for size in 1280x800 800x600; do
    names+=("$name.$size")
    { cat "$name.html"; echo '<script>'; cat "$here/driver.js" "$here/pages.js"; echo "report('$name.$size', pages.$name);</script>"; } >"$name.$size.driven.html"
  done
}

sed 's/BYTES/bad \xff\xc3 bytes/' "$here/hostile.c" >"a<b>&amp;'c.c"
page lost "$tasks/mutex_released_between_read_and_write.c" --engine replay
page stuck "$tasks/deadlock_three_philosophers.c" --property no-deadlock --engine replay
page safe "$tasks/mutex_protects_increment.c" --engine reach
page protected "$tasks/mutex_protects_increment.c" --property no-data-race --engine survey
asked=unreach-call,no-data-race,no-deadlock,valid-memsafety,no-division-by-zero
page findings "$here/../../examples/many_bugs.c" --property "$asked"
page unknown "$tasks/mutex_protects_increment.c" --engine replay --max-states 2
page hostile "a<b>&amp;'c.c" --engine replay
page long "$here/long.c" --engine replay
page rounds "$here/rounds.c" --engine replay
long_name=the_philosopher_whose_name_has_no_blank_and_never_seems_to_come_to_an_end_at_all
sed "s/dine/$long_name/g" "$tasks/deadlock_three_philosophers.c" >"$long_name.c"
sized narrow "$tasks/deadlock_three_philosophers.c" --property no-deadlock --engine replay
sized wordy "$long_name.c" --property no-deadlock --engine replay
sized proof "$tasks/mutex_protects_increment.c" --engine reach
survey surveyed "$here/../../examples/server.c"

{
  echo '<!DOCTYPE html><pre id="results"></pre><script>'
  printf '%s\n' 'addEventListener("message", (e) => document.getElementById("results").append(e.data.join("\n") + "\n"));'
  echo '</script>'
  for name in "${names[@]}"; do
    size=${name##*.}
    [ "$size" != "$name" ] || size=1400x900
    echo "<iframe src=\"$name.driven.html\" width=${size%x*} height=${size#*x} style=\"border:0\"></iframe>"
  done
} >all.html
timeout 200 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run --user-data-dir="$work/profile" \
  --window-size=1440,1000 --virtual-time-budget=20000 --dump-dom "file://$work/all.html" >dom.html 2>browser.err

grep -a '^FAILED\|^ok\|^done\|<pre id="results">' dom.html | sed 's/.*<pre id="results">//' >results
if grep -q '^FAILED' results; then
  grep '^FAILED' results
  failures=$((failures + 1))
fi
for name in "${names[@]}"; do grep -q "^done: $name\$" results || fail "the page $name was not driven to its end"; done
[ "$(grep -c '^ok' results)" -ge 50 ] || fail "only $(grep -c '^ok' results) things were looked at"
[ -s dom.html ] || cat browser.err

# On paper the whole trace is there, on as many pages as it takes: one page of a pane would be too few.
timeout 100 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run --user-data-dir="$work/profile" \
  --print-to-pdf="$work/rounds.pdf" "file://$work/rounds.html#all" >/dev/null 2>&1
pages=$(grep -ac '/Type /Page$' rounds.pdf)
[ "${pages:-0}" -ge 5 ] || fail "600 steps are printed on ${pages:-no} pages"
[ "$failures" -eq 0 ] && echo "$(grep -c '^ok' results) things are as wanted"
exit $((failures > 0))
