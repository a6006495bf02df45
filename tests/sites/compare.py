"""What the comparisons of frameworks and tools add to pair.py: packages with all they depend on, programs on the command line besides the
server, and applications of our own that use them.

Both installations see the same paths, each in mount and process namespaces of its own inside the oracle's chroot; so root is needed, and the
chroot of `cargo xtask oracle install`. The last line that a program prints is its summary: `cargo xtask apps` shows it in its table.
"""

import argparse
import contextlib
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile

import pair
from pair import FPM, HEADERS


def inside(oracle, mounts, command, folder="/", environment=None):
    """The command line that runs `command` in the chroot, where `mounts` (path there: folder here) are to be seen in this process only."""
    script = ["set -e"]
    for path, source in mounts.items():
        place = shlex.quote(f"{oracle}{path}")
        script.append(f"mkdir -p {place} && mount --bind {shlex.quote(str(source))} {place}")
    script.append(f"mount -t proc proc {shlex.quote(str(oracle))}/proc")
    settings = "".join(f"{name}={shlex.quote(value)} " for name, value in (environment or {}).items())
    line = f"cd {shlex.quote(folder)} && exec env {settings}{shlex.join(command)}"
    script.append(f"exec chroot {shlex.quote(str(oracle))} sh -c {shlex.quote(line)}")
    # A process namespace of its own: what the program leaves running ends with it.
    return ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", "\n".join(script)]


def unpack(folder, oracle, names, dependencies=False):
    """Unpacks Debian's packages into `folder`, unless they are there; with the packages they depend on, those with native code left out."""
    done = folder / ".unpacked"
    wanted = " ".join(names)
    if done.is_file() and done.read_text() == wanted:
        return
    folder.mkdir(parents=True, exist_ok=True)
    if dependencies:
        listing = ["chroot", oracle, "apt-get", "install", "--print-uris", "-qq", "--no-install-recommends", *names]
        lines = subprocess.run(listing, check=True, capture_output=True, text=True).stdout.splitlines()
        archives = [line.split()[1] for line in lines]
        names = [a.split("_")[0] for a in archives if a.endswith("_all.deb") and a.startswith(("php-", "phpunit", "composer", "jsonlint"))]
    place = pathlib.Path(oracle) / "tmp/jumbo-packages"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    subprocess.run(["chroot", oracle, "sh", "-c", f"cd /tmp/jumbo-packages && apt-get download -qq {' '.join(names)} 2>/dev/null"], check=True)
    for archive in sorted(place.glob("*.deb")):
        subprocess.run(["dpkg", "-x", str(archive), str(folder)], check=True)
    shutil.rmtree(place)
    done.write_text(wanted)


class Application(pair.Site):
    """One application; the attributes and methods that a program gives besides those of pair.Site."""

    # With the packages that they depend on.
    dependencies = False
    root = "/site/public"
    host = "site.test"
    # What both engines find in their environment.
    environment = {}

    def mounts(self, unpacked, home):
        """Path in the chroot: folder here."""
        raise NotImplementedError

    def install(self, unpacked, home):
        """Makes one installation in `home`."""
        raise NotImplementedError


class Installed(pair.Installation):
    """One installation, its server and its programs, and a browser in front of it."""

    def __init__(self, application, name, home):
        super().__init__(name, application, home, None)

    def place(self, oracle, unpacked):
        self.oracle, self.seen = oracle, self.site.mounts(unpacked, self.home) | {"/w": self.home / "bin"}

    def start(self):
        self.launch(inside(self.oracle, self.seen, self.serve(), environment=self.site.environment))

    def script(self, arguments, folder="/", standard_input=b"", environment=None, timeout=600):
        """Runs the command line program with these arguments: (exit code, output, errors). It and the programs of its own that it
        starts find their settings in a php.ini."""
        for place in ("bin", "ini"):
            if (self.home / place).is_dir():
                (self.home / place / "php.ini").write_text("".join(f'{name} = "{value}"\n' for name, value in self.settings()))
        settings = {"PHPRC": "/w", "PHP_INI_SCAN_DIR": ""} | self.site.environment | (environment or {})
        line = inside(self.oracle, self.seen, [self.program, *arguments], folder, settings)
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
            process = subprocess.Popen(line, stdin=subprocess.PIPE, stdout=out, stderr=errors, start_new_session=True)
            try:
                process.communicate(standard_input, timeout)
                code = process.returncode
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                code = "time out"
            out.seek(0), errors.seek(0)
            return code, out.read(), errors.read()

    def settings(self):
        return list(self.site.settings.items())

    def flags(self):
        return [part for name, value in self.settings() for part in ("-d", f"{name}={value}")]


class Jumbo(Installed, pair.Jumbo):
    program = "/w/php"

    def serve(self):
        # Files are looked at each time, as stock PHP does without opcache: programs write their settings and caches as PHP code.
        flags = ["--follow-symlinks", "--revalidate-ms", "0", "--listen", f"127.0.0.1:{self.port}"]
        return ["/w/jumbo", "serve", self.site.root, "-n", *self.flags(), *flags]


class Stock(Installed, pair.Stock):
    program = "/usr/bin/php8.4"

    def settings(self):
        return [("extension", name) for name in self.site.extensions] + super().settings()

    def place(self, oracle, unpacked):
        super().place(oracle, unpacked)
        # Instead of Debian's php.ini and its list of extensions, which a program finds that is started without our environment.
        (self.home / "ini/conf.d").mkdir(parents=True, exist_ok=True)
        self.seen["/etc/php/8.4/cli"] = self.home / "ini"

    def serve(self):
        return ["php-fpm8.4", "-n", "-R", "-F", "-y", "/w/fpm.conf", *self.flags()]


class Pair(pair.Pair):
    def run(self, what, arguments, code=None, **more):
        """Runs a program on the command line with both engines: exit code, output and errors must be equal; `code` is like `status`."""
        both, codes = [], []
        for site in self.installations:
            status, output, errors = site.script(arguments(site) if callable(arguments) else arguments, **more)
            if code not in (None, status):
                raise SystemExit(f"{what}: {site.name} ends with {status}, not {code}:\n{output.decode()[-3000:]}\n{errors.decode()[-3000:]}")
            both.append(self.site.normalise(f"exit {status}\n".encode() + output + b"\n--- errors\n" + errors))
            codes.append(status)
        self.compare(what, f"{codes[0]:>3} {len(both[0]):>7} bytes", both)
        return both

    def value(self, number, name):
        return self.last[number].value(name)


@contextlib.contextmanager
def workshop(application, options):
    """Both installations of an application, in a folder that goes away unless it is to be kept."""
    if os.geteuid() != 0:
        raise SystemExit(f"{application.name}.py needs root: it mounts folders into the oracle's chroot")
    work = pathlib.Path(options.keep or tempfile.mkdtemp(prefix=f"{application.name}-")).resolve()
    if options.keep:
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
    unpacked = pathlib.Path(options.packages or work / "packages").resolve()
    unpack(unpacked, options.oracle, application.packages, application.dependencies)
    stock, jumbo = Stock(application, "stock", work / "stock"), Jumbo(application, "jumbo", work / "jumbo")
    stock.shown_port, stock.shown_software = jumbo.port, "Jumbo"
    try:
        for site in (stock, jumbo):
            (site.home / "bin").mkdir(parents=True)
            application.install(unpacked, site.home)
            site.place(options.oracle, unpacked)
        (stock.home / "bin/fpm.conf").write_text(FPM.format(port=stock.port))
        shutil.copy(options.binary, jumbo.home / "bin/jumbo")
        # Under the name `php` for programs that look for it in their PATH.
        (jumbo.home / "bin/php").symlink_to("jumbo")
        (stock.home / "bin/php").symlink_to(stock.program)
        yield stock, jumbo
    finally:
        if not options.keep:
            shutil.rmtree(work, ignore_errors=True)


def arguments(application, description, more=None):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--binary", required=True, help="Jumbo")
    parser.add_argument("--oracle", default="/opt/php-oracle", help="the chroot with stock PHP")
    parser.add_argument("--packages", help="where the packages are unpacked, or shall be; a temporary folder when absent")
    parser.add_argument("--keep", help="leave the installations in this folder")
    parser.add_argument("--show", type=int, default=20, help="lines to show of a difference")
    if more:
        more(parser)
    return parser.parse_args()


def report(application, different, summary):
    """Tells what is not as expected, then the summary; ends the program."""
    unexpected = [what for what in different if what not in application.known]
    mended = [what for what in application.known if what not in different]
    for what in unexpected:
        print(f"  differs: {what}")
    # `cargo xtask apps --update` writes these into its table.
    for what, why in application.known.items():
        if what in different:
            print(f"  known: {what} ({why})")
    for what in mended:
        print(f"  equal now, to be taken out of `known`: {what}")
    print(summary + f"; {len(different)} different, {len(different) - len(unexpected)} of them for a known reason", flush=True)
    sys.exit(1 if unexpected or mended else 0)


def run(application, description):
    """The whole program of a site that is driven through HTTP."""
    options = arguments(application, description)
    with workshop(application, options) as sites:
        try:
            for site in sites:
                site.start()
            both = Pair(application, *sites, options.show)
            application.tour(both)
        finally:
            for site in sites:
                site.stop()
    report(application, both.different, f"{both.requests} answers compared")
