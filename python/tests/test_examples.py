"""The examples run, types are right, and what is installed is complete."""

import os
import pathlib
import re
import subprocess
import sys
import tarfile
import zipfile

import pytest

import gapwise

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "python" / "examples"
PACKAGE = pathlib.Path(gapwise.__file__).parent


def run(*command, **settings):
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run([sys.executable, *map(str, command)], check=True, text=True,
                          capture_output=True, env=environment, **settings).stdout


@pytest.mark.parametrize("name, text", [("embeddings", "converged"), ("sparse_labels", "sport"),
                                        ("own_oracle", "converged")])
def test_example(name, text):
    assert text in run(EXAMPLES / f"{name}.py")


def test_example_with_files(samples, tmp_path):
    data = samples("sequence", 50)
    assert "token_accuracy" in run(EXAMPLES / "chunking.py", data, data, tmp_path / "model")
    assert gapwise.load(tmp_path / "model").score(data) > 0.8


def test_example_with_a_plot(tmp_path):
    pytest.importorskip("matplotlib")
    assert "best lambda" in run(EXAMPLES / "choose_lambda.py", tmp_path / "plot.png")
    assert (tmp_path / "plot.png").stat().st_size > 5000


def test_notebook(tmp_path):
    for module in ("nbconvert", "ipykernel", "pandas"):
        pytest.importorskip(module)
    run("-m", "nbconvert", "--to", "notebook", "--execute", "--log-level", "ERROR",
        "--output-dir", tmp_path, EXAMPLES / "tagger.ipynb")
    shown = (tmp_path / "tagger.ipynb").read_text()
    assert "certified gap" in shown and "<svg" in shown


def test_the_guide_says_what_is_true(tmp_path):
    text = (ROOT / "docs" / "python.md").read_text()
    blocks = [code for code in re.findall(r"```python\n(.*?)```", text, re.S)
              if "# needs" not in code]
    assert len(blocks) >= 4
    script = tmp_path / "guide.py"
    script.write_text("\n".join(blocks))
    run(script, cwd=tmp_path)


def test_types():
    pytest.importorskip("mypy")
    settings = ["--config-file", ROOT / "pyproject.toml", "--cache-dir", os.devnull]
    user = ROOT / "python" / "tests" / "typed_user.py"
    environment = {**os.environ, "MYPYPATH": str(PACKAGE.parent)}
    found = subprocess.run([sys.executable, "-m", "mypy", *map(str, settings), "--strict",
                            str(PACKAGE), str(user)], text=True, capture_output=True,
                           env=environment)
    assert found.returncode == 0, found.stdout + found.stderr


def backend():
    sys.path.insert(0, str(ROOT / "python" / "backend"))
    try:
        import gapwise_build
    finally:
        sys.path.pop(0)
    return gapwise_build


def test_a_source_distribution_has_what_it_needs(tmp_path):
    name = backend().build_sdist(str(tmp_path))
    with tarfile.open(tmp_path / name) as archive:
        files = {member.name.split("/", 1)[1] for member in archive}
    assert {"PKG-INFO", "pyproject.toml", "CMakeLists.txt", "python/backend/gapwise_build.py",
            "python/gapwise/__init__.py", "include/gapwise/gapwise.h"} <= files
    assert not any("__pycache__" in file or file.startswith("build") for file in files)


def test_installs_without_a_network(tmp_path):
    build = PACKAGE.parent.parent
    if not (build / "CMakeCache.txt").exists():
        pytest.skip("the package was not built here")
    wheel = tmp_path / "wheels"
    wheel.mkdir()
    name = backend().build_wheel(str(wheel), {"build-dir": str(build)})
    with zipfile.ZipFile(wheel / name) as archive:
        files = set(archive.namelist())
    assert {"gapwise/__init__.py", "gapwise/py.typed", "gapwise/_native.pyi",
            "gapwise/_parameters.py"} <= files
    venv = tmp_path / "venv"
    run("-m", "venv", "--system-site-packages", "--without-pip", venv)
    python = venv / "bin" / "python"
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    subprocess.run([python, "-m", "pip", "install", "-q", "--no-index", "--no-deps", str(ROOT),
                    "--config-settings", f"build-dir={build}"], check=True, env=environment)
    found = subprocess.run([python, "-c", "import gapwise; print(gapwise.__file__)"], check=True,
                           text=True, capture_output=True, env=environment, cwd=tmp_path).stdout
    assert str(venv) in found
