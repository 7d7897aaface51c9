"""Writes the files that follow from the table of functions: see write-derived beside this file."""
import itertools
import json
import re
import subprocess
import sys

SCHEMA = "vectors/cases.schema.json"
KIT = "harness/port_kit/"


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
    """The text with another value behind the last of these keys, each the first at its depth behind the one before."""
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
    if field["count"] == 1:
        return number
    return {"type": "array", "items": number, "minItems": 1, "maxItems": field["count"]}


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
    forms = {r["role"]: {"type": "array" if r["list"] else "object"}
             for r in f["roles"] if r["role"] in may_be_lists and not r["written"]}
    if forms:
        properties["inputs"]["properties"] = forms
    nulls = roles + (["cfg"] if f["structure"] else [])
    properties["null"] = {"items": {"enum": nulls}} if nulls else {"maxItems": 0}
    properties["expect"] = expectation(f, outputs, filled_name)
    then = {"properties": properties}
    required = [k for k in ("inputs", "outputs") if due[k]] + (["config"] if f["config"] else [])
    if required:
        then["if"] = {"not": {"anyOf": [{"required": ["null"]}]}}
        then["then"] = {"required": required, "properties": {k: {"required": v} for k, v in due.items() if v}}
    return {"if": {"properties": {"function": ref("functions/" + group)}}, "then": then}


def shape(f):
    """Functions with the same shape are one group."""
    roles = [{k: v for k, v in r.items() if k != "type"} for r in f["roles"]]
    return json.dumps([roles, f["config"], f["fills"], f["returns"], f["structure"]])


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
            its = ref("functions/" + group)
            rules.append(next(r for r in defs["case"]["allOf"] if r["if"]["properties"]["function"] == its))
            lists[group] = defs["functions"][group]
            continue
        filled_name = next((n for n, fields in names.items() if fields == members[0]["fills"]), None)
        rules.append(rule(group, members[0], may_be_lists, filled_name))
        lists[group] = {"enum": [f["function"] for f in members]}
    # Roles that functions have, and those of sequences, which the file names; other kernel sets have more.
    known = {r["role"] for f in functions for r in f["roles"]} | set(defs["outputs"]["properties"])
    roles = [r for r in table["roles"] if r in known]
    tensors = {r: ref("tensor") for r in roles}
    tensors.update({r: {"anyOf": [ref("tensor"), ref("tensor_list")]} for r in may_be_lists})
    case = ["$defs", "case", "properties"]
    text = put(text, case + ["function", "anyOf"], [ref("functions/" + g) for g in groups])
    text = put(text, case + ["null", "items", "enum"], ["cfg"] + roles)
    text = put(text, case + ["inputs", "properties"], tensors)
    text = put(text, case + ["outputs", "properties"], {r: ref("tensor") for r in roles})
    text = put(text, ["$defs", "case", "allOf"], rules)
    text = put(text, ["$defs", "config", "properties"], all_fields(defs["config"]["properties"], functions))
    text = put(text, ["$defs", "expect", "properties", "profiles", "items"], {"enum": table["profiles"]})
    text = put(text, ["$defs", "expect", "properties", "changed", "properties"], {r: ref("changed") for r in roles})
    text = put(text, ["$defs", "outputs", "properties"], {r: {"type": "array", "items": ref("element")} for r in roles})
    text = put(text, ["$defs", "functions"], lists)
    text = put(text, ["$defs", "status", "enum"], table["statuses"])
    for name, fields in names.items():
        text = put(text, ["$defs", name, "required"], keys_of(fields))
        text = put(text, ["$defs", name, "properties"], {f["key"]: field_schema(f) for f in fields})
    return text


# ---- The calls of the port kit ----

# Where a structure of the API has another name than the shape of the call, or a member another than the key. The
# configuration of cells and of movement is made by a function of its own, for several shapes.
STRUCTURES = {"lstm": "mli_rnn_cell_cfg", "gru": "mli_rnn_cell_cfg", "create_subtensor": "mli_sub_tensor_cfg",
              "point_to_subtensor": "mli_point_to_subtsr_cfg", "mov_sync": "mli_mov_cfg_t"}
MEMBERS = {("conv2d", "relu"): "relu.type", ("fully_connected", "relu"): "relu.type"}
SHARED = {"lstm": "cell", "gru": "cell", "mov_sync": "mov"}
TABLES = {"lstm": ["TANH", "SIGM"], "gru": ["TANH", "SIGM"], "sigm": ["SIGM"], "tanh": ["TANH"], "softmax": ["SOFTMAX"],
          "l2_normalize": ["L2_NORMALIZE"]}
# Lists of tensors, and what is not read from the wire as it is: written by people.
BY_HAND = {"rnn_dense", "create_lut"}
CASTS = {"u8": "(uint8_t)", "i32": "(int32_t)", "u32": ""}


def structure_of(shape_name):
    return STRUCTURES.get(shape_name, "mli_" + shape_name + "_cfg")


def member_of(shape_name, field):
    return MEMBERS.get((shape_name, field["key"]), field["key"])


def words(fields):
    """Fields with the number of the first word of each."""
    at = 0
    for field in fields:
        yield at, field
        at += field["count"]


def each_entry(fields, line):
    """A line for each field; those of neighbouring lists in one loop over their entries."""
    text, lists = "", []
    for at, field in [*words(fields), (0, None)]:
        if field and field["count"] > 1:
            lists.append(line(field, "[d]", f"{at} + d" if at else "d"))
            continue
        if lists:
            text += "for (d = 0; d < 4; d++) " + (lists[0] if len(lists) == 1 else "{" + "".join(lists) + "}")
            lists = []
        if field:
            text += line(field, "", str(at))
    return text


def field_list(name, shape_name, fields):
    structure = structure_of(shape_name)
    rows = ", ".join(f"LB_FIELD{4 if f['count'] > 1 else ''}({structure}, {member_of(shape_name, f)})" for f in fields)
    return f"static const lb_kit_field {name}[] = {{{rows}, {{0, 0}}}};"


def filled_structure(shape_name, fields):
    def line(field, entry, word):
        value = f"lb_kit_relu(LB_WORD({word}))" if "names" in field else f"{CASTS[field['type']]}LB_WORD({word})"
        return f"cfg.{member_of(shape_name, field)}{entry} = {value};"

    counter = "unsigned d;" if any(f["count"] > 1 for f in fields) else ""
    return f"{structure_of(shape_name)} cfg;{counter} memset(&cfg, 0, sizeof cfg);" + each_entry(fields, line)


def arguments(f, shape_name, read, table, config, written):
    tensors = [(r["role"], r["written"], r["list"]) for r in f["roles"]]
    given = [read(r, is_list) for r, w, is_list in tensors if not w]
    given += [table(t) for t in TABLES.get(shape_name, [])] + ([config] if f["structure"] else [])
    return ", ".join(given + [written(r) for r, w, _ in tensors if w])


def prototype(shape_name, f):
    given = arguments(f, shape_name, lambda _, is_list: "const mli_tensor **" if is_list else "lb_kit_in",
                      lambda _: "const mli_lut *", f"const {structure_of(shape_name)} *", lambda _: "mli_tensor *")
    return f"mli_status (*{shape_name})({given});"


def call(shape_name, f):
    def tensor(role, _=None):
        return f"LB_T(LB_WIRE_{role.upper()})"

    given = arguments(f, shape_name, tensor, lambda t: f"lb_kit_lut(LB_KIT_{t})", "LB_CFG(cfg)", tensor)
    shared = SHARED.get(shape_name)
    body = ""
    if shared:
        body = (f"const lb_kit_field *const fields = lb_kit_{shared}_fields;"
                f"{structure_of(shape_name)} cfg = lb_kit_{shared}_cfg(c);")
    elif f["structure"]:
        body = field_list("fields", shape_name, f["config"]) + filled_structure(shape_name, f["config"])
    return (f"static void lb_kit_do_{shape_name}(lb_kit_call *c, const lb_kit_fn *f)\n"
            f"{{{body} lb_kit_status(c, f->{shape_name}({given}));}}")


def movement(fields):
    """What is shared by the calls that take a configuration of movement, and by those that fill one."""
    def out(field, entry, word):
        return f"c->config_out[{word}] = {'(uint32_t)' if field['type'] == 'i32' else ''}cfg->{field['key']}{entry};"

    yield field_list("lb_kit_mov_fields", "mov_sync", fields)
    made = filled_structure("mov_sync", fields)
    yield f"static mli_mov_cfg_t lb_kit_mov_cfg(const lb_kit_call *c)\n{{{made} return cfg;}}"
    given = each_entry(fields, out)
    yield f"static void lb_kit_cfg_out(lb_kit_call *c, const mli_mov_cfg_t *cfg)\n{{unsigned d;{given}}}"


def shapes(table):
    """The first function of each shape that the signature says all of: tensors in, a status out."""
    by_name = {f["function"]: f for f in table["functions"]}
    found = {}
    with open(KIT + "lb_kit_functions.h", encoding="utf-8") as file:
        for shape_name, name in re.findall(r"F\((\w+), (\w+)\)", file.read()):
            f = by_name[name]
            plain = f["returns"] == "status" and f["roles"] and (f["structure"] or not f["config"])
            if plain and shape_name not in BY_HAND and (shape_name in SHARED or not shape_name.startswith("mov_")):
                found.setdefault(shape_name, f)
    return found


def formatted(pieces):
    """Each as clang-format lays it out; they are told apart by a comment that no piece has."""
    mark = "/* piece */"
    text = subprocess.run(["clang-format", "--assume-filename=" + KIT + "piece.h"], check=True, capture_output=True,
                          input=f"\n{mark}\n".join(pieces), text=True).stdout
    return [piece.strip("\n") for piece in re.split(r" *" + re.escape(mark), text)]


def replaced(text, piece):
    """The definition of the same name gives way to the piece, if the text has it."""
    head = re.match(r"static (?:.*\n\{|[^=]*=)", piece).group(0)
    at = text.find(head)
    return text if at < 0 else text[:at] + piece + text[text.index("\n}" if head[-1] == "{" else "};", at) + 2:]


def region(text, name, lines):
    """What stands between two marks gives way to the lines."""
    begin, end = f"/* ci/write-derived: {name} */\n", "/* ci/write-derived: end */\n"
    if begin not in text:
        return text
    head, tail = text.split(begin)
    return head + begin + lines + "\n" + end + tail.split(end, 1)[1]


def guarded(shape_name, piece):
    return f"#ifndef LB_WITHOUT_{shape_name}\n{piece}\n#endif"


def kit(text, table):
    found = shapes(table)
    members = formatted(["union lb_kit_fn {"] + [prototype(s, f) for s, f in found.items()] + ["};"])[1:-1]
    text = region(text, "prototypes", "\n".join(map(guarded, found, members)))
    calls = formatted([call(s, f) for s, f in found.items()])
    text = region(text, "calls", "\n\n".join(map(guarded, found, calls)))
    for piece in formatted(list(movement(found["mov_sync"]["config"]))):
        text = replaced(text, piece)
    return text


# ---- The functions of MLI, each with its shape, and the configuration of each shape ----


def stem(name):
    """What functions of one family have in common."""
    return re.sub(r"^mli_(krn|hlp)_|(_(sa|fx)\d+)+.*$", "", name)


def functions(text, table):
    of_set = {f["function"]: f for f in table["functions"] if f["set"] == "mli" and f["tried"]}
    lists, by_hand = text.split("/* ci/write-derived: configurations */\n")
    listed = re.findall(r"F\((\w+), (\w+)\)", lists.split("#define LB_KIT_EXT_FUNCTIONS")[0])
    names = {stem(name): shape_name for shape_name, name in listed}
    have = {name for _, name in re.findall(r"F\((\w+), (\w+)\)", lists)}
    for name in of_set:  # a function's number on the wire is its place: new ones go to the end
        if name not in have:
            listed.append((names.setdefault(stem(name), stem(name)), name))
    rows = [f"    F({shape_name}, {name}) \\\n" for shape_name, name in listed]
    text = region(text, "functions", "#define LB_KIT_FUNCTIONS(F) \\\n" + "".join(rows) + "    LB_KIT_EXT_FUNCTIONS(F)")
    without = set(re.findall(r"LB_KIT_CONFIG_(\w+) +NULL", by_hand))
    first = {shape_name: name for shape_name, name in reversed(re.findall(r"F\((\w+), (\w+)\)", text))}

    def keys(shape_name):
        fields = of_set[first[shape_name]]["config"]
        return " ".join(f["key"] + (f"*{f['count']}" if f["count"] > 1 else "") for f in fields)

    rows = [f'#define LB_KIT_CONFIG_{s} "{keys(s)}"' for s in reversed(first) if s not in without]
    return region(text, "configurations", formatted(["\n".join(rows)])[0])


# ---- The functions of LiteRT, each with its shape, and the configuration of each shape ----


def litert(text, table):
    functions = {f["function"]: f for f in table["functions"] if f["set"] == "litert"}
    # A function's number on the wire is its place: new ones go to the end.
    listed = [name for name in re.findall(r"F\(\w+, (\w+)\)", text) if name in functions]
    names = listed + [name for name in functions if name not in listed]
    shape_of, configs = {}, {}
    for name in names:
        keys = " ".join(keys_of(functions[name]["config"]))
        shape_of[name] = configs.setdefault(keys, name)
    lines = [f"    F({shape_of[name]}, {name})" for name in names]
    head, tail = text.split("/* clang-format off */\n")[0], text.split("/* clang-format on */\n")[1]
    rows = [f'#define LB_KIT_CONFIG_{name} \\\n    "{keys}"' for keys, name in configs.items()]
    return (head + "/* clang-format off */\n#define LB_KIT_LITERT_FUNCTIONS(F) \\\n" + " \\\n".join(lines) + "\n\n"
            + "\n".join(rows) + "\n/* clang-format on */\n" + tail)


# ---- All of it ----


def main(lastbit, check):
    table = json.loads(subprocess.run([lastbit, "port", "functions", "--json"], check=True, capture_output=True).stdout)
    wrong = 0
    writers = ((SCHEMA, schema), (KIT + "lb_kit_functions.h", functions), (KIT + "lb_kit_mli_calls.h", kit),
               (KIT + "lb_kit_mli_mov.h", kit), (KIT + "lb_kit_litert.h", litert))
    for name, write in writers:
        with open(name, encoding="utf-8") as file:
            old = file.read()
        new = write(old, table)
        if new == old:
            continue
        wrong += 1
        if check:
            pairs = enumerate(itertools.zip_longest(old.split("\n"), new.split("\n"), fillvalue=""), 1)
            line, (has, due) = next((line, pair) for line, pair in pairs if pair[0] != pair[1])
            print(f"{name}:{line}: the table of functions says\n  {due}\nwhere this file has\n  {has}\n"
                  "ci/write-derived writes what follows from the table", file=sys.stderr)
        else:
            with open(name, "w", encoding="utf-8") as file:
                file.write(new)
            print(f"{name}: written")
    return 1 if check and wrong else 0


sys.exit(main(sys.argv[1], "--check" in sys.argv[2:]))
