#!/usr/bin/env python3
"""Drives WordPress under stock PHP and under Jumbo with the same requests, and compares the answers byte by byte.

    wordpress.py --binary target/debug/jumbo --database-port PORT [--oracle FOLDER] [--packages FOLDER] [--keep FOLDER] [--show N]

WordPress is Debian's package with its themes and libraries, unchanged; the installations differ by the database they keep their tables in, on
one MariaDB server (`cargo xtask mariadb start`). How both are run and compared stands in pair.py. Needs root, the chroot of
`cargo xtask oracle install`, MariaDB's client program, and python's standard library.

Installing goes through WordPress's own pages, as a browser would. Requests to other hosts are switched off in both, and so are those that
WordPress sends to itself: the tour calls cron's page.

What is normalised before answers are compared stands in NORMALISED, and nowhere else: times, nonces and tokens that are random, the name
of the database, and nothing more.
"""

import json
import re
import subprocess
import time
import urllib.parse

import pair

PACKAGES = [
    "wordpress",
    "wordpress-theme-twentytwentyfive",
    "wordpress-theme-twentytwentyfour",
    "libjs-cropper",
    "libjs-lodash",
    "libjs-underscore",
    "php-getid3",
]

FOLDERS = ["etc/wordpress", "usr/share/javascript", "usr/share/php/getid3", "usr/share/wordpress", "var/lib/wordpress"]

ROOT = "/usr/share/wordpress"
HOST = "blog.test"
USER, PASSWORD = "admin", "Blog-secret-4711"

CONFIG = """<?php
define('DB_NAME', '{database}');
define('DB_USER', 'root');
define('DB_PASSWORD', '');
define('DB_HOST', '127.0.0.1:{port}');
define('AUTH_KEY', 'auth key of the test');
define('SECURE_AUTH_KEY', 'secure auth key of the test');
define('LOGGED_IN_KEY', 'logged in key of the test');
define('NONCE_KEY', 'nonce key of the test');
define('AUTH_SALT', 'auth salt of the test');
define('SECURE_AUTH_SALT', 'secure auth salt of the test');
define('LOGGED_IN_SALT', 'logged in salt of the test');
define('NONCE_SALT', 'nonce salt of the test');
define('DISABLE_WP_CRON', true);
define('WP_HTTP_BLOCK_EXTERNAL', true);
define('FS_METHOD', 'direct');
"""

# What php.ini would say; the same for both.
SETTINGS = {
    "date.timezone": "UTC",
    "display_errors": "1",
    "error_reporting": "32767",
    "html_errors": "0",
    "memory_limit": "256M",
    "output_buffering": "4096",
    "sendmail_path": "/bin/true",
}

# Pattern and what stands in its place.
NORMALISED = [
    # Nonces: ten hexadecimal digits, made of the session's random token.
    (rb"(?<![0-9A-Za-z#])[0-9a-f]{10}(?![0-9A-Za-z])", rb"NONCE"),
    # Proposals of passwords.
    (rb'(data-pw=")[^"]*"', rb'\1PASSWORD"'),
    # A hash of a comment's time.
    (rb"(moderation-hash=)[0-9a-f]{32}", rb"\1HASH"),
    # Random names that the settings for writing by mail propose.
    (rb"<kbd>[0-9A-Za-z]{8}</kbd>", rb"<kbd>RANDOM</kbd>"),
    # Addresses of mail, hidden from harvesters by a random choice of entities.
    (rb'mailto:[^"]*"[^<]*<', rb"mailto:ADDRESS<"),
    # Identifiers of sets of changes.
    (rb"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", rb"UUID"),
    # Revisions, locks and other time stamps of this run.
    (rb"(?<![0-9])1[78][0-9]{8}([0-9]{3})?(?![0-9])", rb"TIMESTAMP"),
    # Times as the pages show them.
    (rb"20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}", rb"ISO-TIME"),
    (rb"20[0-9]{2}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}", rb"YYYY-MM-DD HH:MM:SS"),
    (rb"(Mon|Tue|Wed|Thu|Fri|Sat|Sun), [0-9]{2} [A-Z][a-z]{2} 20[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2} (\+0000|GMT)", rb"RFC-TIME"),
    (rb"(?<![0-9])[0-9]{1,2}:[0-9]{2}(:[0-9]{2})? ?(am|pm)", rb"H:MM am"),
    (rb'(<div class="(?:jj|hh|mn|ss)">|name="(?:hidden_|cur_)?(?:jj|hh|mn|ss)" value=")[0-9]{2}', rb"\1NN"),
    (rb"(?<![0-9])[0-9]{1,2}:[0-9]{2}(:[0-9]{2})?(?![0-9])", rb"H:MM"),
    (rb"[0-9]+ (second|minute|min)s?", rb"N seconds"),
    # The name of the database.
    (rb"wordpress_(stock|jumbo)", rb"wordpress_name"),
]

# Answers that differ for a known reason. One that is equal all the same fails too: then it is to be taken out.
KNOWN = {
    "administration: site-health.php": "it lists optional extensions that are missing: stock has openssl and libxml built in",
}

TEXT = """<!-- wp:paragraph -->
<p>A <strong>tour</strong> of "blocks" -- with quotes, 640x480 and an ellipsis... Grüße &amp; more.</p>
<!-- /wp:paragraph -->

<!-- wp:list -->
<ul class="wp-block-list"><!-- wp:list-item -->
<li>one</li>
<!-- /wp:list-item --></ul>
<!-- /wp:list -->

<!-- wp:code -->
<pre class="wp-block-code"><code>if (a &lt; b) return;</code></pre>
<!-- /wp:code -->

<!-- wp:more -->
<!--more-->
<!-- /wp:more -->

<!-- wp:shortcode -->
[gallery ids="1"]
<!-- /wp:shortcode -->

<!-- wp:latest-posts {"displayPostDate":true} /-->
"""


class WordPress(pair.Site):
    name, packages, folders, root, host = "wordpress", PACKAGES, FOLDERS, ROOT, HOST
    settings, normalised, known = SETTINGS, NORMALISED, KNOWN
    extensions = ["bcmath", "calendar", "ctype", "iconv", "mbstring", "mysqlnd", "mysqli", "pdo", "pdo_mysql", "posix", "tokenizer"]
    links = {"wp-includes/ID3": "usr/share/php/getid3"}

    def arguments(self, parser):
        parser.add_argument("--database-port", required=True, type=int, help="MariaDB on 127.0.0.1, root without a password")

    def install(self, packages, home, name):
        # What `wp-setup --sync-wp-content` of the package's postinst does: links to the plugins that came with it.
        for plugin in (packages / "usr/share/wordpress/wp-content/plugins").iterdir():
            (home / "var/lib/wordpress/wp-content/plugins" / plugin.name).symlink_to(f"/usr/share/wordpress/wp-content/plugins/{plugin.name}")
        database = f"wordpress_{name}"
        sql = f"DROP DATABASE IF EXISTS {database}; CREATE DATABASE {database} CHARACTER SET utf8mb4"
        client = ["mariadb", "--no-defaults", "-h", "127.0.0.1", "-P", str(self.options.database_port), "-u", "root", "-e", sql]
        subprocess.run(client, check=True)
        (home / f"etc/wordpress/config-{HOST}.php").write_text(CONFIG.format(database=database, port=self.options.database_port))

    def tour(self, both):
        install(both)
        visit(both, "after the installation")
        login(both)
        administration(both)
        writing(both)
        rest(both)
        settings(both)
        visit(both, "with permanent links", "/hello-world/", "/sample-page/", "/category/uncategorized/", "/author/admin/", time.strftime("/%Y/", time.gmtime()), "/no-such-page/")
        themes_and_plugins(both)
        users(both)
        cron(both)
        leave(both)


def install(both):
    both.get("not installed yet", "/")
    both.get("installation: language or form", "/wp-admin/install.php")
    both.get("installation: form", "/wp-admin/install.php?step=1")
    wrong = {"weblog_title": "A tour", "user_name": USER, "admin_password": PASSWORD, "admin_password2": PASSWORD, "admin_email": "nobody", "language": ""}
    both.post("installation with a wrong address", "/wp-admin/install.php?step=2", wrong)
    both.post("installation", "/wp-admin/install.php?step=2", wrong | {"admin_email": "admin@example.org", "blog_public": "1", "pw_weak": "1"})
    both.get("installed already", "/wp-admin/install.php")


def visit(both, when, *more):
    """What a visitor sees."""
    for path in ["/", "/?p=1", "/?page_id=2", "/?cat=1", "/?author=1", "/?s=hello", "/?s=nothing+like+this", "/?p=4711", "/?feed=rss2", "/?feed=atom",
                 "/?feed=rdf", "/?feed=comments-rss2", "/?feed=rss2&p=1", "/?rest_route=/", "/?sitemap=index", "/?robots=1", *more]:
        both.get(f"{path} {when}", path)


def login(both):
    both.get("administration without login", "/wp-admin/")
    both.get("login form", "/wp-login.php")
    both.get("form for a lost password", "/wp-login.php?action=lostpassword")
    form = {"log": USER, "pwd": "wrong", "wp-submit": "Log In", "redirect_to": f"http://{HOST}/wp-admin/", "testcookie": "1"}
    both.post("login with a wrong password", "/wp-login.php", form)
    both.post("login", "/wp-login.php", form | {"pwd": PASSWORD, "rememberme": "forever"})
    both.get("front page, logged in", "/")


PAGES = [
    "index.php", "edit.php", "post-new.php", "post.php?post=1&action=edit", "edit-tags.php?taxonomy=category", "edit-tags.php?taxonomy=post_tag",
    "term.php?taxonomy=category&tag_ID=1", "upload.php", "upload.php?mode=list", "media-new.php", "edit.php?post_type=page", "post-new.php?post_type=page",
    "edit-comments.php", "comment.php?action=editcomment&c=1", "themes.php", "site-editor.php", "customize.php", "plugins.php", "plugin-install.php",
    "plugin-editor.php", "theme-editor.php", "theme-install.php", "users.php", "user-new.php", "profile.php", "tools.php", "import.php", "export.php", "site-health.php",
    "site-health.php?tab=debug", "export-personal-data.php", "erase-personal-data.php", "options-general.php", "options-writing.php", "options-reading.php",
    "options-discussion.php", "options-media.php", "options-permalink.php", "options-privacy.php", "options.php", "update-core.php", "about.php", "credits.php",
    "freedoms.php", "privacy.php", "contribute.php", "my-sites.php", "nav-menus.php", "widgets.php", "network.php", "no-such-page.php",
]


def administration(both):
    for page in PAGES:
        both.get(f"administration: {page}", "/wp-admin/" + page)
    both.get("style sheets", "/wp-admin/load-styles.php?c=1&dir=ltr&load%5Bchunk_0%5D=dashicons,admin-bar,common,forms,admin-menu,dashboard&ver=6.8")
    both.get("scripts", "/wp-admin/load-scripts.php?c=1&load%5Bchunk_0%5D=jquery-core,jquery-migrate,utils,hoverIntent&ver=6.8")
    both.get("a file", "/wp-includes/css/dashicons.min.css")


def writing(both):
    """The forms that need no script."""
    both.get("dashboard", "/wp-admin/index.php")
    draft = both.form("quick-press", {"post_title": "A quick \"draft\"", "content": "With <b>text</b> & more", "action": "post-quickdraft-save"})
    both.post("quick draft", "/wp-admin/post.php", draft)
    both.get("drafts", "/wp-admin/edit.php?post_status=draft&post_type=post")
    both.get("categories", "/wp-admin/edit-tags.php?taxonomy=category")
    both.post("category", "/wp-admin/edit-tags.php", both.form("addtag", {"tag-name": "Täglich", "slug": "", "parent": "-1", "description": "Every day"}))
    both.get("categories, with the new one", "/wp-admin/edit-tags.php?taxonomy=category")
    both.get("post with its comment form", "/?p=1")
    comment = both.form("commentform", {"comment": "Fine <em>words</em> <script>alert(1)</script> :-)"})
    both.post("comment", "/wp-comments-post.php", comment)
    # Comments are listed by the second of their time: these two must not share one under one engine and not under the other.
    time.sleep(1.1)
    both.post("comment again", "/wp-comments-post.php", comment)
    both.get("post with comments", "/?p=1")
    both.get("comments", "/wp-admin/edit-comments.php")
    both.get("upload", "/wp-admin/media-new.php")
    nonce = both.found(r'name="_wpnonce" value="([0-9a-f]+)"')
    upload = lambda n: {"_wpnonce": nonce(n), "post_id": "0", "html-upload": "Upload"}
    both.post("uploaded", "/wp-admin/media-new.php", upload, files={"async-upload": ("pixel.png", "image/png", pair.png())})
    # The list says how old a file is, unless it is of this very second.
    time.sleep(1.1)
    both.get("media", "/wp-admin/upload.php?mode=list")
    both.post("upload of a text", "/wp-admin/media-new.php", upload, files={"async-upload": ("notes.txt", "text/plain", b"plain text\n")})
    both.post("upload of a program", "/wp-admin/media-new.php", upload, files={"async-upload": ("a.php", "text/plain", b"<?php\n")})


def rest(both):
    both.get("editor", "/wp-admin/post-new.php")
    nonce = both.found(r'createNonceMiddleware\( "([0-9a-f]+)" \)')
    head = lambda n: {"X-WP-Nonce": nonce(n), "Content-Type": "application/json"}
    send = lambda what, method, path, value=None: both.send(
        what, method, "/index.php?rest_route=" + urllib.parse.quote(path, safe="/&=?").replace("?", "&"), json.dumps(value).encode() if value is not None else None, headers=head
    )
    for path in ["/", "/wp/v2/posts", "/wp/v2/posts/1?context=edit", "/wp/v2/pages", "/wp/v2/comments", "/wp/v2/types?context=edit", "/wp/v2/statuses",
                 "/wp/v2/taxonomies", "/wp/v2/categories", "/wp/v2/tags", "/wp/v2/users/me?context=edit", "/wp/v2/settings", "/wp/v2/search?search=hello", "/wp/v2/themes",
                 "/wp/v2/plugins", "/wp/v2/block-types", "/wp/v2/templates", "/wp/v2/template-parts", "/wp/v2/global-styles/themes/twentytwentyfive",
                 "/wp/v2/block-patterns/categories", "/wp/v2/media", "/wp/v2/posts/4711", "/wp/v2/no-such-route", "/oembed/1.0/embed?url=http://blog.test/?p=1", "/wp-site-health/v1/tests/page-cache"]:
        send(f"REST: {path}", "GET", path)
    answers = send("REST: post written", "POST", "/wp/v2/posts", {"title": "A \"tour\" — of blocks", "content": TEXT, "status": "publish", "categories": [1], "excerpt": ""})
    number = [a.body and json.loads(a.body[a.body.index(b"{"):]).get("id") for a in answers]
    send("REST: post changed", "POST", f"/wp/v2/posts/{number[0]}", {"content": TEXT + "<p>One more.</p>", "tags": []})
    send("REST: tag", "POST", "/wp/v2/tags", {"name": "Grün & gut"})
    send("REST: post without a title", "POST", "/wp/v2/posts", {"title": "", "content": "", "status": "publish"})
    send("REST: revisions", "GET", f"/wp/v2/posts/{number[0]}/revisions")
    both.get("post of blocks", f"/?p={number[0]}")
    both.get("front page with it", "/")
    both.get("feed with it", "/?feed=rss2")
    both.get("search for it", "/?s=ellipsis")
    both.get("editor of it", f"/wp-admin/post.php?post={number[0]}&action=edit")
    both.get("revision", f"/wp-admin/revision.php?revision={int(number[0] or 0) + 1}")
    send("REST: page moved to the trash", "DELETE", "/wp/v2/pages/2")
    send("REST: page brought back", "POST", "/wp/v2/pages/2", {"status": "publish"})


def settings(both):
    both.get("general settings", "/wp-admin/options-general.php")
    form = r'<form method="post" action="options.php".*?name="_wpnonce" value="([0-9a-f]+)"'
    nonce = both.found("(?s)" + form)
    general = lambda n: {"option_page": "general", "action": "update", "_wpnonce": nonce(n), "_wp_http_referer": "/wp-admin/options-general.php", "blogname": "Another <title>",
                         "blogdescription": "It's \"quoted\"", "siteurl": f"http://{HOST}", "home": f"http://{HOST}", "new_admin_email": "admin@example.org", "default_role": "subscriber",
                         "timezone_string": "Europe/Berlin", "date_format": "j. F Y", "time_format": "g:i a", "start_of_week": "1"}
    both.post("general settings saved", "/wp-admin/options.php", general)
    both.get("general settings, saved", "/wp-admin/options-general.php?settings-updated=true")
    both.get("permanent links", "/wp-admin/options-permalink.php")
    nonce = both.found(r'(?s)action="options-permalink.php".*?name="_wpnonce" value="([0-9a-f]+)"')
    links = lambda n: {"_wpnonce": nonce(n), "selection": "/%postname%/", "permalink_structure": "/%postname%/", "category_base": "", "tag_base": "", "submit": "Save Changes"}
    both.post("permanent links saved", "/wp-admin/options-permalink.php", links)
    both.get("permanent links, saved", "/wp-admin/options-permalink.php?settings-updated=true")


def themes_and_plugins(both):
    both.get("themes", "/wp-admin/themes.php")
    nonce = both.found(r'themes\.php\?action=activate&amp;stylesheet=twentytwentyfour&amp;_wpnonce=([0-9a-f]+)')
    both.get("theme activated", lambda n: f"/wp-admin/themes.php?action=activate&stylesheet=twentytwentyfour&_wpnonce={nonce(n)}")
    both.get("themes, with another one", "/wp-admin/themes.php?activated=true")
    both.get("front page in it", "/")
    both.get("post in it", "/hello-world/")
    both.get("plugins", "/wp-admin/plugins.php")
    link = both.found(r'(plugins\.php\?action=activate&amp;plugin=akismet[^"]*)"')
    both.get("plugin activated", lambda n: "/wp-admin/" + link(n))
    both.get("plugins, with an active one", "/wp-admin/plugins.php?activate=true")
    both.get("the plugin's page", "/wp-admin/options-general.php?page=akismet-key-config")
    both.get("front page with a plugin", "/")
    both.get("plugins again", "/wp-admin/plugins.php")
    link = both.found(r'(plugins\.php\?action=deactivate&amp;plugin=akismet[^"]*)"')
    both.get("plugin deactivated", lambda n: "/wp-admin/" + link(n))
    both.get("plugins without it", "/wp-admin/plugins.php?deactivate=true")


def users(both):
    both.get("user form", "/wp-admin/user-new.php")
    fields = {"user_login": "writer", "email": "writer@example.org", "first_name": "A", "last_name": "Writer", "url": "", "pass1": PASSWORD, "pass2": PASSWORD, "role": "author"}
    both.post("user", "/wp-admin/user-new.php", both.form("createuser", fields))
    both.get("users", "/wp-admin/users.php")
    both.get("another user's profile", "/wp-admin/user-edit.php?user_id=2")
    both.get("export", "/wp-admin/export.php?download=true&content=all&submit=Download")


def cron(both):
    both.get("cron", "/wp-cron.php?doing_wp_cron")
    both.get("cron again", "/wp-cron.php")
    both.post("heartbeat", "/wp-admin/admin-ajax.php", {"action": "heartbeat", "_nonce": "0", "screen_id": "front"})
    both.post("action that is not known", "/wp-admin/admin-ajax.php", {"action": "no_such_action"})
    both.post("XML-RPC", "/xmlrpc.php", b"<?xml version='1.0'?><methodCall><methodName>demo.sayHello</methodName><params></params></methodCall>", headers={"Content-Type": "text/xml"})


def leave(both):
    both.get("dashboard, at the end", "/wp-admin/")
    link = both.found(r"(/wp-login\.php\?action=logout&(?:amp|#038);_wpnonce=[0-9a-f]+)")
    both.get("logout without a nonce", "/wp-login.php?action=logout")
    both.get("logout", link)
    both.get("login form, after the logout", "/wp-login.php?loggedout=true&wp_lang=en_US")
    both.get("post for a visitor", "/hello-world/")
    nobody = both.form("commentform", {"comment": "From nobody", "author": "", "email": "", "url": ""})
    both.post("a visitor's comment", "/wp-comments-post.php", both.form("commentform", {"comment": "From outside", "author": "Somebody", "email": "some@example.org", "url": ""}))
    both.post("a comment without a name", "/wp-comments-post.php", nobody)
    both.get("feed of comments", "/comments/feed/")
    both.get("REST API for a visitor", "/wp-json/wp/v2/posts")
    both.get("REST API for a visitor: settings", "/wp-json/wp/v2/settings")


if __name__ == "__main__":
    pair.main(WordPress(), __doc__)
