#!/usr/bin/env python3
"""Checks a SARIF file against the rules of SARIF 2.1.0 that concern what Heddle writes, and code scanning's limits.

usage: sarif_rules.py FILE SAFE|UNSAFE|UNKNOWN|SURVEY
Prints one line per offence and fails if there was any. An unknown member of any object is an offence.

The schema of the standard may not be copied here, and no package brings it. SCHEMA says in our own words what it demands of
every member that Heddle writes: which there are and must be, their types, their values; `check_schema` compares. The
functions after it check what a schema cannot say.
"""
import json
import re
import sys

# Per object: member -> what it is. `!` marks members that must be there. What it is: a name of this table or of SCALARS, a
# list [what, least] for an array of at least so many, a set for texts to choose from, {"*": what} for names of any kind.
SCHEMA = {
    "log": {"$schema": "uri", "version!": {"2.1.0"}, "runs!": ["run", 0]},
    "run": {"tool!": "tool", "invocations": ["invocation", 0], "originalUriBaseIds": {"*": "base"},
            "columnKind": {"utf16CodeUnits", "unicodeCodePoints"}, "results": ["result", 0], "artifacts": ["artifact", 0]},
    "tool": {"driver!": "driver"},
    "driver": {"name!": "text", "version": "text", "rules": ["rule", 0]},
    "rule": {"id!": "text", "name": "text", "shortDescription": "message string", "fullDescription": "message string",
             "help": "message string", "defaultConfiguration": "configuration", "properties": "properties"},
    "configuration": {"level": {"none", "note", "warning", "error"}},
    "properties": {"tags": ["text", 0], "precision": "text", "problem.severity": "text"},  # any others are permitted
    "message string": {"text!": "text"},
    "message": {"text": "text"},
    "invocation": {"executionSuccessful!": "boolean", "exitCode": "integer", "exitCodeDescription": "text",
                   "toolExecutionNotifications": ["notification", 0]},
    "notification": {"message!": "message", "level": {"none", "note", "warning", "error"}, "associatedRule": "rule reference",
                     "locations": ["location", 0]},
    "rule reference": {"id": "text", "index": "index"},
    "base": {"uri": "directory uri"},
    "artifact": {"location": "artifact location", "sourceLanguage": "text",
                 "roles": [{"analysisTarget", "attachment", "responseFile", "resultFile", "standardStream", "tracedFile",
                            "unmodified", "modified", "added", "deleted", "renamed", "uncontrolled", "driver", "extension",
                            "translation", "taxonomy", "policy", "referencedOnCommandLine", "memoryContents", "directory",
                            "userSpecifiedConfiguration", "toolSpecifiedConfiguration", "debugOutputFile"}, 0]},
    "artifact location": {"uri": "uri reference", "uriBaseId": "text", "index": "index"},
    "result": {"ruleId": "text", "ruleIndex": "index", "message!": "message", "locations": ["location", 0],
               "kind": {"notApplicable", "pass", "fail", "review", "open", "informational"},
               "level": {"none", "note", "warning", "error"}, "codeFlows": ["code flow", 0],
               "relatedLocations": ["location", 0], "partialFingerprints": {"*": "text"}},
    "location": {"id": "index", "physicalLocation": "physical location", "logicalLocations": ["logical location", 0],
                 "message": "message"},
    "physical location": {"artifactLocation!": "artifact location", "region": "region"},
    "region": {"startLine": "positive", "startColumn": "positive", "snippet": "content"},
    "content": {"text": "text"},
    "logical location": {"name": "text", "kind": "text"},
    "code flow": {"threadFlows!": ["thread flow", 1]},
    "thread flow": {"id": "text", "message": "message", "locations!": ["step", 1]},
    "step": {"location": "location", "executionOrder": "index", "nestingLevel": "natural",
             "importance": {"important", "essential", "unimportant"}, "state": {"*": "message string"}},
}
UNIQUE = {"roles", "artifacts", "rules", "tags", "relatedLocations", "logicalLocations"}  # arrays without equal items


def is_integer(value, least=None):
    return isinstance(value, int) and not isinstance(value, bool) and (least is None or value >= least)


def is_uri(value, pattern):
    escaped = r"(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?#\[\]]|%[0-9A-Fa-f]{2})*"
    return isinstance(value, str) and re.fullmatch(pattern + escaped, value)


SCALARS = {
    "text": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "integer": is_integer,
    "index": lambda value: is_integer(value, -1),
    "natural": lambda value: is_integer(value, 0),
    "positive": lambda value: is_integer(value, 1),
    "uri": lambda value: is_uri(value, "[A-Za-z][A-Za-z0-9+.-]*:"),
    "uri reference": lambda value: is_uri(value, "(?:(?![^/]*:)|(?=[A-Za-z][A-Za-z0-9+.-]*:))"),
    "directory uri": lambda value: is_uri(value, "file:///") and value.endswith("/"),
}

offences = []
bases = {}  # of the run


def check_schema(value, what, where):
    if isinstance(what, set):
        want(value in what, f"{where} is none of the values that there are: {value!r}")
    elif isinstance(what, list):
        want(isinstance(value, list) and len(value) >= what[1], f"{where} is no array, or too short")
        texts = [json.dumps(item, sort_keys=True) for item in value]
        want(len(set(texts)) == len(texts) or where.split(".")[-1] not in UNIQUE, f"{where} has equal items")
        for i, item in enumerate(value):
            check_schema(item, what[0], f"{where}[{i}]")
    elif isinstance(what, str) and what in SCALARS:
        want(SCALARS[what](value), f"{where} is no {what}: {value!r}")
    else:
        check_object(value, what if isinstance(what, dict) else SCHEMA[what], where)


def check_object(value, form, where):
    if not isinstance(value, dict):
        offences.append(f"{where} is not an object")
        return
    for name in form:
        want(not name.endswith("!") or name[:-1] in value, f"{where} has no {name[:-1]}")
    for name, member in value.items():
        what = form.get(name) or form.get(name + "!") or form.get("*")
        want(what, f"{where} has an unknown member {name}")
        if what:
            check_schema(member, what, f"{where}.{name}")


def want(condition, what):
    if not condition:
        offences.append(what)


def members(value, where, required, optional=()):
    """`value` is an object with all required members and no others than the optional ones."""
    if not isinstance(value, dict):
        offences.append(f"{where} is not an object")
        return {}
    for name in required:
        want(name in value, f"{where} has no {name}")
    for name in value:
        want(name in required or name in optional, f"{where} has an unknown member {name}")
    return value


def items(value, where, least=0, most=10**9):
    if not isinstance(value, list):
        offences.append(f"{where} is not an array")
        return []
    want(least <= len(value) <= most, f"{where} has {len(value)} items")
    return value


def message(value, where):
    text = members(value, where, ["text"]).get("text")
    want(isinstance(text, str) and text, f"{where}.text is not a text")


def artifact_location(value, where, artifacts):
    value = members(value, where, ["uri"], ["uriBaseId", "index"])
    uri = value.get("uri", "")
    want(re.fullmatch(r"(?:[A-Za-z0-9\-._~/]|%[0-9A-F]{2}|^file://)+", uri), f"{where}.uri is not a URI: {uri!r}")
    want(uri.startswith("file:///") != ("uriBaseId" in value), f"{where}: a base belongs to relative URIs only")
    want(value.get("uriBaseId", "%SRCROOT%") in bases, f"{where}: nothing says where {value.get('uriBaseId')} is")
    want(not uri.startswith("/"), f"{where}.uri is an absolute path")
    want(not re.search(r"(?:^|/)\.\.?(?:/|$)", uri), f"{where}.uri goes up or stays: {uri}")
    if "index" in value:
        index = value["index"]
        want(isinstance(index, int) and 0 <= index < len(artifacts), f"{where}.index is out of range")
        want(artifacts[index]["location"]["uri"] == uri, f"{where}.index names another file")


def location(value, where, artifacts, line_wanted=True):
    value = members(value, where, ["physicalLocation"], ["logicalLocations", "message", "id"])
    physical = members(value.get("physicalLocation"), where, ["artifactLocation"], ["region"])
    artifact_location(physical.get("artifactLocation"), where + ".artifactLocation", artifacts)
    if line_wanted or "region" in physical:
        region = members(physical.get("region"), where + ".region", ["startLine"], ["startColumn", "snippet"])
        want(isinstance(region.get("startLine"), int) and region["startLine"] >= 1, f"{where}: startLine below 1")
        want(region.get("startColumn", 1) >= 1, f"{where}: startColumn below 1")
        if "snippet" in region:
            message(region["snippet"], where + ".snippet")
    if "message" in value:
        message(value["message"], where + ".message")
    for logical in items(value.get("logicalLocations", []), where):
        members(logical, where + ".logicalLocation", ["name", "kind"])


def driver(value):
    value = members(value, "driver", ["name", "version", "rules"])
    want(value.get("name") == "Heddle", "the driver's name")
    want(re.match(r"\d+\.\d+", value.get("version", "")), "the driver's version")
    identifiers = []
    for i, rule in enumerate(items(value.get("rules"), "rules", 1, 25000)):
        where = f"rules[{i}]"
        rule = members(rule, where, ["id", "name", "shortDescription", "fullDescription", "help", "defaultConfiguration"],
                       ["properties"])
        for name in ("shortDescription", "fullDescription", "help"):
            message(rule.get(name), f"{where}.{name}")
        want(len(rule["shortDescription"]["text"]) <= 255, f"{where}: a long short description")
        want(len(rule["fullDescription"]["text"]) <= 1024, f"{where}: a full description of over 1024 characters")
        want(rule["defaultConfiguration"].get("level") in ("none", "note", "warning", "error"), f"{where}: level")
        items(rule.get("properties", {}).get("tags", []), where + ".tags", 0, 10)
        identifiers.append(rule.get("id"))
    want(len(set(identifiers)) == len(identifiers), "two rules have the same id")
    return identifiers


def thread_flows(flow, artifacts):
    seen, threads, total, essential = set(), set(), 0, 0
    for t, thread in enumerate(items(members(flow, "codeFlow", ["threadFlows"]).get("threadFlows"), "threadFlows", 1)):
        where = f"threadFlows[{t}]"
        thread = members(thread, where, ["locations", "id", "message"])
        message(thread.get("message"), where)
        want(thread.get("id") not in threads, f"{where}: two flows of one thread")
        threads.add(thread.get("id"))
        last = 0
        for i, step in enumerate(items(thread.get("locations"), where, 1)):
            here = f"{where}.locations[{i}]"
            step = members(step, here, ["location", "executionOrder", "nestingLevel", "importance"], ["state"])
            location(step.get("location"), here, artifacts)
            want("message" in step["location"], f"{here} has no message")
            want(step.get("importance") in ("important", "essential", "unimportant"), f"{here}.importance")
            essential += step.get("importance") == "essential"
            want(step.get("nestingLevel", -1) >= 0, f"{here}.nestingLevel")
            order = step.get("executionOrder", -1)
            want(order > last, f"{here}: time goes backwards")
            want(order not in seen, f"{here}: two steps at one time")
            last = order
            seen.add(order)
            for name, value in step.get("state", {}).items():
                message(value, f"{here}.state[{name}]")
            total += 1
    want(0 < total <= 1000, f"{total} locations in a code flow")
    want(essential == 1, f"{essential} essential steps")


def violation(result, rules, artifacts):
    result = members(result, "result", ["ruleId", "ruleIndex", "kind", "level", "message", "locations",
                                        "partialFingerprints"], ["codeFlows", "relatedLocations"])
    want(result.get("kind") == "fail" and result.get("level") == "error", "kind and level of a violation")
    want(rules[result["ruleIndex"]] == result["ruleId"], "ruleIndex and ruleId differ")
    message(result.get("message"), "result.message")
    for i, place in enumerate(items(result.get("locations"), "locations", 1, 100)):
        location(place, f"locations[{i}]", artifacts)
    for i, place in enumerate(items(result.get("relatedLocations", []), "relatedLocations", 0, 100)):
        location(place, f"relatedLocations[{i}]", artifacts)
        want("message" in place, "a related location without a message")
    for name, value in result.get("partialFingerprints", {}).items():
        want(re.fullmatch(r"[A-Za-z]+/v\d+", name) and re.fullmatch(r"[0-9a-f]{16}", value), "a fingerprint")
    for flow in items(result.get("codeFlows"), "codeFlows", 1, 1):
        thread_flows(flow, artifacts)


def invocation(value, answer, rules, artifacts):
    value = members(value, "invocation", ["executionSuccessful", "exitCode", "exitCodeDescription"],
                    ["toolExecutionNotifications"])
    want(isinstance(value.get("executionSuccessful"), bool), "executionSuccessful")
    want(value.get("exitCode") == {"SAFE": 0, "UNSAFE": 1, "UNKNOWN": 3}[answer], "exitCode")
    want(value.get("exitCodeDescription") == answer, "exitCodeDescription")
    notes = items(value.get("toolExecutionNotifications", []), "notifications")
    want(len(notes) == (answer != "UNSAFE"), "one notification unless there is a violation")
    for note in notes:
        note = members(note, "notification", ["level", "message", "associatedRule"], ["locations"])
        want(note.get("level") == ("note" if answer == "SAFE" else "warning"), "the notification's level")
        message(note.get("message"), "notification")
        want(note["message"]["text"].startswith(answer + ": "), "the notification's text")
        rule = members(note.get("associatedRule"), "associatedRule", ["id", "index"])
        want(rules[rule["index"]] == rule["id"], "associatedRule")
        for place in items(note.get("locations", []), "notification.locations"):
            location(place, "notification.locations", artifacts, line_wanted=False)


def no_twins(pairs):
    names = [name for name, _ in pairs]
    want(len(set(names)) == len(names), f"an object has a member twice: {names}")
    return dict(pairs)


def main(path, answer):
    with open(path, "rb") as file:
        raw = file.read()
    want(len(raw) < 10 << 20, "larger than 10 MB")
    log = json.loads(raw.decode("utf-8", "strict"), object_pairs_hook=no_twins)
    check_schema(log, "log", "log")
    if offences or answer == "SURVEY":
        return  # what follows relies on the form, and is about files of check
    members(log, "log", ["$schema", "version", "runs"])
    want(log.get("version") == "2.1.0", "version")
    want(log.get("$schema", "").endswith("sarif-2.1.0.json"), "$schema")
    run = members(items(log.get("runs"), "runs", 1, 1)[0], "run",
                  ["tool", "invocations", "columnKind", "results", "artifacts", "originalUriBaseIds"])
    bases.update(run.get("originalUriBaseIds", {}))
    want("%SRCROOT%" in bases, "no %SRCROOT%")
    artifacts = items(run.get("artifacts"), "artifacts", 1)
    for i, artifact in enumerate(artifacts):
        artifact = members(artifact, "artifact", ["location", "roles", "sourceLanguage"])
        artifact_location(artifact["location"], f"artifacts[{i}]", artifacts)
        want(artifact["location"].get("index") == i, f"artifacts[{i}] has another index")
    rules = driver(members(run.get("tool"), "tool", ["driver"]).get("driver"))
    want(run.get("columnKind") in ("utf16CodeUnits", "unicodeCodePoints"), "columnKind")
    invocation(items(run.get("invocations"), "invocations", 1, 1)[0], answer, rules, artifacts)
    results = items(run.get("results"), "results", 0, 25000)
    want(len(results) == (answer == "UNSAFE"), "one result for a violation, else none")
    for result in results:
        violation(result, rules, artifacts)


main(sys.argv[1], sys.argv[2])
for offence in offences:
    print(f"{sys.argv[1]}: {offence}")
sys.exit(bool(offences))
