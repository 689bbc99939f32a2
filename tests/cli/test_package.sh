#!/bin/bash
# The Debian package that cpack makes of a release build: its fields, its files, and that what it holds runs.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$(dirname "$0")/common.sh"
build=$(dirname "$heddle")
command_line=cpack
if ! command -v dpkg-deb >/dev/null || ! command -v dpkg-shlibdeps >/dev/null || ! command -v cpack >/dev/null; then
  echo "no dpkg-deb, dpkg-shlibdeps or cpack: not a system that makes Debian packages"
  finish
fi
grep -q '^CMAKE_BUILD_TYPE:.*=Release' "$build/CMakeCache.txt" || { echo "not a release build"; finish; }
if ! cpack --config "$build/CPackConfig.cmake" -B "$work/package" >cpack.log 2>&1; then
  tail -n 20 cpack.log
  exit 1
fi
set -- package/*.deb
[ $# = 1 ] && [ -f "$1" ] || { complain "not one package: $*"; finish; }
package=$work/$1
version=$("$heddle" --version | sed 's/^[^0-9]*//; s/[^0-9.].*//')

field() { dpkg-deb -f "$package" "$1"; }
want_field() { [[ $(field "$1") =~ $2 ]] || complain "$1 is '$(field "$1")', not $2"; }
want_field Package '^heddle$'
want_field Version "^${version//./\\.}-1\$"
want_field Architecture "^$(dpkg --print-architecture)\$"
want_field Maintainer '^[^<]+ <[^ @]+@[^ @]+>$'
want_field Section '^devel$'
want_field Priority '^optional$'
want_field Installed-Size '^[0-9]+$'
for name in clang-19 libc6-dev libc6 libllvm19 libz3-4 libyaml-0-2 libcjson1; do
  want_field Depends "(^|, )$name( \(>= [^)]*\))?(,|\$)"
done
want_field Recommends '(^|, )berkeley-abc(,|$)'
want_field Recommends '(^|, )libc6-dev-i386(,|$)'
[[ $(basename "$package") == "heddle_$version-1_$(field Architecture).deb" ]] || complain "named $package"
field Description >description
head -n 1 description | grep -qE '^[a-z].{10,78}[^.]$' || complain "the synopsis: $(head -n 1 description)"
[ "$(wc -l <description)" -ge 3 ] || complain "no description"
awk 'length > 80' description | grep . && complain "long lines in the description"

# Files: below /usr, owned by root, writable by it alone, none executable but the command.
dpkg-deb -c "$package" >contents
awk '$2 != "root/root" || $1 !~ /^(drwxr-xr-x|-rw-r--r--|-rwxr-xr-x)$/' contents | grep . && complain "owners or permissions"
awk '{ print $6 }' contents | grep -vE '^\./(usr/.*)?$' && complain "files outside /usr"
awk '{ print $6 }' contents | grep -E '/(lib|local|__pycache__|_CPack_Packages)/' | grep -v '^./usr/share/doc/heddle/lib/' &&
  complain "files that do not belong there"
[ "$(awk '$1 == "-rwxr-xr-x" { print $6 }' contents)" = ./usr/bin/heddle ] || complain "other executables"
[ "$(dpkg-deb --ctrl-tarfile "$package" | tar -t | grep -vcE '^\./(control|md5sums)?$')" = 0 ] || complain "scripts"

dpkg-deb -x "$package" tree
for file in bin/heddle share/man/man1/heddle.1.gz share/bash-completion/completions/heddle share/doc/heddle/copyright \
  share/doc/heddle/README.md share/doc/heddle/docs/cli.md share/doc/heddle/examples/peterson.c share/doc/heddle/lib/mutex.c; do
  [ -s "tree/usr/$file" ] || complain "$file is missing"
done
(cd tree && dpkg-deb --ctrl-tarfile "$package" | tar -xO ./md5sums | md5sum --quiet -c) || complain "sums differ"
gzip -dc tree/usr/share/man/man1/heddle.1.gz | cmp -s - "$root/docs/heddle.1" || complain "another man page"
grep -qaF -- "$root/" tree/usr/bin/heddle && complain "the executable names the source tree"
heddle=$work/tree/usr/bin/heddle
write_race race.c
run check --property unreach-call race.c --quiet --time-limit 60s
want_status 1
finish
