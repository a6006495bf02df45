#!/usr/bin/env python3
"""Runs test suites of PHP projects with PHPUnit under stock PHP and under Jumbo: each test must end alike.

    phpunit.py --binary target/debug/jumbo [--oracle FOLDER] [--packages FOLDER] [--keep FOLDER] [--show N] [--filter PATTERN] [SUITE...]

The suites are those of Debian's source packages, run by Debian's PHPUnit with the groups that Debian leaves out. What a test says (passed,
failed, skipped, a deprecation it triggered) is read from PHPUnit's log of events, in the order of the log.
"""

import difflib
import pathlib
import re
import shutil
import subprocess
import time

import compare

HERE = pathlib.Path(__file__).resolve().parent

SYMFONY = {
    "yaml": "Component/Yaml",
    "routing": "Component/Routing",
    "console": "Component/Console",
    "http-foundation": "Component/HttpFoundation",
    "dependency-injection": "Component/DependencyInjection",
    "serializer": "Component/Serializer",
    "http-kernel": "Component/HttpKernel",
}

# Groups that Debian does not run; and tests that sleep, one of them for an hour, where nobody puts another sleep() in its place, as a listener of
# Symfony's did for older PHPUnits. Some of them measure how long they slept.
GROUPS = "jwt,network,tty,benchmark,intl-data,functional,composer,nophpunit11,time-sensitive"

# What is not run of a suite, as options of PHPUnit.
LEFT_OUT = {
    # Signals: stock PHP has ext/pcntl built in, and some .phpt files wait for them for ever.
    "symfony/console": ["--test-suffix", "Test.php", "--exclude-filter", "Signal"],
}

# Events that say how a test ended, or what it did besides.
EVENTS = re.compile(
    r"(Test Suite (?:Skipped)|Test (?:Passed|Failed|Errored|Skipped|Marked Incomplete|Considered Risky|Preparation (?:Failed|Errored)|"
    r"(?:Test Runner )?Triggered [A-Za-z ]+|Printed Unexpected Output)|Test Runner Triggered [A-Za-z ]+|(?:Before|After) \w+ Method Errored|Child Process Errored) ?(.*)"
)


class PHPUnit(compare.Application):
    name = "phpunit"
    packages = [
        "phpunit", "php-symfony", "php-symfony-phpunit-bridge", "php-doctrine-annotations", "php-phpdocumentor-reflection-docblock", "php-masterminds-html5",
        "php-phpstan-phpdoc-parser", "php-monolog", "php-email-validator", "php-psr-simple-cache", "php-psr-link", "php-twig",
    ]
    dependencies = True
    extensions = ["apcu", "ctype", "iconv", "mbstring", "tokenizer", "posix", "pdo", "pdo_sqlite", "sqlite3", "bcmath", "calendar"]
    settings = {
        "date.timezone": "UTC", "error_reporting": "-1", "display_errors": "1", "html_errors": "0", "memory_limit": "2G", "zend.assertions": "1",
        "assert.exception": "1", "include_path": ".:/usr/share/php",
    }
    # It is skipped without ext/pcntl.
    known = {"symfony/console: Symfony\\Component\\Console\\Tests\\ApplicationTest::testOriginalHandlerRestoredAfterPop": "needs pcntl"}
    environment = {
        "SYMFONY_DEPRECATIONS_HELPER": "weak", "COLUMNS": "120", "LINES": "40", "HOME": "/root", "SHELL_VERBOSITY": "0", "MONGODB_HOST": "localhost",
        "LC_ALL": "C.UTF-8",
    }

    def mounts(self, unpacked, home):
        return {"/usr/share/php": unpacked / "usr/share/php", "/source": home / "source"}

    def install(self, unpacked, home):
        shutil.copytree(unpacked / "source", home / "source", symlinks=True)
        for file in (HERE / "phpunit").glob("*.php"):
            shutil.copy(file, home / "bin" / file.name)
        shutil.copy(HERE / "intl.php", home / "bin/intl.php")


def sources(folder, oracle):
    """Unpacks the source packages below `folder`."""
    place = pathlib.Path(oracle) / "tmp/jumbo-sources"
    for package in ("symfony", "phpunit"):
        if (folder / package).is_dir():
            continue
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        command = f"cd /tmp/jumbo-sources && apt-get source -qq --download-only {package} && dpkg-source -x {package}_*.dsc unpacked"
        subprocess.run(["chroot", oracle, "sh", "-c", command], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        folder.mkdir(parents=True, exist_ok=True)
        shutil.move(place / "unpacked", folder / package)
        shutil.rmtree(place)


def suite(site, name, pattern, limit=900):
    """Runs one suite: the lines of its events, the summary PHPUnit prints, and how long it took."""
    kind, _, component = name.partition("/")
    environment = {"TESTED_SOURCE": f"/source/{kind}"}
    if kind == "symfony":
        folder, tests = f"/source/symfony/src/Symfony/{SYMFONY[component]}", "Tests"
    else:
        folder, tests = "/source/phpunit", "tests/unit"
    (site.home / "bin/events").unlink(missing_ok=True)
    line = ["/w/run.php", "--no-configuration", "--bootstrap", "/w/bootstrap.php", "--do-not-cache-result", "--no-progress", "--exclude-group", GROUPS]
    line += ["--log-events-text", "/w/events", *(["--filter", pattern] if pattern else []), *LEFT_OUT.get(name, []), tests]
    start = time.monotonic()
    code, output, errors = site.script(line, folder=folder, environment=environment, timeout=limit)
    took = time.monotonic() - start
    (site.home / "output").write_bytes(output + b"\n--- errors\n" + errors)
    events = []
    log = site.home / "bin/events"
    if log.is_file():
        shutil.copy(log, site.home / ("events-" + name.replace("/", "-")))
        for text in log.read_text("utf-8", "replace").splitlines():
            found = EVENTS.match(text)
            if found:
                events.append(text)
    return code, events, output.decode("utf-8", "replace"), took


def main():
    def more(parser):
        parser.add_argument("suite", nargs="*", help="symfony/COMPONENT, phpunit (default: all)")
        parser.add_argument("--filter", help="only tests of this name (PHPUnit's --filter)")

    application = PHPUnit()
    options = compare.arguments(application, __doc__, more)
    names = options.suite or [f"symfony/{name}" for name in SYMFONY] + ["phpunit"]
    # What is not run cannot differ.
    application.known = {what: why for what, why in application.known.items() if what.split(":")[0] in names and not options.filter}
    different, tests = [], 0
    if options.packages:
        sources(pathlib.Path(options.packages) / "source", options.oracle)
    with compare.workshop(application, options) as sites:
        for name in names:
            runs = [suite(site, name, options.filter) for site in sites]
            events = [run[1] for run in runs]
            passed = [sum(e.startswith("Test Passed") for e in run[1]) for run in runs]
            tests += passed[0]
            same = events[0] == events[1] and runs[0][0] == runs[1][0]
            times = f"{runs[0][3]:.0f} s and {runs[1][3]:.0f} s"
            print(f"{'same' if same else 'DIFFERENT':9} {name}: {passed[0]} and {passed[1]} passed, exit {runs[0][0]} and {runs[1][0]}, {times}", flush=True)
            if same:
                continue
            if runs[1][0] not in (0, 1, 2) or runs[0][0] not in (0, 1, 2):
                print("    " + runs[1][2][-1500:].replace("\n", "\n    "))
            lines = [l for l in difflib.unified_diff(*events, "stock", "jumbo", lineterm="", n=0) if not l.startswith(("@@", "---", "+++"))]
            for line in lines[: options.show]:
                print("    " + line[:300])
            if len(lines) > options.show:
                print(f"    ... {len(lines) - options.show} lines more")
            # By test: what is known is known by the name of suite and test.
            different += sorted({f"{name}: {found[1]}" for l in lines if (found := re.match(r"[-+][^(]*\(([^)]*)", l))})
    compare.report(application, different, f"{len(names)} suites, {tests} tests that pass under stock PHP")


if __name__ == "__main__":
    main()
