#!/bin/sh
# check_schema.sh RESULTS.json JUNIT.xml: holds a results file to results.schema.json (of thousands of results some
# thousand) and a JUnit file to junit.xsd.
# Exit status: 0 both hold; 1 one does not; 2 bad usage; 77 a validator is not installed.
set -u

if [ $# -ne 2 ]; then
    echo "Usage: check_schema.sh RESULTS.json JUNIT.xml" >&2
    exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
if ! command -v xmllint >/dev/null 2>&1; then
    echo "SKIPPED: xmllint is not installed (ci/setup test)"
    exit 77
fi
if ! python3 -c 'import jsonschema' >/dev/null 2>&1; then
    echo "SKIPPED: python3-jsonschema is not installed (ci/setup test)"
    exit 77
fi

status=0
python3 - "$here/../results.schema.json" "$1" <<'PYTHON' || status=1
import json
import sys

import jsonschema


def only_once(pairs):
    keys = [key for key, _ in pairs]
    if len(keys) != len(set(keys)):
        raise ValueError("a key stands twice in %s" % keys)
    return dict(pairs)


def no_constant(name):
    raise ValueError("%s is not JSON" % name)


with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
with open(sys.argv[2], encoding="utf-8", errors="strict") as file:
    results = json.load(file, object_pairs_hook=only_once, parse_constant=no_constant)
# Results of a kind are alike: of many each 40th, at most, is held to the schema.
every = max(1, min(40, len(results.get("results", [])) // 1000)) if isinstance(results, dict) else 1
if every > 1:
    results["results"] = results["results"][::every]
jsonschema.Draft202012Validator.check_schema(schema)
errors = sorted(jsonschema.Draft202012Validator(schema).iter_errors(results), key=lambda error: list(error.absolute_path))
for error in errors[:10]:
    print("%s: %s: %s" % (sys.argv[2], "/".join(map(str, error.absolute_path)), error.message), file=sys.stderr)
sys.exit(1 if errors else 0)
PYTHON
xmllint --noout --nonet --huge --schema "$here/junit.xsd" "$2" || status=1
exit $status
