#!/usr/bin/env python3
"""A Verilog simulation (Icarus) that is driven case by case, and an oracle that says at once what must come out.

    LASTBIT=build/release/lastbit ci/examples/rtl/cosimulate.py [--fault N] [--profile NAME]

So a testbench can choose what it tries next by what it has seen. Here the operands go to the edges where sums saturate.
cocotb, with which one would write the same, is not in Debian 12: this needs Icarus and the standard library alone.
"""
import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "python"))
import lastbit  # noqa: E402  (stands beside this folder)


class Design:
    """The simulation, kept running: `add` gives it operands and waits for the sums."""

    def __init__(self, fault, work):
        program = pathlib.Path(work) / "driven.vvp"
        subprocess.run(["iverilog", "-g2005-sv", f"-Pdriven.FAULT={fault}", "-s", "driven", "-o", program,
                        HERE / "saturating_adder.v"], check=True)
        self.process = subprocess.Popen(["vvp", "-n", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def add(self, left, right):
        sums = []
        for a, b in zip(left, right):
            self.process.stdin.write(f"{a} {b}\n")
            self.process.stdin.flush()
            sums.append(int(self.process.stdout.readline()))
        return sums

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def operands(rng):
    near = rng.choice([0, 16384, 32767, -32768, -16384])
    return [max(-32768, min(32767, near + rng.randint(-3, 3))) for _ in range(8)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fault", type=int, default=0, choices=range(2))
    parser.add_argument("--profile", default="up-full")
    options = parser.parse_args()
    rng = random.Random(1)
    wrong = 0
    with tempfile.TemporaryDirectory() as work, lastbit.Oracle(options.profile) as ask:
        design = Design(options.fault, work)
        for number in range(40):
            left, right = operands(rng), operands(rng)
            case = lastbit.case(f"add.{number}", "mli_krn_eltwise_add_fx16", {},
                                inputs={"in1": lastbit.fx16(left, frac_bits=8), "in2": lastbit.fx16(right, frac_bits=8)},
                                outputs={"out": lastbit.fx16(len(left), frac_bits=8)})
            expected, got = ask(case)["outputs"]["out"], design.add(left, right)
            for a, b, due, is_ in zip(left, right, expected, got):
                if due != is_:
                    wrong += 1
                    print(f"add.{number}: {a} + {b}: expected {due}, the design gave {is_}")
        design.close()
    print(f"40 cases, {wrong} wrong sums")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
