"""A plug-in for pytest: every verdict of a lastbit run is a test.

    lastbit run --port ./libdevice.so --report report vectors
    pytest --rootdir ci/examples/python report/results.json
"""
import json

import pytest


def pytest_collect_file(parent, file_path):
    if file_path.name == "results.json":
        return Results.from_parent(parent, path=file_path)
    return None


class Results(pytest.File):
    def collect(self):
        for result in json.loads(self.path.read_text(encoding="utf-8"))["results"]:
            yield Verdict.from_parent(self, name=f"{result['id']}[{result['profile']}]", result=result)


class Verdict(pytest.Item):
    def __init__(self, *, result, **arguments):
        super().__init__(**arguments)
        self.result = result

    def runtest(self):
        verdict = self.result["verdict"]
        if verdict in ("skip", "waived"):
            pytest.skip(self.result.get("reason", verdict))
        if verdict != "pass":
            pytest.fail(f"{self.result.get('reason', verdict)}\n{self.result.get('reproduce', '')}", pytrace=False)

    def reportinfo(self):
        return self.result["file"], max(self.result.get("line", 1) - 1, 0), self.name
