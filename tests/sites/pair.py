"""What the site drivers share: one site installed twice, under stock PHP and under Jumbo, asked the same, answers compared byte by byte.

Stock PHP is php-fpm, asked over FastCGI as nginx would ask it; Jumbo is `jumbo serve`, asked over HTTP. Both see the same paths, each in a mount
namespace of its own inside the oracle's chroot, which needs root. A driver describes its site ([`Site`]) and the requests ([`Pair.get`],
[`Pair.post`]); what is normalised before answers are compared stands in the driver, and nowhere else.
"""

import argparse
import difflib
import email.parser
import html
import http.client
import itertools
import os
import pathlib
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import urllib.parse
import zlib

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
"""

# Fields of the head that are compared: the others belong to the server, not to the program.
HEADERS = ["content-type", "location", "cache-control", "pragma", "x-ua-compatible", "content-disposition", "vary", "x-robots-tag", "link", "allow"]


class Site:
    """What a driver says about its site."""

    name = ""
    # Debian's packages, and those of their folders that the program sees.
    packages = []
    folders = []
    # The document root, and folders below it that are links to elsewhere: {"lib/tpl": "var/lib/dokuwiki/lib/tpl"}.
    root = ""
    links = {}
    host = ""
    # What php.ini would say; the same for both. No php.ini is read.
    settings = {}
    # Of Debian's loadable extensions those that Jumbo has too: a site shows and does more with others.
    extensions = []
    # (pattern, what stands in its place), in this order, over head and body.
    normalised = []
    # The fields of the head that are compared.
    headers = HEADERS
    # Answers that differ for a known reason. One that is equal all the same fails too: then it is to be taken out.
    known = {}

    def install(self, packages, home, name):
        """Makes the installation of `name` (stock or jumbo) in `home`, as the package's own scripts leave it."""
        raise NotImplementedError

    def tour(self, both):
        """Sends the requests."""
        raise NotImplementedError

    def normalise(self, data):
        for pattern, instead in self.normalised:
            data = re.sub(pattern, instead, data)
        return data

    def arguments(self, parser):
        """More options of the command line; what was given is in `self.options` afterwards."""


class Answer:
    def __init__(self, status, headers, body, is_file=False):
        self.status, self.headers, self.body, self.is_file = status, headers, body, is_file

    @property
    def text(self):
        return self.body.decode("utf-8", "replace")

    def comparable(self, site, is_file):
        lines = [f"status {self.status}"]
        # The head of a file is the web server's own affair.
        for name in site.headers if not is_file else []:
            for value in self.headers.get_all(name) or []:
                lines.append(f"{name}: {value}")
        for cookie in self.headers.get_all("set-cookie") or []:
            # Name and attributes; the value is random.
            name, _, rest = cookie.partition("=")
            attributes = re.sub(r"expires=[^;]*; Max-Age=-?\d+", "expires", rest.partition(";")[2])
            lines.append(f"set-cookie: {name}={'deleted' if rest.startswith('deleted') else '...'};{attributes}")
        return site.normalise("\n".join(lines).encode() + b"\n\n" + self.body)

    def value(self, name):
        """The value of the first input of this name: a token, mostly."""
        found = re.search(r'name="' + re.escape(name) + r'"[^>]*? value="([^"]*)"', self.text)
        return html.unescape(found[1]) if found else ""

    def form(self, identifier=None):
        """The fields of a form (the first one without an identifier), as a browser would send them back."""
        mark = rf"\bid=[\"']{re.escape(identifier)}[\"']" if identifier else ""
        found = re.search(r"<form[^>]*" + mark + r".*?</form>", self.text, re.S)
        if not found:
            return {}
        fields = {}
        for tag in re.findall(r"<input[^>]*>", found[0]):
            attributes = {name: double or single for name, double, single in re.findall(r"([\w-]+)=(?:\"([^\"]*)\"|'([^']*)')", tag)}
            kind, name = attributes.get("type", "text"), attributes.get("name")
            if name is None or "disabled" in attributes:
                continue
            chosen = kind not in ("checkbox", "radio") or "checked" in attributes
            if kind not in ("submit", "button", "image", "reset", "file") and chosen:
                fields[html.unescape(name)] = html.unescape(attributes.get("value", "on" if kind in ("checkbox", "radio") else ""))
        for name, text in re.findall(r"<textarea[^>]*name=\"([^\"]+)\"[^>]*>\n?(.*?)</textarea>", found[0], re.S):
            fields[html.unescape(name)] = html.unescape(text)
        for name, choices in re.findall(r"<select[^>]*name=[\"']([^\"']+)[\"'][^>]*>(.*?)</select>", found[0], re.S):
            options = re.findall(r"<option([^>]*)>", choices)
            chosen = [o for o in options if "selected" in o] or options[:1]
            if chosen and (value := re.search(r"value=[\"']([^\"']*)[\"']", chosen[0])):
                fields[html.unescape(name)] = html.unescape(value[1])
        return fields


class Installation:
    """One installation, its server, and a browser in front of it."""

    def __init__(self, name, site, home, command):
        self.name, self.site, self.home, self.command = name, site, home, command
        self.cookies = {}
        self.process = None
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]

    def start(self, root):
        script = ["set -e"]
        for folder in self.site.folders:
            script.append(f"mkdir -p {root}/{folder}")
            script.append(f"mount --bind {self.home}/{folder} {root}/{folder}")
        script.append(f"mkdir -p {root}/w && mount --bind {self.home}/bin {root}/w")
        command = " ".join(self.command(self.port))
        script.append(f"exec chroot {root} {command}")
        self.launch(["unshare", "-m", "sh", "-c", "\n".join(script)])

    def launch(self, line):
        """Starts the server by this command line, and waits until it listens."""
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

    def log(self):
        """The end of what the server has said."""
        return (self.home / "server.log").read_text(errors="replace")[-3000:]

    def stop(self):
        if self.process and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGTERM)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)

    def request(self, method, path, fields=None, files=None, headers=None):
        headers = dict(headers or {})
        headers["Host"] = self.site.host
        headers["User-Agent"] = f"Mozilla/5.0 (X11; Linux x86_64) {self.site.name}.py"
        headers.setdefault("Accept-Language", "en")
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{k}={v}" for k, v in self.cookies.items())
        body = None
        if files is not None:
            boundary = "----a-boundary-of-the-driver"
            headers["Content-Type"] = f"multipart/form-data; boundary={boundary}"
            parts = []
            for name, value in (fields or {}).items():
                parts.append(f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode())
            for name, (filename, kind, data) in files.items():
                head = f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"; filename="{filename}"\r\nContent-Type: {kind}\r\n\r\n'
                parts.append(head.encode() + data + b"\r\n")
            body = b"".join(parts) + f"--{boundary}--\r\n".encode()
        elif isinstance(fields, (bytes, str)):
            # A body as it is; the caller names its type.
            body = fields
        elif fields is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            body = urllib.parse.urlencode(fields)
        answer = self.send(method, path, body.encode() if isinstance(body, str) else body or b"", headers)
        for cookie in answer.headers.get_all("Set-Cookie") or []:
            name, value = cookie.split(";")[0].split("=", 1)
            if value == "deleted" or "Max-Age=0" in cookie:
                self.cookies.pop(name, None)
            else:
                self.cookies[name] = value
        return answer


class Jumbo(Installation):
    def send(self, method, path, body, headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        connection.request(method, path, body or None, headers)
        response = connection.getresponse()
        answer = Answer(response.status, response.headers, response.read())
        connection.close()
        return answer


class Stock(Installation):
    """Files and scripts by nginx's rule `try_files $uri $uri/ /index.php?$query_string`, scripts by php-fpm."""

    # What programs are told of their server: the port and the name of the other one.
    shown_port, shown_software = 0, ""

    def send(self, method, path, body, headers):
        uri, _, query = path.partition("?")
        name = urllib.parse.unquote(uri)
        if name.endswith("/") and self.file(name + "index.php").is_file():
            name += "index.php"
        if not self.file(name).is_file():
            name = "/index.php"
        if not name.endswith(".php"):
            return Answer(200, email.parser.HeaderParser().parsestr(""), self.file(name).read_bytes(), is_file=True)
        variables = {
            "SCRIPT_FILENAME": self.site.root + name,
            "QUERY_STRING": query,
            "REQUEST_METHOD": method,
            "CONTENT_TYPE": headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(len(body)) if body else "",
            "SCRIPT_NAME": name,
            "REQUEST_URI": path,
            "DOCUMENT_URI": name,
            "DOCUMENT_ROOT": self.site.root,
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REQUEST_SCHEME": "http",
            "GATEWAY_INTERFACE": "CGI/1.1",
            "SERVER_SOFTWARE": self.shown_software,
            "REMOTE_ADDR": "127.0.0.1",
            "REMOTE_PORT": "40000",
            "SERVER_ADDR": "127.0.0.1",
            "SERVER_PORT": str(self.shown_port),
            "SERVER_NAME": self.site.host,
            "REDIRECT_STATUS": "200",
        }
        for field, value in headers.items():
            variables["HTTP_" + field.upper().replace("-", "_")] = value
        return self.fastcgi(variables, body)

    def file(self, name):
        for link, target in self.site.links.items():
            if name.startswith(f"/{link}/"):
                return self.home / target / name[len(link) + 2 :]
        return self.home / self.site.root[1:] / name[1:]

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
    """Both installations: each request goes to both, and the answers must be equal."""

    def __init__(self, site, stock, jumbo, show):
        self.site, self.installations = site, (stock, jumbo)
        self.show = show
        self.requests, self.different = 0, []
        self.last = None

    def send(self, what, method, path, fields=None, files=None, headers=None, status=None):
        """`path`, `fields` and `headers` may be functions of the installation's number, for what differs: its own tokens. With `status` the
        tour makes sense only if both answer so."""
        answers = []
        for number, installation in enumerate(self.installations):
            own_path, own, own_headers = (x(number) if callable(x) else x for x in (path, fields, headers))
            try:
                answers.append(installation.request(method, own_path, own, files, own_headers))
            except (OSError, http.client.HTTPException) as error:
                log = (installation.home / "server.log").read_text(errors="replace")
                raise SystemExit(f"{what}: {installation.name} does not answer: {error!r}\n{log[-3000:]}")
        for installation, answer in zip(self.installations, answers):
            if status not in (None, answer.status):
                log = (installation.home / "server.log").read_text(errors="replace")
                raise SystemExit(f"{what}: {installation.name} answers {answer.status}, not {status}:\n{answer.text[:3000]}\n{log[-3000:]}")
        mine = [a.comparable(self.site, answers[0].is_file) for a in answers]
        self.compare(what, f"{answers[0].status} {len(answers[0].body):>7} bytes", mine)
        self.last = answers
        return answers

    def compare(self, what, size, mine):
        """Whether two texts are equal; shows where they are not."""
        self.requests += 1
        same = mine[0] == mine[1]
        print(f"{'same' if same else 'DIFFERENT':9} {size}  {what}", flush=True)
        if not same:
            self.different.append(what)
            texts = [m.decode("utf-8", "backslashreplace").splitlines() for m in mine]
            lines = [line[:400] for line in difflib.unified_diff(*map(cropped, texts, reversed(texts)), "stock", "jumbo", lineterm="", n=1)]
            for line in lines[: self.show]:
                print("    " + line)
            if len(lines) > self.show:
                print(f"    ... {len(lines) - self.show} lines more")
        return same

    def get(self, what, path, **more):
        return self.send(what, "GET", path, **more)

    def post(self, what, path, fields, **more):
        return self.send(what, "POST", path, fields, **more)

    def form(self, identifier, extra):
        """Fields of a form of the last answer, with some changed."""
        before = self.last
        return lambda number: before[number].form(identifier) | extra

    def found(self, pattern):
        """What a group of the pattern matches in the last answer, as a function of the installation's number."""
        before = self.last

        def find(number):
            found = re.search(pattern, before[number].text)
            return html.unescape(found[1]) if found else ""

        return find


def cropped(lines, others):
    """Long lines from shortly before the place where they differ from those of the same number."""
    result = []
    for line, other in itertools.zip_longest(lines, others[: len(lines)], fillvalue=""):
        same = len(os.path.commonprefix([line, other]))
        result.append("..." + line[same - 150 :] if 150 < same < len(line) and len(line) > 400 else line)
    return result


def png():
    """A PNG of one pixel."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
        + chunk(b"IDAT", zlib.compress(b"\0\xff\0\0", 9))
        + chunk(b"IEND", b"")
    )


def unpack(names, folder, oracle):
    """Unpacks Debian's packages into `folder`, unless they are there."""
    marks = folder / ".unpacked"
    marks.mkdir(parents=True, exist_ok=True)
    for name in names:
        if (marks / name).exists():
            continue
        subprocess.run(["chroot", oracle, "sh", "-c", f"cd /tmp && apt-get download -qq {name}"], check=True)
        archives = sorted((pathlib.Path(oracle) / "tmp").glob(f"{name}_*.deb"))
        subprocess.run(["dpkg", "-x", str(archives[-1]), str(folder)], check=True)
        (marks / name).touch()


def main(site, description):
    """The whole of a driver: installs the site twice, starts both servers, sends the tour, tells what differed."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True, help="Jumbo")
    parser.add_argument("--oracle", default="/opt/php-oracle", help="the chroot with stock PHP")
    parser.add_argument("--packages", help="where the packages are unpacked, or shall be; a temporary folder when absent")
    parser.add_argument("--keep", help="leave the installations in this folder")
    parser.add_argument("--show", type=int, default=20, help="lines to show of a difference")
    site.arguments(parser)
    options = site.options = parser.parse_args()
    if os.geteuid() != 0:
        raise SystemExit(f"{site.name}.py needs root: it mounts the installations into the oracle's chroot")
    work = pathlib.Path(options.keep or tempfile.mkdtemp(prefix=f"{site.name}-")).resolve()
    if options.keep:
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
    unpacked = pathlib.Path(options.packages or work / "packages").resolve()
    unpack(site.packages, unpacked, options.oracle)
    settings = [part for name, value in site.settings.items() for part in ("-d", f"{name}={value}")]
    extensions = [part for name in site.extensions for part in ("-d", f"extension={name}")]
    for name in ("stock", "jumbo"):
        home = work / name
        for folder in site.folders:
            source = unpacked / folder
            if source.is_dir():
                shutil.copytree(source, home / folder, symlinks=True)
            else:
                (home / folder).mkdir(parents=True)
        (home / "bin").mkdir(parents=True)
        site.install(unpacked, home, name)
    stock = Stock("stock", site, work / "stock", lambda port: ["php-fpm8.4", "-n", "-R", "-F", "-y", "/w/fpm.conf", *extensions, *settings])
    serve = ["/w/jumbo", "serve", site.root, "-n", *settings, "--follow-symlinks"]
    # Files are looked at each time, as stock PHP does without opcache: sites write PHP code.
    jumbo = Jumbo("jumbo", site, work / "jumbo", lambda port: [*serve, "--revalidate-ms", "0", "--listen", f"127.0.0.1:{port}"])
    stock.shown_port = jumbo.port
    version = re.search(r'(?m)^version = "(.*)"', (pathlib.Path(__file__).parents[2] / "Cargo.toml").read_text())
    stock.shown_software = f"Jumbo/{version[1]}"
    (work / "stock/bin/fpm.conf").write_text(FPM.format(port=stock.port))
    shutil.copy(options.binary, work / "jumbo/bin/jumbo")
    installations = [stock, jumbo]
    try:
        for installation in installations:
            installation.start(options.oracle)
        both = Pair(site, stock, jumbo, options.show)
        site.tour(both)
    finally:
        for installation in installations:
            installation.stop()
        if not options.keep:
            shutil.rmtree(work, ignore_errors=True)
    unexpected = [what for what in both.different if what not in site.known]
    mended = [what for what in site.known if what not in both.different]
    for what in unexpected:
        print(f"  {what}")
    # `cargo xtask apps --update` writes these into its table.
    for what, why in site.known.items():
        if what in both.different:
            print(f"  known: {what} ({why})")
    for what in mended:
        print(f"  equal now, to be taken out of the known ones: {what}")
    # The last line is what `cargo xtask apps` shows in its table.
    print(f"{both.requests} requests, {len(both.different)} answered differently, {len(both.different) - len(unexpected)} of them for a known reason")
    sys.exit(1 if unexpected or mended else 0)
