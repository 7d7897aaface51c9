"""Writes the files that follow from the table of functions: see write-derived beside this file."""
import json
import re
import subprocess
import sys

SCHEMA = "vectors/cases.schema.json"


# ---- JSON as the schema has it: on one line what fits, lists of words filled ----

FITS, FILLED = 117, 115


def inline(value):
    if isinstance(value, dict):
        return "{" + ", ".join(json.dumps(k) + ": " + inline(v) for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(inline, value)) + "]"
    return json.dumps(value)


def filled(values, indent):
    lines = [""]
    for i, value in enumerate(values):
        word = inline(value) + ("," if i + 1 < len(values) else "")
        if lines[-1] and indent + len(lines[-1]) + 1 + len(word) > FILLED:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return lines


def pretty(value, indent):
    if indent + len(inline(value)) <= FITS or not isinstance(value, (dict, list)):
        return inline(value)
    if isinstance(value, dict):
        open_, close = "{", "}"
        items = [json.dumps(k) + ": " + pretty(v, indent + 2) for k, v in value.items()]
    elif any(isinstance(v, (dict, list)) for v in value):
        open_, close = "[", "]"
        items = [pretty(v, indent + 2) for v in value]
    else:
        lines = filled(value, indent + 2)
        return "[\n" + "\n".join(" " * (indent + 2) + line for line in lines) + "\n" + " " * indent + "]"
    inner = ",\n".join(" " * (indent + 2) + item for item in items)
    return open_ + "\n" + inner + "\n" + " " * indent + close


def put(text, path, value):
    """The text with another value behind the last of these keys, each the first at its indentation behind the one before."""
    at, indent = 0, 0
    for key in path:
        indent += 2
        at = text.index("\n" + " " * indent + json.dumps(key) + ": ", at) + 1
    at += indent + len(json.dumps(path[-1])) + 2
    old, end = json.JSONDecoder().raw_decode(text, at)
    if inline(old) == inline(value):
        return text
    return text[:at] + pretty(value, indent) + text[end:]


# ---- The schema ----


def ref(name):
    return {"$ref": "#/$defs/" + name}


def keys_of(fields):
    return [f["key"] for f in fields]


def field_schema(field):
    number = ref(field["type"])
    if "names" in field:
        number = {"anyOf": [{"enum": field["names"]}, number]}
    return {"type": "array", "items": number, "minItems": 1, "maxItems": field["count"]} if field["count"] > 1 else number


def all_fields(old, functions):
    """Every key, in the order of the file and then of functions; of different types, any of them."""
    kinds = {key: [] for key in old if any(key in keys_of(f["config"]) for f in functions)}
    for f in functions:
        for field in f["config"]:
            schema = field_schema(field)
            if schema not in kinds.setdefault(field["key"], []):
                kinds[field["key"]].append(schema)
    return {k: v[0] if len(v) == 1 else {"anyOf": v} for k, v in kinds.items()}


def only(names):
    return {"propertyNames": {"enum": names}} if names else {"maxProperties": 0}


def expectation(f, outputs, filled_name):
    forbidden = ["return" if f["returns"] == "status" else "status", "steps"] + ([] if f["fills"] else ["config"])
    items = {"required": ["status"]} if f["returns"] == "status" else {}
    items["not"] = {"anyOf": [{"required": [k]} for k in forbidden]}
    if f["returns"] != "status":
        items["anyOf"] = [{"required": [k]} for k in ("return", "changed", "outputs")]
    if outputs:
        items["properties"] = {"outputs": only(outputs), "changed": only(outputs)}
        if f["fills"]:
            items["properties"]["config"] = ref(filled_name)
    return {"items": items}


def rule(group, f, may_be_lists, filled_name):
    """What a case of such a function has."""
    roles = [r["role"] for r in f["roles"]]
    due = {
        "inputs": [r["role"] for r in f["roles"] if not r["written"] and not r["optional"]],
        "outputs": [r["role"] for r in f["roles"] if r["written"] and not r["optional"]],
    }
    inputs = [r["role"] for r in f["roles"] if not r["written"]]
    outputs = [r["role"] for r in f["roles"] if r["written"]]
    config = only(keys_of(f["config"]))
    if f["config"]:
        config["required"] = [c["key"] for c in f["config"] if c["required"]]
    properties = {"inputs": only(inputs), "outputs": only(outputs), "config": config}
    forms = {r["role"]: {"type": "array" if r["list"] else "object"} for r in f["roles"] if r["role"] in may_be_lists and not r["written"]}
    if forms:
        properties["inputs"]["properties"] = forms
    nulls = roles + (["cfg"] if f["structure"] else [])
    properties["null"] = {"items": {"enum": nulls}} if nulls else {"maxItems": 0}
    properties["expect"] = expectation(f, outputs, filled_name)
    then = {"properties": properties}
    required = [k for k in ("inputs", "outputs") if due[k]] + (["config"] if f["config"] else [])
    if required:
        then["if"] = {"not": {"anyOf": [{"required": ["null"]}]}}
        then["then"] = {"required": required, "properties": {k: {"required": due[k]} for k in ("inputs", "outputs") if due[k]}}
    return {"if": {"properties": {"function": ref("functions/" + group)}}, "then": then}


def shape(f):
    """Functions with the same shape are one group."""
    return json.dumps([f["roles"] and [[r[k] for k in ("role", "read", "written", "list", "optional")] for r in f["roles"]],
                       f["config"], f["fills"], f["returns"], f["structure"]])


def groups_of(old, functions):
    """Names of groups are those of the file; a function of a new shape begins one with its own name."""
    by_name = {f["function"]: f for f in functions}
    names = {}
    for group, members in old.items():
        first = next((by_name[m] for m in members["enum"] if m in by_name), None)
        if first:
            names[shape(first)] = group
    found = {group: [] for group in old}
    for f in functions:
        found.setdefault(names.setdefault(shape(f), f["function"]), []).append(f)
    return found


def schema(text, table):
    defs = json.loads(text)["$defs"]
    functions = table["functions"]
    by_name = {f["function"]: f for f in functions}
    may_be_lists = {r["role"] for f in functions for r in f["roles"] if r["list"]}
    groups = groups_of(defs["functions"], functions)
    filled_of = {json.dumps(keys_of(f["fills"])): f["fills"] for f in functions if f["fills"]}
    names = {}
    for name in (n for n in defs if n.startswith("filled_")):
        # The one with the most keys in common: a key may be new.
        have = set(defs[name]["properties"])
        names[name] = max(filled_of.values(), key=lambda fields: len(have & set(keys_of(fields))))
    rules, lists = [], {}
    for group, members in groups.items():
        if not members:  # sequences, which are no function
            rules.append(next(r for r in defs["case"]["allOf"] if r["if"]["properties"]["function"]["$ref"].endswith("/" + group)))
            lists[group] = defs["functions"][group]
            continue
        filled_name = next((n for n, fields in names.items() if fields == members[0]["fills"]), None)
        rules.append(rule(group, members[0], may_be_lists, filled_name))
        lists[group] = {"enum": [f["function"] for f in members]}
    tensors = {r: {"anyOf": [ref("tensor"), ref("tensor_list")]} if r in may_be_lists else ref("tensor") for r in table["roles"]}
    case = ["$defs", "case", "properties"]
    text = put(text, case + ["function", "anyOf"], [ref("functions/" + g) for g in groups])
    text = put(text, case + ["null", "items", "enum"], ["cfg"] + table["roles"])
    text = put(text, case + ["inputs", "properties"], tensors)
    text = put(text, case + ["outputs", "properties"], {r: ref("tensor") for r in table["roles"]})
    text = put(text, ["$defs", "case", "allOf"], rules)
    text = put(text, ["$defs", "config", "properties"], all_fields(defs["config"]["properties"], functions))
    roles = table["roles"]
    text = put(text, ["$defs", "expect", "properties", "profiles", "items"], {"enum": table["profiles"]})
    text = put(text, ["$defs", "expect", "properties", "changed", "properties"], {r: ref("changed") for r in roles})
    text = put(text, ["$defs", "outputs", "properties"], {r: {"type": "array", "items": ref("element")} for r in roles})
    text = put(text, ["$defs", "functions"], lists)
    text = put(text, ["$defs", "status", "enum"], table["statuses"])
    for name, fields in names.items():
        text = put(text, ["$defs", name, "required"], keys_of(fields))
        text = put(text, ["$defs", name, "properties"], {f["key"]: field_schema(f) for f in fields})
    return text


# ---- All of it ----


def main(lastbit, check):
    table = json.loads(subprocess.run([lastbit, "port", "functions", "--json"], check=True, capture_output=True).stdout)
    wrong = 0
    for name, write in ((SCHEMA, schema),):
        with open(name, encoding="utf-8") as file:
            old = file.read()
        new = write(old, table)
        if new == old:
            continue
        wrong += 1
        if check:
            line = next(i for i, (a, b) in enumerate(zip(old.split("\n"), new.split("\n") + [""])) if a != b)
            print(f"{name}:{line + 1}: the table of functions says\n  {new.split(chr(10))[line]}\nwhere this file has\n"
                  f"  {old.split(chr(10))[line]}\nci/write-derived writes what follows from the table", file=sys.stderr)
        else:
            with open(name, "w", encoding="utf-8") as file:
                file.write(new)
            print(f"{name}: written")
    return 1 if check and wrong else 0


sys.exit(main(sys.argv[1], "--check" in sys.argv[2:]))
