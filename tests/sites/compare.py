"""What the comparisons of whole sites share: an application of Debian's packages, installed twice, served by stock PHP (php-fpm, asked over
FastCGI as nginx would) and by Jumbo (`jumbo serve`, asked over HTTP), gets the same requests from the same browser, and the answers must be equal.

Both installations see the same paths, each in a mount namespace of its own inside the oracle's chroot; so root is needed, and the chroot of
`cargo xtask oracle install`. A program of a site derives from Application and calls `run`; what may be normalised before answers are
compared stands in its `normalised` and nowhere else, answers that differ for a known reason in its `known`.

The last line that a program prints is its summary: `cargo xtask apps` shows it in its table.
"""

import argparse
import contextlib
import difflib
import email.parser
import html
import http.client
import os
import pathlib
import re
import shlex
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import urllib.parse

FPM = """[global]
daemonize = no
error_log = /dev/stderr
[www]
listen = 127.0.0.1:{port}
user = root
group = root
pm = static
pm.max_children = 1
catch_workers_output = yes
clear_env = no
"""

# Fields of the head that are compared: the others belong to the server, not to the program.
HEADERS = ["content-type", "location", "cache-control", "pragma", "x-ua-compatible", "content-disposition", "vary", "x-robots-tag"]


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


class Application:
    """One application; the attributes and methods that a site gives."""

    name = ""
    packages = []
    dependencies = False
    document_root = "/site/public"
    # The script that answers what is no file, as in nginx's `try_files $uri $uri/ /index.php?$query_string`.
    front_controller = "/index.php"
    # What php.ini would say; the same for both.
    settings = {}
    # No php.ini, and of Debian's loadable extensions those that Jumbo has too: programs show and do more with others.
    extensions = ["ctype", "mbstring", "tokenizer"]
    # Pattern and what stands in its place.
    normalised = []
    # Answers (or programs' outputs) that differ for a known reason. One that is equal all the same fails too: then it is to be taken out.
    known = {}
    headers = HEADERS
    host = "site.test"
    # What both engines find in their environment.
    environment = {}

    def mounts(self, unpacked, home):
        """Path in the chroot: folder here."""
        raise NotImplementedError

    def install(self, unpacked, home):
        """Makes one installation in `home`."""
        raise NotImplementedError

    def file(self, home, name):
        """Where the file of this name below the document root is."""
        raise NotImplementedError

    def tour(self, both):
        """Sends the requests: what a visitor and an administrator do."""
        raise NotImplementedError

    def started(self, sites):
        """Once, with both servers running, before the tour."""

    def ended(self):
        """In any case, when both servers have ended."""

    def normalise(self, data):
        for pattern, instead in self.normalised:
            data = re.sub(pattern, instead, data)
        return data


class Answer:
    def __init__(self, status, headers, body, is_file=False):
        self.status, self.headers, self.body, self.is_file = status, headers, body, is_file

    @property
    def text(self):
        return self.body.decode("utf-8", "replace")

    def comparable(self, application, is_file):
        lines = [f"status {self.status}"]
        # The head of a file is the web server's own affair.
        for name in application.headers if not is_file else []:
            for value in self.headers.get_all(name) or []:
                lines.append(f"{name}: {value}")
        for cookie in self.headers.get_all("set-cookie") or []:
            # Name and attributes; the value is random.
            name, _, rest = cookie.partition("=")
            attributes = re.sub(r"expires=[^;]*; Max-Age=-?\d+", "expires", rest.partition(";")[2])
            lines.append(f"set-cookie: {name}={'deleted' if rest.startswith('deleted') else '...'};{attributes}")
        head = "\n".join(lines).encode()
        return application.normalise(head + b"\n\n" + self.body)

    def form(self, identifier=None):
        """The fields of a form (by its id or name; the first one without), as a browser would send them back."""
        mark = rf'\b(?:id|name)="{re.escape(identifier)}"' if identifier else ""
        found = re.search(r"<form[^>]*" + mark + r".*?</form>", self.text, re.S)
        if not found:
            return {}
        fields = {}
        for tag in re.findall(r"<input[^>]*>", found[0]):
            attributes = dict(re.findall(r"""([\w-]+)=["']([^"']*)["']""", tag))
            kind, name = attributes.get("type", "text"), attributes.get("name")
            if name is None or "disabled" in attributes:
                continue
            chosen = kind not in ("checkbox", "radio") or "checked" in attributes
            if kind not in ("submit", "button", "image", "reset", "file") and chosen:
                fields[html.unescape(name)] = html.unescape(attributes.get("value", "on" if kind in ("checkbox", "radio") else ""))
        for name, text in re.findall(r"<textarea[^>]*name=\"([^\"]+)\"[^>]*>\n?(.*?)</textarea>", found[0], re.S):
            fields[html.unescape(name)] = html.unescape(text)
        for name, choices in re.findall(r"<select[^>]*name=\"([^\"]+)\"[^>]*>(.*?)</select>", found[0], re.S):
            options = re.findall(r"<option([^>]*)>", choices)
            chosen = [o for o in options if "selected" in o] or options[:1]
            if chosen and (value := re.search(r'value="([^"]*)"', chosen[0])):
                fields[html.unescape(name)] = html.unescape(value[1])
        return fields

    def value(self, name):
        """The value of the first input of this name: a token, mostly."""
        found = re.search(r'name="' + re.escape(name) + r'"[^>]*? value="([^"]*)"', self.text)
        return html.unescape(found[1]) if found else ""


class Site:
    """One installation, its server, and a browser in front of it."""

    def __init__(self, application, name, home):
        self.application, self.name, self.home = application, name, home
        self.cookies = {}
        self.process = None
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]

    def place(self, oracle, unpacked):
        self.oracle, self.seen = oracle, self.application.mounts(unpacked, self.home) | {"/w": self.home / "bin"}

    def start(self):
        line = inside(self.oracle, self.seen, self.serve(), environment=self.application.environment)
        with open(self.home / "server.log", "wb") as log:
            self.process = subprocess.Popen(line, stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True)
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                if self.process.poll() is not None:
                    break
                time.sleep(0.1)
        raise SystemExit(f"{self.name} does not start:\n{self.log()}")

    def stop(self):
        if self.process and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGTERM)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)

    def log(self):
        return (self.home / "server.log").read_text(errors="replace")[-3000:]

    def script(self, arguments, folder="/", standard_input=b"", environment=None, timeout=600):
        """Runs the command line program with these arguments: (exit code, output, errors). It and the programs of its own that it
        starts find their settings in a php.ini."""
        for place in ("bin", "ini"):
            if (self.home / place).is_dir():
                (self.home / place / "php.ini").write_text("".join(f'{name} = "{value}"\n' for name, value in self.settings()))
        settings = {"PHPRC": "/w", "PHP_INI_SCAN_DIR": ""} | self.application.environment | (environment or {})
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
        return list(self.application.settings.items())

    def flags(self):
        return [part for name, value in self.settings() for part in ("-d", f"{name}={value}")]

    def request(self, method, path, fields=None, files=None, headers=None):
        headers = dict(headers or {})
        headers["Host"] = self.application.host
        headers["User-Agent"] = f"Mozilla/5.0 (X11; Linux x86_64) {self.application.name}.py"
        headers.setdefault("Accept-Language", "en")
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{k}={v}" for k, v in self.cookies.items())
        body = None
        if files is not None:
            boundary = "----compare-py-boundary"
            headers["Content-Type"] = f"multipart/form-data; boundary={boundary}"
            parts = []
            for name, value in (fields or {}).items():
                parts.append(f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode())
            for name, (filename, kind, data) in files.items():
                head = f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"; filename="{filename}"\r\nContent-Type: {kind}\r\n\r\n'
                parts.append(head.encode() + data + b"\r\n")
            body = b"".join(parts) + f"--{boundary}--\r\n".encode()
        elif isinstance(fields, (bytes, str)):
            body = fields
        elif fields is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            body = urllib.parse.urlencode(fields)
        answer = self.send(method, path, body.encode() if isinstance(body, str) else body or b"", headers)
        for cookie in answer.headers.get_all("Set-Cookie") or []:
            name, value = cookie.split(";")[0].split("=", 1)
            if value == "deleted":
                self.cookies.pop(name, None)
            else:
                self.cookies[name] = value
        return answer


class Jumbo(Site):
    program = "/w/php"

    def serve(self):
        # Files are looked at each time, as stock PHP does without opcache: programs write their settings and caches as PHP code.
        flags = ["--follow-symlinks", "--revalidate-ms", "0", "--listen", f"127.0.0.1:{self.port}"]
        return ["/w/jumbo", "serve", self.application.document_root, "-n", *self.flags(), *flags]

    def send(self, method, path, body, headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        connection.request(method, path, body or None, headers)
        response = connection.getresponse()
        answer = Answer(response.status, response.headers, response.read())
        connection.close()
        return answer


class Stock(Site):
    """Files and scripts by nginx's rule `try_files $uri $uri/ /index.php?$query_string`, scripts by php-fpm."""

    program = "/usr/bin/php8.4"

    def settings(self):
        return [("extension", name) for name in self.application.extensions] + super().settings()

    def place(self, oracle, unpacked):
        super().place(oracle, unpacked)
        # Instead of Debian's php.ini and its list of extensions, which a program finds that is started without our environment.
        (self.home / "ini/conf.d").mkdir(parents=True, exist_ok=True)
        self.seen["/etc/php/8.4/cli"] = self.home / "ini"

    def serve(self):
        return ["php-fpm8.4", "-n", "-R", "-F", "-y", "/w/fpm.conf", *self.flags()]

    def send(self, method, path, body, headers):
        uri, _, query = path.partition("?")
        name = urllib.parse.unquote(uri)
        if name.endswith("/") and self.application.file(self.home, name + "index.php").is_file():
            name += "index.php"
        if not self.application.file(self.home, name).is_file():
            name = self.application.front_controller
        if not name.endswith(".php"):
            return Answer(200, email.parser.HeaderParser().parsestr(""), self.application.file(self.home, name).read_bytes(), is_file=True)
        variables = {
            "SCRIPT_FILENAME": self.application.document_root + name,
            "QUERY_STRING": query,
            "REQUEST_METHOD": method,
            "CONTENT_TYPE": headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(len(body)) if body else "",
            "SCRIPT_NAME": name,
            "REQUEST_URI": path,
            "DOCUMENT_URI": name,
            "DOCUMENT_ROOT": self.application.document_root,
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REQUEST_SCHEME": "http",
            "GATEWAY_INTERFACE": "CGI/1.1",
            "SERVER_SOFTWARE": "nginx/1.26.3",
            "REMOTE_ADDR": "127.0.0.1",
            "REMOTE_PORT": "40000",
            "SERVER_ADDR": "127.0.0.1",
            # That of the other server: programs name their cookies by it.
            "SERVER_PORT": str(self.shown_port),
            "SERVER_NAME": self.application.host,
            "REDIRECT_STATUS": "200",
        }
        for field, value in headers.items():
            variables["HTTP_" + field.upper().replace("-", "_")] = value
        return self.fastcgi(variables, body)

    def fastcgi(self, variables, body):
        def record(kind, data):
            return struct.pack(">BBHHBB", 1, kind, 1, len(data), 0, 0) + data

        def length(n):
            return struct.pack(">B", n) if n < 128 else struct.pack(">I", n | 1 << 31)

        pairs = b"".join(length(len(k.encode())) + length(len(v.encode())) + k.encode() + v.encode() for k, v in variables.items())
        message = record(1, struct.pack(">HB5x", 1, 0)) + record(4, pairs) + record(4, b"")
        for start in range(0, len(body), 60000):
            message += record(5, body[start : start + 60000])
        message += record(5, b"")
        out = b""
        with socket.create_connection(("127.0.0.1", self.port), 120) as connection:
            connection.sendall(message)
            stream = connection.makefile("rb")
            while True:
                head = stream.read(8)
                if len(head) < 8:
                    break
                _, kind, _, size, padding, _ = struct.unpack(">BBHHBB", head)
                data = stream.read(size)
                stream.read(padding)
                if kind == 6:
                    out += data
                elif kind == 3:
                    break
        head, _, rest = out.partition(b"\r\n\r\n")
        fields = email.parser.HeaderParser().parsestr(head.decode("latin-1"))
        return Answer(int((fields.get("Status") or "200").split()[0]), fields, rest)


class Pair:
    """Both sites: each request goes to both, and the answers must be equal."""

    def __init__(self, application, stock, jumbo, show):
        self.application, self.sites, self.show = application, (stock, jumbo), show
        self.compared, self.different = 0, []
        self.last = None

    def send(self, what, method, path, fields=None, files=None, headers=None, status=None):
        """`path` and `fields` may be functions of the site's number, for what differs: its own tokens. With `status` the tour makes
        sense only if both answer so."""
        answers = []
        for number, site in enumerate(self.sites):
            own_path = path(number) if callable(path) else path
            own = fields(number) if callable(fields) else fields
            try:
                answers.append(site.request(method, own_path, own, files, headers))
            except (OSError, http.client.HTTPException) as error:
                raise SystemExit(f"{what}: {site.name} does not answer: {error!r}\n{site.log()}")
        for site, answer in zip(self.sites, answers):
            if status not in (None, answer.status):
                raise SystemExit(f"{what}: {site.name} answers {answer.status}, not {status}:\n{answer.text[:3000]}\n{site.log()}")
        mine = [a.comparable(self.application, answers[0].is_file) for a in answers]
        self.compare(what, f"{answers[0].status} {len(answers[0].body):>7} bytes", mine)
        self.last = answers
        return answers

    def compare(self, what, size, mine):
        same = mine[0] == mine[1]
        self.compared += 1
        print(f"{'same' if same else 'DIFFERENT':9} {size}  {what}", flush=True)
        if not same:
            self.different.append(what)
            texts = [m.decode("utf-8", "backslashreplace").splitlines() for m in mine]
            lines = list(difflib.unified_diff(*texts, "stock", "jumbo", lineterm="", n=1))
            for line in lines[: self.show]:
                print("    " + line[:400])
            if len(lines) > self.show:
                print(f"    ... {len(lines) - self.show} lines more")
        return same

    def run(self, what, arguments, code=None, **more):
        """Runs a program on the command line with both engines: exit code, output and errors must be equal; `code` is like `status`."""
        both, codes = [], []
        for site in self.sites:
            status, output, errors = site.script(arguments(site) if callable(arguments) else arguments, **more)
            if code not in (None, status):
                raise SystemExit(f"{what}: {site.name} ends with {status}, not {code}:\n{output.decode()[-3000:]}\n{errors.decode()[-3000:]}")
            both.append(self.application.normalise(f"exit {status}\n".encode() + output + b"\n--- errors\n" + errors))
            codes.append(status)
        self.compare(what, f"{codes[0]:>3} {len(both[0]):>7} bytes", both)
        return both

    def get(self, what, path, **more):
        return self.send(what, "GET", path, **more)

    def post(self, what, path, fields, **more):
        return self.send(what, "POST", path, fields, **more)

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
    stock.shown_port = jumbo.port
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
            application.started(sites)
            both = Pair(application, *sites, options.show)
            application.tour(both)
        finally:
            for site in sites:
                site.stop()
            application.ended()
    report(application, both.different, f"{both.compared} answers compared")
