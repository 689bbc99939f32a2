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
  "$heddle" check "$file" --time-limit 20s --report "$name.html" "$@" >/dev/null 2>"$name.err"
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

sed 's/BYTES/bad \xff\xc3 bytes/' "$here/hostile.c" >"a<b>&amp;'c.c"
page lost "$tasks/mutex_released_between_read_and_write.c" --engine replay
page stuck "$tasks/deadlock_three_philosophers.c" --property no-deadlock --engine replay
page safe "$tasks/mutex_protects_increment.c" --engine reach
page unknown "$tasks/mutex_protects_increment.c" --engine replay --max-states 2
page hostile "a<b>&amp;'c.c" --engine replay
page long "$here/long.c" --engine replay

{
  echo '<!DOCTYPE html><pre id="results"></pre><script>'
  echo 'addEventListener("message", (e) => document.getElementById("results").append(e.data.join("\n") + "\n"));'
  echo '</script>'
  for name in "${names[@]}"; do echo "<iframe src=\"$name.driven.html\" width=1400 height=900></iframe>"; done
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
[ "$failures" -eq 0 ] && echo "$(grep -c '^ok' results) things are as wanted"
exit $((failures > 0))
