import os
import re
import shutil
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

ROOT = Path(__file__).parents[3]
ARGUMENTS = ["-p", "no:cacheprovider", "-p", "no:randomly"]
PAYING = """
def test_paying(world):
    world.request("POST", "/payment/api/v1/payout", world.build_payout())
    world.request("POST", "/payment/api/v1/payout", world.build_payout(amount="x"))
    assert False
"""


@pytest.fixture
def run(pytester):
    """Runs the text of a test file in a pytest of its own, and returns its output."""

    def run_file(text, *arguments):
        pytester.makepyfile(text)
        result = pytester.runpytest_subprocess(*ARGUMENTS, *arguments)
        return result.ret, result.stdout.str() + result.stderr.str()

    return run_file


@pytest.fixture
def running():
    """The URL of a sandbox that runs already."""
    command = ["sandramp", "start", "--port", "0", "--clock", "manual", "--log", "silent"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        yield process.stdout.readline().split()[-1]
        process.terminate()


def test_failed_test_reports_its_requests_and_how_to_keep_the_world(run):
    code, output = run(PAYING)
    assert code == 1
    assert "-- Sandramp --" in output
    assert "1  POST createPayout  200\n2  POST createPayout  400  Invalid amount: got" in output
    assert "\nTo look at the world afterwards, set SANDRAMP_URL" in output


def test_failed_test_links_to_its_world_in_the_console_of_SANDRAMP_URL(run, running, monkeypatch):
    monkeypatch.setenv("SANDRAMP_URL", f"{running}/")
    _, output = run(PAYING)
    assert re.search(rf"^{running}/\?world=[0-9a-f]{{32}}$", output, re.M)


def test_control_token_opens_the_sandbox(run, monkeypatch):
    monkeypatch.setenv("SANDRAMP_CONTROL_TOKEN", "of-my-own-with-24-characters")
    assert run("def test_clock(world): world.advance('1s')")[0] == 0


def test_server_that_is_no_sandbox_is_one_sentence(run, monkeypatch):
    with HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv("SANDRAMP_URL", f"http://127.0.0.1:{server.server_port}")
        _, output = run(PAYING)
        server.shutdown()
    assert "is no sandbox, or an older one than this plugin." in output


def test_missing_sandramp_is_one_sentence(run, monkeypatch, tmp_path):
    (tmp_path / "python").symlink_to(shutil.which("python3"))
    monkeypatch.setenv("PATH", str(tmp_path))
    _, output = run(PAYING)
    assert "Found no sandramp. Install its tarball here with npm, or set SANDRAMP_URL." in output
    assert "Traceback" not in output


def test_start_that_fails_shows_the_reason(run, monkeypatch):
    monkeypatch.setenv("SANDRAMP_SCENARIOS", "none-of-this-name")
    _, output = run(PAYING)
    assert "ended with exit code 2" in output
    assert "none-of-this-name" in output


def test_sandbox_ends_with_a_pytest_that_is_killed(pytester):
    pytester.makepyfile("import os\n\ndef test_killed(world): os.kill(os.getpid(), 9)")
    command = [sys.executable, "-m", "pytest", "-s", *ARGUMENTS]
    # The output ends with the last process that holds it.
    assert subprocess.run(command, capture_output=True, timeout=30).returncode == -9


def test_sandramp_of_node_modules_comes_before_that_of_PATH(run, pytester):
    program = pytester.mkdir("node_modules").joinpath(".bin", "sandramp")
    program.parent.mkdir()
    program.write_text("#!/bin/sh\nexit 9\n")
    program.chmod(0o755)
    pytester.path.joinpath("pytest.ini").write_text("[pytest]\n")
    assert "node_modules/.bin/sandramp start" in run(PAYING)[1]


def test_each_test_claims_its_end_in_a_sweep(run, monkeypatch, tmp_path):
    monkeypatch.setenv("SANDRAMP_CLAIMS", str(tmp_path / "claims"))
    run(f"{PAYING}\ndef test_nothing(world): pass")
    assert re.fullmatch(r"failed [0-9a-f]{32}\npassed [0-9a-f]{32}\n", (tmp_path / "claims").read_text())


def test_audit_fails_a_test_whose_ledger_does_not_add_up(run):
    _, output = run(
        """
        def test_books(world, monkeypatch):
            world.control = lambda *_: {"missed": "MISSED  audit: 1 NGN is missing", "items": []}
        """
    )
    assert "1 error" in output
    assert "1 NGN is missing" in output


def test_armed_call_that_nothing_takes_fails_its_test_unless_it_is_optional(run):
    _, output = run(
        """
        def test_armed(world): world.next("createPayout", drop="after")
        def test_optional(world): world.next("createPayout", drop="after", optional=True)
        """
    )
    assert "2 passed, 1 error" in output
    assert "createPayout loseResponse was never taken; the client called nothing" in output


def test_recipe_runs_as_it_stands(run):
    page = (ROOT / "docs" / "recipes" / "pytest.md").read_text()
    file = re.search(r"```python\n(.*?)```", page, re.S)[1]
    code, output = run(file, "-n", "2")
    assert code == 0, output
