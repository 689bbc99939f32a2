#!/bin/bash
# The pages name what is there: files of the tree, links, options, presets. A page that disagrees with the tree fails.
root=$(realpath "$(dirname "$0")/../..")
. "$root/tests/cli/common.sh"
command_line="pages"
cat >"$work/pages.py" <<'END'
import pathlib, re, subprocess, sys

heddle, root = sys.argv[1], pathlib.Path(sys.argv[2])
TOPS = ("src", "lib", "tests", "cmake", "docs", "bench", "contrib", "examples")
USER_PAGES = ["README.md"] + [f"docs/{name}.md" for name in ("cli", "engines", "reach", "circuit", "order", "explicit", "ltl", "survey")]
files = [p.relative_to(root).as_posix() for top in TOPS for p in (root / top).rglob("*") if p.is_file()]
complaints = []


def exists(path):
    """A path of the tree, a path below src, or the end of one: `tree/cover.h`, `scheduler.h`."""
    path = path.rstrip("/")
    return (root / path).exists() or (root / "src" / path).exists() or any(f.endswith("/" + path) for f in files)


def is_example(word):
    return "NAME" in word or word.startswith(("FILE", "F.", "DIR", "a.c", "app.c", "stubs.c", "src/queue.c", "src/main.c"))


def help_of(*words):
    return subprocess.run([heddle, *words, "--help"], stdout=subprocess.PIPE, text=True).stdout


def check_lines(page, where):
    for number, line in enumerate(page.read_text().split("\n"), 1):
        for link in re.findall(r"\]\(([^)#: ]+)(?:#[^)]*)?\)", line):
            if not (page.parent / link).exists():
                complaints.append(f"{where}:{number}: no {link}")
        words = re.findall(r"`([A-Za-z_./0-9-]+\.(?:c|h|cpp|sh|py|cmake))`", line)
        words += re.findall(r"\bsrc/[a-z_/]+\.[ch]\b", line)
        words += re.findall(r"`((?:%s)/[A-Za-z_./0-9-]+)`" % "|".join(TOPS), line)
        complaints.extend(f"{where}:{number}: no {word}" for word in sorted(set(words))
                          if not is_example(word) and not exists(word))


def check_options(where, options):
    for number, line in enumerate((root / where).read_text().split("\n"), 1):
        for option in re.findall(r"(?<![\w-])(--[a-z][a-z-]+)", line):
            if option not in options and not re.search(r"cmake|git ", line):
                complaints.append(f"{where}:{number}: no option {option}")


for page in [root / "README.md", root / "CONTRIBUTING.md", root / "CHANGELOG.md", *sorted((root / "docs").glob("*.md"))]:
    check_lines(page, page.relative_to(root).as_posix())
helps = [["check"], ["replay"], ["show"], ["survey"], ["validate"], ["bench"], ["bench", "compare"], ["bench", "plot"], ["bench", "table"]]
options = {"--version", "--completion", "--man", "--sysroot"}
for words in helps:
    options |= set(re.findall(r"^  (--[a-z-]+)", help_of(*words), re.M))
for where in USER_PAGES:
    check_options(where, options)
presets = re.findall(r"^  ([a-z-]+)  ", help_of("check").split("\npresets:\n")[1], re.M)
told = re.findall(r"^\| `([a-z-]+)` \|", (root / "docs/cli.md").read_text().split("## Presets")[1].split("\n## ")[0], re.M)
if told != presets:
    complaints.append(f"docs/cli.md: the presets are {presets}, not {told}")
engines = (root / "docs/engines.md").read_text()
properties = re.findall(r"^  ([a-z-]+)  ", help_of("check").split("\nproperties:\n")[1].split("\n\n")[0], re.M)
for engine, decides in re.findall(r"^\| `([a-z]+)` \| (all|`[a-z-`, ]+) \|", engines, re.M):
    for name in set(properties) - {"all"}:
        formula = ["--ltl", "G 1"] if name == "ltl" else ["--property", name]
        words = [heddle, "check", str(root / "examples/peterson.c"), "--engine", engine, *formula, "--time-limit", "1ms"]
        refused = "does not decide" in subprocess.run(words, capture_output=True, text=True).stderr
        if refused == (decides == "all" or f"`{name}`" in decides):
            complaints.append(f"docs/engines.md: {engine} {'refuses' if refused else 'decides'} {name}")
index = (root / "docs/README.md").read_text()
for page in sorted((root / "docs").glob("*.md")):
    if page.name != "README.md" and f"({page.name})" not in index:
        complaints.append(f"docs/README.md does not list {page.name}")
print("\n".join(complaints))
sys.exit(bool(complaints) or not presets)
END
status=none
python3 "$work/pages.py" "$heddle" "$root" >"$work/.out" || complain "a page names what is not there"
# The comparison itself can fail: without the sources no file is there.
mkdir -p "$work/tree/docs"
cp "$root"/*.md "$work/tree"
cp "$root"/docs/*.md "$work/tree/docs"
python3 "$work/pages.py" "$heddle" "$work/tree" >"$work/.missing" && complain "missing files are not seen"
grep -q 'docs/architecture.md:.*no src/cli/replay.c' "$work/.missing" || complain "missing files are not told"
finish
