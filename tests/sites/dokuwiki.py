#!/usr/bin/env python3
"""Drives DokuWiki under stock PHP and under Jumbo with the same requests, and compares the answers byte by byte.

    dokuwiki.py --binary target/debug/jumbo [--oracle FOLDER] [--packages FOLDER] [--keep FOLDER] [--show N]

DokuWiki is Debian's package with its dependencies, unchanged, installed twice as its postinst script does it: the wiki of stock PHP
(php-fpm, asked over FastCGI as nginx would) and that of Jumbo (`jumbo serve`, asked over HTTP) see the same paths, each in a mount namespace
of its own inside the oracle's chroot. Needs root, the chroot of `cargo xtask oracle install`, and python's standard library.

What is normalised before answers are compared stands in NORMALISED, and nowhere else: times, the tokens and identifiers that are random,
and nothing more.
"""

import argparse
import difflib
import email.parser
import hashlib
import html
import http.client
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

PACKAGES = [
    "dokuwiki",
    "libjs-jquery",
    "libjs-jquery-cookie",
    "libjs-jquery-ui",
    "libphp-simplepie",
    "php-constant-time",
    "php-geshi",
    "php-kissifrot-php-ixr",
    "php-phpseclib3",
    "php-random-compat",
]

# Folders of the packages, as the program sees them.
FOLDERS = [
    "etc/dokuwiki",
    "usr/share/dokuwiki",
    "usr/share/javascript",
    "usr/share/php-geshi",
    "usr/share/php/IXR",
    "usr/share/php/ParagonIE",
    "usr/share/php/phpseclib3",
    "usr/share/php/random_compat",
    "usr/share/php/simplepie",
    "var/lib/dokuwiki",
]

ROOT = "/usr/share/dokuwiki"

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

USER, PASSWORD = "admin", "wiki-secret"

# What php.ini would say; the same for both.
SETTINGS = {
    "date.timezone": "UTC",
    "display_errors": "1",
    # E_ALL & ~E_DEPRECATED, as php.ini-production has it: DokuWiki uses E_STRICT, and a message before each page would end its headers.
    "error_reporting": "24575",
    "html_errors": "0",
    "memory_limit": "256M",
    "output_buffering": "4096",
    "session.save_path": "/var/lib/dokuwiki/data/tmp",
    "session.gc_probability": "0",
}

# Pattern and what stands in its place.
NORMALISED = [
    # Security tokens: an HMAC over the session's id.
    (rb'(name="sectok" value=")[0-9a-f]{32}', rb"\1SECTOK"),
    (rb"(sectok=)[0-9a-f]{32}", rb"\1SECTOK"),
    (rb'("sectok":")[0-9a-f]{32}', rb"\1SECTOK"),
    # Tokens of scaled images: an HMAC with the secret of the installation.
    (rb"(tok=)[0-9a-f]{6}", rb"\1TOKEN"),
    # The token of a user for other programs: a signed JWT with its time.
    (rb"eyJ[A-Za-z0-9+/=]+\.[A-Za-z0-9+/=]+\.[A-Za-z0-9+/=]+", rb"JWT"),
    # Seeds of style sheets and scripts: checksums over the time stamps of files.
    (rb"(tseed=)[0-9a-f]{32}", rb"\1TSEED"),
    # Revisions and other time stamps of this run (all runs since 2017).
    (rb"(?<![0-9])1[5-9][0-9]{8}(?![0-9])", rb"TIMESTAMP"),
    # Times as the wiki shows them.
    (rb"20[0-9]{2}/[0-9]{2}/[0-9]{2} [0-9]{2}:[0-9]{2}", rb"YYYY/MM/DD HH:MM"),
    (rb"20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\+00:?00|Z)", rb"ISO-TIME"),
    (rb"20[0-9]{2}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}", rb"YYYY-MM-DD HH:MM:SS"),
    (rb"(Mon|Tue|Wed|Thu|Fri|Sat|Sun), [0-9]{2} [A-Z][a-z]{2} 20[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2} (\+0000|GMT)", rb"RFC-TIME"),
    (rb"[0-9]+ (seconds?|minutes?) ago", rb"N seconds ago"),
]

# Answers that differ for a known reason. One that is equal all the same fails too: then it is to be taken out.
KNOWN = {}

# Fields of the head that are compared: the others belong to the server, not to the program.
HEADERS = ["content-type", "location", "cache-control", "pragma", "x-ua-compatible", "content-disposition", "vary", "x-robots-tag"]


def normalise(data):
    for pattern, instead in NORMALISED:
        data = re.sub(pattern, instead, data)
    return data


class Answer:
    def __init__(self, status, headers, body, is_file=False):
        self.status, self.headers, self.body, self.is_file = status, headers, body, is_file

    @property
    def text(self):
        return self.body.decode("utf-8", "replace")

    def comparable(self, is_file):
        lines = [f"status {self.status}"]
        # The head of a file is the web server's own affair.
        for name in HEADERS if not is_file else []:
            for value in self.headers.get_all(name) or []:
                lines.append(f"{name}: {value}")
        for cookie in self.headers.get_all("set-cookie") or []:
            # Name and attributes; the value is random.
            name, _, rest = cookie.partition("=")
            attributes = re.sub(r"expires=[^;]*; Max-Age=-?\d+", "expires", rest.partition(";")[2])
            lines.append(f"set-cookie: {name}={'deleted' if rest.startswith('deleted') else '...'};{attributes}")
        head = "\n".join(lines).encode()
        return normalise(head + b"\n\n" + self.body)

    def form(self, identifier):
        """The fields of a form, as a browser would send them back."""
        found = re.search(r'<form[^>]*\bid="' + re.escape(identifier) + r'".*?</form>', self.text, re.S)
        if not found:
            return {}
        fields = {}
        for tag in re.findall(r"<input[^>]*>", found[0]):
            attributes = dict(re.findall(r'([\w-]+)="([^"]*)"', tag))
            kind, name = attributes.get("type"), attributes.get("name")
            if name is None or "disabled" in attributes:
                continue
            chosen = kind not in ("checkbox", "radio") or "checked" in attributes
            if kind in ("hidden", "text", "password", "checkbox", "radio") and chosen:
                fields[html.unescape(name)] = html.unescape(attributes.get("value", "on"))
        for name, text in re.findall(r"<textarea[^>]*name=\"([^\"]+)\"[^>]*>\n?(.*?)</textarea>", found[0], re.S):
            fields[html.unescape(name)] = html.unescape(text)
        for name, choices in re.findall(r"<select[^>]*name=\"([^\"]+)\"[^>]*>(.*?)</select>", found[0], re.S):
            options = re.findall(r"<option([^>]*)>", choices)
            chosen = [o for o in options if "selected" in o] or options[:1]
            if chosen and (value := re.search(r'value="([^"]*)"', chosen[0])):
                fields[html.unescape(name)] = html.unescape(value[1])
        return fields

    def token(self):
        found = re.search(r'name="sectok" value="([0-9a-f]*)"', self.text)
        return found[1] if found else ""


class Wiki:
    """One installation, its server, and a browser in front of it."""

    def __init__(self, name, home, command):
        self.name, self.home, self.command = name, home, command
        self.cookies = {}
        self.process = None
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]

    def start(self, root):
        script = ["set -e"]
        for folder in FOLDERS:
            script.append(f"mkdir -p {root}/{folder}")
            script.append(f"mount --bind {self.home}/{folder} {root}/{folder}")
        script.append(f"mkdir -p {root}/w && mount --bind {self.home}/bin {root}/w")
        command = " ".join(self.command(self.port))
        script.append(f"exec chroot {root} {command}")
        log = open(self.home / "server.log", "wb")
        self.process = subprocess.Popen(
            ["unshare", "-m", "sh", "-c", "\n".join(script)], stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True
        )
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                if self.process.poll() is not None:
                    break
                time.sleep(0.1)
        raise SystemExit(f"{self.name} does not start:\n{(self.home / 'server.log').read_text()}")

    def stop(self):
        if self.process and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGTERM)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)

    def request(self, method, path, fields=None, files=None, headers=None):
        headers = dict(headers or {})
        headers["Host"] = "wiki.test"
        headers["User-Agent"] = "Mozilla/5.0 (X11; Linux x86_64) dokuwiki.py"
        headers["Accept-Language"] = "en"
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{k}={v}" for k, v in self.cookies.items())
        body = None
        if files is not None:
            boundary = "----dokuwiki-py-boundary"
            headers["Content-Type"] = f"multipart/form-data; boundary={boundary}"
            parts = []
            for name, value in (fields or {}).items():
                parts.append(f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode())
            for name, (filename, kind, data) in files.items():
                head = f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"; filename="{filename}"\r\nContent-Type: {kind}\r\n\r\n'
                parts.append(head.encode() + data + b"\r\n")
            body = b"".join(parts) + f"--{boundary}--\r\n".encode()
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


class Jumbo(Wiki):
    def send(self, method, path, body, headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        connection.request(method, path, body or None, headers)
        response = connection.getresponse()
        answer = Answer(response.status, response.headers, response.read())
        connection.close()
        return answer


class Stock(Wiki):
    """Files and scripts by nginx's rule `try_files $uri $uri/ /index.php?$query_string`, scripts by php-fpm."""

    def send(self, method, path, body, headers):
        uri, _, query = path.partition("?")
        name = urllib.parse.unquote(uri)
        if name.endswith("/"):
            name += "index.php"
        if not self.file(name).is_file():
            name = "/index.php"
        if not name.endswith(".php"):
            return Answer(200, email.parser.HeaderParser().parsestr(""), self.file(name).read_bytes(), is_file=True)
        variables = {
            "SCRIPT_FILENAME": ROOT + name,
            "QUERY_STRING": query,
            "REQUEST_METHOD": method,
            "CONTENT_TYPE": headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(len(body)) if body else "",
            "SCRIPT_NAME": name,
            "REQUEST_URI": path,
            "DOCUMENT_URI": name,
            "DOCUMENT_ROOT": ROOT,
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REQUEST_SCHEME": "http",
            "GATEWAY_INTERFACE": "CGI/1.1",
            "SERVER_SOFTWARE": "nginx/1.26.3",
            "REMOTE_ADDR": "127.0.0.1",
            "REMOTE_PORT": "40000",
            "SERVER_ADDR": "127.0.0.1",
            # That of the other server: DokuWiki names its cookies by it.
            "SERVER_PORT": str(self.shown_port),
            "SERVER_NAME": "wiki.test",
            "REDIRECT_STATUS": "200",
        }
        for field, value in headers.items():
            variables["HTTP_" + field.upper().replace("-", "_")] = value
        return self.fastcgi(variables, body)

    def file(self, name):
        for link in ("lib/plugins", "lib/tpl"):
            if name.startswith(f"/{link}/"):
                return self.home / "var/lib/dokuwiki" / name[1:]
        return self.home / "usr/share/dokuwiki" / name[1:]

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
    """Both wikis: each request goes to both, and the answers must be equal."""

    def __init__(self, stock, jumbo, show, keep):
        self.wikis = (stock, jumbo)
        self.show, self.keep = show, keep
        self.requests, self.different = 0, []
        self.last = None

    def send(self, what, method, path, fields=None, files=None, headers=None):
        """`fields` may be a function of the wiki's number, for what differs: its own tokens."""
        answers = []
        for number, wiki in enumerate(self.wikis):
            own_path = path(number) if callable(path) else path
            own = fields(number) if callable(fields) else fields
            try:
                answers.append(wiki.request(method, own_path, own, files, headers))
            except (OSError, http.client.HTTPException) as error:
                raise SystemExit(f"{what}: {wiki.name} does not answer: {error!r}\n{(wiki.home / 'server.log').read_text()[-3000:]}")
        self.requests += 1
        mine = [a.comparable(answers[0].is_file) for a in answers]
        same = mine[0] == mine[1]
        print(f"{'same' if same else 'DIFFERENT':9} {answers[0].status} {len(answers[0].body):>7} bytes  {what}", flush=True)
        if not same:
            self.different.append(what)
            texts = [m.decode("utf-8", "backslashreplace").splitlines() for m in mine]
            lines = list(difflib.unified_diff(*texts, "stock", "jumbo", lineterm="", n=1))
            for line in lines[: self.show]:
                print("    " + line[:400])
            if len(lines) > self.show:
                print(f"    ... {len(lines) - self.show} lines more")
        self.last = answers
        return answers

    def get(self, what, path, **more):
        return self.send(what, "GET", path, **more)

    def post(self, what, path, fields, **more):
        return self.send(what, "POST", path, fields, **more)

    def token(self, number):
        return self.last[number].token()


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


PAGE = """====== A tour ======

**Bold**, //italic//, __underlined__, ''monospaced'', <sub>sub</sub> and <sup>sup</sup>, ((a footnote)) -- "quotes" and 640x480.

===== Lists and links =====

  * one
  * two
    - inner
    - [[wiki:syntax|The syntax]], [[missing page]], [[https://www.example.org/?a=1&b=2|outside]], [[doku>wiki:syntax]]
  * {{wiki:dokuwiki-128.png?50|logo}} me@example.org

===== Tables and code =====

^ head ^ right ^
| cell | ::: |
|  right | 2 |

> quoted
>> deeper

<code php>
<?php echo strlen("Grüße"), 1 + 1; // comment
</code>

<file text notes.txt>
plain   text
</file>

~~NOCACHE~~
"""


def tour(both):
    """What a visitor, a writer and an administrator do."""
    show = "/doku.php?id="
    both.get("front page (a redirect or the start page)", "/")
    both.get("start page, which does not exist", "/doku.php")
    both.get("welcome page", show + "wiki:welcome")
    both.get("syntax page", show + "wiki:syntax")
    both.get("syntax page, from the cache", show + "wiki:syntax")
    both.get("syntax page, its text", show + "wiki:syntax&do=export_raw")
    both.get("syntax page, HTML alone", show + "wiki:syntax&do=export_xhtml")
    both.get("page that does not exist", show + "playground:nothing")
    both.get("index of pages", show + "wiki:welcome&do=index")
    both.get("recent changes", show + "wiki:welcome&do=recent")
    both.get("style sheet", "/lib/exe/css.php?t=dokuwiki")
    both.get("script", "/lib/exe/js.php?t=dokuwiki&lang=en")
    both.get("jQuery", "/lib/exe/jquery.php")
    both.get("icon", "/lib/tpl/dokuwiki/images/favicon.ico")
    both.get("media", "/lib/exe/fetch.php?media=wiki:dokuwiki-128.png")
    both.get("media, detail page", "/lib/exe/detail.php?id=wiki:syntax&media=wiki:dokuwiki-128.png")
    both.get("feed", "/feed.php")
    both.get("page in another language", show + "wiki:welcome", headers={"Accept-Language": "de"})
    both.get("source of a page without right", show + "wiki:welcome&do=edit")

    # Login
    both.get("login form", show + "wiki:welcome&do=login")
    wrong = lambda n: {"sectok": both.token(n), "id": "wiki:welcome", "do": "login", "u": USER, "p": "wrong"}
    both.post("login with a wrong password", "/doku.php", wrong)
    right = lambda n: {"sectok": both.token(n), "id": "wiki:welcome", "do": "login", "u": USER, "p": PASSWORD, "r": "1"}
    both.post("login", "/doku.php", right)
    both.get("welcome page, logged in", show + "wiki:welcome")

    # Writing
    both.get("edit form of a new page", show + "playground:tour&do=edit")

    def form(identifier, extra):
        before = both.last
        return lambda number: before[number].form(identifier) | extra

    both.post("preview", show + "playground:tour", form("dw__editform", {"wikitext": PAGE, "summary": "first", "do[preview]": "Preview"}))
    both.post("save", show + "playground:tour", form("dw__editform", {"wikitext": PAGE, "summary": "first", "do[save]": "Save"}))
    both.get("saved page", show + "playground:tour")
    both.get("indexer", "/lib/exe/taskrunner.php?id=playground:tour&1234")
    both.get("indexer of the welcome page", "/lib/exe/taskrunner.php?id=wiki:welcome&1234")
    both.get("indexer of the syntax page", "/lib/exe/taskrunner.php?id=wiki:syntax&1234")
    both.get("edit form", show + "playground:tour&do=edit")
    time.sleep(1.1)
    both.post("save again", show + "playground:tour", form("dw__editform", {"wikitext": PAGE + "\nOne more **line**.\n", "summary": "second", "do[save]": "Save"}))
    both.get("changed page", show + "playground:tour")
    both.get("indexer of the changed page", "/lib/exe/taskrunner.php?id=playground:tour&1234")
    both.get("old revisions", show + "playground:tour&do=revisions")
    both.get("differences", show + "playground:tour&do=diff")
    both.get("differences, in line", show + "playground:tour&do=diff&difftype=inline")
    both.post(
        "edit form of a section",
        show + "playground:tour",
        lambda n: {"do": "edit", "id": "playground:tour", "target": "section", "range": "190-420", "hid": "lists_and_links", "sectok": both.token(n)},
    )
    both.get("backlinks", show + "wiki:syntax&do=backlink")
    both.get("recent changes, with one", show + "wiki:welcome&do=recent")
    both.get("feed, with one", "/feed.php?type=atom1")

    # Search
    for query in ["footnote", "syntax", "Grüße", "nothing*", "\"quoted deeper\"", "wiki -syntax", "*ounderl* tables", "@playground tour"]:
        both.get(f"search for {query}", "/doku.php?do=search&id=wiki:welcome&q=" + urllib.parse.quote(query))
    both.post("quick search", "/lib/exe/ajax.php", {"call": "qsearch", "q": "tour"})
    both.post("suggestions of links", "/lib/exe/ajax.php", {"call": "linkwiz", "q": "wiki:"})
    both.post("index of a namespace", "/lib/exe/ajax.php", {"call": "index", "idx": "wiki"})

    # Media
    both.get("media manager", show + "wiki:welcome&do=media&ns=wiki")
    both.get("old media manager", "/lib/exe/mediamanager.php?ns=playground")
    upload = lambda n: {"sectok": both.token(n), "ns": "playground", "mediaid": "pixel.png", "id": ""}
    both.post("upload", "/lib/exe/mediamanager.php?ns=playground", upload, files={"upload": ("pixel.png", "image/png", png())})
    both.get("uploaded file", "/lib/exe/fetch.php?media=playground:pixel.png")
    both.get("media manager, with the file", "/lib/exe/mediamanager.php?ns=playground")

    # The user's own affairs
    both.get("profile", show + "wiki:welcome&do=profile")
    both.get("subscriptions", show + "wiki:welcome&do=subscribe")

    # Administration
    both.get("administration", show + "wiki:welcome&do=admin")
    for page in ["acl", "usermanager", "config", "styling", "logviewer", "revert"]:
        both.get(f"administration: {page}", show + f"wiki:welcome&do=admin&page={page}")
    both.get("administration: extensions, templates", show + "wiki:welcome&do=admin&page=extension&tab=templates")
    both.get("users", show + "wiki:welcome&do=admin&page=usermanager")
    add = lambda n: {
        "sectok": both.token(n), "do": "admin", "page": "usermanager", "id": "wiki:welcome", "userid": "writer", "userpass": "pass-word",
        "userpass2": "pass-word", "username": "A Writer", "usermail": "writer@example.org", "usergroups": "user", "fn[add]": "Add",
    }
    both.post("user added", "/doku.php?id=wiki:welcome", add)
    both.get("users, with the new one", show + "wiki:welcome&do=admin&page=usermanager")
    both.get("access list of a page", show + "playground:tour&do=admin&page=acl&current_ns=playground")
    both.get("settings", show + "wiki:welcome&do=admin&page=config")
    both.post("settings saved", "/doku.php", form("dw__configform", {"config[title]": "Another \"title\"", "save": "1"}))
    both.get("page under the new title", show + "wiki:welcome")

    # Logout
    both.get("logout", lambda n: show + "wiki:welcome&do=logout&sectok=" + both.token(n))
    both.get("page without login", show + "playground:tour")

    # What must not be served
    both.get("not found", "/lib/nothing.css")


def packages(folder, oracle):
    """Unpacks the packages into `folder`, unless they are there."""
    if (folder / "usr/share/dokuwiki").is_dir():
        return
    folder.mkdir(parents=True, exist_ok=True)
    for name in PACKAGES:
        subprocess.run(["chroot", oracle, "sh", "-c", f"cd /tmp && apt-get download -qq {name}"], check=True)
        archives = sorted((pathlib.Path(oracle) / "tmp").glob(f"{name}_*.deb"))
        subprocess.run(["dpkg", "-x", str(archives[-1]), str(folder)], check=True)


def install(packages, home):
    """A wiki as the package's postinst script leaves it: open to read, one administrator."""
    for folder in FOLDERS:
        shutil.copytree(packages / folder, home / folder, symlinks=True)
    (home / "bin").mkdir()
    shutil.copy(home / "usr/share/dokuwiki/.htaccess.dist", home / "etc/dokuwiki/htaccess")
    (home / "etc/dokuwiki/local.php").write_text(
        "<?php\n/**\n * Dokuwiki's Main Configuration File - Local Settings\n * Auto-generated by Debian postinst script\n */\n\n"
        "$conf['title'] = 'Debian DokuWiki';\n$conf['license'] = 'cc-by-sa';\n#$conf['lang'] = 'en';\n$conf['useacl'] = 1;\n"
        "$conf['superuser'] = '@admin';\n"
    )
    acl = home / "var/lib/dokuwiki/acl"
    (acl / "acl.auth.php").write_text(
        "# acl.auth.php\n# <?php exit()?>\n# Don't modify the lines above\n#\n# Access Control Lists\n#\n"
        "# Auto-generated by Debian postinst script\n\n*               @ALL          1\n*               @user         8\n"
    )
    digest = hashlib.md5(PASSWORD.encode()).hexdigest()
    (acl / "users.auth.php").write_text(f"{USER}:{digest}:DokuWiki Administrator:webmaster@localhost:admin,user\n")
    # The salt of cookies and tokens is made at first use; the pages' times are those of the package in both.


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True, help="Jumbo")
    parser.add_argument("--oracle", default="/opt/php-oracle", help="the chroot with stock PHP")
    parser.add_argument("--packages", help="where the packages are unpacked, or shall be; a temporary folder when absent")
    parser.add_argument("--keep", help="leave the installations in this folder")
    parser.add_argument("--show", type=int, default=20, help="lines to show of a difference")
    options = parser.parse_args()
    if os.geteuid() != 0:
        raise SystemExit("dokuwiki.py needs root: it mounts the wikis into the oracle's chroot")
    work = pathlib.Path(options.keep or tempfile.mkdtemp(prefix="dokuwiki-")).resolve()
    if options.keep:
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
    unpacked = pathlib.Path(options.packages or work / "packages").resolve()
    packages(unpacked, options.oracle)
    settings = [part for name, value in SETTINGS.items() for part in ("-d", f"{name}={value}")]
    # No php.ini, and of Debian's loadable extensions those that Jumbo has too: the wiki shows and does more with others (intl, gd).
    extensions = [part for name in ("ctype", "mbstring", "tokenizer") for part in ("-d", f"extension={name}")]
    for name in ("stock", "jumbo"):
        install(unpacked, work / name)
    stock = Stock("stock", work / "stock", lambda port: ["php-fpm8.4", "-n", "-R", "-F", "-y", "/w/fpm.conf", *extensions, *settings])
    jumbo = Jumbo(
        "jumbo",
        work / "jumbo",
        # Files are looked at each time, as stock PHP does without opcache: the wiki writes its settings as PHP code.
        lambda port: ["/w/jumbo", "serve", ROOT, "-n", *settings, "--follow-symlinks", "--revalidate-ms", "0", "--listen", f"127.0.0.1:{port}"],
    )
    stock.shown_port = jumbo.port
    (work / "stock/bin/fpm.conf").write_text(FPM.format(port=stock.port))
    wikis = [stock, jumbo]
    shutil.copy(options.binary, work / "jumbo/bin/jumbo")
    try:
        for wiki in wikis:
            wiki.start(options.oracle)
        both = Pair(stock, jumbo, options.show, work)
        tour(both)
    finally:
        for wiki in wikis:
            wiki.stop()
        if not options.keep:
            shutil.rmtree(work, ignore_errors=True)
    unexpected = [what for what in both.different if what not in KNOWN]
    mended = [what for what in KNOWN if what not in both.different]
    print(f"{both.requests} requests, {len(both.different)} answered differently, {len(both.different) - len(unexpected)} of them for a known reason")
    for what in unexpected:
        print(f"  {what}")
    for what in mended:
        print(f"  equal now, to be taken out of KNOWN: {what}")
    sys.exit(1 if unexpected or mended else 0)


if __name__ == "__main__":
    main()
