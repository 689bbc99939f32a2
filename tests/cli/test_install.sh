#!/bin/bash
# `cmake --install`: what is installed works from another directory, and needs neither the sources nor the build.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$(dirname "$0")/common.sh"
build=$(dirname "$heddle")
version=$("$heddle" --version)
if ! cmake --install "$build" --prefix "$work/usr" >install.log 2>&1; then
  cat install.log
  exit 1
fi
for file in bin/heddle share/man/man1/heddle.1.gz share/bash-completion/completions/heddle share/doc/heddle/LICENSE \
  share/doc/heddle/README.md share/doc/heddle/docs/cli.md share/doc/heddle/contrib/benchexec/heddle.py; do
  [ -s "usr/$file" ] || { command_line=install complain "$file is missing"; }
done
heddle=$work/usr/bin/heddle
[ "$("$heddle" --version)" = "$version" ] || complain "another version"
"$heddle" --completion bash | cmp -s - usr/share/bash-completion/completions/heddle || complain "an old completion"
write_race race.c
run check --property unreach-call race.c --time-limit 60s
want_status 1
run check --property unreach-call race.c --data-model ILP32 --quiet --time-limit 60s
want_status 1
run check --property unreach-call usr/share/doc/heddle/examples/peterson.c --quiet --time-limit 60s
want_status 0
# Asserts name their source files in a debug build; a release names nothing.
if grep -q '^CMAKE_BUILD_TYPE:.*=Release' "$build/CMakeCache.txt"; then
  for path in "$root" "$build"; do
    grep -qaF -- "$path/" "$heddle" && { command_line=installed complain "$path is named in the executable"; }
  done
fi
# Nothing of the source tree or the build is opened.
if command -v strace >/dev/null && strace -o /dev/null true 2>/dev/null; then
  strace -f -e trace=openat,open,execve,readlink -o trace.log "$heddle" check --property unreach-call race.c --quiet --time-limit 60s >/dev/null
  grep -F -e "$root/" -e "$build/" trace.log && { command_line=installed complain "it looks into the source or the build"; }
fi
# The man page is as whatis(1) wants it, and has no mistakes that man(1) sees.
gzip -dk usr/share/man/man1/heddle.1.gz
cmp -s usr/share/man/man1/heddle.1 "$root/docs/heddle.1" || { command_line=gzip complain "another man page"; }
if command -v lexgrog >/dev/null; then
  lexgrog usr/share/man/man1/heddle.1 >/dev/null || { command_line=lexgrog complain "the man page has no name"; }
fi
if command -v groff >/dev/null; then
  warnings=$(groff -man -Tutf8 -ww -z usr/share/man/man1/heddle.1 2>&1)
  [ -z "$warnings" ] || { command_line=groff complain "$warnings"; }
fi
finish
