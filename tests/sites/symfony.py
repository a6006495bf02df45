#!/usr/bin/env python3
"""Drives a small application on Symfony 6.4 under stock PHP and under Jumbo with the same requests, and compares the answers byte by byte.

    symfony.py --binary target/debug/jumbo [--oracle FOLDER] [--packages FOLDER] [--keep FOLDER] [--show N]

The framework is Debian's packages (framework and twig bundles, form, validator, serializer, translation, cache, console, Doctrine's DBAL on
SQLite), unchanged; the application is the folder symfony/ beside this file. Each engine compiles the container, the templates and the
caches itself, through the browser and on the command line.
"""

import pathlib
import shutil

import compare

HERE = pathlib.Path(__file__).resolve().parent

JSON = {"Content-Type": "application/json", "Accept": "application/json"}
DEV = {"X-Environment": "dev"}


class Symfony(compare.Application):
    name = "symfony"
    packages = [
        "php-symfony-framework-bundle", "php-symfony-twig-bundle", "php-symfony-form", "php-symfony-validator", "php-symfony-serializer", "php-symfony-console",
        "php-symfony-cache", "php-symfony-translation", "php-symfony-security-csrf", "php-symfony-property-info", "php-symfony-property-access",
        "php-symfony-yaml", "php-symfony-clock", "php-symfony-stopwatch", "php-symfony-expression-language", "php-symfony-asset", "php-symfony-mime",
        "php-doctrine-dbal", "php-email-validator", "php-phpdocumentor-reflection-docblock",
    ]
    dependencies = True
    extensions = ["apcu", "ctype", "iconv", "mbstring", "tokenizer", "posix", "pdo", "pdo_sqlite"]
    settings = {
        "date.timezone": "UTC", "error_reporting": "22519", "display_errors": "1", "html_errors": "0", "memory_limit": "512M", "include_path": ".:/usr/share/php",
        "session.save_path": "/site/var/sessions", "session.gc_probability": "0", "output_buffering": "4096", "zend.assertions": "-1",
    }
    headers = [*compare.HEADERS, "etag", "last-modified", "x-greeting", "x-kind", "content-language", "allow", "expires"]
    environment = {"HOME": "/root", "COLUMNS": "100", "LC_ALL": "C.UTF-8"}
    normalised = [
        # Tokens against forged requests: random, and masked with random bytes each time.
        (rb'((?:token|_token\])" value=")[^"]+', rb"\1TOKEN"),
        # Numbers of objects: when the garbage collector gives them back is each engine's own affair.
        (rb"(?<=<a class=sf-dump-ref>)#[0-9]+", b"#NUMBER"),
        # Addresses of objects and names of files that are random.
        (rb"(?<=[#:])[0-9a-f]{32}(?=[^0-9a-f])", rb"HASH"),
        (rb"sf-dump-[0-9]+", b"sf-dump-NUMBER"),
        # Times of this run.
        (rb"(Mon|Tue|Wed|Thu|Fri|Sat|Sun), [0-9]{2} [A-Z][a-z]{2} 202[5-9] [0-9]{2}:[0-9]{2}:[0-9]{2} GMT", rb"NOW"),
        (rb"202[5-9]-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[+]00:00", rb"NOW"),
        (rb"(?<= [(])[0-9.]+ [KM]i?B(?=[)])", rb"SIZE"),
    ]

    def mounts(self, unpacked, home):
        return {"/usr/share/php": unpacked / "usr/share/php", "/site": home / "site"}

    def install(self, unpacked, home):
        shutil.copytree(HERE / "symfony", home / "site")
        shutil.copy(HERE / "intl.php", home / "bin/intl.php")
        (home / "site/var/sessions").mkdir(parents=True)

    def tour(self, both):
        self.console(both)
        self.visit(both)
        self.write(both)
        self.interface(both)
        self.failures(both)
        self.development(both)

    def console(self, both):
        def run(line, **more):
            both.run(f"bin/console {line}", ["/site/bin/console", *line.split()], folder="/site", **more)

        run("app:install 25", code=0)
        run("app:install 0")
        run("app:report")
        for style in ("borderless", "box-double", "markdown", "compact"):
            run(f"app:report --style={style}")
        run("app:report --ansi")
        run("app:report --ask", standard_input=b"ab\nabc\n2\nyes\n")
        run("app:report --ask --no-interaction")
        run("app:report --nothing")
        run("app:repor")
        run("nothing:here")
        run("list --format=json")
        for line in (
            "list", "--version", "help app:report", "about", "debug:router", "debug:router edit", "router:match /note/5/edit", "router:match /nowhere", "debug:container",
            "debug:container --parameters", "debug:container --tags", "debug:container App\\Notes --show-arguments", "debug:autowiring", "debug:autowiring cache",
            "debug:event-dispatcher", "debug:event-dispatcher kernel.response", "debug:config framework", "debug:config twig form_themes",
            "config:dump-reference twig", "config:dump-reference framework session", "debug:twig", "lint:twig templates", "lint:container", "lint:yaml translations",
            "debug:translation de", "debug:validator App\\Note", "debug:serializer App\\Note", "debug:form", "debug:form App\\NoteType", "cache:pool:list",
            "cache:pool:prune", "cache:pool:clear cache.notes", "cache:clear", "cache:warmup", "debug:router --format=json", "debug:router --format=md",
            "secrets:list", "completion bash",
        ):
            run(line)

    def visit(self, both):
        both.get("front page", "/", status=200)
        both.get("front page again", "/")
        both.get("front page in German", "/", headers={"Accept-Language": "de-AT,de;q=0.8,en;q=0.5"})
        both.get("notes", "/notes")
        both.get("notes by title, some colours", "/notes/1?order=title&colours[]=red&colours[]=blue")
        both.get("notes, page 3", "/notes/3")
        both.get("notes, page that is empty", "/notes/30")
        both.get("redirect to no slash", "/notes/")
        both.get("stream", "/stream")
        both.get("file", "/file")
        both.get("part of a file", "/file", headers={"Range": "bytes=10-29"})
        both.get("cookie", "/cookie")
        both.get("cookie, seen", "/cookie")
        both.get("not modified", "/cookie", headers={"If-None-Match": '"abc"'})
        both.get("cached", "/cached")
        both.get("cached, from the cache", "/cached")
        both.send("head", "HEAD", "/notes")
        both.send("options", "OPTIONS", "/notes")

    def write(self, both):
        both.get("empty form", "/note/new")

        def form(**extra):
            before = both.last
            return lambda number: before[number].form() | {f"note[{name}]": value for name, value in extra.items()}

        bad = form(title="<x", text="t" * 600, colour="black", weight="11", author="nobody", due="1999-12-31", tags="a,b,c,d,e,averylongtagindeed")
        both.post("form with mistakes", "/note/new", bad)
        both.post("form without its token", "/note/new", {"note[title]": "Forged", "note[colour]": "red", "note[weight]": "1"})
        both.post("form with arrays for text", "/note/new", {"note[title][]": "x", "note[due]": "no date", "note[weight]": "many"})
        both.get("form", "/note/new")
        good = form(title="Größer & \"besser\"", text="one\ntwo", colour="blue", weight="7", author="me@example.org", due="2031-05-06", done="1", tags="x, y")
        both.post("note saved", "/note/new", good)
        both.get("notes with the message", "/notes?order=title")
        both.get("form of a note", "/note/26/edit")
        both.post("note changed", "/note/26/edit", form(title="Changed", colour="red", tags=""))
        both.get("changed note", "/note/26/edit")
        both.get("cached, computed anew", "/cached")
        both.get("notes before deleting", "/notes/1?order=weight")
        both.post("forged deletion", "/note/3", {"_method": "DELETE", "token": "wrong"})
        both.get("form of no note", "/note/99/edit")
        upload = {"file": ("ä b.tar.gz", "application/gzip", bytes(range(256)) * 40)}
        both.post("upload", "/upload", {"a[b][]": "1", "a[c]": "2"}, files=upload)
        both.post("upload of nothing", "/upload", {"x": "y"})

    def interface(self, both):
        both.get("API", "/api/notes")
        both.get("API, page 2, whole", "/api/notes?page=2&groups=whole")
        both.get("export as CSV", "/api/notes.csv")
        both.get("export as YAML", "/api/notes.yaml")
        post = lambda what, path, body: both.send(what, "POST", path, body, headers=JSON)
        post("API, new note", "/api/notes", '{"title": "By API", "weight": 3, "colour": "blue", "mail": "a@b.de", "due": "2033-01-02T03:04:05+00:00", "tags": ["t"]}')
        post("API, note with mistakes", "/api/notes", '{"title": "x", "weight": 99, "mail": "no"}')
        post("API, note of wrong types", "/api/notes", '{"title": ["x"], "weight": "many", "colour": "pink"}')
        post("API, no JSON", "/api/notes", '{"title": ')
        post("API, checked", "/api/check", '{"title": "", "text": "x", "weight": 0, "mail": "@", "due": "1990-01-01", "tags": ["", "toolongforthistag", "", "b", "c"]}')
        post("API, checked, unknown colour", "/api/check", '{"colour": "pink"}')
        both.send("API, wrong method", "PUT", "/api/notes", "{}", headers=JSON)

    def failures(self, both):
        for kind in ("anything", "type", "divide", "warning", "twig", "sql", "forward", "fatal"):
            both.get(f"failure: {kind}", f"/fail/{kind}")
            both.get(f"failure as JSON: {kind}", f"/fail/{kind}", headers=JSON)
        both.get("no such page", "/no/such/page")
        both.get("bad query", "/notes?order[]=x")
        both.get("query parameter of a wrong type", "/notes?colours=red")

    def development(self, both):
        both.get("development: front page", "/", headers=DEV)
        both.get("development: form", "/note/new", headers=DEV)
        for kind in ("anything", "type", "divide", "warning", "twig", "fatal"):
            both.get(f"development: failure {kind}", f"/fail/{kind}", headers=DEV)
            both.get(f"development: failure as JSON: {kind}", f"/fail/{kind}", headers=DEV | JSON)
        both.get("development: no such page", "/no/such/page", headers=DEV)
        both.run("bin/console --env=dev debug:container", ["/site/bin/console", "--env=dev", "debug:container", "--deprecations"], folder="/site")
        both.run("bin/console --env=dev lint:container", ["/site/bin/console", "--env=dev", "lint:container"], folder="/site")


if __name__ == "__main__":
    compare.run(Symfony(), __doc__)
