#!/usr/bin/env python3
"""Drives examples/guestbook through HTTP and checks every answer.

    guestbook.py http://127.0.0.1:8080 [--password guestbook]

The site may hold entries already; the test looks only at its own, and deletes them. Needs the standard library alone.
"""

import argparse
import concurrent.futures
import html
import http.client
import re
import secrets
import struct
import sys
import urllib.parse
import zlib


class Page:
    def __init__(self, response, body):
        self.status = response.status
        self.headers = response.headers
        self.body = body
        self.text = body.decode("utf-8", "replace")

    @property
    def token(self):
        found = re.search(r'name="token" value="([0-9a-f]{32})"', self.text)
        assert found, f"no token in:\n{self.text[:2000]}"
        return found[1]

    def entries(self):
        """Entry id to the article's HTML."""
        return {int(i): a for i, a in re.findall(r'<article class="card entry" id="entry-(\d+)">(.*?)</article>', self.text, re.S)}


class Visitor:
    """One browser: keeps its connection and its cookies."""

    def __init__(self, base):
        self.base = urllib.parse.urlsplit(base)
        self.cookies = {}
        self.connection = None

    def request(self, method, path, body=None, headers=()):
        headers = dict(headers)
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{k}={v}" for k, v in self.cookies.items())
        for attempt in (1, 2):
            if self.connection is None:
                self.connection = http.client.HTTPConnection(self.base.hostname, self.base.port or 80, timeout=30)
            try:
                self.connection.request(method, self.base.path.rstrip("/") + path, body, headers)
                response = self.connection.getresponse()
                break
            except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError):
                # The server may close an idle connection at any time.
                self.connection = None
                if attempt == 2:
                    raise
        page = Page(response, response.read())
        if response.will_close:
            self.connection.close()
            self.connection = None
        for cookie in response.headers.get_all("Set-Cookie") or []:
            name, value = cookie.split(";")[0].split("=", 1)
            self.cookies[name] = value
        return page

    def get(self, path, **headers):
        return self.request("GET", path, headers={k.replace("_", "-"): v for k, v in headers.items()})

    def post(self, path, fields):
        body = urllib.parse.urlencode(fields)
        return self.request("POST", path, body, {"Content-Type": "application/x-www-form-urlencoded"})

    def post_form(self, path, fields, file=None):
        boundary = secrets.token_hex(12)
        body = b""
        for name, value in fields.items():
            body += f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        if file:
            name, filename, kind, content = file
            body += f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"; filename="{filename}"\r\nContent-Type: {kind}\r\n\r\n'.encode()
            body += content + b"\r\n"
        body += f"--{boundary}--\r\n".encode()
        return self.request("POST", path, body, {"Content-Type": f"multipart/form-data; boundary={boundary}"})

    def sign(self, name, message, mood="happy", file=None, **extra):
        fields = {"token": self.get("/").token, "name": name, "message": message, "mood": mood, "website": "", **extra}
        return self.post_form("/entries", fields, file)


def png(width=8, height=8):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + secrets.token_bytes(3 * width) for _ in range(height))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def expect(actual, wanted, what):
    assert actual == wanted, f"{what}: expected {wanted!r}, got {actual!r}"


def find(visitor, marker):
    """Ids of the entries whose message holds the marker, over all pages, newest first."""
    found, number = {}, 1
    while True:
        page = visitor.get(f"/?page={number}")
        found.update((i, a) for i, a in page.entries().items() if marker in a)
        if f'href="/?page={number + 1}"' not in page.text:
            return found
        number += 1


def step(text):
    print(f"  {text}")


def run(base, password):
    marker = secrets.token_hex(8)
    visitor = Visitor(base)

    step("the front page and its files")
    page = visitor.get("/")
    expect(page.status, 200, "front page")
    assert page.headers["Content-Type"].lower() == "text/html; charset=utf-8", page.headers["Content-Type"]
    assert "<h1>Sign the book</h1>" in page.text
    assert "guestbook" in visitor.cookies
    expect(visitor.get("/").token, page.token, "the session keeps its token")
    css = visitor.get("/style.css")
    expect((css.status, css.headers["Content-Type"].split(";")[0]), (200, "text/css"), "style sheet")
    head = visitor.request("HEAD", "/")
    expect((head.status, head.body), (200, b""), "HEAD")

    step("paths that lead nowhere")
    for path in ("/nothing", "/avatars/none.png", "/avatars/..%2fentries.json", "/entries"):
        page = visitor.get(path)
        expect(page.status, 404, path)
        assert "There is no page at this address." in page.text, path

    step("signing")
    answer = visitor.sign("Ada <b>", f"Hello & welcome\r\n{marker} ünï 🐘", "curious")
    expect((answer.status, answer.headers["Location"]), (303, "/"), "after signing")
    page = visitor.get("/")
    assert "Thank you, Ada &lt;b&gt;! You are number" in page.text
    assert "Thank you" not in visitor.get("/").text, "a message is shown once"
    first, article = next(iter(page.entries().items()))
    assert f"Hello &amp; welcome<br />\n{marker} ünï 🐘" in article, article
    assert "Ada &lt;b&gt;" in article and "🧐" in article, article

    step("forms that are not accepted")
    page = visitor.sign("", "")
    expect(page.status, 422, "empty form")
    assert "Please enter a name." in page.text and "Please enter a message." in page.text
    page = visitor.sign("x" * 41, 'keeps "my" text', "sleepy")
    expect(page.status, 422, "long name")
    assert "The name may have 40 characters at most; it has 41." in page.text
    assert html.escape('keeps "my" text') in page.text
    assert re.search(r'value="sleepy" checked', page.text)
    expect(visitor.sign("ü" * 40, f"{marker} forty characters").status, 303, "40 characters of two bytes")
    expect(visitor.sign("robot", "buy this", website="http://spam").status, 422, "a robot")
    page = visitor.post("/entries", {"token": visitor.get("/").token, "name[]": "x", "message": "y"})
    assert page.status == 422 and "Please enter a name." in page.text, "an array for a text"

    step("forms without a valid token")
    for token in ("", "0" * 32, Visitor(base).get("/").token):
        page = visitor.post("/entries", {"token": token, "name": "x", "message": marker})
        expect(page.status, 403, "token " + token)
    page = visitor.post("/entries", {"token[]": "x", "name": "x", "message": marker})
    expect(page.status, 403, "a token that is an array")

    step("pictures")
    picture = png()
    answer = visitor.sign("Grace", f"{marker} with a picture", file=("avatar", "me.png", "image/png", picture))
    expect(answer.status, 303, "with a picture")
    article = next(a for a in visitor.get("/").entries().values() if f"{marker} with a picture" in a)
    source = re.search(r'<img src="(/avatars/[0-9a-f]{24}\.png)"', article)[1]
    answer = Visitor(base).get(source)
    expect((answer.status, answer.headers["Content-Type"], answer.body), (200, "image/png", picture), "the picture")
    for what, file, message in (
        ("a script", ("avatar", "evil.png", "image/png", b"<?php echo 1;"), "Please choose a PNG"),
        ("a large one", ("avatar", "large.png", "image/png", picture + bytes(200_001)), "200 kB at most"),
        ("an empty one", ("avatar", "empty.png", "image/png", b""), "Please choose a PNG"),
    ):
        page = visitor.sign("Eve", f"{marker} {what}", file=file, MAX_FILE_SIZE="200000")
        expect(page.status, 422, what)
        assert message in page.text, f"{what}: {page.text}"
    answer = visitor.sign("Bob", f"{marker} none chosen", file=("avatar", "", "application/octet-stream", b""))
    expect(answer.status, 303, "no picture chosen")

    step("many visitors at once")
    def sign(n):
        return Visitor(base).sign(f"Guest {n}", f"{marker} crowd {n}").status
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        expect(list(pool.map(sign, range(16))), [303] * 16, "signing at once")
    mine = find(visitor, marker)
    expect(len(mine), 20, "no entry is lost")
    for n in range(16):
        expect(sum(f"{marker} crowd {n}<" in a for a in mine.values()), 1, f"guest {n}")

    step("only the admin deletes")
    assert "Delete" not in visitor.get("/").text
    expect(visitor.post("/delete", {"token": visitor.get("/").token, "id": first}).status, 403, "a visitor deletes")
    admin = Visitor(base)
    page = admin.post("/login", {"token": admin.get("/login").token, "user": "admin", "password": "wrong"})
    expect(page.status, 401, "wrong password")
    assert "Name or password is wrong." in page.text
    before = dict(admin.cookies)
    answer = admin.post("/login", {"token": page.token, "user": "admin", "password": password})
    expect((answer.status, answer.headers["Location"]), (303, "/"), "login")
    assert admin.cookies != before, "the session has a new id after login"
    page = admin.get("/")
    assert "You are logged in." in page.text and "Delete" in page.text
    stolen = Visitor(base)
    stolen.cookies = before
    assert "Delete" not in stolen.get("/").text, "the old id is worth nothing"

    step("deleting")
    for entry in mine:
        answer = admin.post("/delete", {"token": admin.get("/").token, "id": entry})
        expect(answer.status, 303, f"deleting {entry}")
    assert "is deleted." in admin.get("/").text
    expect(find(visitor, marker), {}, "all are gone")
    expect(visitor.get(source).status, 404, "and the picture too")
    answer = admin.post("/delete", {"token": admin.get("/").token, "id": first})
    expect(answer.status, 303, "deleting twice")
    assert "That entry had gone already." in admin.get("/").text

    step("logging out")
    expect(admin.post("/logout", {"token": admin.get("/").token}).status, 303, "logout")
    page = admin.get("/")
    assert "You are logged out." in page.text and "Delete" not in page.text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("base", help="address of the site, such as http://127.0.0.1:8080")
    parser.add_argument("--password", default="guestbook", help="the admin's password")
    options = parser.parse_args()
    try:
        run(options.base, options.password)
    except AssertionError as failure:
        print(f"FAILED: {failure}", file=sys.stderr)
        return 1
    print("guestbook: all is well")
    return 0


if __name__ == "__main__":
    sys.exit(main())
