#!/usr/bin/env python3
"""Private memory of an idle instance of `jumbo serve` beside that of an idle php-fpm worker, after the same pages.

    benches/memory.py --binary target/release/jumbo [--oracle FOLDER] [--packages FOLDER] [--instances N]

Both serve DokuWiki (tests/sites/dokuwiki.py installs it; root, and the chroot of `cargo xtask oracle install`), php-fpm with opcache
and as many workers as there are requests at a time, Jumbo on one executor. Each request is held open for a moment, so that N of them are
in flight together. Jumbo's instances share a process: what one costs is what the process grows by when N instances have served a page
instead of one, divided by N - 1. What is shared by all (compiled code, the allocator's first pages) stands apart.
"""

import argparse
import os
import pathlib
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests/sites"))
import dokuwiki  # noqa: E402

PAGES = [
    "/doku.php?id=wiki:welcome",
    "/doku.php?id=wiki:syntax",
    "/doku.php?id=wiki:dokuwiki&do=edit",
    "/doku.php?id=wiki:syntax&do=index",
    "/doku.php?do=search&q=syntax",
    "/feed.php",
    "/lib/exe/css.php?t=dokuwiki",
    "/lib/exe/js.php?t=dokuwiki",
]

FPM = """[global]
daemonize = no
error_log = /dev/stderr
[www]
listen = 127.0.0.1:{port}
user = root
group = root
pm = static
pm.max_children = {instances}
"""

HOLD = "<?php register_shutdown_function(function () { usleep(400000); });\n"


def descendants(pid):
    """The process and all below it."""
    found = [pid]
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            found += descendants(int(child))
    return found


def private_kib(pid):
    lines = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith(("Private_Clean", "Private_Dirty")))


def visit(wiki, pages, at_once):
    with ThreadPoolExecutor(at_once) as pool:
        for page in pages:
            for answer in pool.map(lambda _: wiki.request("GET", page), range(at_once)):
                if answer.status != 200:
                    raise SystemExit(f"{wiki.name}: {page}: {answer.status}\n{answer.body[:2000]}")


def fpm_figures(wiki, instances):
    workers = [pid for pid in descendants(wiki.process.pid) if pid != wiki.process.pid]
    if len(workers) != instances:
        raise SystemExit(f"php-fpm has {len(workers)} workers, not {instances}")

    def mean():
        return sum(private_kib(pid) for pid in workers) / len(workers)

    started = mean()
    visit(wiki, ["/hello.php"], instances)
    hello = mean()
    visit(wiki, PAGES, 1)
    visit(wiki, PAGES, instances)
    return started, hello, mean()


def jumbo_figures(wiki, instances):
    def all_of_it():
        return sum(private_kib(pid) for pid in descendants(wiki.process.pid))

    started = all_of_it()
    visit(wiki, ["/hello.php"], 1)
    one = all_of_it()
    visit(wiki, ["/hello.php"], instances)
    hello = (all_of_it() - one) / (instances - 1)
    visit(wiki, PAGES, 1)
    one = all_of_it()
    visit(wiki, PAGES, instances)
    whole = all_of_it()
    return started, hello, hello + (whole - one) / (instances - 1), one, whole


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True, help="Jumbo")
    parser.add_argument("--oracle", default="/opt/php-oracle", help="the chroot with stock PHP")
    parser.add_argument("--packages", help="where DokuWiki's packages are unpacked, or shall be; a temporary folder when absent")
    parser.add_argument("--instances", type=int, default=16, help="requests at a time")
    options = parser.parse_args()
    if os.geteuid() != 0:
        raise SystemExit("memory.py needs root: it mounts the wikis into the oracle's chroot")
    n = options.instances
    work = pathlib.Path(tempfile.mkdtemp(prefix="dokuwiki-memory-"))
    packages = pathlib.Path(options.packages or work / "packages").resolve()
    dokuwiki.packages(packages, options.oracle)
    settings = [part for name, value in dokuwiki.SETTINGS.items() for part in ("-d", f"{name}={value}")]
    settings += ["-d", "auto_prepend_file=/w/hold.php"]
    extensions = [part for name in ("ctype", "mbstring", "tokenizer") for part in ("-d", f"extension={name}")]
    extensions += ["-d", "zend_extension=opcache", "-d", "opcache.enable=1", "-d", "opcache.jit=disable"]
    stock = dokuwiki.Stock("stock", work / "stock", lambda port: ["php-fpm8.4", "-n", "-R", "-F", "-y", "/w/fpm.conf", *extensions, *settings])
    jumbo = dokuwiki.Jumbo(
        "jumbo",
        work / "jumbo",
        lambda port: ["/w/jumbo", "serve", dokuwiki.ROOT, "-n", *settings, "--follow-symlinks", "--executors", "1", "--listen", f"127.0.0.1:{port}"],
    )
    for wiki in (stock, jumbo):
        dokuwiki.install(packages, wiki.home)
        (wiki.home / "bin/hold.php").write_text(HOLD)
        (wiki.home / "usr/share/dokuwiki/hello.php").write_text("<?php echo 'Hello, World!';\n")
    stock.shown_port = jumbo.port
    (work / "stock/bin/fpm.conf").write_text(FPM.format(port=stock.port, instances=n))
    shutil.copy(options.binary, work / "jumbo/bin/jumbo")
    try:
        stock.start(options.oracle)
        fpm = fpm_figures(stock, n)
        stock.stop()
        jumbo.start(options.oracle)
        ours = jumbo_figures(jumbo, n)
    finally:
        stock.stop()
        jumbo.stop()
        shutil.rmtree(work, ignore_errors=True)
    mib = 1024
    print(f"private memory in MiB, {n} requests at a time      a php-fpm worker   an instance of Jumbo")
    print(f"  idle, nothing served                       {fpm[0] / mib:18.2f}   {'-':>20}")
    print(f"  idle after hello.php                       {fpm[1] / mib:18.2f}   {ours[1] / mib:20.2f}")
    print(f"  idle after {len(PAGES)} pages of DokuWiki             {fpm[2] / mib:18.2f}   {ours[2] / mib:20.2f}")
    print(f"the process of Jumbo: {ours[0] / mib:.1f} MiB when started, {ours[3] / mib:.1f} with DokuWiki's code and one instance that served it, {ours[4] / mib:.1f} with {n}")
    print(f"{n} php-fpm workers: {n * fpm[2] / mib:.1f} MiB, without opcache's shared memory")


if __name__ == "__main__":
    main()
