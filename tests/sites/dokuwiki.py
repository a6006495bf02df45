#!/usr/bin/env python3
"""Drives DokuWiki under stock PHP and under Jumbo with the same requests, and compares the answers byte by byte.

    dokuwiki.py --binary target/debug/jumbo [--oracle FOLDER] [--packages FOLDER] [--keep FOLDER] [--show N]

DokuWiki is Debian's package with its dependencies, unchanged, installed twice as its postinst script does it. How both are run and compared
stands in pair.py. Needs root, the chroot of `cargo xtask oracle install`, and python's standard library.

What is normalised before answers are compared stands in NORMALISED, and nowhere else: times, the tokens and identifiers that are random,
and nothing more.
"""

import hashlib
import re
import shutil
import time
import urllib.parse

import pair

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


def token(both, number):
    """The security token of the last page."""
    found = re.search(r'name="sectok" value="([0-9a-f]*)"', both.last[number].text)
    return found[1] if found else ""


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
    wrong = lambda n: {"sectok": token(both, n), "id": "wiki:welcome", "do": "login", "u": USER, "p": "wrong"}
    both.post("login with a wrong password", "/doku.php", wrong)
    right = lambda n: {"sectok": token(both, n), "id": "wiki:welcome", "do": "login", "u": USER, "p": PASSWORD, "r": "1"}
    both.post("login", "/doku.php", right)
    both.get("welcome page, logged in", show + "wiki:welcome")

    # Writing
    both.get("edit form of a new page", show + "playground:tour&do=edit")

    both.post("preview", show + "playground:tour", both.form("dw__editform", {"wikitext": PAGE, "summary": "first", "do[preview]": "Preview"}))
    both.post("save", show + "playground:tour", both.form("dw__editform", {"wikitext": PAGE, "summary": "first", "do[save]": "Save"}))
    both.get("saved page", show + "playground:tour")
    both.get("indexer", "/lib/exe/taskrunner.php?id=playground:tour&1234")
    both.get("indexer of the welcome page", "/lib/exe/taskrunner.php?id=wiki:welcome&1234")
    both.get("indexer of the syntax page", "/lib/exe/taskrunner.php?id=wiki:syntax&1234")
    both.get("edit form", show + "playground:tour&do=edit")
    time.sleep(1.1)
    both.post("save again", show + "playground:tour", both.form("dw__editform", {"wikitext": PAGE + "\nOne more **line**.\n", "summary": "second", "do[save]": "Save"}))
    both.get("changed page", show + "playground:tour")
    both.get("indexer of the changed page", "/lib/exe/taskrunner.php?id=playground:tour&1234")
    both.get("old revisions", show + "playground:tour&do=revisions")
    both.get("differences", show + "playground:tour&do=diff")
    both.get("differences, in line", show + "playground:tour&do=diff&difftype=inline")
    both.post(
        "edit form of a section",
        show + "playground:tour",
        lambda n: {"do": "edit", "id": "playground:tour", "target": "section", "range": "190-420", "hid": "lists_and_links", "sectok": token(both, n)},
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
    upload = lambda n: {"sectok": token(both, n), "ns": "playground", "mediaid": "pixel.png", "id": ""}
    both.post("upload", "/lib/exe/mediamanager.php?ns=playground", upload, files={"upload": ("pixel.png", "image/png", pair.png())})
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
        "sectok": token(both, n), "do": "admin", "page": "usermanager", "id": "wiki:welcome", "userid": "writer", "userpass": "pass-word",
        "userpass2": "pass-word", "username": "A Writer", "usermail": "writer@example.org", "usergroups": "user", "fn[add]": "Add",
    }
    both.post("user added", "/doku.php?id=wiki:welcome", add)
    both.get("users, with the new one", show + "wiki:welcome&do=admin&page=usermanager")
    both.get("access list of a page", show + "playground:tour&do=admin&page=acl&current_ns=playground")
    both.get("settings", show + "wiki:welcome&do=admin&page=config")
    both.post("settings saved", "/doku.php", both.form("dw__configform", {"config[title]": "Another \"title\"", "save": "1"}))
    both.get("page under the new title", show + "wiki:welcome")

    # Logout
    both.get("logout", lambda n: show + "wiki:welcome&do=logout&sectok=" + token(both, n))
    both.get("page without login", show + "playground:tour")

    # What must not be served
    both.get("not found", "/lib/nothing.css")


def install(home):
    """A wiki as the package's postinst script leaves it: open to read, one administrator."""
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


class DokuWiki(pair.Site):
    name, packages, folders, root, host = "dokuwiki", PACKAGES, FOLDERS, ROOT, "wiki.test"
    links = {"lib/plugins": "var/lib/dokuwiki/lib/plugins", "lib/tpl": "var/lib/dokuwiki/lib/tpl"}
    settings, normalised, known = SETTINGS, NORMALISED, KNOWN
    extensions = ["ctype", "mbstring", "tokenizer"]

    def install(self, packages, home, name):
        install(home)

    def tour(self, both):
        tour(both)


if __name__ == "__main__":
    pair.main(DokuWiki(), __doc__)
