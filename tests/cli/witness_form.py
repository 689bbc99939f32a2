#!/usr/bin/env python3
"""Checks a witness field by field against the rules of SV-COMP's witness format 2.0 (and thread_id of 2.2).

usage: witness_form.py WITNESS.yml...   Prints what is wrong; status 1 if anything is.
"""
import datetime
import hashlib
import os
import re
import sys

import yaml

TYPES = ("assumption", "branching", "function_enter", "function_return", "target")
UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
SPECIFICATIONS = ("G ! call(reach_error())", "G ! data-race", "G ! deadlock", "G valid-deref", "G valid-free",
                  "G ! division-by-zero")


class Wrong(Exception):
    pass


def need(condition, what):
    if not condition:
        raise Wrong(what)


def keys(mapping, required, optional, what):
    need(isinstance(mapping, dict), f"{what} is no mapping")
    for key in required:
        need(key in mapping, f"{what} lacks {key}")
    for key in mapping:
        need(key in required or key in optional, f"{what} has the key {key}")


def text(value, what):
    need(isinstance(value, str) and value, f"{what} is no text")


def check_task(task):
    keys(task, ("input_files", "input_file_hashes", "specification", "data_model", "language"), (), "task")
    need(isinstance(task["input_files"], list) and task["input_files"], "input_files is no list")
    need(set(task["input_files"]) == set(task["input_file_hashes"]), "hashes of other files")
    for name, value in task["input_file_hashes"].items():
        need(re.fullmatch(r"[0-9a-f]{64}", value), "a hash is no SHA-256")
        if os.path.exists(name):
            with open(name, "rb") as file:
                need(hashlib.sha256(file.read()).hexdigest() == value, f"wrong hash of {name}")
    need(task["specification"] in SPECIFICATIONS, "unknown specification")
    need(task["data_model"] in ("ILP32", "LP64"), "unknown data model")
    need(task["language"] == "C", "unknown language")


def check_metadata(metadata):
    keys(metadata, ("format_version", "uuid", "creation_time", "producer", "task"), (), "metadata")
    need(metadata["format_version"] in ("2.0", "2.1", "2.2"), "format_version")
    need(re.fullmatch(UUID, metadata["uuid"]), "uuid is none of version 4")
    datetime.datetime.strptime(metadata["creation_time"], "%Y-%m-%dT%H:%M:%SZ")
    keys(metadata["producer"], ("name", "version"), ("configuration", "command_line", "description"), "producer")
    for key, value in metadata["producer"].items():
        text(value, key)
    check_task(metadata["task"])


def check_location(location, files):
    keys(location, ("file_name", "line"), ("column", "function"), "location")
    name = location["file_name"]
    folders = [os.path.dirname(file) for file in files]
    included = any(os.path.relpath(name, folder or ".") in open(file).read() for file, folder in zip(files, folders))
    need(name in files or included, "a location in a file that is not part of the task")
    for key in ("line", "column"):
        value = location.get(key, 1)
        need(isinstance(value, int) and value >= 1, f"{key} is no number from 1")
    with open(location["file_name"], encoding="latin-1") as file:
        lines = file.read().split("\n")
    need(location["line"] <= len(lines), "a line behind the end")
    return lines[location["line"] - 1][location.get("column", 1) - 1:]


def check_waypoint(waypoint, files, threads):
    keys(waypoint, ("type", "action", "location"), ("constraint", "thread_id"), "waypoint")
    kind = waypoint["type"]
    need(kind in TYPES, "unknown type of a waypoint")
    need(waypoint["action"] in ("follow", "avoid"), "unknown action")
    rest = check_location(waypoint["location"], files)
    if kind in ("assumption", "branching"):
        need("constraint" in waypoint, f"{kind} without constraint")
    if kind in ("target", "function_enter"):
        need("constraint" not in waypoint, f"{kind} with constraint")
    if kind in ("function_enter", "function_return"):
        need(rest.startswith(")"), f"{kind} is not at a right parenthesis")
    else:
        need(rest and re.match(r"[A-Za-z_(*+\-]", rest), f"{kind} is not at the beginning of a statement")
    if "constraint" in waypoint:
        keys(waypoint["constraint"], ("value",), ("format",), "constraint")
        text(waypoint["constraint"]["value"], "the value of a constraint")
        need(waypoint["constraint"].get("format", "c_expression") in ("c_expression", "acsl_expression"), "format")
    if "thread_id" in waypoint:
        need(isinstance(waypoint["thread_id"], int) and 0 <= waypoint["thread_id"] <= threads[0],
             "a thread that was not created")
    if kind == "function_enter":
        threads[0] += 1


def check_segments(content, metadata):
    need(content, "a violation witness without segments")
    files = metadata["task"]["input_files"]
    race = metadata["task"]["specification"] == "G ! data-race"
    threads = [0]
    for index, element in enumerate(content):
        keys(element, ("segment",), (), "an element of the content")
        last = index == len(content) - 1
        follows = [w["waypoint"] for w in element["segment"] if w["waypoint"]["action"] == "follow"]
        need(len(follows) == 1 or (last and race and len(follows) == 2), "a segment follows one waypoint")
        need(element["segment"][-1]["waypoint"]["action"] == "follow", "a segment ends with what it follows")
        for waypoint in follows:
            need((waypoint["type"] == "target") == last, "the target is in the last segment, and only there")
        for element_waypoint in element["segment"]:
            keys(element_waypoint, ("waypoint",), (), "an element of a segment")
            waypoint = element_waypoint["waypoint"]
            need("thread_id" not in waypoint or metadata["format_version"] == "2.2", "thread_id before 2.2")
            check_waypoint(waypoint, files, threads)


def check_invariants(content, files):
    for element in content:
        keys(element, ("invariant",), (), "an element of the content")
        invariant = element["invariant"]
        keys(invariant, ("type", "location", "value", "format"), (), "invariant")
        need(invariant["type"] in ("loop_invariant", "location_invariant"), "unknown type of an invariant")
        check_location(invariant["location"], files)
        text(invariant["value"], "the value of an invariant")
        need(invariant["format"] == "c_expression", "format of an invariant")


def check(path):
    with open(path, encoding="utf-8") as file:
        entries = yaml.safe_load(file)
    need(isinstance(entries, list) and entries, "no list of entries")
    for entry in entries:
        keys(entry, ("entry_type", "metadata", "content"), (), "entry")
        check_metadata(entry["metadata"])
        need(isinstance(entry["content"], list), "content is no list")
        if entry["entry_type"] == "violation_sequence":
            check_segments(entry["content"], entry["metadata"])
        else:
            need(entry["entry_type"] == "invariant_set", "unknown entry_type")
            check_invariants(entry["content"], entry["metadata"]["task"]["input_files"])


def main():
    wrong = 0
    for path in sys.argv[1:]:
        try:
            check(path)
        except (Wrong, ValueError, TypeError, KeyError) as error:
            print(f"{path}: {error}")
            wrong += 1
    return 1 if wrong else 0


sys.exit(main())
