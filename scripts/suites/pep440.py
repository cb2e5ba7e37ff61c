"""Writes the tables of pypa/packaging's tests as JSON: python3 scripts/suites/pep440.py <checkout> > pep440.json"""
import ast
import json
import sys
from pathlib import Path


def tables(path):
    tree = ast.parse(Path(path).read_text())
    known = {"__builtins__": __builtins__}
    for node in tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "VERSIONS":
            known["VERSIONS"] = ast.literal_eval(node.value)
    found = {"VERSIONS": known.get("VERSIONS", [])}
    for node in ast.walk(tree):
        for call in getattr(node, "decorator_list", []):
            if isinstance(call, ast.Call) and getattr(call.func, "attr", "") == "parametrize":
                try:
                    found[node.name] = eval(compile(ast.Expression(call.args[1]), path, "eval"), known)
                except NameError:
                    pass  # Made of other tables.
    return found


tests = Path(sys.argv[1], "tests")
versions, specifiers = tables(tests / "test_version.py"), tables(tests / "test_specifiers.py")
print(
    json.dumps(
        {
            "order": versions["VERSIONS"],
            "normalized": versions["test_normalized_versions"],
            "invalid": versions["test_invalid_versions"],
            "specifiers": specifiers["test_specifiers"],
            "invalidSpecifiers": specifiers["test_specifiers_invalid"],
        }
    )
)
