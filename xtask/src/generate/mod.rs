//! `cargo xtask gen`: descriptors and adapters of builtins from PHP stubs.
//!
//! Each extension declares its functions, classes, constants and settings in `ext/X/stubs/*.stub.php`; this writes
//! `ext/X/src/generated/`: one file per stub, and a `mod.rs` with `FUNCTIONS`, `CLASSES`, `CONSTANTS` and `INI`. The output is
//! committed and never edited; `--check`, and with it `cargo xtask tidy`, fails when it is stale.
//!
//! # Names
//! - Function `foo` in `stubs/bar.stub.php` is `crate::bar::foo(cx, …)`.
//! - Method `bazQux` of class `FooBar` is `crate::foo_bar::baz_qux(cx, this: &PObject, …)`, a static one
//!   `crate::foo_bar::baz_qux(cx, class: ClassPtr, …)`; `__construct` stays `__construct`, `__toString` is `__to_string`. The
//!   namespace of a class is no part of its module's name.
//! - A Rust keyword gets an underscore: `match_`.
//!
//! # Parameters
//! | PHP | Rust |
//! |---|---|
//! | `int`, `float`, `bool` | `i64`, `f64`, `bool` |
//! | `string`, `array`, `object`, a class, `callable` | `&PStr`, `&PArray`, `&PObject`, `&PObject`, `&Callable` |
//! | `mixed`, no type, `iterable`, any other union | `&Value` (checked and coerced) |
//! | `?T`, or optional with a default that is null or not known (`UNKNOWN`, an enum case) | `Option<…>` of it |
//! | a required union with null | `&Value`, which may be null |
//! | `mixed` or no type with the default null | `Option<&Value>`, `None` when the argument is absent |
//! | optional with a known default | as if it were given |
//! | `&$x` | `&PRef`; optional: `Option<&PRef>`; a type is checked before the call |
//! | `...$x` | `&[Value]`, each checked; `&...$x`: each is a reference |
//! | `@prefer-ref $x` | `&Value`, which may be a reference |
//!
//! # Tags in documentation comments
//! Functions and methods: `@foldable`, `@needs-symbols` (effects); `@tentative-return-type`; `@deprecated` (or the attribute);
//! `@rust crate::path` (the function to call); `@alias other` or `@alias Class::method` (calls the function of that
//! one); `@name exit` (a name that PHP's syntax does not allow); `@prefer-ref $x`;
//! `@absent $x` (the function must know whether `$x` was given: it gets an `Option`, whatever the default);
//! `@unchecked $x` (the function checks the type itself, with words of its own: it gets a `&Value`);
//! `@resource $x` (an untyped `&Value` that must be a resource, closed ones included, before later arguments are looked at);
//! `@number $x` (a `float` that may be an int, which keeps its digits: a `&Value`, either of them);
//! `@all-or-none` (optional parameters that are given together or not at all, which is looked at before their types);
//! `@not-null $x` (a `?string` whose null is for the default alone: given, also by a call by name that skips it, it is deprecated, and an
//! empty string).
//! `#[SensitiveParameter]` hides an argument from backtraces.
//! Classes: `@hooks crate::path::CONST` (a `ClassHooks`), `@rust crate::module` (module of its methods), `@strict-properties`,
//! `@not-serializable`. Properties: `@virtual`. Constants: `@computed crate::path` (a `fn() -> Value`; the expression is
//! then `UNKNOWN`), `@deprecated`.
//! Settings are lines in any comment: `@ini NAME "DEFAULT"|NULL ALL|PERDIR|SYSTEM|USER [on_change crate::path]`, with
//! `fn(&mut Cx, &[u8]) -> bool` as the function that takes a new value over.

mod adapter;
mod emit;
mod fold;
mod model;
mod read;
mod signatures;

use crate::{Failure, Verdict, repository};
use model::Stub;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const HELP: &str = "\
cargo xtask gen [EXTENSION...]     writes ext/*/src/generated/ from ext/*/stubs/*.stub.php (all, or those named)
cargo xtask gen --check            says what is stale, and writes nothing
cargo xtask gen --stub-from-signatures FILE EXTENSION [NAME...]
                                   prints stub text of functions and classes from a file of signatures (a JSON
                                   object a line); EXTENSION - means any
";

/// One extension's stubs and what they generate.
struct Extension {
    name: String,
    folder: PathBuf,
    stubs: Vec<Stub>,
}

pub fn run(arguments: Vec<OsString>) -> Result<Verdict, Failure> {
    use lexopt::prelude::{Long, Short, Value};
    let mut parser = lexopt::Parser::from_args(arguments);
    let (mut check, mut signatures, mut names) = (false, None, Vec::new());
    while let Some(argument) = parser.next()? {
        match argument {
            Long("check") => check = true,
            Long("stub-from-signatures") => signatures = Some(PathBuf::from(parser.value()?)),
            Long("help") | Short('h') => {
                print!("{HELP}");
                return Ok(Verdict::Fine);
            }
            Value(name) => names.push(name.to_string_lossy().into_owned()),
            other => return Err(other.unexpected().into()),
        }
    }
    if let Some(file) = signatures {
        let Some((extension, names)) = names.split_first() else {
            return Err(Failure::new("--stub-from-signatures FILE EXTENSION [NAME...]"));
        };
        return signatures::print(&file, extension, names);
    }
    let root = repository();
    let extensions = read_extensions(&root, &names)?;
    let stale = stale_of(&root, &extensions, &names)?;
    let twice = declared_twice(&extensions);
    for complaint in &twice {
        println!("{complaint}");
    }
    if check {
        for (path, _) in &stale {
            println!("{} is stale: run cargo xtask gen", path.display());
        }
        return Ok(Verdict::fine_if(stale.is_empty() && twice.is_empty()));
    }
    for (path, content) in stale {
        let full = root.join(&path);
        match content {
            Some(content) => {
                if let Some(folder) = full.parent() {
                    std::fs::create_dir_all(folder).map_err(|e| Failure::io(folder, &e))?;
                }
                std::fs::write(&full, content).map_err(|e| Failure::io(&full, &e))?;
                println!("wrote {}", path.display());
            }
            None => {
                std::fs::remove_file(&full).map_err(|e| Failure::io(&full, &e))?;
                println!("removed {}", path.display());
            }
        }
    }
    Ok(Verdict::Fine)
}

/// Everything about the generated code that is not in order, for `cargo xtask tidy`.
pub fn complaints(root: &Path) -> Result<Vec<String>, Failure> {
    let extensions = read_extensions(root, &[])?;
    let stale = stale_of(root, &extensions, &[])?;
    let stale = stale.iter().map(|(path, _)| format!("{} is stale: run cargo xtask gen", path.display()));
    Ok(stale.chain(declared_twice(&extensions)).collect())
}

/// Reads all stubs: those of other extensions than `names` for their constants.
fn read_extensions(root: &Path, names: &[String]) -> Result<Vec<Extension>, Failure> {
    let mut extensions = Vec::new();
    for path in sorted_entries(&root.join("ext"))? {
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let mut stubs = Vec::new();
        if path.join("stubs").is_dir() {
            for stub in sorted_entries(&path.join("stubs"))? {
                if !stub.to_string_lossy().ends_with(".stub.php") {
                    continue;
                }
                match read::read(&stub) {
                    Ok(stub) => stubs.push(stub),
                    // Another extension's mistake is its own: only its constants are missed.
                    Err(_) if !names.is_empty() && !names.contains(&name) => {}
                    Err(failure) => return Err(failure),
                }
            }
        }
        extensions.push(Extension { name, folder: path, stubs });
    }
    match names.iter().find(|n| extensions.iter().all(|e| e.name != **n)) {
        Some(unknown) => Err(Failure::new(format!("there is no ext/{unknown}"))),
        None => Ok(extensions),
    }
}

/// Names that two stubs declare: the registry would keep one of them, by the order of extensions.
fn declared_twice(extensions: &[Extension]) -> Vec<String> {
    let mut seen: BTreeMap<String, &Path> = BTreeMap::new();
    let mut complaints = Vec::new();
    for stub in extensions.iter().flat_map(|e| &e.stubs) {
        let functions = stub.functions.iter().map(|f| format!("function {}", f.name.to_ascii_lowercase()));
        let classes = stub.classes.iter().map(|c| format!("class {}", c.name.to_ascii_lowercase()));
        let constants = stub.constants.iter().map(|c| format!("constant {}", c.name));
        let settings = stub.ini.iter().map(|i| format!("setting {}", i.name));
        for what in functions.chain(classes).chain(constants).chain(settings) {
            if let Some(first) = seen.insert(what.clone(), &stub.path) {
                complaints.push(format!("{what} is declared twice: {} and {}", first.display(), stub.path.display()));
            }
        }
    }
    complaints
}

/// Generated files that differ from what they should be: path from the root, and the right content (absent: should not be).
fn stale_of(root: &Path, extensions: &[Extension], names: &[String]) -> Result<Vec<(PathBuf, Option<String>)>, Failure> {
    let constants = fold::Constants::of(extensions.iter().flat_map(|e| &e.stubs));
    let aliases = emit::Targets::of(extensions.iter().flat_map(|e| &e.stubs));
    let mut stale = Vec::new();
    for extension in extensions.iter().filter(|e| names.is_empty() || names.contains(&e.name)) {
        let generated = extension.folder.join("src/generated");
        let mut wanted = BTreeMap::new();
        if !extension.stubs.is_empty() {
            for (file, text) in emit::extension(&extension.stubs, &constants, &aliases)? {
                wanted.insert(generated.join(file), text);
            }
        }
        let relative = |path: &Path| path.strip_prefix(root).unwrap_or(path).to_path_buf();
        if generated.is_dir() {
            for path in sorted_entries(&generated)? {
                if !wanted.contains_key(&path) {
                    stale.push((relative(&path), None));
                }
            }
        }
        for (path, text) in wanted {
            let text = format_rust(root, &text)?;
            if std::fs::read_to_string(&path).ok().as_ref() != Some(&text) {
                stale.push((relative(&path), Some(text)));
            }
        }
    }
    Ok(stale)
}

fn sorted_entries(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = std::fs::read_dir(folder).map_err(|e| Failure::io(folder, &e))?;
    let mut paths = Vec::new();
    for entry in entries {
        paths.push(entry.map_err(|e| Failure::io(folder, &e))?.path());
    }
    paths.sort();
    Ok(paths)
}

/// The text as rustfmt writes it.
fn format_rust(root: &Path, text: &str) -> Result<String, Failure> {
    let failed = |e: std::io::Error| Failure::new(format!("cannot run rustfmt: {e}"));
    let mut child = Command::new(std::env::var_os("RUSTFMT").unwrap_or_else(|| "rustfmt".into()))
        .args(["--edition", "2024", "--config", "max_width=120"])
        .current_dir(root)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    let mut input = child.stdin.take().ok_or_else(|| Failure::new("rustfmt takes no input"))?;
    let bytes = text.as_bytes().to_vec();
    let writer = std::thread::spawn(move || input.write_all(&bytes));
    let output = child.wait_with_output().map_err(failed)?;
    if !output.status.success() {
        return Err(Failure::new(format!("rustfmt: {}", String::from_utf8_lossy(&output.stderr))));
    }
    match writer.join() {
        Ok(result) => result.map_err(failed)?,
        Err(_) => return Err(Failure::new("rustfmt's writer failed")),
    }
    String::from_utf8(output.stdout).map_err(|_| Failure::new("rustfmt wrote no UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::{adapter, emit, fold, read};

    /// The generated text for a stub, unformatted.
    fn generate(stub: &str) -> Result<String, String> {
        // Tests run in one process: the address of the text keeps their files apart.
        let name = format!("jumbo-gen-{}-{:p}.stub.php", std::process::id(), stub.as_ptr());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, format!("<?php\n{stub}")).map_err(|e| e.to_string())?;
        let stubs = read::read(&path).map(|mut stub| {
            stub.module = "m".to_owned();
            vec![stub]
        });
        std::fs::remove_file(&path).map_err(|e| e.to_string())?;
        let stubs = stubs.map_err(|crate::Failure(message)| message)?;
        let constants = fold::Constants::of(stubs.iter());
        let targets = emit::Targets::of(stubs.iter());
        let files = emit::extension(&stubs, &constants, &targets).map_err(|crate::Failure(message)| message)?;
        Ok(files.into_iter().map(|(_, text)| text).collect())
    }

    #[track_caller]
    fn check(stub: &str, wanted: &[&str]) {
        let text = generate(stub).unwrap_or_else(|message| panic!("{message}"));
        for part in wanted {
            assert!(text.contains(part), "{part}\nis not in\n{text}");
        }
    }

    #[track_caller]
    fn refused(stub: &str, wanted: &str) {
        match generate(stub) {
            Ok(text) => panic!("accepted: {text}"),
            Err(message) => assert!(message.contains(wanted), "{message}"),
        }
    }

    #[test]
    fn parameters() {
        check("function f(int $a, ?string $b, float $c = 1): void {}", &[
            "let a0 = args::int(cx, call, 0)?;",
            "args::string_or_null(cx, call, 1)?;",
            "let a2 = if call.has(2) { args::float(cx, call, 2)? } else { 1.0 };",
            "crate::m::f(cx, a0, args::opt_str_at(call.args, 1), a2)",
            "required: 2",
        ]);
        check("function f(string $a = \" \\n\", array $b = []): void {}", &["d0 = PStr::new(b\" \\n\")", "d1 = PArray::new()"]);
        check("function f(?callable $a, array &$b, &$c = null, mixed ...$d): void {}", &[
            "let a0 = args::callable_or_null(cx, call, 0)?;",
            "args::reference(call, 1); args::check_referenced(cx, call, 1)?;",
            "for n in 3..call.args.len() { args::mixed(call, n); }",
            "a0.as_ref(), args::ref_at(call.args, 1), args::opt_ref_at(call.args, 2), args::rest(call.args, 3)",
        ]);
        check("/** @absent $a */ function f(string $a = \"\"): void {}", &["args::opt_str_at(call.args, 0)"]);
    }

    #[test]
    fn classes() {
        check("class FooBar extends Base { public static function match(self $x): static {} public function __toString(): string {} }", &[
            "args::instance(cx, call, 0, \"FooBar\")?;",
            "crate::foo_bar::match_(cx, call.called_class(), args::object_at(call.args, 0))",
            "crate::foo_bar::__to_string(cx, args::this_at(call))",
            "parent: Some(\"Base\")",
        ]);
        check("enum E: int { case A = 1; } interface I { function f(); }", &[
            "ConstDesc::new(\"A\", ConstValue::Int(1))",
            "call: args::abstract_method",
        ]);
    }

    #[test]
    fn constants_and_settings() {
        check("const A = B | 4; const B = 1 << 1;\n/** @ini a.b \"x\" ALL */\nconst C = -9223372036854775807 - 1;", &[
            "ConstDesc::new(\"A\", ConstValue::Int(6))",
            "ConstDesc::new(\"C\", ConstValue::Int(i64::MIN))",
            "default: Some(\"x\"), access: ini_access::ALL",
        ]);
        check("/** @computed crate::x::y */ const A = UNKNOWN; function f(int $a = A): void {}", &[
            "ConstValue::Computed(crate::x::y)",
            "if call.has(0) { Some(args::int(cx, call, 0)?) } else { None }",
        ]);
    }

    #[test]
    fn mistakes() {
        refused("function f(int $a = NOWHERE): void {}", ":2: f: constant NOWHERE is in no stub");
        refused("\n/** @foldabel */ function f(): void {}", "@foldabel means nothing here");
        refused("echo 1;", "a stub contains only");
        refused("const A = B; const B = A;", "defined by itself");
        refused("function f(int $a = null): void {}", "default null, but not the type");
        refused("/** @alias g */ function f(): void {}", "@alias g: no stub declares it");
    }

    #[test]
    fn literals() {
        assert_eq!(adapter::byte_literal(b"a\"\n\xff"), "b\"a\\\"\\n\\xff\"");
        assert_eq!(adapter::float_literal(f64::NEG_INFINITY), "f64::NEG_INFINITY");
        assert_eq!(adapter::int_literal(-5), "-5");
    }
}
