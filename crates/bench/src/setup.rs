//! `jumbo bench setup`: installs what is compared with, from Debian's packages, as root.
//!
//! By default into a chroot of Debian trixie (which has PHP 8.4) under [`CHROOT`], made with debootstrap: nothing of the machine's own PHP, nginx or
//! databases is touched. With `--root /` into the system itself, when it is a Debian that has php8.4. No service is started by the packages.

use crate::place::{CHROOT, Place, make_folder, tail, write_file};
use crate::targets;
use std::fs;
use std::path::Path;
use std::process::Command;

const SUITE: &str = "trixie";

/// What may be asked for, with its packages.
const GROUPS: &[(&str, &[&str])] = &[
    (
        "base",
        &[
            "nginx-light", "wrk", "valgrind", "php8.4-cli", "php8.4-fpm", "php8.4-opcache", "php8.4-apcu", "php8.4-bcmath", "php8.4-curl", "php8.4-gd", "php8.4-intl",
            "php8.4-mbstring", "php8.4-mysql", "php8.4-sqlite3", "php8.4-xml", "php8.4-zip",
        ],
    ),
    ("sources", &["dpkg-dev", "xz-utils"]),
    (
        "dokuwiki",
        &[
            "dokuwiki", "libjs-jquery", "libjs-jquery-cookie", "libjs-jquery-ui", "libphp-simplepie", "php-constant-time", "php-geshi",
            "php-kissifrot-php-ixr", "php-phpseclib3", "php-random-compat",
        ],
    ),
    ("wordpress", &["wordpress", "wordpress-theme-twentytwentyfive", "mariadb-server"]),
    ("mediawiki", &["mediawiki", "mariadb-server"]),
    ("symfony", &["php-symfony-framework-bundle", "php-symfony-twig-bundle"]),
    ("laravel", &["php-laravel-framework"]),
];

/// Keeps packages from starting services: no daemon but those under test.
const NO_SERVICES: &str = "#!/bin/sh\nexit 101\n";

pub fn run(names: &[String], root: Option<&Path>) -> Result<(), String> {
    if !rustix::process::geteuid().is_root() {
        return Err("setup installs packages: run as root".into());
    }
    let all = names.iter().any(|name| name == "all");
    let mut wanted: Vec<&str> = if all { GROUPS.iter().map(|(name, _)| *name).collect() } else { names.iter().map(String::as_str).collect() };
    // What everything needs, first.
    if !wanted.contains(&"base") {
        wanted.insert(0, "base");
    }
    if names.is_empty() {
        wanted.push("sources");
    }
    if let Some(unknown) = wanted.iter().find(|name| !GROUPS.iter().any(|(group, _)| group == *name)) {
        let known: Vec<&str> = GROUPS.iter().map(|(name, _)| *name).collect();
        return Err(format!("{unknown}: there are {}, all", known.join(", ")));
    }
    let root = root.unwrap_or(Path::new(CHROOT));
    if root != Path::new("/") && !root.join("usr/bin/apt-get").exists() {
        bootstrap(root)?;
    }
    let place = Place::find(Some(root))?;
    let policy = place.host("/usr/sbin/policy-rc.d");
    let own_policy = !policy.exists();
    if own_policy {
        write_file(&policy, NO_SERVICES)?;
        executable(&policy)?;
    }
    let done = install(&place, &wanted);
    // In the system it was for this installation only.
    if own_policy && place.root().is_none() {
        let _ = fs::remove_file(&policy);
    }
    done?;
    for name in wanted {
        for target in targets::all() {
            if let targets::Source::Application(application) = &target.source
                && application.group == name
            {
                println!("setup: {}: installing the site and its data", target.name);
                target.install(&place, application)?;
            }
        }
    }
    println!("setup: done; `jumbo bench run hello` is next");
    Ok(())
}

fn install(place: &Place, wanted: &[&str]) -> Result<(), String> {
    println!("setup: package lists");
    place.run(&[], "apt-get", &["update", "-qq"], b"")?;
    for name in wanted {
        let packages = GROUPS.iter().find(|(group, _)| group == name).map_or(&[][..], |(_, packages)| packages);
        println!("setup: {name}: {}", packages.join(" "));
        let arguments = [&["install", "-y", "-qq", "--no-install-recommends"][..], packages].concat();
        place.run(&[], "apt-get", &arguments, b"")?;
        if *name == "sources" {
            sources(place)?;
        }
    }
    Ok(())
}

/// PHP's own benchmarks, out of its source package.
fn sources(place: &Place) -> Result<(), String> {
    let folder = targets::PHP_SOURCES;
    if place.host(folder).join("bench.php").exists() {
        return Ok(());
    }
    let script = format!(
        "set -e; rm -rf /tmp/jumbo-bench-source; mkdir -p /tmp/jumbo-bench-source; cd /tmp/jumbo-bench-source\n\
         apt-get source --download-only -qq php8.4\n\
         mkdir -p {folder}\n\
         for file in bench micro_bench; do\n  tar -xJOf php8.4_*.orig.tar.xz --wildcards \"*/Zend/$file.php\" >{folder}/$file.php.new\n  \
         test -s {folder}/$file.php.new\n  mv {folder}/$file.php.new {folder}/$file.php\ndone\n\
         rm -rf /tmp/jumbo-bench-source\n"
    );
    place.run(&[], "sh", &[], script.as_bytes()).map(|_| ())
}

/// A minimal Debian.
fn bootstrap(root: &Path) -> Result<(), String> {
    if !Path::new("/usr/sbin/debootstrap").exists() {
        println!("setup: debootstrap");
        host("apt-get", &["update", "-qq"])?;
        host("apt-get", &["install", "-y", "-qq", "debootstrap"])?;
    }
    let mirror = mirror();
    println!("setup: Debian {SUITE} from {mirror} in {}", root.display());
    make_folder(root)?;
    host("debootstrap", &["--variant=minbase", "--include=ca-certificates", SUITE, &root.display().to_string(), &mirror])?;
    // The way to the archive is the machine's own: proxies, certificates.
    for entry in fs::read_dir("/etc/apt/apt.conf.d").into_iter().flatten().flatten() {
        let to = root.join("etc/apt/apt.conf.d").join(entry.file_name());
        if entry.path().is_file() && !to.exists() {
            fs::copy(entry.path(), &to).map_err(|e| format!("{}: {e}", to.display()))?;
        }
    }
    let list = format!("deb {mirror} {SUITE} main\ndeb-src {mirror} {SUITE} main\n");
    write_file(&root.join("etc/apt/sources.list"), list)?;
    write_file(&root.join("usr/sbin/policy-rc.d"), NO_SERVICES)?;
    executable(&root.join("usr/sbin/policy-rc.d"))
}

fn executable(path: &Path) -> Result<(), String> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).map_err(|e| format!("{}: {e}", path.display()))
}

/// The archive that the machine's own apt uses.
fn mirror() -> String {
    let texts = ["/etc/apt/sources.list.d/debian.sources", "/etc/apt/sources.list"].iter().filter_map(|path| fs::read_to_string(path).ok());
    let of_line = |line: &str| {
        let mut words = line.split_whitespace();
        let named = match words.next()? {
            "URIs:" => words.next(),
            "deb" => words.find(|word| word.starts_with("http")),
            _ => None,
        };
        named.filter(|uri| uri.starts_with("http") && !uri.contains("security")).map(str::to_owned)
    };
    let found = texts.flat_map(|text| text.lines().filter_map(of_line).next());
    found.into_iter().next().unwrap_or_else(|| "http://deb.debian.org/debian".to_owned())
}

fn host(program: &str, arguments: &[&str]) -> Result<(), String> {
    let output = Command::new(program).args(arguments).env("DEBIAN_FRONTEND", "noninteractive").output().map_err(|e| format!("{program}: {e}"))?;
    if output.status.success() { Ok(()) } else { Err(format!("{program}: {}", tail(&[output.stdout, output.stderr].concat(), 500))) }
}
