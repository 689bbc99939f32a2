#!/usr/bin/env python3
"""Checks a SARIF file against the rules of SARIF 2.1.0 that concern what Heddle writes, and code scanning's limits.

usage: sarif_rules.py FILE SAFE|UNSAFE|UNKNOWN
Prints one line per offence and fails if there was any. An unknown member of any object is an offence.
"""
import json
import re
import sys

offences = []


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
    want(not uri.startswith("/"), f"{where}.uri is an absolute path")
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
    members(log, "log", ["$schema", "version", "runs"])
    want(log.get("version") == "2.1.0", "version")
    want(log.get("$schema", "").endswith("sarif-2.1.0.json"), "$schema")
    run = members(items(log.get("runs"), "runs", 1, 1)[0], "run",
                  ["tool", "invocations", "columnKind", "results", "artifacts"])
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
