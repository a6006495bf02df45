//! `cargo xtask tidy`: the rules of the house that a program can check, each with its reason.
//!
//! - Dependencies go down the tiers that ARCHITECTURE.md names; a crate states its tier in `[package.metadata.jumbo]`.
//!   Extensions may depend on each other (Cargo keeps that free of circles). Other crates of one tier may not, unless
//!   `same-tier = ["name"]` beside the tier says so: an exception that is written down where it is made.
//! - Every source file says what it is about: it begins with `//!`.
//! - What `cargo xtask gen` writes is what is committed.
//! - `unsafe` stands in few crates, and each use states its reason: `SAFETY:` above a block or impl, `# Safety` in the
//!   documentation of an unsafe function, or `SAFETY:` where its body begins.
//! - What a builtin collects counts against `memory_limit` while it grows: in extensions it stands in a `PStrBuilder` or in values.
//!   A file that uses byte buffers of the global allocator is listed in `ext/uncharged.txt` with what bounds them.

use crate::{Failure, Verdict, repository};
use serde_json::Value;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A complaint: where, and what is wrong.
type Complaints = Vec<String>;
type Check = fn(&Workspace) -> Complaints;

/// Every check with its name. A new one is a line here.
const CHECKS: &[(&str, Check)] = &[
    ("tiers", tiers),
    ("module documentation", documented),
    ("unsafe is forbidden where it is not needed", unsafe_forbidden),
    ("unsafe is explained", unsafe_explained),
    ("buffers of extensions are charged", charged),
    ("generated code is current", generated),
];

/// The extensions' files with uncharged buffers: lines `path: what is held and what bounds it`.
const UNCHARGED: &str = "ext/uncharged.txt";

/// Types and calls that make byte buffers of the global allocator.
const UNCHARGED_USES: &[&str] = &["Vec<u8>", "String", "format!", ".to_vec()", ".concat()", ".repeat("];

/// Crates that forbid unsafe code although they are no extensions.
const SAFE_CRATES: &[&str] = &["jumbo-base", "jumbo-syntax", "jumbo-compile"];

/// Extensions with a `sys` module that calls a C library: they deny unsafe code, and allow it in that module.
const FOREIGN_EXTENSIONS: &[&str] = &["mbstring", "pcre", "sqlite3", "pdo_sqlite", "openssl"];

/// How far above an `unsafe` its reason may stand, in lines: a comment of a few lines and the start of the statement.
const REASON_LINES_MAX: usize = 10;

struct Package {
    name: String,
    /// Relative to the repository.
    folder: PathBuf,
    tier: Option<u64>,
    same_tier: Vec<String>,
    dependencies: Vec<String>,
}

impl Package {
    fn is_extension(&self) -> bool {
        self.folder.starts_with("ext")
    }
}

struct Source {
    path: PathBuf,
    text: String,
}

struct Workspace {
    packages: Vec<Package>,
    sources: Vec<Source>,
}

pub fn run(arguments: Vec<OsString>) -> Result<Verdict, Failure> {
    if !arguments.is_empty() {
        return Err(Failure::new("cargo xtask tidy takes no arguments; it checks the whole workspace"));
    }
    let workspace = Workspace::read(&repository())?;
    let mut count = 0;
    for (name, check) in CHECKS {
        for complaint in check(&workspace) {
            println!("{name}: {complaint}");
            count += 1;
        }
    }
    if count == 0 {
        println!("tidy: {} crates, {} files", workspace.packages.len(), workspace.sources.len());
    } else {
        println!("tidy: {count} complaints");
    }
    Ok(Verdict::fine_if(count == 0))
}

impl Workspace {
    fn read(root: &Path) -> Result<Workspace, Failure> {
        let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
            .current_dir(root)
            .output()
            .map_err(|e| Failure::new(format!("cannot run cargo: {e}")))?;
        if !output.status.success() {
            return Err(Failure::new(String::from_utf8_lossy(&output.stderr).into_owned()));
        }
        let metadata: Value =
            serde_json::from_slice(&output.stdout).map_err(|e| Failure::new(format!("cargo metadata: {e}")))?;
        let mut packages = Vec::new();
        let mut sources = Vec::new();
        for package in metadata["packages"].as_array().into_iter().flatten() {
            let manifest = Path::new(package["manifest_path"].as_str().unwrap_or_default());
            let folder = manifest.parent().unwrap_or(root).strip_prefix(root).unwrap_or(Path::new("")).to_path_buf();
            let strings = |value: &Value| -> Vec<String> {
                value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
            };
            // Development dependencies may point anywhere: tests see the whole.
            let dependencies = package["dependencies"].as_array().into_iter().flatten();
            let dependencies = dependencies.filter(|d| d["kind"].as_str() != Some("dev"));
            let jumbo = &package["metadata"]["jumbo"];
            packages.push(Package {
                name: package["name"].as_str().unwrap_or_default().to_owned(),
                tier: jumbo["tier"].as_u64(),
                same_tier: strings(&jumbo["same-tier"]),
                dependencies: dependencies.filter_map(|d| d["name"].as_str()).map(str::to_owned).collect(),
                folder: folder.clone(),
            });
            read_sources(root, &folder.join("src"), &mut sources)?;
        }
        sources.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(Workspace { packages, sources })
    }
}

fn read_sources(root: &Path, folder: &Path, sources: &mut Vec<Source>) -> Result<(), Failure> {
    let absolute = root.join(folder);
    for entry in fs::read_dir(&absolute).map_err(|e| Failure::io(&absolute, &e))? {
        let entry = entry.map_err(|e| Failure::io(&absolute, &e))?;
        let path = folder.join(entry.file_name());
        let file = entry.path();
        if file.is_dir() {
            read_sources(root, &path, sources)?;
        } else if file.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&file).map_err(|e| Failure::io(&file, &e))?;
            sources.push(Source { path, text });
        }
    }
    Ok(())
}

fn tiers(workspace: &Workspace) -> Complaints {
    let by_name: BTreeMap<&str, &Package> = workspace.packages.iter().map(|p| (p.name.as_str(), p)).collect();
    let mut complaints = Vec::new();
    for package in &workspace.packages {
        let Some(tier) = package.tier else {
            complaints.push(format!("{} names no tier in [package.metadata.jumbo]", package.name));
            continue;
        };
        for dependency in package.dependencies.iter().filter_map(|name| by_name.get(name.as_str())) {
            let Some(below) = dependency.tier else { continue };
            let excepted = below == tier
                && (package.is_extension() && dependency.is_extension()
                    || package.same_tier.contains(&dependency.name));
            if below >= tier && !excepted {
                complaints.push(format!(
                    "{} (tier {tier}) depends on {} (tier {below}); dependencies must go down",
                    package.name, dependency.name
                ));
            }
        }
    }
    complaints
}

fn documented(workspace: &Workspace) -> Complaints {
    let undocumented = workspace.sources.iter().filter(|source| {
        // Attributes, and the mark of a generated file, may come first.
        let first = source.text.lines().map(str::trim).find(|line| {
            let comment = line.starts_with("//") && !line.starts_with("//!");
            !(line.is_empty() || line.starts_with("#!") || comment)
        });
        !first.is_some_and(|line| line.starts_with("//!"))
    });
    undocumented.map(|source| format!("{} does not begin with //!", source.path.display())).collect()
}

fn unsafe_forbidden(workspace: &Workspace) -> Complaints {
    let mut complaints = Vec::new();
    for package in &workspace.packages {
        if !package.is_extension() && !SAFE_CRATES.contains(&package.name.as_str()) {
            continue;
        }
        let foreign = package.is_extension()
            && package.folder.file_name().is_some_and(|name| FOREIGN_EXTENSIONS.iter().any(|known| name == *known));
        let wanted = if foreign { "#![deny(unsafe_code)]" } else { "#![forbid(unsafe_code)]" };
        let root = package.folder.join("src/lib.rs");
        let text = workspace.sources.iter().find(|source| source.path == root).map_or("", |source| &source.text);
        if !text.contains(wanted) && !text.contains("#![forbid(unsafe_code)]") {
            complaints.push(format!("{} lacks {wanted}", root.display()));
        }
    }
    complaints
}

fn unsafe_explained(workspace: &Workspace) -> Complaints {
    let mut complaints = Vec::new();
    for source in &workspace.sources {
        for line in unexplained_unsafe(&source.text) {
            complaints.push(format!("{}:{line} states no reason (SAFETY: or # Safety)", source.path.display()));
        }
    }
    complaints
}

fn charged(workspace: &Workspace) -> Complaints {
    match fs::read_to_string(repository().join(UNCHARGED)) {
        Ok(list) => uncharged(&workspace.sources, &list),
        Err(error) => vec![format!("{UNCHARGED}: {error}")],
    }
}

/// What differs between the sources of extensions and the list.
fn uncharged(sources: &[Source], list: &str) -> Complaints {
    let mut complaints = Vec::new();
    let mut listed = BTreeMap::new();
    for line in list.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match line.split_once(':').map(|(path, reason)| (path, reason.trim())) {
            Some((path, reason)) if !reason.is_empty() => {
                if listed.insert(path, false).is_some() {
                    complaints.push(format!("{UNCHARGED} lists {path} twice"));
                }
            }
            _ => complaints.push(format!("{UNCHARGED}: no reason (path: what is held and what bounds it): {line}")),
        }
    }
    for source in sources {
        let mut folders = source.path.iter();
        let excepted = source.path.iter().any(|part| ["generated", "sys", "sys.rs", "tests", "tests.rs"].iter().any(|name| part == *name));
        if folders.next().is_none_or(|first| first != "ext") || excepted {
            continue;
        }
        let Some((line, what)) = first_uncharged_use(&source.text) else { continue };
        let path = source.path.display().to_string();
        match listed.get_mut(path.as_str()) {
            Some(used) => *used = true,
            None => complaints.push(format!(
                "{path}:{line} has {what}, which memory_limit does not see: collect in a PStrBuilder, or list the file in {UNCHARGED}"
            )),
        }
    }
    let unused = listed.iter().filter(|(_, used)| !**used);
    complaints.extend(unused.map(|(path, _)| format!("{UNCHARGED} lists {path}, which has no uncharged buffers (any more)")));
    complaints
}

/// The first line outside of tests that uses a byte buffer of the global allocator, and which.
fn first_uncharged_use(text: &str) -> Option<(usize, &'static str)> {
    let lines = code_only(text);
    // Unit tests stand at the end of a file.
    let code = lines.iter().take_while(|line| line.trim() != "#[cfg(test)]");
    (1..).zip(code).find_map(|(number, line)| Some((number, uncharged_use(line)?)))
}

fn uncharged_use(line: &str) -> Option<&'static str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    UNCHARGED_USES.iter().copied().find(|what| {
        line.match_indices(what).any(|(at, _)| {
            // Not a part of a longer name.
            let starts = what.starts_with('.') || !line[..at].ends_with(is_word);
            starts && !(what.ends_with(is_word) && line[at + what.len()..].starts_with(is_word))
        })
    })
}

fn generated(_workspace: &Workspace) -> Complaints {
    match crate::generate::complaints(&repository()) {
        Ok(complaints) => complaints,
        Err(Failure(message)) => vec![message],
    }
}

/// The numbers of the lines with an `unsafe` that nothing near explains.
fn unexplained_unsafe(text: &str) -> Vec<usize> {
    let lines: Vec<&str> = text.lines().collect();
    let code = code_only(text);
    let mut found = Vec::new();
    for (at, line) in code.iter().enumerate() {
        if !is_unsafe_use(line) {
            continue;
        }
        let explains = |line: &str| line.contains("SAFETY:") || line.contains("# Safety");
        let near = &lines[at.saturating_sub(REASON_LINES_MAX)..=at];
        // A longer documentation comment directly above counts as a whole.
        let above = lines[..at].iter().rev().take_while(|line| {
            let line = line.trim_start();
            line.starts_with("//") || line.starts_with("#[")
        });
        // A function within the crate may state its contract as the reason that its body begins with.
        let opens_body = |line: &&String| line.trim_end().ends_with('{');
        let signature = code[at..].iter().take(REASON_LINES_MAX).take_while(|line| !opens_body(line)).count();
        let body = if line.contains("fn ") { lines.get(at + signature + 1) } else { None };
        let mut places = near.iter().chain(above).chain(body);
        if !places.any(|line| explains(line)) {
            found.push(at + 1);
        }
    }
    found
}

/// Whether the line opens something unsafe: a block, a function, an impl, a trait or foreign declarations, and not only
/// a type, an attribute or a lint.
fn is_unsafe_use(line: &str) -> bool {
    let mut rest = line;
    while let Some(at) = rest.find("unsafe") {
        let before = rest[..at].chars().next_back();
        let after = &rest[at + "unsafe".len()..];
        rest = after;
        let word = |c: char| c.is_alphanumeric() || c == '_';
        if before.is_some_and(word) || after.chars().next().is_some_and(word) {
            continue;
        }
        let mut after = after.trim_start();
        if let Some(foreign) = after.strip_prefix("extern") {
            // The string of the ABI is blanked out by now.
            after = foreign.trim_start().trim_start_matches(['"', ' ']);
        }
        let pointer_type = after.strip_prefix("fn").is_some_and(|rest| rest.trim_start().starts_with('('));
        if !pointer_type && !after.starts_with(['(', ')', ',']) {
            return true;
        }
    }
    false
}

/// The lines of `text` with comments and the contents of string literals blanked out.
fn code_only(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut chars = text.chars().peekable();
    let mut previous = ' ';
    while let Some(c) = chars.next() {
        match c {
            '\n' => lines.push(std::mem::take(&mut line)),
            '/' if chars.peek() == Some(&'/') => {
                while chars.peek().is_some_and(|&c| c != '\n') {
                    chars.next();
                }
            }
            '/' if chars.peek() == Some(&'*') => {
                let (mut depth, mut last) = (0_usize, ' ');
                // The opening "/*" is seen first and counted as any nested one.
                let mut current = Some('/');
                while let Some(c) = current {
                    match (last, c) {
                        ('/', '*') => (depth, last) = (depth + 1, ' '),
                        ('*', '/') => (depth, last) = (depth.saturating_sub(1), ' '),
                        _ => last = c,
                    }
                    if c == '\n' {
                        lines.push(std::mem::take(&mut line));
                    }
                    if depth == 0 && last == ' ' && c == '/' {
                        break;
                    }
                    current = chars.next();
                }
            }
            '"' => {
                // A raw string ends at a quote followed by as many hashes as precede it, and has no escapes.
                let hashes = line.chars().rev().take_while(|&c| c == '#').count();
                let raw = line.trim_end_matches('#').ends_with('r');
                line.push('"');
                let mut run = None;
                while let Some(c) = chars.next() {
                    if c == '\n' {
                        lines.push(std::mem::take(&mut line));
                    }
                    if c == '\\' && !raw {
                        if chars.next() == Some('\n') {
                            lines.push(std::mem::take(&mut line));
                        }
                        continue;
                    }
                    match (c, run) {
                        ('"', _) => run = Some(0),
                        ('#', Some(n)) => run = Some(n + 1),
                        _ => run = None,
                    }
                    if run.is_some_and(|n| !raw || n == hashes) {
                        break;
                    }
                }
                line.push('"');
            }
            // A character literal, unless it is a lifetime.
            '\'' if !previous.is_alphanumeric() => {
                let mut ahead = chars.clone();
                let first = ahead.next();
                if first == Some('\\') {
                    chars.next();
                    chars.next();
                    while chars.next().is_some_and(|c| c != '\'' && c != '\n') {}
                } else if ahead.next() == Some('\'') {
                    chars.next();
                    chars.next();
                }
            }
            _ => line.push(c),
        }
        previous = c;
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests {
    use super::{Source, code_only, first_uncharged_use, uncharged, unexplained_unsafe};
    use std::path::PathBuf;

    #[test]
    fn buffers_of_the_global_allocator() {
        assert_eq!(first_uncharged_use("use a;\nlet a: Vec<u8> = b;"), Some((2, "Vec<u8>")));
        assert_eq!(first_uncharged_use("let a = b.concat();"), Some((1, ".concat()")));
        assert_eq!(first_uncharged_use("fn a() -> String {"), Some((1, "String")));
        for text in ["let a: Vec<u32>;", "fn a(b: PString)", "StringKind::A", "// String", "fn a() {}\n#[cfg(test)]\nlet a: Vec<u8>;"] {
            assert_eq!(first_uncharged_use(text), None, "{text}");
        }
    }

    #[test]
    fn the_list_of_uncharged_files() {
        let source = |path: &str| Source { path: PathBuf::from(path), text: "let a = format!(b);".to_owned() };
        let sources = ["ext/a/src/b.rs", "ext/a/src/generated/c.rs", "ext/a/src/sys/d.rs", "crates/e/src/f.rs"].map(source);
        assert!(uncharged(&sources, "# Messages\next/a/src/b.rs: a name").is_empty());
        assert_eq!(uncharged(&sources, "").len(), 1);
        assert_eq!(uncharged(&sources, "ext/a/src/b.rs:").len(), 2);
        assert_eq!(uncharged(&sources, "ext/a/src/b.rs: a name\next/a/src/g.rs: a name").len(), 1);
    }

    #[test]
    fn reasons() {
        assert_eq!(unexplained_unsafe("fn a() { unsafe { b() } }"), [1]);
        assert!(unexplained_unsafe("// SAFETY: fine.\nunsafe { b() }").is_empty());
        assert!(unexplained_unsafe("/// # Safety\n/// never\npub unsafe fn a() {}").is_empty());
        assert!(unexplained_unsafe("unsafe fn a(\n) {\n// SAFETY: alive.\nunsafe { b() } }").is_empty());
        assert_eq!(unexplained_unsafe("unsafe fn a() {\nb();\n}"), [1]);
        assert_eq!(unexplained_unsafe("\nunsafe impl Send for A {}"), [2]);
    }

    #[test]
    fn what_is_no_use_of_unsafe() {
        for text in [
            "#![forbid(unsafe_code)]",
            "type F = unsafe extern \"C\" fn(i32);",
            "type F = unsafe fn(i32);",
            "// unsafe { }",
            "/* unsafe { } */",
            "let s = \"unsafe { }\";",
            "let s = r#\"a \" unsafe { }\"#;",
            "#[unsafe(no_mangle)]",
            "#![deny(unsafe_op_in_unsafe_fn)]",
        ] {
            assert!(unexplained_unsafe(text).is_empty(), "{text}: {:?}", code_only(text));
        }
    }

    #[test]
    fn lines_are_kept() {
        let text = "a /* x\ny */ b\n\"c\nd\" '\\'' 'e' 'f: g\nend";
        assert_eq!(code_only(text).len(), text.lines().count());
    }
}
