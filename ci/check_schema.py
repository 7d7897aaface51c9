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


def thinned(document, every):
    """The document with each Nth element of its long lists."""
    if not isinstance(document, dict) or every == 1:
        return document
    return {key: value[::every] if isinstance(value, list) and len(value) > 100 else value for key, value in document.items()}


def near_misses(schema, document):
    """Documents that differ from a right one in one thing and must be refused."""
    changed = copy.copy(document)
    changed["no_such_key"] = 1
    yield "an unknown key", changed
    for key in schema.get("required", []):
        changed = copy.copy(document)
        changed.pop(key, None)
        yield f"no key '{key}'", changed
    for case in document.get("cases", [])[:1]:
        for what, wrong in (("an unknown key in a case", {"no_such_key": 1}), ("a case of no known function", {"function": "mli_krn_none"}),
                            ("a case whose tensors are another function's", {"inputs": {"in_bad": 1}})):
            yield what, dict(document, cases=[dict(case, **wrong)])


def is_other_format(schema, document):
    """Whether the document says that it is another lastbit file: folders hold several kinds."""
    due = schema.get("properties", {}).get("format", {}).get("const", "")
    given = document.get("format", "") if isinstance(document, dict) else ""
    return due and str(given).startswith("lastbit/") and str(given).rpartition("-")[0] != due.rpartition("-")[0]


# ---- The same schema, quicker to hold a thousand cases to ----


def resolved(schema, part, above=()):
    """`part` with what "$ref" names in its place. A reference with other keys beside it becomes one of "allOf", which is what it means."""
    if isinstance(part, list):
        return [resolved(schema, p, above) for p in part]
    if not isinstance(part, dict):
        return part
    reference = part.get("$ref")
    if not isinstance(reference, str):
        return {k: resolved(schema, v, above) for k, v in part.items()}
    plain = {k: resolved(schema, v, above) for k, v in part.items() if k not in ("$ref", "description")}
    if not reference.startswith("#/") or reference in above:
        raise RecursionError(reference)
    named = schema
    for step in reference[2:].split("/"):
        named = named[step]
    named = resolved(schema, named, above + (reference,))
    return dict(plain, allOf=plain.get("allOf", []) + [named]) if plain else named


def words(part):
    """The words of {"enum": [...]}, of {"const": ...}, or of several of these in "anyOf"; None: it is something else."""
    if not isinstance(part, dict) or len(part) != 1:
        return None
    (key, value), = part.items()
    if key == "anyOf":
        parts = [words(p) for p in value]
        return None if None in parts else [w for p in parts for w in p]
    return value if key == "enum" else [value] if key == "const" else None


def for_word(schema, key, word):
    """`schema` for objects in which `key` is `word`: conditions that ask for nothing else are decided, once for all such objects."""
    decided = []
    for branch in [schema] + schema.get("allOf", []):
        condition = branch.get("if")
        asked = words(condition["properties"].get(key)) if isinstance(condition, dict) and list(condition) == ["properties"] \
            and list(condition["properties"]) == [key] else None
        rest = {k: v for k, v in branch.items() if asked is None or k not in ("if", "then", "else")}
        if branch is schema:
            rest.pop("allOf", None)
        chosen = branch.get("then" if word in asked else "else") if asked is not None else None
        decided += [part for part in (rest, chosen) if part]
    return {"allOf": decided}


class Holder:
    """Holds documents to a schema. The cases of a suite are looked at one by one, with the schema of their function."""

    def __init__(self, schema):
        self.kind = jsonschema.validators.validator_for(schema)
        self.kind.check_schema(schema)
        self.whole = self.kind(schema)
        self.case = None
        self.of_function = {}
        items = schema.get("properties", {}).get("cases", {}).get("items")
        if items:
            self.case = resolved(schema, items)
            names = words({k: v for k, v in self.case["properties"]["function"].items() if k != "description"})
            if names is not None:
                self.case["properties"]["function"] = {"enum": names}

    def errors(self, document):
        cases = document.get("cases") if isinstance(document, dict) else None
        if self.case is None or not isinstance(cases, list):
            return self.whole.iter_errors(document)
        return self.errors_of_suite(document, cases)

    def errors_of_suite(self, document, cases):
        yield from self.whole.iter_errors(dict(document, cases=[]))
        for number, case in enumerate(cases):
            function = case.get("function") if isinstance(case, dict) else None
            if not isinstance(function, str):
                yield from self.whole.iter_errors(dict(document, cases=[case]))
                continue
            if function not in self.of_function:
                self.of_function[function] = self.kind(for_word(self.case, "function", function))
            for error in self.of_function[function].iter_errors(case):
                error.path.extendleft((number, "cases"))
                yield error


def first_error(holder, document):
    error = jsonschema.exceptions.best_match(holder.errors(document))
    if error is None:
        return None
    place = "/".join(str(step) for step in error.absolute_path)
    return f"{place or 'top'}: {error.message[:300]}"


def main():
    arguments, every = sys.argv[1:], 1
    if arguments[0] == "--every":
        if len(arguments) < 2 or not arguments[1].isdecimal() or int(arguments[1]) < 1:
            print("check-schema: --every needs a number of 1 or more", file=sys.stderr)
            return 2
        every, arguments = int(arguments[1]), arguments[2:]
    if len(arguments) < 2:
        print("check-schema: a schema and files are needed (try --help)", file=sys.stderr)
        return 2
    schema_path, *paths = arguments
    try:
        schema = load(schema_path)
    except (OSError, ValueError) as problem:
        print(f"{schema_path}: {problem}")
        return 1
    holder = Holder(schema)
    wrong = 0
    files = [f for path in paths for f in files_under(path)]
    passed_over = 0
    for path in files:
        try:
            document = thinned(load(path), every)
        except (OSError, ValueError, yaml.YAMLError) as problem:
            print(f"{path}: {problem}")
            wrong += 1
            continue
        if path not in paths and is_other_format(schema, document):
            passed_over += 1
            continue
        error = first_error(holder, document)
        if error:
            print(f"{path}: {error}")
            wrong += 1
            continue
        short = shortened(document)
        for what, changed in near_misses(schema, short if holder.whole.is_valid(short) else document):
            if next(iter(holder.errors(changed)), None) is None:
                print(f"{path}: {schema_path} accepts it with {what}")
                wrong += 1
    checked = len(files) - passed_over
    print(f"check-schema: {checked} files against {os.path.basename(schema_path)}, {wrong} wrong" +
          (f"; of long lists each {every}th" if every > 1 else ""))
    return 1 if wrong or not checked else 0


sys.exit(main())
