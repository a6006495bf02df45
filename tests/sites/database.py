#!/usr/bin/env python3
"""Drives `jumbo serve` with a MariaDB server that has few connections, with one that dies, and with a SQLite database that many write to.

    database.py --binary target/debug/jumbo [--requests 500] [--connections 50]

It starts a MariaDB server of its own (programs mariadbd, mariadb-install-db, mariadb; no root needed), in a temporary folder on a free port.

1. Many requests at once, many more than the server takes connections, through mysqli and PDO, with persistent connections and without: all succeed,
   and the server never sees more than it takes.
2. Requests that are ended while they wait for a connection: those after them get theirs.
3. Writers of one SQLite database on one executor, which hold its lock while they wait: all succeed, and requests that have nothing to do with
   the database are answered meanwhile.
4. A connection that is killed in the middle of a query, and a server that is: the script gets PHP's error, the next request works as soon as the
   server does, persistent connections included.
"""

import argparse
import asyncio
import http.client
import os
import pathlib
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

PAGES = {
    "connect.php": """<?php
function connect(string $how): mysqli|PDO {
    [$host, $port] = ['127.0.0.1', (int) getenv('DATABASE_PORT')];
    return match ($how) {
        'mysqli' => new mysqli($host, 'root', '', 'test', $port),
        'mysqli-persistent' => new mysqli("p:$host", 'root', '', 'test', $port),
        'pdo' => new PDO("mysql:host=$host;port=$port;dbname=test", 'root', ''),
        'pdo-persistent' => new PDO("mysql:host=$host;port=$port;dbname=test", 'root', '', [PDO::ATTR_PERSISTENT => true]),
    };
}
function value(mysqli|PDO $db, string $sql): mixed {
    $result = $db->query($sql);
    return $result instanceof PDOStatement ? $result->fetchColumn() : $result->fetch_row()[0];
}
""",
    # What a session leaves behind must not be seen by the next one.
    "work.php": """<?php
require 'connect.php';
$db = connect($_GET['how']);
if (value($db, 'SELECT @left_behind') !== null) { echo 'something was left behind'; exit; }
$db->query('SET @left_behind = 1');
$db->query('SELECT SLEEP(0.02)');
$number = (int) $_GET['number'];
$db->query("INSERT INTO visits VALUES ($number)");
echo 'done ', value($db, "SELECT COUNT(*) FROM visits WHERE number = $number");
""",
    "hold.php": """<?php
require 'connect.php';
value(connect($_GET['how']), 'SELECT SLEEP(1.5)');
echo 'held';
""",
    "slow.php": """<?php
require 'connect.php';
$db = connect($_GET['how']);
try {
    echo value($db, 'SELECT SLEEP(30)');
} catch (Exception $e) {
    echo get_class($e), ' ', $e->getCode(), ' ', $e->getMessage();
}
try {
    value($db, 'SELECT 1');
    echo ' and works again';
} catch (Exception $e) {
    echo ' then ', $e->getMessage();
}
""",
    # The lock is held while the request waits: another one of the same executor must be able to wait for it. What the disk does is no matter here.
    "sqlite.php": """<?php
$number = (int) $_GET['number'];
if ($_GET['how'] === 'pdo') {
    $db = new PDO('sqlite:' . getenv('SQLITE_FILE'));
    $db->exec('PRAGMA synchronous=OFF');
    $db->exec('BEGIN IMMEDIATE');
    $db->exec("INSERT INTO visits VALUES ($number)");
    usleep(10000);
    $db->exec('COMMIT');
    echo 'done ', $db->query("SELECT COUNT(*) FROM visits WHERE number = $number")->fetchColumn();
} else {
    $db = new SQLite3(getenv('SQLITE_FILE'));
    $db->busyTimeout(60000);
    $db->exec('PRAGMA synchronous=OFF');
    $db->exec('BEGIN IMMEDIATE');
    $db->exec("INSERT INTO visits VALUES ($number)");
    usleep(10000);
    $db->exec('COMMIT');
    echo 'done ', $db->querySingle("SELECT COUNT(*) FROM visits WHERE number = $number");
}
""",
    "light.php": """<?php
echo 'light';
""",
    "simple.php": """<?php
require 'connect.php';
try {
    echo value(connect($_GET['how']), 'SELECT 42');
} catch (Exception $e) {
    echo get_class($e), ' ', $e->getCode(), ' ', $e->getMessage();
}
""",
}

WAYS = ["mysqli", "mysqli-persistent", "pdo", "pdo-persistent"]

failures = []


def check(what, fine, detail=""):
    print(f"{'fine' if fine else 'WRONG':6} {what}{'' if fine else f': {detail}'}", flush=True)
    if not fine:
        failures.append(what)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port, process, what):
    for _ in range(600):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            if process.poll() is not None:
                break
            time.sleep(0.1)
    raise SystemExit(f"{what} does not start")


class Database:
    def __init__(self, folder, connections):
        self.folder, self.connections, self.port = folder, connections, free_port()
        user = f"--user={os.environ.get('USER', 'root')}"
        self.arguments = ["--no-defaults", user, f"--datadir={folder}/data"]
        make = ["mariadb-install-db", *self.arguments, "--auth-root-authentication-method=normal"]
        subprocess.run(make, check=True, stdout=subprocess.DEVNULL)
        self.start()
        self.sql("CREATE DATABASE IF NOT EXISTS test; CREATE TABLE test.visits (number INT)")

    def start(self):
        log = open(self.folder / "log", "ab")
        more = ["--bind-address=127.0.0.1", f"--port={self.port}", f"--socket={self.folder}/socket", f"--pid-file={self.folder}/pid",
                f"--max-connections={self.connections}", "--innodb-buffer-pool-size=32M", "--innodb-flush-log-at-trx-commit=0"]
        self.process = subprocess.Popen(["mariadbd", *self.arguments, *more], stdout=log, stderr=log, start_new_session=True)
        wait_for(self.port, self.process, "MariaDB")

    def sql(self, text):
        client = ["mariadb", "--no-defaults", f"--socket={self.folder}/socket", "-u", "root", "-N", "-B", "-e", text]
        return subprocess.run(client, check=True, capture_output=True, text=True).stdout.strip()

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


class Server:
    def __init__(self, binary, site, database_port, log, *more, more_environment=None):
        self.port = free_port()
        environment = os.environ | {"DATABASE_PORT": str(database_port)} | (more_environment or {})
        command = [binary, "serve", str(site), "-n", "--listen", f"127.0.0.1:{self.port}", *more]
        self.process = subprocess.Popen(command, env=environment, stdout=log, stderr=log, start_new_session=True)
        wait_for(self.port, self.process, "Jumbo")

    def get(self, path):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        connection.request("GET", path)
        response = connection.getresponse()
        return response.status, response.read().decode()

    def background(self, path):
        """Asks in a thread; the function that is returned waits for the answer."""
        answers = []
        thread = threading.Thread(target=lambda: answers.append(self.get(path)))
        thread.start()

        def answer():
            thread.join()
            return answers[0] if answers else (0, "no answer")

        return answer

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()


async def ask(port, path):
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: database.test\r\nConnection: close\r\n\r\n".encode())
        answer = await asyncio.wait_for(reader.read(), 120)
        writer.close()
    except (OSError, asyncio.TimeoutError) as error:
        return repr(error)
    head, _, body = answer.partition(b"\r\n\r\n")
    return body.decode(errors="replace").strip() if head.startswith(b"HTTP/1.1 200") else answer[:300].decode(errors="replace")


async def many(port, paths):
    return await asyncio.gather(*(ask(port, path) for path in paths))


def crowd(server, database, requests):
    number = 0
    for how in [*WAYS, "all of them"]:
        ways = WAYS if how == "all of them" else [how]
        paths = [f"/work.php?how={ways[n % len(ways)]}&number={number + n}" for n in range(requests)]
        number += requests
        started = time.monotonic()
        answers = asyncio.run(many(server.port, paths))
        elapsed = time.monotonic() - started
        wrong = [a for a in answers if "done 1" not in a]
        check(f"{requests} requests at once, {database.connections} connections: {how} ({elapsed:.1f} s)", not wrong, f"{len(wrong)} failed, such as {wrong[:1]}")
    peak = int(database.sql("SHOW GLOBAL STATUS LIKE 'Max_used_connections'").split()[1])
    # One more than the limit is what the server keeps for its administrator.
    check(f"never more connections than there may be (at most {peak})", peak <= database.connections + 1, peak)
    rows = int(database.sql("SELECT COUNT(*) FROM test.visits"))
    check("every request has written its row", rows == number, f"{rows} of {number}")


def ended(server, requests):
    """`server` ends requests after two seconds: some while they hold a connection, most while they wait for one."""
    answers = asyncio.run(many(server.port, [f"/hold.php?how={WAYS[n % len(WAYS)]}" for n in range(requests)]))
    held = sum(a == "held" for a in answers)
    check(f"{requests} requests at once, of which {requests - held} are ended", 0 < held < requests, answers[:1])
    # The server goes on with their queries.
    time.sleep(1.5)
    answers = asyncio.run(many(server.port, [f"/simple.php?how={WAYS[n % len(WAYS)]}" for n in range(100)]))
    wrong = [a for a in answers if a != "42"]
    check("100 requests after them", not wrong, f"{len(wrong)} failed, such as {wrong[:1]}")


def writers(binary, site, folder, log, requests=100):
    """Many writers of one SQLite file on one executor, and somebody else."""
    file = folder / "visits.sqlite"
    with sqlite3.connect(file) as made:
        made.execute("CREATE TABLE visits (number INTEGER)")
    made.close()
    server = Server(binary, site, 0, log, "--executors", "1", more_environment={"SQLITE_FILE": str(file)})
    try:
        server.get("/light.php")
        waits, over = [], threading.Event()

        def visitor():
            while not over.is_set():
                started = time.monotonic()
                status, text = server.get("/light.php")
                waits.append(time.monotonic() - started if (status, text) == (200, "light") else 1e9)
                time.sleep(0.01)

        thread = threading.Thread(target=visitor)
        thread.start()
        started = time.monotonic()
        answers = asyncio.run(many(server.port, [f"/sqlite.php?how={('pdo', 'sqlite3')[n % 2]}&number={n}" for n in range(requests)]))
        elapsed = time.monotonic() - started
        over.set()
        thread.join()
        wrong = [a for a in answers if a != "done 1"]
        check(f"{requests} writers of one SQLite database on one executor ({elapsed:.1f} s)", not wrong, f"{len(wrong)} failed, such as {wrong[:1]}")
        with sqlite3.connect(file) as made:
            rows = made.execute("SELECT COUNT(*) FROM visits").fetchone()[0]
        made.close()
        check("every writer has written its row", rows == requests, f"{rows} of {requests}")
        # They hold the lock one after the other for more than a second together; nobody else may notice.
        worst = max(waits, default=1e9)
        check(f"others are answered meanwhile ({len(waits)} requests, the slowest in {worst * 1000:.0f} ms)", len(waits) > 3 and worst < elapsed / 2, worst)
    finally:
        server.stop()


def sleeping(database):
    for _ in range(100):
        found = database.sql("SELECT id FROM information_schema.processlist WHERE info LIKE 'SELECT SLEEP(30)%'").split()
        if found:
            return found
        time.sleep(0.1)
    return []


GONE = {
    "mysqli": "mysqli_sql_exception 2006 MySQL server has gone away",
    "pdo": "PDOException HY000 SQLSTATE[HY000]: General error: 2006 MySQL server has gone away",
}


def deaths(server, database):
    for how in WAYS:
        expected = GONE[how.partition("-")[0]]
        answer = server.background(f"/slow.php?how={how}")
        for number in sleeping(database):
            database.sql(f"KILL CONNECTION {number}")
        status, text = answer()
        check(f"{how}: a connection that is killed in the middle of a query", status == 200 and text.startswith(expected) and "then" in text, f"{status} {text}")
        check(f"{how}: the next request", server.get(f"/simple.php?how={how}") == (200, "42"))
    answers = {how: server.background(f"/slow.php?how={how}") for how in WAYS}
    for _ in range(50):
        if len(sleeping(database)) == len(WAYS):
            break
        time.sleep(0.1)
    database.kill()
    for how, answer in answers.items():
        status, text = answer()
        check(f"{how}: a server that dies in the middle of a query", status == 200 and text.startswith(GONE[how.partition("-")[0]]), f"{status} {text}")
    for how in WAYS:
        status, text = server.get(f"/simple.php?how={how}")
        check(f"{how}: no server", status == 200 and "2002" in text and "Connection refused" in text, f"{status} {text}")
    database.start()
    for how in WAYS:
        answer = server.get(f"/simple.php?how={how}")
        check(f"{how}: the server is back", answer == (200, "42"), answer)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True, help="Jumbo")
    parser.add_argument("--requests", type=int, default=500)
    parser.add_argument("--connections", type=int, default=50)
    options = parser.parse_args()
    work = pathlib.Path(tempfile.mkdtemp(prefix="jumbo-database-"))
    site = work / "site"
    site.mkdir()
    for name, text in PAGES.items():
        (site / name).write_text(text)
    database = server = None
    try:
        database = Database(work, options.connections)
        with open(work / "server.log", "wb") as log:
            server = Server(pathlib.Path(options.binary).resolve(), site, database.port, log)
        crowd(server, database, options.requests)
        with open(work / "server.log", "ab") as log:
            hasty = Server(pathlib.Path(options.binary).resolve(), site, database.port, log, "--terminate-after-ms", "2000")
        try:
            ended(hasty, options.requests)
        finally:
            hasty.stop()
        with open(work / "server.log", "ab") as log:
            writers(pathlib.Path(options.binary).resolve(), site, work, log)
        deaths(server, database)
        check("the server runs still", server.process.poll() is None)
    finally:
        if server:
            server.stop()
        if database and database.process.poll() is None:
            database.process.terminate()
            database.process.wait(30)
        log = (work / "server.log").read_text(errors="replace") if (work / "server.log").exists() else ""
        if failures and log:
            print(log[-3000:])
        shutil.rmtree(work, ignore_errors=True)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
