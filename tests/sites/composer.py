#!/usr/bin/env python3
"""Runs Debian's Composer with stock PHP and with Jumbo: what it prints and the files it leaves must be equal.

    composer.py --binary target/debug/jumbo [--oracle FOLDER] [--packages FOLDER] [--keep FOLDER] [--show N]

A project requires packages of local path repositories, with constraints, platform requirements, autoloading of all kinds, scripts and a
program; nothing comes from the network.
"""

import hashlib
import json
import os
import pathlib
import shutil

import compare

HERE = pathlib.Path(__file__).resolve().parent

LIBRARIES = {
    "alpha": {
        "name": "acme/alpha", "version": "1.2.0", "require": {"php": ">=8.1", "acme/beta": "^2.0"}, "bin": ["bin/alpha"], "license": "MIT",
        "description": "Ünïcode & <tags>", "autoload": {"psr-4": {"Acme\\Alpha\\": "src/"}, "files": ["functions.php"]},
    },
    "beta": {
        "name": "acme/beta", "version": "2.3.1", "require": {"ext-mbstring": "*"}, "autoload": {"classmap": ["lib/"], "psr-0": {"Old_": "legacy/"}},
        "suggest": {"acme/gamma": "for more"}, "license": ["GPL-2.0-or-later", "BSD-3-Clause"],
    },
    "gamma": {"name": "acme/gamma", "version": "0.1.0", "require": {"acme/beta": "^3.0"}},
}

PROJECT = {
    "name": "acme/project", "type": "project", "license": "proprietary", "require": {"acme/alpha": "~1.2"},
    "repositories": [{"type": "path", "url": f"../{name}", "options": {"symlink": False}} for name in LIBRARIES] + [{"packagist.org": False}],
    "autoload": {"psr-4": {"Acme\\": "src/"}, "exclude-from-classmap": ["/Tests/"]}, "autoload-dev": {"psr-4": {"Acme\\Tests\\": "Tests/"}},
    "scripts": {"hello": "@php -r \"echo PHP_VERSION, PHP_EOL;\"", "post-autoload-dump": "Acme\\Hooks::dumped", "both": ["@hello", "echo done"]},
    "config": {"allow-plugins": False, "sort-packages": True}, "minimum-stability": "dev", "prefer-stable": True,
}

FILES = {
    "alpha/src/Thing.php": "<?php\nnamespace Acme\\Alpha;\nclass Thing { public function say(): string { return \\Acme\\Alpha\\shout((new \\Beta)->word() . (new \\Old_Name)->n); } }\n",
    "alpha/functions.php": "<?php\nnamespace Acme\\Alpha;\nfunction shout(string $s): string { return mb_strtoupper($s) . '!'; }\n",
    "alpha/bin/alpha": "#!/usr/bin/env php\n<?php\nrequire $_composer_autoload_path ?? __DIR__ . '/../vendor/autoload.php';\necho (new Acme\\Alpha\\Thing)->say(), implode(' ', array_slice($argv, 1)), \"\\n\";\n",
    "beta/lib/classes.php": "<?php\nclass Beta { public function word(): string { return 'größe'; } }\nfinal class Gamma extends Beta {}\ninterface Delta {}\nenum Epsilon: int { case One = 1; }\ntrait Zeta {}\n",
    "beta/legacy/Old/Name.php": "<?php\nclass Old_Name { public $n = 7; }\n",
    "project/src/Hooks.php": "<?php\nnamespace Acme;\nclass Hooks { public static function dumped($event): void { $event->getIO()->write('dumped by ' . $event->getName()); } }\n",
    "project/Tests/HooksTest.php": "<?php\nnamespace Acme\\Tests;\nclass HooksTest {}\n",
    "project/main.php": "<?php\nrequire 'vendor/autoload.php';\necho (new Acme\\Alpha\\Thing)->say(), ' ', Epsilon::One->name, ' ', Composer\\InstalledVersions::getVersion('acme/beta'), \"\\n\";\n",
}


class Composer(compare.Application):
    name = "composer"
    packages = ["composer"]
    dependencies = True
    extensions = ["apcu", "ctype", "iconv", "mbstring", "tokenizer", "posix"]
    settings = {
        "date.timezone": "UTC", "error_reporting": "22519", "display_errors": "stderr", "html_errors": "0", "memory_limit": "1G", "include_path": ".:/usr/share/php",
        "auto_prepend_file": "/w/intl.php",
    }
    environment = {
        "HOME": "/root", "PATH": "/w:/usr/bin:/bin", "COMPOSER_HOME": "/site/home", "COMPOSER_ALLOW_SUPERUSER": "1", "COMPOSER_NO_INTERACTION": "1", "COLUMNS": "100", "LC_ALL": "C.UTF-8",
        "COMPOSER_DISABLE_NETWORK": "1", "COMPOSER_ROOT_VERSION": "1.0.0",
    }
    normalised = [
        # Both have another program and another time.
        (rb"/usr/bin/php8\.4|/w/php|/w/jumbo", rb"PHP"),
        (rb"[0-9.]+ ?[KM]iB", rb"SIZE"),
        (rb"[0-9.]+(?= ?s(econds)?\b)", rb"N"),
        (rb"202[0-9]-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}", rb"NOW"),
    ]

    def mounts(self, unpacked, home):
        return {"/usr/share/php": unpacked / "usr/share/php", "/site": home / "site", "/usr/composer": unpacked / "usr/bin"}

    def install(self, unpacked, home):
        site = home / "site"
        shutil.copy(HERE / "intl.php", home / "bin/intl.php")
        for name, description in LIBRARIES.items():
            (site / name).mkdir(parents=True)
            (site / name / "composer.json").write_text(json.dumps(description, indent=4))
        for name, text in FILES.items():
            file = site / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        (site / "alpha/bin/alpha").chmod(0o755)
        (site / "project/composer.json").write_text(json.dumps(PROJECT, indent=4))
        # One run in fifty clears its cache of files and makes this folder then.
        (site / "home/cache/files").mkdir(parents=True)

    def tour(self, both):
        def run(line, **more):
            both.run(f"composer {line}", ["/usr/composer/composer", *line.split()], folder="/site/project", **more)

        def files():
            listings = []
            for site in both.installations:
                lines, root = [], site.home / "site/project"
                for folder, folders, names in sorted(os.walk(root)):
                    for name in sorted(names):
                        path = os.path.join(folder, name)
                        data = self.normalise(open(path, "rb").read())
                        lines.append(f"{os.path.relpath(path, root)} {os.stat(path).st_mode:o} {len(data)} {hashlib.sha1(data).hexdigest()}")
                listings.append("\n".join(lines).encode())
            both.compare("files of the project", f"    {len(listings[0]):>7} bytes", listings)

        run("--version")
        run("validate")
        run("install --no-progress", code=0)
        files()
        both.run("the project", ["main.php"], folder="/site/project", code=0)
        both.run("a program of a package", ["vendor/bin/alpha", "a", "b"], folder="/site/project")
        for line in (
            "install", "show", "show acme/beta", "show --tree", "show --platform ext-mbstring", "why acme/beta", "why-not acme/beta 3.0", "licenses", "licenses --format=json", "suggests --all",
            "check-platform-reqs --no-dev", "dump-autoload", "dump-autoload --optimize", "dump-autoload --classmap-authoritative --no-dev", "run-script hello", "run-script both", "run-script --list",
            "validate --strict", "config --list", "config vendor-dir", "config platform.php 8.2.0", "search acme", "outdated", "status", "require acme/gamma", "require --dev acme/beta:^2", "remove --dev acme/beta",
            "update --dry-run", "update --lock", "depends acme/alpha", "browse --show acme/alpha", "exec --list", "exec alpha x", "archive --format=tar --dir=/site", "list", "help install", "nothing", "instal",
            "reinstall acme/alpha", "bump", "audit --format=plain", "fund", "clear-cache", "about", "remove --no-progress acme/alpha", "init --name=acme/new --no-interaction",
        ):
            run(line)
            if line.split()[0] in ("dump-autoload", "require", "remove", "update", "bump"):
                files()


def main():
    application = Composer()
    options = compare.arguments(application, __doc__)
    with compare.workshop(application, options) as sites:
        both = compare.Pair(application, *sites, options.show)
        application.tour(both)
    compare.report(application, both.different, f"{both.requests} runs and listings of files compared")


if __name__ == "__main__":
    main()
