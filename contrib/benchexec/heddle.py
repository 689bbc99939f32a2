"""
BenchExec tool-info module for Heddle, a verifier for multi-threaded C programs (BaseTool2, BenchExec 3.3 or newer).

Use: <benchmark tool="heddle"> with a copy of this file in benchexec/tools, or tool="contrib.benchexec.heddle" with the
folder above contrib on PYTHONPATH. Options in the benchmark definition go to `heddle check`; what they set is not set here again.
"""

import benchexec.result as result
import benchexec.tools.template

# Seconds that Heddle is given less than the limit, so that it can still say why it did not decide.
MARGIN = 2


class Tool(benchexec.tools.template.BaseTool2):
    REQUIRED_PATHS = []

    def name(self):
        return "Heddle"

    def executable(self, tool_locator):
        return tool_locator.find_executable("heddle", subdir="bin")

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="heddle ")

    def cmdline(self, executable, options, task, rlimits):
        added = []

        def add(option, value):
            given = any(word == option or word.startswith(option + "=") for word in options)
            if value and not given:
                added.extend([option, value])

        add("--property", task.property_file)
        add("--data-model", self._data_model(task))
        add("--time-limit", self._time_limit(rlimits))
        add("--memory-limit", f"{rlimits.memory * 9 // 10 // 1000000}MB" if rlimits.memory else None)
        add("--jobs", str(rlimits.cpu_cores) if rlimits.cpu_cores else None)
        # Options come last: they may end with `-- options for clang`.
        return [executable, "check", *task.input_files, "--first", *added, *options]

    @staticmethod
    def _data_model(task):
        if not isinstance(task.options, dict):
            return None
        language = task.options.get("language", "C")
        if language != "C":
            raise benchexec.tools.template.UnsupportedFeatureException(f"Heddle does not know the language {language}")
        model = task.options.get("data_model")
        if model not in (None, "ILP32", "LP64"):
            raise benchexec.tools.template.UnsupportedFeatureException(f"Heddle does not know the data model {model}")
        return model

    @staticmethod
    def _time_limit(rlimits):
        limits = [limit for limit in (rlimits.cputime, rlimits.walltime) if limit]
        return f"{max(1, min(limits) - MARGIN)}s" if limits else None

    def determine_result(self, run):
        answer = _last_after(run.output, "result: ")
        if answer == "SAFE":
            return result.RESULT_TRUE_PROP
        if answer == "UNSAFE":
            return f"{result.RESULT_FALSE_PROP}({self._violated(run.output)})"
        if answer.startswith("UNKNOWN"):
            return self._reason_class(answer)
        # No answer at all: BenchExec itself adds what it knows of limits and signals.
        if run.exit_code.value == 2:
            return f"{result.RESULT_ERROR} (input)"
        return result.RESULT_ERROR

    @staticmethod
    def _violated(output):
        name = _last_after(output, "property: ") or "unreach-call"
        if name != "valid-memsafety":
            return name
        invalid_free = _last_after(output, "violation: ").startswith("invalid free")
        return "valid-free" if invalid_free else "valid-deref"

    @staticmethod
    def _reason_class(answer):
        reason = answer.removeprefix("UNKNOWN (").removesuffix(")")
        if reason.startswith("out of time"):
            return "TIMEOUT"
        if reason.startswith("out of memory") or "lack of memory" in reason:
            return "OUT OF MEMORY"
        if reason.startswith("interrupted"):
            return "KILLED"
        if reason.startswith("internal error") or reason.startswith("engine "):
            return f"{result.RESULT_ERROR} ({reason})"
        return result.RESULT_UNKNOWN

    def get_value_from_output(self, output, identifier):
        """Columns: `reason` of an unknown result; any other name is looked for at the beginnings of lines."""
        if identifier == "reason":
            return _last_after(output, "result: UNKNOWN (").removesuffix(")")
        return _last_after(output, identifier + ": ")


def _last_after(output, prefix):
    """What follows the prefix in the last line that begins with it, or an empty text."""
    for line in reversed(output):
        if line.startswith(prefix):
            return line[len(prefix) :].strip()
    return ""
