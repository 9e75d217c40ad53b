"""Builds the wheel and the source distribution of gapwise with CMake and nothing else.

An in-tree backend (PEP 517) without requirements, so that `pip install .` works without a network.
Settings: `--config-settings build-dir=FOLDER` for a CMake folder to build in that may be there
already, `--config-settings jobs=N`.
"""

import base64
import hashlib
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]

# What a source distribution is made of; tests and benchmarks of the library stay behind.
SOURCES = ["CMakeLists.txt", "LICENSE", "README.md", "CHANGELOG.md", "pyproject.toml", "cmake",
           "include", "src", "python", "docs/Doxyfile.in"]
DEPENDENCIES = ["numpy>=1.22", "scipy>=1.8", "scikit-learn>=1.2"]


def get_requires_for_build_wheel(config_settings=None):
    return []


def get_requires_for_build_sdist(config_settings=None):
    return []


def version():
    text = (ROOT / "CMakeLists.txt").read_text()
    return re.search(r"project\(gapwise VERSION ([0-9.]+)", text).group(1)


def metadata():
    lines = ["Metadata-Version: 2.1", "Name: gapwise", f"Version: {version()}",
             "Summary: Structured SVM training with certified duality gaps",
             "License: Apache-2.0", "Requires-Python: >=3.9"]
    lines += [f"Requires-Dist: {name}" for name in DEPENDENCIES]
    lines += ["Description-Content-Type: text/markdown", ""]
    return "\n".join(lines) + "\n" + (ROOT / "README.md").read_text()


def tags():
    digits = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return f"{digits}-{digits}-{platform}"


def build_package(settings):
    """The folder that holds the package."""
    folder = pathlib.Path(settings.get("build-dir", ROOT / "build-wheel")).resolve()
    jobs = settings.get("jobs", str(os.cpu_count() or 1))
    # The interpreter behind a virtual environment, which may be gone before the next build.
    python = getattr(sys, "_base_executable", sys.executable)
    options = ["-D", "GAPWISE_BUILD_PYTHON=ON", "-D", f"Python3_EXECUTABLE={python}"]
    if not (folder / "CMakeCache.txt").exists():
        options += ["-D", "CMAKE_BUILD_TYPE=Release", "-D", "GAPWISE_BUILD_TESTS=OFF",
                    "-D", "GAPWISE_BUILD_EXAMPLES=OFF"]
        if shutil.which("ninja") and "CMAKE_GENERATOR" not in os.environ:
            options += ["-G", "Ninja"]  # there may be no make
    subprocess.run(["cmake", "-S", str(ROOT), "-B", str(folder), *options], check=True)
    subprocess.run(["cmake", "--build", str(folder), "--target", "gapwise-python",
                    "--parallel", jobs], check=True)
    return folder / "python" / "gapwise"


def digest_of(data):
    hashed = base64.urlsafe_b64encode(hashlib.sha256(data).digest())
    return "sha256=" + hashed.rstrip(b"=").decode()


def info_files():
    """What describes a wheel, by name in its folder."""
    return {
        "METADATA": metadata().encode(),
        "LICENSE": (ROOT / "LICENSE").read_bytes(),
        "WHEEL": (f"Wheel-Version: 1.0\nGenerator: gapwise_build\nRoot-Is-Purelib: false\n"
                  f"Tag: {tags()}\n").encode(),
    }


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    name = f"gapwise-{version()}.dist-info"
    folder = pathlib.Path(metadata_directory) / name
    folder.mkdir()
    for file, data in info_files().items():
        (folder / file).write_bytes(data)
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    package = build_package(config_settings or {})
    info = f"gapwise-{version()}.dist-info"
    files = {}
    for path in sorted(package.iterdir()):
        if path.suffix in (".py", ".pyi", ".so") or path.name == "py.typed":
            files[f"gapwise/{path.name}"] = path.read_bytes()
    files.update({f"{info}/{name}": data for name, data in info_files().items()})
    record = "".join(f"{name},{digest_of(data)},{len(data)}\n" for name, data in files.items())
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    name = f"gapwise-{version()}-{tags()}.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            wheel.writestr(path, data)
    return name


def is_source(path):
    return path.is_file() and "__pycache__" not in path.parts


def build_sdist(sdist_directory, config_settings=None):
    base = f"gapwise-{version()}"
    target = pathlib.Path(sdist_directory) / f"{base}.tar.gz"
    with tarfile.open(target, "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for source in SOURCES:
            path = ROOT / source
            for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
                if is_source(file):
                    archive.add(file, f"{base}/{file.relative_to(ROOT)}")
        archive.addfile(*sdist_info(base))
    return target.name


def sdist_info(base):
    data = metadata().encode()
    info = tarfile.TarInfo(f"{base}/PKG-INFO")
    info.size = len(data)
    return info, io.BytesIO(data)
