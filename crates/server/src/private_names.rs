//! Names of files that are not for visitors: PHP source under whatever name it was left, and what the settings list beyond.
//!
//! A site's folder holds more than its pages: databases, dumps, dependencies, logs, what editors leave. Nobody means to publish those, so they
//! are not served unless the settings say so. PHP source never is.

use crate::content_types;

/// The names that are private by default; `*` is any text, `?` any character, letters of either case are the same.
pub const PRIVATE_FILES: &[&str] = &[
    // Hidden files and folders.
    ".*",
    // What editors, merges and copies leave.
    "*~", "*.bak", "*.old", "*.orig", "*.save", "*.swp", "*.swo", "*.swn", "*.rej", "*.tmp", "*.dist", "#*#",
    // Databases and dumps.
    "*.sqlite", "*.sqlite3", "*.sqlite-*", "*.sqlite3-*", "*.db", "*.db3", "*.db-*", "*.sql", "*.sql.*", "*.dump",
    // Source that is included.
    "*.inc", "*.module", "*.install", "*.engine", "*.profile", "*.theme", "*.twig", "*.tpl",
    // What a project is made of.
    "composer.json", "composer.lock", "auth.json", "symfony.lock", "package.json", "package-lock.json", "yarn.lock", "pnpm-lock.yaml", "phpunit.xml",
    // Settings, keys and logs.
    "*.ini", "*.env", "*.conf", "*.pem", "*.key", "*.p12", "*.pfx", "*.log",
];

/// Patterns of the settings.
#[derive(Clone, Debug)]
pub(crate) struct PrivateNames {
    patterns: Vec<Vec<u8>>,
    /// `.*` is among them: it is meant for folders too.
    hides_dots: bool,
}

impl PrivateNames {
    pub(crate) fn new(patterns: &[String]) -> PrivateNames {
        let patterns: Vec<Vec<u8>> = patterns.iter().map(|pattern| pattern.to_ascii_lowercase().into_bytes()).collect();
        PrivateNames { hides_dots: patterns.iter().any(|pattern| pattern == b".*"), patterns }
    }

    /// Whether a path leads through a hidden folder or to a hidden file. `.well-known` is made for visitors (RFC 8615).
    pub(crate) fn hides(&self, path: &[u8]) -> bool {
        self.hides_dots && path.split(|&b| b == b'/').any(|segment| segment.starts_with(b".") && segment != b".well-known")
    }

    /// Whether a file of this path must not be sent.
    pub(crate) fn forbids(&self, path: &[u8]) -> bool {
        let name = path.rsplit(|&b| b == b'/').next().unwrap_or_default().to_ascii_lowercase();
        holds_source(&name) || self.patterns.iter().any(|pattern| matches(&name, pattern))
    }
}

fn matches(name: &[u8], pattern: &[u8]) -> bool {
    let (mut n, mut p) = (0, 0);
    // Where to go on when the text behind the last star does not match.
    let mut star = None;
    while n < name.len() {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(b) if *b == b'?' || *b == name[n] => {
                p += 1;
                n += 1;
            }
            _ => match star {
                Some((at, from)) => {
                    star = Some((at, from + 1));
                    (p, n) = (at + 1, from + 1);
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|b| *b == b'*')
}

/// Whether a lower-case name says that there is PHP source in the file: an extension of PHP at its end, or followed by something that is no
/// type of a web page's parts (`a.php.bak`, `a.php.txt`, `a.php.zip`, but not `a.php.js`).
fn holds_source(name: &[u8]) -> bool {
    let name = name.trim_ascii();
    let end = name.iter().rposition(|b| !matches!(b, b'.' | b'~')).map_or(0, |at| at + 1);
    let mut extensions = name[..end].split(|&b| b == b'.').skip(1).peekable();
    let is_of_php = |extension: &[u8]| extension.starts_with(b"php") || matches!(extension, b"phtml" | b"pht" | b"phar");
    let Some(_) = extensions.find(|extension| is_of_php(extension)) else { return false };
    if extensions.peek().is_none() {
        return true;
    }
    let content_type = content_types::of(&name[..end]);
    let is_part_of_pages = ["image/", "audio/", "video/", "font/"].iter().any(|kind| content_type.starts_with(kind))
        || matches!(content_type, "text/html" | "text/css" | "application/javascript" | "application/pdf");
    !is_part_of_pages
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let default = PrivateNames::new(&PRIVATE_FILES.iter().map(ToString::to_string).collect::<Vec<_>>());
        for name in [
            "a.php", "a.PHP", "a.phtml", "a.php5", "a.phar", "a.phpt", "c.php~", "c.php.", "c.php..", "c.php.bak", "c.php.txt", "c.php.zip",
            "c.php.2024", "c.php_old", "c.inc", ".php.swp", ".htaccess", "data.sqlite", "data.sqlite-wal", "Data.DB", "composer.lock", "dump.sql.gz",
            "debug.log", "#a.css#", "mail.module",
        ] {
            assert!(default.forbids(format!("/folder/{name}").as_bytes()), "{name}");
        }
        for name in ["a.css", "php", "a.php.js", "photo.php.jpg", "data.json", "a.sqlite.png", "thumbs.dbx", "php.svg", "manifest.json", "a.b.html"] {
            assert!(!default.forbids(format!("/dir.php/{name}").as_bytes()), "{name}");
        }
        let nothing = PrivateNames::new(&[]);
        assert!(nothing.forbids(b"/a.php.bak") && !nothing.forbids(b"/a.sqlite") && !nothing.hides(b"/.git/config"));
    }

    #[test]
    fn hidden() {
        let default = PrivateNames::new(&PRIVATE_FILES.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert!(default.hides(b"/.git/config") && default.hides(b"/a/.htaccess"));
        assert!(!default.hides(b"/.well-known/acme") && !default.hides(b"/a.b/c"));
    }
}
