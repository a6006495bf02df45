//! Compiles PHP files: `compile [--dis] FILE…` prints the code, or what the compiler or the verifier refuses.
//! `compile --lint FILE…` prints one line a file, as `php -l` would judge it.

use jumbo_bytecode::unit::{BuiltinInfo, World};
use jumbo_compile::{Options, SourceKind};
use jumbo_value::Value;

/// A world without builtins.
struct Empty;

impl World for Empty {
    fn builtin_function(&self, _: &[u8]) -> Option<BuiltinInfo> {
        None
    }
    fn constant(&self, _: &[u8]) -> Option<Value> {
        None
    }
    fn builtin_class(&self, _: &[u8]) -> Option<Vec<u8>> {
        None
    }
}

fn main() -> std::process::ExitCode {
    let mut failed = false;
    let (mut dis, mut lint) = (false, false);
    let (mut files, mut instructions) = (0, 0);
    for arg in std::env::args().skip(1) {
        match arg.as_str() {
            "--dis" => dis = true,
            "--lint" => lint = true,
            path => {
                let source = match std::fs::read(path) {
                    Ok(source) => source,
                    Err(error) => {
                        eprintln!("{path}: {error}");
                        failed = true;
                        continue;
                    }
                };
                files += 1;
                if lint {
                    println!(
                        "{}\t{}",
                        path.rsplit('/').next().unwrap_or(path),
                        judge(path, &source)
                    );
                    continue;
                }
                match one(path, &source, dis) {
                    Ok(count) => {
                        instructions += count;
                    }
                    Err(message) => {
                        println!("{path}\t{message}");
                        failed = true;
                    }
                }
            }
        }
    }
    eprintln!("{files} files, {instructions} words of code");
    std::process::ExitCode::from(failed as u8)
}

/// As `php -l` with all messages shown.
fn judge(path: &str, source: &[u8]) -> String {
    let arena = jumbo_syntax::Arena::new();
    let program = match jumbo_syntax::parse(&arena, source, Default::default()) {
        Ok(program) => program,
        Err(e) => {
            let kind = match e.kind {
                jumbo_syntax::SyntaxErrorKind::Parse => "Parse error",
                jumbo_syntax::SyntaxErrorKind::Compile | jumbo_syntax::SyntaxErrorKind::Memory(_) => "Fatal error",
            };
            return format!(
                "{kind}: {} on line {}",
                String::from_utf8_lossy(&e.message),
                e.line
            );
        }
    };
    let options = Options {
        file: path.as_bytes(),
        world: &Empty,
        kind: SourceKind::File,
        directory: b".",
        assertions: true,
        multibyte: false,
        memory_max: None,
    };
    let (diagnostics, error) = match jumbo_compile::compile(&program, &options) {
        Ok(unit) => (unit.diagnostics, None),
        Err(e) => (Vec::new(), Some(e)),
    };
    let mut out: Vec<String> = diagnostics
        .iter()
        .map(|(level, message, line)| {
            let word = if *level == 2 { "Warning" } else { "Deprecated" };
            format!(
                "{word}: {} on line {line}",
                String::from_utf8_lossy(message)
            )
        })
        .collect();
    if let Some(e) = error {
        out.push(format!(
            "Fatal error: {} on line {}",
            String::from_utf8_lossy(&e.message),
            e.line
        ));
    }
    if out.is_empty() {
        "ok".into()
    } else {
        out.join(" || ")
    }
}

fn one(path: &str, source: &[u8], dis: bool) -> Result<usize, String> {
    let arena = jumbo_syntax::Arena::new();
    let program = jumbo_syntax::parse(&arena, source, Default::default()).map_err(|e| {
        format!(
            "PHP {:?} error: {} on line {}",
            e.kind,
            String::from_utf8_lossy(&e.message),
            e.line
        )
    })?;
    let options = Options {
        file: path.as_bytes(),
        world: &Empty,
        kind: SourceKind::File,
        directory: b".",
        assertions: true,
        multibyte: false,
        memory_max: None,
    };
    let unit = jumbo_compile::compile(&program, &options).map_err(|e| {
        format!(
            "PHP Fatal error: {} on line {}",
            String::from_utf8_lossy(&e.message),
            e.line
        )
    })?;
    if dis {
        print!("{}", jumbo_bytecode::dis::unit(&unit));
        for (level, message, line) in &unit.diagnostics {
            println!(
                "diagnostic {level}: {} on line {line}",
                String::from_utf8_lossy(message)
            );
        }
    }
    jumbo_bytecode::verify::unit(&unit).map_err(|e| format!("VERIFIER: {e}"))?;
    Ok(unit.main.code.len() + unit.functions.iter().map(|f| f.code.len()).sum::<usize>())
}
