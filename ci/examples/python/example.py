#!/usr/bin/env python3
"""A case made in Python, judged on a port, and answered by the oracle."""
import sys

import lastbit


def main():
    data = [-32768, -5, 0, 7, 32767]
    question = lastbit.case("relu.python", "mli_krn_relu_fx16", {"type": "gen"},
                            inputs={"in": lastbit.fx16(data, frac_bits=3)},
                            outputs={"out": lastbit.fx16(len(data), frac_bits=3)})
    with lastbit.Oracle() as ask:
        print("the exact model says", ask(question)["outputs"]["out"])
    verdicts = lastbit.run([question], port=sys.argv[1] if len(sys.argv) > 1 else "builtin")
    for verdict in verdicts:
        print(verdict["id"], verdict["profile"], verdict["verdict"])
    return 0 if all(verdict["verdict"] == "pass" for verdict in verdicts) else 1


if __name__ == "__main__":
    sys.exit(main())
