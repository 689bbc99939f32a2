"""The tool-info module for BenchExec, with the real base class if it is installed, else with a small one like it."""

import collections
import os
import subprocess
import sys
import types
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "contrib", "benchexec"))

try:
    import benchexec.result
    import benchexec.tools.template
except ImportError:
    package, tools = types.ModuleType("benchexec"), types.ModuleType("benchexec.tools")
    template, result = types.ModuleType("benchexec.tools.template"), types.ModuleType("benchexec.result")

    class BaseTool2:
        @staticmethod
        def _version_from_tool(executable, line_prefix):
            printed = subprocess.run([executable, "--version"], capture_output=True, text=True, check=True).stdout
            return next(line[len(line_prefix) :] for line in printed.splitlines() if line.startswith(line_prefix))

    template.BaseTool2 = BaseTool2
    template.UnsupportedFeatureException = type("UnsupportedFeatureException", (Exception,), {})
    result.RESULT_TRUE_PROP, result.RESULT_FALSE_PROP = "true", "false"
    result.RESULT_UNKNOWN, result.RESULT_ERROR = "unknown", "ERROR"
    package.result, package.tools, tools.template = result, tools, template
    for module in (package, tools, template, result):
        sys.modules[module.__name__] = module

import benchexec.tools.template
import heddle

Task = collections.namedtuple("Task", "input_files property_file options")
Limits = collections.namedtuple("Limits", "cputime walltime memory cpu_cores", defaults=(None,) * 4)
Run = collections.namedtuple("Run", "output exit_code")
Code = collections.namedtuple("Code", "value")
EXECUTABLE = os.environ.get("HEDDLE", "heddle")


class CommandLine(unittest.TestCase):
    def line(self, options=(), model="ILP32", property_file="p.prp", **limits):
        task = Task(("a.c", "b.c"), property_file, {"language": "C", "data_model": model} if model else None)
        return heddle.Tool().cmdline("heddle", list(options), task, Limits(**limits))

    def test_task(self):
        expected = ["heddle", "check", "a.c", "b.c", "--first", "--property", "p.prp", "--data-model", "ILP32"]
        self.assertEqual(self.line(), expected)
        self.assertEqual(self.line(model=None, property_file=None), expected[:5])

    def test_limits(self):
        line = self.line(cputime=900, walltime=1000, memory=15_000_000_000, cpu_cores=2)
        self.assertEqual(line[-6:], ["--time-limit", "898s", "--memory-limit", "13500MB", "--jobs", "2"])
        self.assertIn("1s", self.line(walltime=2))

    def test_options_win_and_come_last(self):
        line = self.line(["--time-limit=5s", "--data-model", "LP64", "--", "-DX"], cputime=900)
        self.assertNotIn("898s", line)
        self.assertNotIn("ILP32", line)
        self.assertEqual(line[-2:], ["--", "-DX"])

    def test_other_languages(self):
        for options in ({"language": "Java"}, {"language": "C", "data_model": "LLP64"}):
            with self.assertRaises(benchexec.tools.template.UnsupportedFeatureException):
                heddle.Tool().cmdline("heddle", [], Task(("a.c",), None, options), Limits())


class Results(unittest.TestCase):
    def of(self, text, status=3):
        return heddle.Tool().determine_result(Run(text.splitlines(), Code(status)))

    def test_answers(self):
        self.assertEqual(self.of("property: no-data-race\nresult: SAFE\n", 0), "true")
        self.assertEqual(self.of("property: no-data-race\nresult: UNSAFE\nsome note\n", 1), "false(no-data-race)")
        self.assertEqual(self.of("result: SAFE in a trace\n  result: SAFE\nresult: UNKNOWN (x)"), "unknown")

    def test_memory_safety(self):
        text = "property: valid-memsafety\nviolation: invalid %s at a.c:1 in thread 0 (main)\nresult: UNSAFE"
        self.assertEqual(self.of(text % "free", 1), "false(valid-free)")
        self.assertEqual(self.of(text % "dereference", 1), "false(valid-deref)")

    def test_reasons(self):
        reasons = {
            "out of time": "TIMEOUT",
            "out of memory": "OUT OF MEMORY",
            "engine was killed (signal 9), perhaps for lack of memory": "OUT OF MEMORY",
            "interrupted": "KILLED",
            "internal error: no schedule": "ERROR (internal error: no schedule)",
            "engine crashed (signal 11)": "ERROR (engine crashed (signal 11))",
            "a limit of the model was met": "unknown",
        }
        for reason, expected in reasons.items():
            self.assertEqual(self.of(f"result: UNKNOWN ({reason})"), expected)
        self.assertEqual(self.of("heddle: x.c: No such file or directory", 2), "ERROR (input)")
        self.assertEqual(self.of("", None), "ERROR")

    def test_columns(self):
        tool, lines = heddle.Tool(), ["property: no-deadlock", "result: UNKNOWN (out of time (2 s))"]
        self.assertEqual(tool.get_value_from_output(lines, "reason"), "out of time (2 s)")
        self.assertEqual(tool.get_value_from_output(lines, "property"), "no-deadlock")

    def test_the_real_command(self):
        tool, example = heddle.Tool(), os.path.join(ROOT, "examples", "peterson_broken.c")
        task = Task((example,), os.path.join(ROOT, "tests", "properties", "unreach-call.prp"), {"data_model": "LP64"})
        line = tool.cmdline(EXECUTABLE, [], task, Limits(walltime=60))
        done = subprocess.run(line, capture_output=True, text=True, check=False)
        run = Run((done.stdout + done.stderr).splitlines(), Code(done.returncode))
        self.assertEqual(tool.determine_result(run), "false(unreach-call)")
        self.assertRegex(tool.version(EXECUTABLE), r"^\d+\.\d+\.\d+$")


if __name__ == "__main__":
    unittest.main()
