"""Validates files against a JSON Schema; ci/check-schema says how it is called."""

import copy
import json
import os
import sys

import jsonschema
import yaml

# The same reader in C, ten times as fast, where Python has it.
YAML_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
SUFFIXES = (".json", ".jsonl", ".yaml", ".yml")


def files_under(path):
    if not os.path.isdir(path):
        return [path]
    found = []
    for folder, _, names in os.walk(path):
        found += [os.path.join(folder, n) for n in names if n.endswith(SUFFIXES) and not n.endswith(".schema.json")]
    return sorted(found)


def load(path):
    """The document; JSON Lines (a header, then a case a line) become the document that they stand for."""
    with open(path, encoding="utf-8") as stream:
        if path.endswith((".yaml", ".yml")):
            return yaml.load(stream, Loader=YAML_LOADER)
        if path.endswith(".jsonl"):
            lines = [json.loads(line) for line in stream if line.strip()]
            return dict(lines[0], cases=lines[1:])
        return json.load(stream)


def shortened(document):
    """The document with one element of each list at its top: as right as the whole, and quickly looked at."""
    return {key: value[:1] if isinstance(value, list) else value for key, value in document.items()}


def near_misses(schema, document):
    """Documents that differ from a right one in one thing and must be refused."""
    changed = copy.copy(document)
    changed["no_such_key"] = 1
    yield "an unknown key", changed
    for key in schema.get("required", []):
        changed = copy.copy(document)
        changed.pop(key, None)
        yield f"no key '{key}'", changed


def is_other_format(schema, document):
    """Whether the document says that it is another lastbit file: folders hold several kinds."""
    due = schema.get("properties", {}).get("format", {}).get("const", "")
    given = document.get("format", "") if isinstance(document, dict) else ""
    return due and str(given).startswith("lastbit/") and str(given).rpartition("-")[0] != due.rpartition("-")[0]


def first_error(validator, document):
    error = jsonschema.exceptions.best_match(validator.iter_errors(document))
    if error is None:
        return None
    place = "/".join(str(step) for step in error.absolute_path)
    return f"{place or 'top'}: {error.message[:300]}"


def main():
    schema_path, *paths = sys.argv[1:]
    try:
        schema = load(schema_path)
    except (OSError, ValueError) as problem:
        print(f"{schema_path}: {problem}")
        return 1
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    validator = kind(schema)
    wrong = 0
    files = [f for path in paths for f in files_under(path)]
    passed_over = 0
    for path in files:
        try:
            document = load(path)
        except (OSError, ValueError, yaml.YAMLError) as problem:
            print(f"{path}: {problem}")
            wrong += 1
            continue
        if path not in paths and is_other_format(schema, document):
            passed_over += 1
            continue
        error = first_error(validator, document)
        if error:
            print(f"{path}: {error}")
            wrong += 1
            continue
        short = shortened(document)
        for what, changed in near_misses(schema, short if validator.is_valid(short) else document):
            if validator.is_valid(changed):
                print(f"{path}: {schema_path} accepts it with {what}")
                wrong += 1
    checked = len(files) - passed_over
    print(f"check-schema: {checked} files against {os.path.basename(schema_path)}, {wrong} wrong")
    return 1 if wrong or not checked else 0


sys.exit(main())
