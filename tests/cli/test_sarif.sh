#!/bin/bash
# SARIF, member by member: a violation, a race, a proof, an undecided check, hostile file names; and the checker itself.
. "$(dirname "$0")/common.sh"
rules=$OLDPWD/tests/cli/sarif_rules.py
[ -f "$rules" ] || { echo "run me in the source directory"; exit 1; }

obeys() { # FILE ANSWER
  python3 "$rules" "$1" "$2" >.rules 2>&1 || complain "$1 breaks rules: $(head -n 5 .rules)"
}
refuses() { # FILE ANSWER what
  python3 "$rules" "$1" "$2" >.rules 2>&1 && complain "the checker accepts $3"
}
has() { # FILE, a Python expression over `run`
  python3 -c "import json, sys; run = json.load(open(sys.argv[1]))['runs'][0]; sys.exit(not ($2))" "$1" ||
    complain "$1: not true: $2"
}

write_race race.c
run check --property unreach-call race.c --sarif violation.sarif
want_status 1
obeys violation.sarif UNSAFE
has violation.sarif 'run["results"][0]["ruleId"] == "unreach-call"'
has violation.sarif 'run["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] == 13'
has violation.sarif '"was lost" in run["results"][0]["message"]["text"]'
has violation.sarif '[f["id"] for f in run["results"][0]["codeFlows"][0]["threadFlows"]] == ["0", "1"]'
has violation.sarif 'any("counter" in l.get("state", {}) for f in run["results"][0]["codeFlows"][0]["threadFlows"] for l in f["locations"])'

run check race.c --property no-data-race --sarif race.sarif
want_status 1
obeys race.sarif UNSAFE
has race.sarif 'len(run["results"][0]["relatedLocations"]) == 1'

# The fingerprint survives lines that move, and differs between properties.
fingerprint() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["runs"][0]["results"][0]["partialFingerprints"])' "$1"; }
sed -i '1i // a line more' race.c
run check --property unreach-call race.c --sarif moved.sarif
[ "$(fingerprint moved.sarif)" = "$(fingerprint violation.sarif)" ] || complain "the fingerprint moved with the line"
[ "$(fingerprint race.sarif)" != "$(fingerprint violation.sarif)" ] || complain "two properties, one fingerprint"

write_locked locked.c
run check --property unreach-call locked.c --engine replay --sarif proof.sarif
want_status 0
obeys proof.sarif SAFE

write_endless endless.c
run check --property unreach-call endless.c --time-limit 300ms --sarif unknown.sarif
want_status 3
obeys unknown.sarif UNKNOWN

# Names that hurt: quotes, blanks, a percent sign, a colon that looks like a scheme, bytes that are no UTF-8.
hostile=$(printf 'x:"q" \\ %%41 \303\244 \377 {0} [a](b).c')
write_race "$hostile"
run check --property unreach-call "$hostile" --sarif hostile.sarif
want_status 1
obeys hostile.sarif UNSAFE
has hostile.sarif 'run["artifacts"][0]["location"]["uri"].startswith("x%3A%22q%22%20%5C%20%2541%20%C3%A4%20%FF%20")'
mkdir -p 'a b'
write_race 'a b/race.c'
run check --property unreach-call "$work/a b/race.c" --sarif below.sarif
obeys below.sarif UNSAFE
has below.sarif 'run["artifacts"][0]["location"]["uri"] == "a%20b/race.c"'
(cd / && "$heddle" check --property unreach-call "$work/a b/race.c" --sarif "$work/elsewhere.sarif" >/dev/null 2>&1)
obeys elsewhere.sarif UNSAFE

# Where the bases are: the working directory, and that of the compilation database; other files have absolute addresses.
has below.sarif 'run["originalUriBaseIds"] == {"%SRCROOT%": {"uri": "file://" + __import__("urllib.parse").parse.quote(__import__("os").path.realpath(".")) + "/"}}'
has below.sarif 'run["artifacts"][0]["location"]["uriBaseId"] == "%SRCROOT%"'
has elsewhere.sarif 'run["originalUriBaseIds"]["%SRCROOT%"]["uri"] == "file:///"'
mkdir -p project/sources away
write_race project/sources/race.c
write_race away/race.c
echo '[{"directory": "'"$work/project"'", "file": "sources/race.c", "command": "cc -c sources/race.c"}]' >project/compile_commands.json
(cd away && "$heddle" check --property unreach-call -p ../project --sarif "$work/project.sarif" >/dev/null 2>&1)
obeys project.sarif UNSAFE
has project.sarif 'run["artifacts"][0]["location"]["uri"] == "sources/race.c"'
has project.sarif 'run["artifacts"][0]["location"]["uriBaseId"] == "%PROJECTROOT%"'
has project.sarif 'run["originalUriBaseIds"]["%PROJECTROOT%"]["uri"].endswith("/project/")'
(cd project && "$heddle" check --property unreach-call ../away/race.c --sarif "$work/up.sarif" >/dev/null 2>&1)
obeys up.sarif UNSAFE
has up.sarif 'run["artifacts"][0]["location"]["uri"].startswith("file:///") and run["artifacts"][0]["location"]["uri"].endswith("/away/race.c")'
has violation.sarif 'all(run["artifacts"][l["location"]["physicalLocation"]["artifactLocation"]["index"]]["location"]["uri"] == "race.c" for f in run["results"][0]["codeFlows"][0]["threadFlows"] for l in f["locations"])'

# Input that cannot be read: nothing is written.
echo 'int main(void) { return' >broken.c
run check --property unreach-call broken.c --sarif error.sarif
want_status 2
want_absent error.sarif

# The checker can fail.
refuses violation.sarif SAFE "a violation as a proof"
sed 's/"executionOrder": [0-9]*/"executionOrder": 1/' violation.sarif >bad.sarif
refuses bad.sarif UNSAFE "steps at one time"
sed 's/"startLine": 13/"startLine": 0/' violation.sarif >bad.sarif
refuses bad.sarif UNSAFE "line 0"
sed 's/"kind": "fail"/"kind": "fail", "knid": "fail"/' violation.sarif >bad.sarif
refuses bad.sarif UNSAFE "an unknown member"
sed 's/"uri": "race.c"/"uri": "my race.c"/' violation.sarif >bad.sarif
refuses bad.sarif UNSAFE "a blank in a URI"
broken() { # a Python statement that spoils `log`, and what is wrong then
  python3 -c "import json, sys; log = json.load(open('violation.sarif')); run = log['runs'][0]; $1; json.dump(log, open('bad.sarif', 'w'))"
  refuses bad.sarif UNSAFE "$2"
}
broken 'del run["tool"]["driver"]["name"]' "a driver without a name"
broken 'run["results"][0]["kind"] = "failed"' "a kind that there is not"
broken 'run["results"][0]["message"]["text"] = 7' "a number as a text"
broken 'run["results"][0]["ruleIndex"] = "0"' "a text as a number"
broken 'run["artifacts"].append(run["artifacts"][0])' "an artifact twice"
broken 'del run["originalUriBaseIds"]' "a base that is nowhere"
broken 'run["originalUriBaseIds"]["%SRCROOT%"]["uri"] = "file:///tmp"' "a base without a slash"
broken 'run["artifacts"][0]["location"]["uri"] = "../race.c"' "an address that goes up"
broken 'run["results"][0]["codeFlows"][0]["threadFlows"] = []' "a code flow without threads"
broken 'run["invocations"][0]["executionSuccessful"] = 1' "1 for true"
broken 'log["version"] = "2.1"' "another version"
finish
