#!/usr/bin/env python3
"""Runs exported cases in a Verilog simulation (Icarus), and leaves what comes out beside them.

    lastbit vectors export --format hex --word-bits 8 --case 'fully_connected_sa8_sa8_sa32.*' -o cases SUITE...
    ci/examples/rtl/simulate.py cases [--fault N]
    lastbit run --port files:cases cases/suites
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def compile_design(fault, work):
    program = work / "design.vvp"
    subprocess.run(["iverilog", "-g2005-sv", f"-Ptestbench.FAULT={fault}", "-s", "testbench", "-o", program,
                    HERE / "fully_connected.v"], check=True)
    return program


def answer(program, folder):
    """One case: inputs are read where they lie, the outputs are written beside them. False: not for this design."""
    case = json.loads((folder / "case.json").read_text())
    numbers = case.get("requantization")
    if case["function"] != "mli_krn_fully_connected_sa8_sa8_sa32" or numbers is None:
        return False
    weights = case["inputs"]["weights"]
    inputs, outputs = weights["shape"]
    channels = zip(numbers["bias"], numbers["multiplier"], numbers["shift"])
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        for role in ("in", "weights"):
            (work / f"{role}.hex").write_text((folder / case["inputs"][role]["file"]).read_text())
        (work / "channels.hex").write_text("".join(f"{v & 0xFFFFFFFF:08x}\n" for row in channels for v in row))
        plusargs = {"inputs": inputs, "outputs": outputs, "stride": weights["mem_stride"][0],
                    "in_zero": numbers["in_zero_point"], "out_zero": numbers["out_zero_point"],
                    "low": numbers["low"], "high": numbers["high"]}
        subprocess.run(["vvp", "-n", program] + [f"+{key}={value}" for key, value in plusargs.items()], cwd=work,
                       check=True, stdout=subprocess.DEVNULL)
        dump = (work / "out.hex").read_text()
    (folder / case["outputs"]["out"]["file"]).write_text(dump)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", type=pathlib.Path)
    parser.add_argument("--fault", type=int, default=0, choices=range(4))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        program = compile_design(options.fault, pathlib.Path(work))
        folders = sorted((options.cases / "cases").iterdir())
        done = sum(answer(program, folder) for folder in folders)
    print(f"{done} of {len(folders)} cases simulated")
    return 0 if done else 1


if __name__ == "__main__":
    sys.exit(main())
