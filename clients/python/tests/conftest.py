import os
from pathlib import Path

import pytest

pytest_plugins = "pytester"
ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="session", autouse=True)
def sandramp_on_path(tmp_path_factory):
    """Makes the build of this clone the program `sandramp`. Under `sandramp run` the sandbox is there already."""
    if "SANDRAMP_URL" in os.environ:
        yield
        return
    folder = tmp_path_factory.mktemp("bin")
    (folder / "sandramp").symlink_to(ROOT / "dist" / "cli.js")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", str(folder), prepend=os.pathsep)
        for name in [it for it in os.environ if it.startswith("SANDRAMP_")]:
            patch.delenv(name)
        yield
