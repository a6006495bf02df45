#!/usr/bin/env python3
"""Drives a small application on Laravel 10 under stock PHP and under Jumbo with the same requests, and compares the answers byte by byte.

    laravel.py --binary target/debug/jumbo [--oracle FOLDER] [--packages FOLDER] [--keep FOLDER] [--show N]

The framework is Debian's package, unchanged; the application (routing, Eloquent on SQLite, Blade, validation, sessions, console commands and
migrations) is the folder laravel/ beside this file. Each engine compiles the templates itself.
"""

import pathlib
import shutil

import compare

HERE = pathlib.Path(__file__).resolve().parent

JSON = {"Content-Type": "application/json", "Accept": "application/json"}


class Laravel(compare.Application):
    name = "laravel"
    packages = ["php-laravel-framework"]
    dependencies = True
    extensions = ["apcu", "ctype", "iconv", "mbstring", "tokenizer", "posix", "pdo", "pdo_sqlite"]
    settings = {
        "date.timezone": "UTC", "error_reporting": "22519", "display_errors": "1", "html_errors": "0", "memory_limit": "512M", "include_path": ".:/usr/share/php",
        "output_buffering": "4096", "zend.assertions": "-1",
    }
    environment = {"HOME": "/root", "COLUMNS": "100", "LC_ALL": "C.UTF-8"}
    headers = [*compare.HEADERS, "x-ratelimit-limit", "x-ratelimit-remaining", "retry-after", "allow", "last-modified"]
    normalised = [
        (rb'(name="_token" value=")[^"]+', rb"\1TOKEN"),
        (rb"(Mon|Tue|Wed|Thu|Fri|Sat|Sun), [0-9]{2} [A-Z][a-z]{2} 202[5-9] [0-9]{2}:[0-9]{2}:[0-9]{2} GMT", rb"NOW"),
        # Salted with a random number.
        (rb"parent-placeholder-[0-9a-f]{32}", rb"parent-placeholder-HASH"),
        # Rows' own times.
        (rb"202[5-9]-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}", rb"NOW"),
    ]

    def mounts(self, unpacked, home):
        return {"/usr/share/php": unpacked / "usr/share/php", "/site": home / "site"}

    def install(self, unpacked, home):
        site = home / "site"
        shutil.copytree(HERE / "laravel", site)
        shutil.copy(HERE / "intl.php", home / "bin/intl.php")
        for folder in ("framework/views", "framework/cache", "framework/sessions", "logs", "app"):
            (site / "storage" / folder).mkdir(parents=True)
        (site / "bootstrap/cache").mkdir()
        (site / "storage/books.db").touch()

    def tour(self, both):
        def artisan(line, **more):
            both.run(f"artisan {line}", ["/site/artisan", *line.split()], folder="/site", **more)

        artisan("app:migrate", code=0)
        artisan("app:migrate")
        artisan("app:fill", code=0)
        artisan("app:migrate --back")
        artisan("app:migrate", code=0)
        artisan("app:fill 23 --ansi", code=0)
        artisan("app:ask", standard_input=b"me\nyes\na\n")
        artisan("app:ask --no-interaction")
        for line in ("list", "list --format=json", "help app:fill", "route:list --json", "app:fil", "inspire --help", "nothing", "--version", "app:fill --unknown"):
            artisan(line)

        both.get("front page", "/", status=200)
        both.get("front page again", "/")
        both.get("about", "/about")
        both.get("redirect", "/old")
        both.get("books", "/books", status=200)
        both.get("books, page 2", "/books?page=2&order=title")
        both.get("books of a genre", "/books?genre=poetry&long=1")
        both.get("books, no such page", "/books?page=99")
        both.get("book", "/books/3")
        both.get("no such book", "/books/99")
        both.get("form", "/books/create")
        token = lambda n: {"_token": both.value(n, "_token")}
        before = {}

        def remember():
            before.update({n: both.value(n, "_token") for n in range(2)})

        remember()
        form = lambda **fields: lambda n: {"_token": before[n]} | fields
        both.post("no token", "/books", {"title": "x"})
        both.post("mistakes", "/books", form(title="ab", genre="black", price="1.234", pages="-1", published="2040-01-01", author_id="77", mail="me@example.com", site="nowhere"))
        both.get("form with mistakes", "/books/create")
        both.post("more mistakes", "/books", lambda n: {"_token": before[n], "title": "", "genre": "science", "price": "x", "tags[0]": "red", "tags[1]": "red", "tags[2]": "pink!", "tags[3]": "a b", "password": "12345"})
        both.get("form with more mistakes", "/books/create")
        both.get("form without mistakes", "/books/create")
        both.post("forbidden", "/books", form(title="forbidden"))
        both.post("stored", "/books", lambda n: {"_token": before[n], "title": "  Neu   & gut ", "genre": "novel", "price": "12.5", "pages": "321", "published": "1999-12-31", "author_id": "2", "tags[0]": "blue", "tags[1]": "red"})
        both.get("stored book", "/books/24")
        both.get("form of the book", "/books/24/edit")
        both.post("changed", "/books/24", form(_method="PUT", title="Ganz neu", genre="poetry", price="13", pages=""))
        both.get("books with the message", "/books?page=5")
        both.post("not unique", "/books/24", form(_method="PUT", title="Zwölf 13", genre="poetry", price="13"))
        both.post("deleted", "/books/24", form(_method="DELETE"))
        both.get("books with another message", "/books")
        both.post("upload too big", "/books", form(title="With a cover", genre="novel", price="1"), files={"cover": ("c.png", "image/png", b"x" * 9000)})
        both.get("cached", "/cached")
        both.get("cached again", "/cached")
        both.get("download", "/download")
        both.get("streamed download", "/streamed")
        both.get("parameters", "/number/7/a/b%20c")
        both.get("parameter of a wrong type", "/number/x")
        both.get("fallback", "/no/such/page")
        both.send("wrong method", "DELETE", "/about")
        both.send("head", "HEAD", "/about")
        both.send("options", "OPTIONS", "/books")

        both.get("API", "/api/books")
        both.get("API, page", "/api/books?page=2&size=5")
        both.get("API, book by title", "/api/books/Zw%C3%B6lf%2013")
        both.get("API, no such book", "/api/books/nothing", headers=JSON)
        both.get("API, statistics", "/api/statistics")
        both.get("API, collections", "/api/collections")
        both.send("API, new book", "POST", "/api/books", '{"title": "Jason", "genre": "novel", "price": 3, "tags": ["red"]}', headers=JSON)
        both.send("API, mistakes", "POST", "/api/books", '{"title": ["x"], "price": "1e3", "tags": "no", "published": "yesterday at noon"}', headers=JSON)
        both.send("API, no JSON", "POST", "/api/books", '{"title": ', headers=JSON)
        for kind in ("abort", "divide", "model", "sql", "view", "unavailable", "anything"):
            both.get(f"failure: {kind}", f"/fail/{kind}")
            both.get(f"failure as JSON: {kind}", f"/fail/{kind}", headers=JSON)


if __name__ == "__main__":
    compare.run(Laravel(), __doc__)
