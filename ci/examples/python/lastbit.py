"""Cases made and results read from Python, with nothing but the standard library.

    import lastbit
    case = lastbit.case("half", "mli_krn_relu_fx16", {"type": "gen"},
                        inputs={"in": lastbit.fx16([3, -2], frac_bits=1)}, outputs={"out": lastbit.fx16(2, frac_bits=1)})
    for verdict in lastbit.run([case], port="./libdevice.so"):
        print(verdict["id"], verdict["profile"], verdict["verdict"])
"""
import json
import os
import subprocess
import tempfile

LASTBIT = os.environ.get("LASTBIT", "lastbit")


def fx16(data_or_count, frac_bits, shape=None):
    """A tensor of fx16: containers, or, for an output, how many there are."""
    tensor = {"type": "fx16", "frac_bits": frac_bits}
    if isinstance(data_or_count, int):
        return dict(tensor, shape=shape or [data_or_count])
    return dict(tensor, shape=shape or [len(data_or_count)], data=list(data_or_count))


def case(name, function, config, inputs, outputs):
    return {"id": name, "function": function, "config": config, "inputs": inputs, "outputs": outputs}


def suite(cases, name="python"):
    return {"format": "lastbit/cases-1", "suite": name, "cases": cases}


def run(cases, port="builtin", profile="all"):
    """The verdicts, one a case and profile, as results.json has them."""
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        json.dump(suite(cases), file)
        file.flush()
        done = subprocess.run([LASTBIT, "run", "--quiet", "--port", port, "--profile", profile, "--json", "-", file.name],
                              capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr.strip() or f"lastbit ended with status {done.returncode}")
    return [json.loads(line) for line in done.stdout.splitlines()]


class Oracle:
    """Expected results while something runs: `with Oracle() as ask: ask(case)`."""

    def __init__(self, profile="up-full"):
        self.command = [LASTBIT, "oracle", "--profile", profile]

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        return self.ask

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()

    def ask(self, question):
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if "error" in answer:
            raise ValueError(answer["error"])
        return answer["expect"][0]
