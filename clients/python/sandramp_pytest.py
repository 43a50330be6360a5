"""The pytest fixture `world`: an isolated world of a Sandramp sandbox for each test."""

import json
import os
import shutil
from contextlib import closing
from http.client import HTTPConnection, HTTPSConnection
from subprocess import PIPE, Popen
from urllib.parse import urlencode, urlsplit

import pytest
from sandramp_bodies import Bodies

__tracebackhide__ = True
KEEP = "To look at the world afterwards, set SANDRAMP_URL to a running sandbox."
WORLD, FAILED = pytest.StashKey(), pytest.StashKey()
# Ends the sandbox when its input closes, as it does when pytest is killed.
GUARD = '"$0" "$@" & exec >&-; read _; kill $! 2>&-; wait $!'


class Record:
    def __init__(self, world, path):
        self.world, self.path = world, path

    def move(self, **fields):
        given = {name: it for name, it in fields.items() if it is not None}
        return self.world.control("POST", self.path, given)


class Payout(Record):
    def process(self):
        return self.move(to="PAYOUT_PROCESSED")

    def fail(self, reason=None):
        return self.move(to="PAYOUT_FAILED", reason=reason)

    def return_(self, reason="returned"):
        return self.fail(reason)


class Transfer(Record):
    def advance(self, to=None):
        return self.move(to=to)

    def fail(self, reason=None):
        return self.move(to="FAILED", reason=reason)

    def cancel(self, reason=None):
        return self.move(to="CANCELLED", reason=reason)

    def resume(self):
        """It goes on by itself, as if nothing had held it."""
        return self.move(resume=True)


class User(Record):
    def approve(self):
        return self.move(status="active")

    def reject(self, reasons=None):
        return self.move(status="rejected", reasons=reasons)

    def pause(self):
        return self.move(status="paused")


class World(Bodies):
    def __init__(self, url, name):
        self.url, self.headers = url, {}
        vars(self).update(self.control("GET", "/fixtures"))  # users, accounts, wallets, consents
        created = self.control("POST", "/worlds", {"name": name[:200], "clock": "manual"})
        self.id, self.key = created["id"], created["key"]
        self.headers = {"x-api-key": self.key, "x-sandbox-world": self.id}
        if "tenant" in created:
            self.headers["authorization"] = f"Bearer {os.environ['SANDRAMP_CONTROL_TOKEN']}"

    def request(self, method, path, body=None, **headers):
        """Calls the service; returns status and parsed body. A lost response raises ConnectionError. A text is YAML."""
        kind, text = ("yaml", body) if isinstance(body, str) else ("json", json.dumps(body))
        headers = {"content-type": f"application/{kind}", **self.headers, **headers}
        connect = HTTPSConnection if self.url.startswith("https:") else HTTPConnection
        with closing(connect(urlsplit(self.url).netloc, timeout=60)) as connection:
            connection.request(method, path, None if body is None else text.encode(), headers)
            response = connection.getresponse()
            answer, is_json = response.read().decode(), "json" in response.getheader("content-type", "")
        return response.status, json.loads(answer) if is_json else answer

    def control(self, method, path, body=None):
        """Calls the control API; the path follows /_sandbox. An error response raises RuntimeError."""
        headers = {"authorization": f"Bearer {token}"} if (token := os.environ.get("SANDRAMP_CONTROL_TOKEN")) else {}
        try:
            status, answer = self.request(method, f"/_sandbox{path}", body, **headers)
        except OSError as error:
            raise RuntimeError(f"No sandbox answers at {self.url}.") from error
        if path == "/fixtures" and (status == 404 or isinstance(answer, str)):
            raise RuntimeError(f"{self.url} is no sandbox, or an older one than this plugin.")
        if status >= 400:
            raise RuntimeError(f"{answer['message']} ({status}, {method} /_sandbox{path})")
        return answer

    def now(self):
        return self.control("GET", "/clock")["now"]

    def advance(self, by=None, **how):
        return self.control("POST", "/clock/advance", {"by": by} if by else how)

    def deposit(self, address, amount, **details):
        return self.control("POST", "/deposits", {"address": address, "amount": amount, **details})

    def credit(self, user_id, amount, currency):
        return self.control("POST", f"/users/{user_id}/balances", {"amount": amount, "currency": currency})

    def sleep(self, seconds):
        """Moves the clock instead of waiting, in place of time.sleep."""
        self.advance(f"{round(seconds * 1000)}ms")

    def requests(self, **filters):
        """Requests to the service with their responses, oldest first: requests(status="4xx")."""
        return self.control("GET", f"/requests?{urlencode({'size': 1000, **filters})}")["items"][::-1]

    def payout(self, id):
        return Payout(self, f"/payouts/{id}/advance")

    def transfer(self, id):
        return Transfer(self, f"/transfers/{id}/advance")

    def user(self, id):
        """By id, or by a name of the fixtures."""
        return User(self, f"/users/{id}/status")

    def next(self, operation=None, times=1, user_id=None, optional=False, **then):
        """Arms the next call: next("createPayout", lose_response=True). `return_` is the word `return`."""
        if not then:
            raise TypeError("Missing fault. Expected one, such as lose_response=True.")
        given = {"operation": operation, "user_id": user_id, "optional": optional}
        call = {"times": times, "then": {name.rstrip("_"): it for name, it in then.items()}}
        return self.control("POST", "/next", call | {name: it for name, it in given.items() if it})

    def expect(self, *expectations, until=None, **more):
        """Checks expectations of a scenario file: expect({"payouts": {}}, count=1), or a list of them."""
        listed = [it for given in expectations for it in (given if isinstance(given, list) else [given])]
        body = {"expect": [{**it, **more} for it in listed], **({"until": until} if until else {})}
        if missed := self.control("POST", "/verify", body).get("missed"):
            raise AssertionError(missed)

    def describe(self):
        items = self.requests()
        if not items:
            yield "No request named this world. A client needs world.key or world.headers, and no proxy."
        for it in items:
            call, answer = it["operation"] or it["path"], it["response"].get("body")
            reason = f"  {answer['message']}" if isinstance(answer, dict) and "message" in answer else ""
            yield f"{it['n']}  {it['method']} {call}  {it['status'] or 'no answer'}{reason}"
        yield f"{self.url}/?world={self.id}" if "SANDRAMP_URL" in os.environ else KEEP


@pytest.fixture(scope="session")
def sandramp_url(pytestconfig):
    """The sandbox of SANDRAMP_URL, or one with a manual clock that ends with the session."""
    for name in ("NO_PROXY", "no_proxy"):  # No proxy reaches this machine.
        os.environ[name] = ",".join(filter(None, [os.environ.get(name), "127.0.0.1,localhost"]))
    if "SANDRAMP_URL" in os.environ:
        yield os.environ["SANDRAMP_URL"].rstrip("/")
        return
    root, cwd = pytestconfig.rootpath, pytestconfig.invocation_params.dir
    bins = [str(it / "node_modules" / ".bin") for it in (root, *root.parents, cwd, *cwd.parents)]
    if not (program := shutil.which("sandramp", path=os.pathsep.join([*bins, os.environ["PATH"]]))):
        pytest.fail("Found no sandramp. Install its tarball here with npm, or set SANDRAMP_URL.", pytrace=False)
    command = [program, "start", "--host", "127.0.0.1", "--port", "0", "--clock", "manual", "--log", "silent"]
    with Popen(["sh", "-c", GUARD, *command], stdin=PIPE, stdout=PIPE, text=True, start_new_session=True) as process:
        line = process.stdout.readline()
        if line:
            yield line.split()[-1]
    if not line:
        pytest.fail(f"{' '.join(command)} ended with exit code {process.returncode}.", pytrace=False)


@pytest.fixture
def world(request, sandramp_url):
    """A new world with the name of the test, which fails if the ledger does not add up, or no call took what it armed."""
    world = request.node.stash[WORLD] = World(sandramp_url, request.node.name)
    yield world
    has_failed = request.node.stash.get(FAILED, False)
    if claims := os.environ.get("SANDRAMP_CLAIMS"):  # A sweep judges each test by itself.
        with open(claims, "a") as file:
            file.write(f"{'failed' if has_failed else 'passed'} {world.id}\n")
    world.expect({"audit": "clean"})
    calls = [] if has_failed else world.control("GET", "/next?size=1000")["items"]
    if unused := [it["complaint"] for it in calls if it["complaint"]]:
        raise AssertionError("\n".join([*unused, "A call that no client has to make is armed with optional=True."]))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item):
    report = (yield).get_result()
    item.stash[FAILED] = report.failed or item.stash.get(FAILED, False)
    if report.failed and (world := item.stash.get(WORLD, None)):
        report.sections.append(("Sandramp", "\n".join(world.describe())))
